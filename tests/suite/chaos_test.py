"""Processes that die, on every occasion: what is finished stays, and nothing is there by half."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import groups, local_processes
from tests.suite.processes import ended, forked, is_alive, killed, wait_for
from tests.suite.small_studies import outcomes, small_runs, trained, with_changes

KILLS = 10


@pytest.fixture(scope="module")
def forty():
    return small_runs(["Number", "Person"], ["char_ngrams", "random_vectors"], seeds=10)


@pytest.fixture(scope="module")
def undisturbed(forty, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "study"
    trained(folder, forty)
    return outcomes(folder)


@pytest.fixture
def quick_start(monkeypatch):
    """Processes are forked from the one that starts the study, and need not import anything."""
    context = multiprocessing.get_context("fork")
    monkeypatch.setattr(local_processes, "_context", lambda: context)


def num_finished(study):
    return sum(map(study.is_finished, study.plan())) if study.is_study(study.path) else 0


def test_forty_runs_and_ten_kills(tmp_path, forty, undisturbed, quick_start, monkeypatch):
    # Of two runs, so that there is something left to do after ten starts.
    monkeypatch.setattr(groups, "LARGEST", 2)
    rng, study, finished = random.Random(5), StudyFolder(tmp_path / "study"), [0]
    for _ in range(KILLS):
        child = forked(lambda: trained(study.path, forty, "processes", workers=2))
        until = time.monotonic() + rng.uniform(0, 2)
        while num_finished(study) == finished[-1] and time.monotonic() < until:
            assert ended(child, 0.01) is None
        assert killed(child, rng.uniform(0, 0.02)) is None, "it ended before it was killed"
        finished.append(num_finished(study))
        assert finished[-1] >= finished[-2], "a finished run was lost"
    assert 5 < finished[-1] < 40
    child = forked(lambda: trained(study.path, forty, "processes", workers=2))
    assert ended(child, 120) == 0
    assert outcomes(study.path) == undisturbed
    assert sorted(path.name for path in study.path.iterdir()) == ["log", "runs", "suite.json"]
    assert not list(study.runs.glob(".*"))
