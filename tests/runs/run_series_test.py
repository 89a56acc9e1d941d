"""Many runs in one process, against each of them by `allennlp train`."""

import copy
import gc
import json
import os
import tracemalloc
from pathlib import Path

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.models.archival import load_archive

from linspector_allennlp.run_folders.run_record import RunRecord
from linspector_allennlp.runs import run_files
from linspector_allennlp.runs.run_series import RunSeries, RunToTrain, archive_run
from linspector_allennlp.suite.job import Job
from tests.conftest import ROOT, merged

TIMES = ("duration", "seconds")


def settings_of(config, fixtures, level, task, vectors, seed=13, **changes):
    variables = {"DATA_DIR": str(fixtures / level), "TASK": task, "LANGUAGE": "finnish"}
    variables["VECTORS"] = str(vectors)
    config = ROOT / "training_configs" / f"{config}.jsonnet"
    seeds = dict.fromkeys(("random_seed", "numpy_seed", "pytorch_seed"), seed)
    return merged({**Job(config, "", variables).settings(), **seeds}, changes)


@pytest.fixture
def case(fixtures):
    def settings(seed=13, vectors="char_ngrams:20", **changes):
        return settings_of("single_form", fixtures, "type_level", "Case", vectors, seed, **changes)

    return settings


def train(settings, folder, **how):
    """The error of each run, by the name of its folder."""
    runs = [RunToTrain(each, str(folder / name), **how) for name, each in settings.items()]
    return {Path(end.folder).name: end.error for end in RunSeries().train(runs)}


def train_alone(settings, folder):
    train_model(Params(copy.deepcopy(settings)), str(folder))


def without_times(value):
    if isinstance(value, dict):
        return {
            key: without_times(each)
            for key, each in value.items()
            if not any(time in key for time in TIMES)
        }
    return value


def contents(folder, name):
    text = (folder / name).read_text(encoding="utf-8")
    return without_times(json.loads(text)) if name.endswith(".json") else text


HALVING = {"learning_rate_scheduler": "halve_on_plateau", "validation_metric": "-loss", "patience": 2}


@pytest.fixture
def mixed_runs(fixtures):
    """Several tasks, representations, seeds and heads, some of which fit into a stack."""
    vectors = fixtures / "vectors/finnish.vec"
    few = {"num_epochs": 4}
    linear = {"head": {"type": "linear", "dropout": 0.3, "hidden_dims": None}}
    runs = {}
    for seed in (1, 2):
        for name, of in (("fixed", vectors), ("chars", "char_ngrams:30")):
            runs[f"case-{name}-{seed}"] = settings_of(
                "single_form", fixtures, "type_level", "Case", of, seed, trainer=few
            )
        runs[f"odd-{seed}"] = settings_of(
            "paired_forms", fixtures, "type_level", "OddFeat", vectors, seed, trainer=few
        )
        runs[f"token-{seed}"] = settings_of(
            "token_in_context", fixtures, "token_level", "Case", vectors, seed,
            model=linear, trainer={**few, **HALVING},
        )  # fmt: skip
    runs["bilstm"] = settings_of(
        "token_in_context", fixtures, "token_level", "Case", "random_bilstm:char_ngrams:12",
        trainer=few,
    )  # fmt: skip
    runs["random"] = settings_of(
        "single_form", fixtures, "type_level", "Case", f"word_vectors:{vectors}:unk=random", 3,
        trainer=few, mdl=True,
    )  # fmt: skip
    return runs


def test_each_run_is_as_if_it_were_alone(mixed_runs, tmp_path):
    assert set(train(mixed_runs, tmp_path / "series", archive=True).values()) == {None}
    for name, settings in mixed_runs.items():
        alone, ours = tmp_path / "alone" / name, tmp_path / "series" / name
        train_alone(settings, alone)
        expected = {path.name for path in alone.iterdir() if "epoch" not in path.name}
        expected -= {"training_state.th", "out.log", "err.log", ".out.log.lock"}
        assert {path.name for path in ours.iterdir()} == expected
        for file in sorted(expected - {"meta.json", "best.th", "model.tar.gz", "vocabulary"}):
            found, wanted = contents(ours, file), contents(alone, file)
            if file == "metrics.json":  # summed in another order
                loss = wanted.pop("training_loss")
                assert found.pop("training_loss") == pytest.approx(loss, rel=1e-6)
            assert found == wanted, (name, file)
        for file in sorted((alone / "vocabulary").glob("*.txt")):
            assert (ours / "vocabulary" / file.name).read_bytes() == file.read_bytes()
        theirs, weights = torch.load(alone / "best.th"), torch.load(ours / "best.th")
        assert theirs.keys() == weights.keys()
        assert all(torch.equal(theirs[key], weights[key]) for key in theirs), name
        seconds = RunRecord.read(ours).seconds
        assert set(seconds) == {"reading", "representing", "training", "evaluating", "archiving"}
    archive = load_archive(tmp_path / "series/case-chars-1/model.tar.gz")
    assert archive.model.label_names
