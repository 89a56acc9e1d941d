"""Many runs in one process, against each of them by `allennlp train`."""

import copy
import gc
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.data import Instance
from allennlp.models.archival import load_archive

from linspector_allennlp.io.temporary import name_beside
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


HALVING = {
    "learning_rate_scheduler": "halve_on_plateau",
    "validation_metric": "-loss",
    "patience": 2,
}


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


def test_a_run_that_fails_leaves_nothing_and_stops_nobody(case, tmp_path):
    runs = {
        "good": case(trainer={"num_epochs": 2}),
        "no-file": case(train_data_path="nowhere/train.txt"),
        "one-label": case(train_data_path=str(one_label(tmp_path))),
        "diverging": case(trainer={"num_epochs": 2, "optimizer": {"lr": 1e30}}),
        "mistyped": case(model={"head": {"type": "mpl"}}),
        "good-too": case(seed=2, trainer={"num_epochs": 2}),
    }
    (tmp_path / "runs").mkdir()
    planted, killed = (
        tmp_path / f"runs/.good.{os.getpid()}.tmp",
        left_by_a_killed(tmp_path / "runs/good"),
    )
    planted.symlink_to(tmp_path)
    errors = train(runs, tmp_path / "runs")
    assert planted.readlink() == tmp_path and not (tmp_path / "config.json").exists()
    assert not killed.exists()
    planted.unlink()
    assert [errors[name] for name in ("good", "good-too")] == [None, None]
    assert "nowhere/train.txt" in errors["no-file"]
    assert "at least two labels" in errors["one-label"]
    assert "lower learning rate" in errors["diverging"]
    assert "mpl not in acceptable choices" in errors["mistyped"]
    assert sorted(os.listdir(tmp_path / "runs")) == ["good", "good-too"]
    train_alone(runs["good"], tmp_path / "alone")
    assert contents(tmp_path / "runs/good", "test_predictions.jsonl") == contents(
        tmp_path / "alone", "test_predictions.jsonl"
    )


def left_by_a_killed(folder):
    """What a process that was killed while it trained a run leaves beside its place."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    name = name_beside(folder).name.replace(f".{os.getpid()}-", f".{process.pid}-")
    left = folder.with_name(name)
    left.mkdir()
    (left / "config.json").write_text("{}")
    return left


def one_label(folder):
    path = folder / "one.txt"
    path.write_text("talossa\tIne\nautossa\tIne\n", encoding="utf-8")
    return path


def test_runs_that_are_trained_by_themselves(case, tmp_path, tagger_run):
    few = {"num_epochs": 2}
    recorded = json.loads((tagger_run / "config.json").read_text(encoding="utf-8"))
    runs = {
        "descent": case(trainer={"type": "gradient_descent", "optimizer": "adam", **few}),
        "folds": case(folds={"type": "k_fold", "k": 2}, trainer=few),
        "tagger": {**recorded, "type": "recorded_run"},
        "linear": case(trainer={"optimizer": {"type": "sgd", "lr": 0.1}, **few}),
        "forest": case(
            model={"head": {"type": "sklearn", "classifier": "GaussianNB", "hidden_dims": None, "dropout": None}}
        ),
    }  # fmt: skip
    assert train(runs, tmp_path / "series") == dict.fromkeys(runs)
    assert sorted(os.listdir(tmp_path / "series")) == sorted(runs)
    for name, settings in runs.items():
        train_alone(settings, tmp_path / "alone" / name)
        found, wanted = (
            contents(tmp_path / each / name, "metrics.json") for each in ("series", "alone")
        )
        assert {k: v for k, v in found.items() if "memory" not in k} == {
            k: v for k, v in wanted.items() if "memory" not in k
        }, name


def test_an_archive_may_be_made_later(case, tmp_path):
    train({"run": case(trainer={"num_epochs": 2})}, tmp_path)
    folder = tmp_path / "run"
    assert not (folder / "model.tar.gz").exists()
    archive_run(folder)
    trained = load_archive(folder / "model.tar.gz").model
    best = torch.load(folder / "best.th")
    assert all(torch.equal(best[name], each) for name, each in trained.state_dict().items())


def test_texts_are_computed_in_one_pass(fixtures, tmp_path, monkeypatch):
    """Of two tasks and all seeds; runs then take what is there."""
    from linspector_allennlp.representations import RandomBiLstmEmbedder as Embedder

    passes, computed = [], []
    prepare, compute = Embedder.prepare, Embedder.compute
    monkeypatch.setattr(
        Embedder, "prepare", lambda self, texts: prepare(self, (passes.append(1), list(texts))[1])
    )
    monkeypatch.setattr(
        Embedder,
        "compute",
        lambda self, texts: (computed.append(len(texts)), compute(self, texts))[1],
    )
    few = {"num_epochs": 1}
    runs = {
        f"{task}-{seed}": settings_of(
            "token_in_context", fixtures, "token_level", task,
            "random_bilstm:seed=5:char_ngrams:seed=3:dimension=12", seed, trainer=few,
        ) if task == "Case" else settings_of(
            "paired_tokens", fixtures, "token_level", task,
            "random_bilstm:seed=5:char_ngrams:seed=3:dimension=12", seed, trainer=few,
        )
        for task in ("Case", "OddFeat") for seed in (1, 2)
    }  # fmt: skip
    series = RunSeries()
    series.prepare(list(runs.values()))
    assert len(passes) == 1
    ready = sum(computed)
    ends = series.train([RunToTrain(each, str(tmp_path / name)) for name, each in runs.items()])
    assert [end.error for end in ends] == [None] * 4
    assert sum(computed) == ready > 0


def test_nothing_grows_with_the_number_of_runs(case, tmp_path):
    few = {"num_epochs": 1}
    logging.disable(logging.INFO)  # the test itself keeps what is logged
    series, objects, archived = RunSeries(), [], set(run_files._archived)
    for group in range(10):
        settings = [case(seed=seed % 3, trainer=few) for seed in range(6)]
        runs = [
            RunToTrain(s, str(tmp_path / f"{group}-{n}"), n == 0) for n, s in enumerate(settings)
        ]
        assert not any(end.error for end in series.train(runs))
        gc.collect()
        kinds = (torch.Tensor, torch.nn.Module, Params, Instance, logging.Handler)
        objects.append(sum(issubclass(type(each), kinds) for each in gc.get_objects()))
    logging.disable(logging.NOTSET)
    # 48 runs lie between: what each left behind would be at least as many.
    assert objects[-1] - objects[1] < 24, objects
    assert run_files._archived == archived
    assert len(os.listdir(tmp_path)) == 60
