"""Processes that die, on every occasion: what is finished stays, and nothing is there by half."""

import multiprocessing
import os
import random
import signal
import time

import pytest

from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import groups, local_processes
from linspector_allennlp.suite.executors import local_cluster
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
    monkeypatch.setattr(local_processes, "start_server", lambda: context)


def num_finished(study):
    return sum(map(study.is_finished, study.plan())) if study.is_study(study.path) else 0


def test_forty_runs_and_ten_kills(tmp_path, forty, undisturbed, quick_start, monkeypatch):
    # Run by run, so that there is something left to do after ten starts.
    monkeypatch.setattr(groups, "LARGEST", 1)
    rng, study, finished = random.Random(5), StudyFolder(tmp_path / "study"), [0]
    for kill in range(KILLS):
        child = forked(lambda: trained(study.path, forty, "processes", workers=2))
        until = time.monotonic() + (rng.uniform(0, 3) if kill else 60)
        while num_finished(study) == finished[-1] and time.monotonic() < until:
            assert ended(child, 0.01) is None
        assert killed(child, rng.uniform(0, 0.02)) is None, "it ended before it was killed"
        finished.append(num_finished(study))
        assert finished[-1] >= finished[-2], "a finished run was lost"
    assert 0 < finished[-1] < 40
    child = forked(lambda: trained(study.path, forty, "processes", workers=2))
    assert ended(child, 120) == 0
    failures = [path.read_text() for path in study.path.glob("failed/*")]
    assert not failures, failures[0]
    assert outcomes(study.path) == undisturbed
    assert sorted(path.name for path in study.path.iterdir()) == ["log", "runs", "suite.json"]
    assert not list(study.runs.glob(".*"))


def test_a_run_that_kills_its_process_fails_alone(tmp_path, undisturbed, forty):
    runs = forty[:6]
    bad = with_changes(
        runs[2], dataset_reader={**runs[2].settings["dataset_reader"], "type": "killing_reader"}
    )
    runs = [bad if run is runs[2] else run for run in runs]
    plugins = ["tests.suite.killing_reader"]
    progress = trained(tmp_path / "study", runs, "processes", workers=2, packages=plugins)
    assert progress.failed == [bad.name] and progress.done == 5
    study = StudyFolder(tmp_path / "study")
    (failure,) = study.failed.iterdir()
    assert "its process was killed, 2 times" in failure.read_text()
    assert outcomes(study.path) == {
        run.name: undisturbed[run.name] for run in runs if run is not bad
    }
    log = "".join(path.read_text() for path in study.log.iterdir())
    assert "test accuracy" in log, "what the processes say goes there"


def test_ctrl_c(tmp_path, forty, undisturbed, quick_start):
    study = StudyFolder(tmp_path / "study")
    child = forked(lambda: trained(study.path, forty, "processes", workers=2))
    wait_for(lambda: num_finished(study) > 0)
    os.killpg(child, signal.SIGINT)  # as a terminal does, to all of them
    assert ended(child, 20) == 130
    assert 0 < num_finished(study) < 40 and not study.unfinished.exists()
    finished = outcomes(study.path)
    assert finished == {name: undisturbed[name] for name in finished}


def test_workers_end_with_the_one_who_started_them(tmp_path, forty, quick_start):
    study = StudyFolder(tmp_path / "study")
    child = forked(lambda: trained(study.path, forty, "processes", workers=2))
    wait_for(lambda: study.log.exists() and len(list(study.log.iterdir())) == 2)
    workers = [int(path.stem) for path in study.log.iterdir()]
    assert all(map(is_alive, workers))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    wait_for(lambda: not any(map(is_alive, workers)), 10)
    assert trained(study.path, forty[:20]).done == 20, "the lock is free"


def test_a_worker_of_dask_is_killed_in_the_middle(tmp_path, forty, undisturbed, monkeypatch):
    """A real scheduler, and workers in processes; what a dead one had finished is not done twice."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(groups, "LARGEST", 3)
    study, victims = StudyFolder(tmp_path / "study"), []
    runs = forty[::2]

    def kill_one(progress):
        if progress.done >= 4 and not victims:
            victims.append(next(iter(client.run(os.getpid).values())))
            os.kill(victims[0], signal.SIGKILL)

    with local_cluster(2) as cluster, distributed.Client(cluster) as client:
        address = cluster.scheduler_address
        progress = trained(study.path, runs, "dask", scheduler=address, observe=kill_one)
    assert victims and progress.done == 20 and not progress.failed
    assert outcomes(study.path) == {run.name: undisturbed[run.name] for run in runs}
    assert not study.unfinished.exists()
