"""A run says what it is, in `run.json`, when all else is written; any model can be recorded."""

import gc
import json
import math
import shutil
import tarfile
import time
import weakref

import allennlp.commands.train
import pytest
import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, Token
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.data.fields import (
    LabelField,
    ListField,
    MetadataField,
    SequenceLabelField,
    TensorField,
    TextField,
)
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.models import BasicClassifier, load_archive
from allennlp.modules import TokenEmbedder

from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.representations import WordFormIndexer
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.run_record import RunRecord
from linspector_allennlp.runs import run_files
from linspector_allennlp.suite.job import Job
from linspector_allennlp.training.split import Split
from tests.representations.hashed_layers import HashedLayersEmbedder

PHASES = {"reading", "representing", "training", "evaluating", "archiving"}


def record_of(folder):
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))


def test_what_a_probe_run_says(train, tmp_path):
    began = time.monotonic()
    train("case_fin", trainer={"num_epochs": 2}, pytorch_seed=4)
    wall = time.monotonic() - began
    found = record_of(tmp_path / "run")
    expected = {
        "format": 2, "kind": "probe", "level": "type", "task": "Case", "language": "finnish",
        "target": None, "control": None, "probe": "single_form_probe", "head": "mlp",
        "main_metric": "accuracy", "seed": 4,
        "baselines": ["baseline_majority", "baseline_suffix", "baseline_form"],
        "predictions": {"kind": "label", "cluster": "line"},
        "sizes": {"train": {"items": 700}, "validation": {"items": 200}, "test": {"items": 100}},
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert found["settings"]["head"] == {"type": "mlp", "hidden_dims": [300], "dropout": 0.5}
    assert found["representation"][0]["type"] == "char_ngrams"
    assert found["columns"][0] == {
        "title": "test accuracy", "metric": "test_accuracy", "form": "percent"
    }  # fmt: skip
    assert set(found["seconds"]) == PHASES and all(s >= 0 for s in found["seconds"].values())
    assert 0 < sum(found["seconds"].values()) <= wall, "a phase was counted twice"
    assert {"torch", "allennlp", "linspector_allennlp"} < set(found["versions"])
    assert len(found["config"]) == 64
    metrics = RunFolder.read(tmp_path / "run").metrics
    assert set(found["baselines"]) < set(metrics)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("tagging", {"target": "Case", "head": "linear", "main_metric": "accuracy"}),
        ("edges", {"target": "trees", "head": "bilinear", "main_metric": "accuracy"}),
        ("distance", {"target": "trees", "head": None, "main_metric": "uuas"}),
        ("depth", {"target": "trees", "main_metric": "root_accuracy"}),
        ("tagging_control", {"target": "Case", "control": {"seed": 13}}),
    ],
)
def test_what_probes_of_treebanks_say(train, treebank, tmp_path, name, expected):
    treebank("Case")
    metrics = train(name, trainer={"num_epochs": 1})
    found = record_of(tmp_path / "run")
    assert {key: found[key] for key in expected} == expected
    assert (found["level"], found["task"]) == ("token", "finnish-ud")
    assert found["sizes"]["test"]["sentences"] == 12
    assert set(found["baselines"]) < set(metrics)
    assert all(
        column["metric"] in metrics or f"{column['metric']}_low" in metrics
        for column in found["columns"]
        if column["title"] != "macro-F1" and "Spr" not in column["title"]
    )
    run = RunFolder.read(tmp_path / "run")
    assert run.task == f"{expected['target']}/finnish-ud" + ", control" * ("control" in expected)


def test_the_record_is_read_as_it_was_written(train, tmp_path):
    train("case_fin", trainer={"num_epochs": 1})
    record = RunRecord.read(tmp_path / "run")
    before = (tmp_path / "run/run.json").read_bytes()
    record.write(tmp_path / "run")
    assert (tmp_path / "run/run.json").read_bytes() == before


@pytest.mark.parametrize(
    "text, message",
    [
        ("{", "expected JSON"),
        ("[]", "expected the record of a run in format 2"),
        ('{"format": 1}', ".*in format 2, found 1. Runs of another version .* train it again"),
        ('{"format": 2}', "expected the record of a run; .*missing"),
        ('{"format": 2, "predictions": []}', r"expected the record of a run, found predictions: \[\]"),
        ('{"format": 2, "task": 3}', "expected the record of a run, found task: 3"),
        ("[" * 100_000, "expected JSON"),
        ('{"format": 2, "kind": "probe", "task": "x", "main_metric": "a", "seed": 1, "config": "", '
         '"columns": [{"titel": "x"}]}', "expected the record of a run; .*titel"),
    ],
)  # fmt: skip
def test_a_damaged_record(tmp_path, text, message):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(ValueError, match=f"run.json: {message}"):
        RunRecord.read(tmp_path)


def test_it_comes_after_the_archive(train, tmp_path, monkeypatch):
    """A run that is killed while its archive is written is not finished, nor has it half an archive."""
    original = run_files.archive_model

    def killed(folder, archive_path, include_in_archive):
        with open(archive_path, "wb") as file:
            file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(run_files, "archive_model", killed)
    with pytest.raises(KeyboardInterrupt):
        train("case_fin", trainer={"num_epochs": 1})
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert "metrics.json" in names and not names & {"run.json", "model.tar.gz"}
    assert not [name for name in names if name.endswith(".tmp")]
    with pytest.raises(
        FileNotFoundError, match="not the folder of a finished run: it has no run.j"
    ):
        RunFolder.read(tmp_path / "run")
    monkeypatch.setattr(run_files, "archive_model", original)
    train("case_fin", recover=True, trainer={"num_epochs": 1})
    assert RunFolder.read(tmp_path / "run").record.task == "Case"
    with tarfile.open(tmp_path / "run/model.tar.gz") as archive:
        assert {"config.json", "weights.th"} < set(archive.getnames())


def test_a_run_that_is_taken_up_again_is_not_finished_meanwhile(train, tmp_path, monkeypatch):
    train("case_fin", trainer={"num_epochs": 1})
    assert (tmp_path / "run/run.json").exists()

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(run_files, "write_outcome", killed)
    with pytest.raises(KeyboardInterrupt):
        train("case_fin", recover=True, trainer={"num_epochs": 1})
    assert not (tmp_path / "run/run.json").exists()


def test_other_runs_are_archived_as_ever(train, tmp_path, tagger_run):
    train("case_fin", trainer={"num_epochs": 1})
    path = allennlp.commands.train.archive_model(
        str(tagger_run), archive_path=tmp_path / "x.tar.gz"
    )
    assert load_archive(path).model is not None
    assert not (tagger_run / "run.json").exists()


@DatasetReader.register("words_of_a_line")
class WordsOfALine(DatasetReader):
    """A reader of somebody else's: no metadata, and AllenNLP's own label."""

    def _read(self, path):
        for line in open(path, encoding="utf-8"):
            word, label = line.rstrip("\n").split("\t")
            yield self.text_to_instance(word, label)

    def text_to_instance(self, word, label=None):
        return Instance({"tokens": TextField([Token(word)]), "label": LabelField(label)})

    def apply_token_indexers(self, instance):
        indexers = {"words": WordFormIndexer(), "ids": SingleIdTokenIndexer()}
        instance["tokens"].token_indexers = indexers


@TokenEmbedder.register("counting_layers")
class CountingLayers(HashedLayersEmbedder):
    words: list = []

    def __init__(self) -> None:
        super().__init__(layer=1, layer_dim=6)

    def compute(self, sentences):
        self.words.extend(word for sentence in sentences for word in sentence)
        return super().compute(sentences)


def settings_of(fixtures, embedder, **more):
    data = fixtures / "type_level/Case/finnish"
    return {
        "type": "recorded_run",
        "dataset_reader": {"type": "words_of_a_line"},
        "train_data_path": str(data / "dev.txt"),
        "validation_data_path": str(data / "test.txt"),
        "test_data_path": str(data / "test.txt"),
        "model": {
            "type": "basic_classifier",
            "text_field_embedder": {
                "token_embedders": {
                    "words": embedder,
                    "ids": {"type": "embedding", "embedding_dim": 2},
                }
            },
            "seq2vec_encoder": {"type": "bag_of_embeddings", "embedding_dim": 22, "averaged": True},
        },
        "data_loader": {"batch_size": 32},
        "trainer": {"num_epochs": 3, "optimizer": "adam", "validation_metric": "+accuracy"},
        **more,
    }


def test_any_model_of_allennlps(fixtures, tmp_path):
    embedder = {"type": "char_ngrams", "dimension": 20}
    run = Job(settings_of(fixtures, embedder), tmp_path / "run").run()
    record = run.record
    assert (record.kind, record.probe) == ("model", "basic_classifier")
    assert (record.main_metric, record.level) == ("accuracy", None)
    assert record.representation[0]["type"] == "char_ngrams"
    assert record.sizes["test"] == {"items": 100}
    assert PHASES <= set(record.seconds)
    assert run.provenance["data"]["train"]["items"] == 200
    assert len(run.provenance["data"]["train"]["sha256"]) == 64
    predictions = list(run.predictions("test"))
    assert len(predictions) == 100 and [p["item"] for p in predictions] == list(range(100))
    path = fixtures / "type_level/Case/finnish/test.txt"
    gold = [line.split("\t")[1] for line in path.read_text(encoding="utf-8").splitlines()]
    right = sum(p["label"] == label for p, label in zip(predictions, gold)) / 100
    assert run.metrics["test_accuracy"] == pytest.approx(right)
    assert run.metrics["best_validation_accuracy"] == pytest.approx(right), "the same data"
    assert {"test_loss", "training_loss"} < set(run.metrics)
    assert load_archive(str(tmp_path / "run")).model is not None


def test_representations_are_computed_once(fixtures, tmp_path):
    """A plain AllenNLP model would run the representation in every epoch."""
    settings = settings_of(fixtures, {"type": "counting_layers"})
    settings["model"]["seq2vec_encoder"]["embedding_dim"] = 8
    run = Job(settings, tmp_path / "run").run()
    assert run.metrics["epoch"] == 2
    distinct = {
        line.split("\t")[0]
        for name in ("dev", "test")
        for line in open(fixtures / f"type_level/Case/finnish/{name}.txt", encoding="utf-8")
    }
    assert sorted(CountingLayers.words) == sorted(distinct)


def test_what_a_recorded_run_refuses(fixtures, tmp_path):
    embedder = {"type": "char_ngrams", "dimension": 20}
    with pytest.raises(ConfigurationError, match="mdl: expected a probe_run"):
        Job(settings_of(fixtures, embedder, mdl=True), tmp_path / "mdl").run()
    settings = settings_of(fixtures, embedder, type="probe_run")
    with pytest.raises(ConfigurationError, match="instances of the readers of this package"):
        Job(settings, tmp_path / "reader").run()
    settings["dataset_reader"] = {
        "type": "single_form", "token_indexers": {"words": {"type": "word_form"}}
    }  # fmt: skip
    with pytest.raises(ConfigurationError, match="not BasicClassifier; say recorded_run"):
        Job(settings, tmp_path / "model").run()


def test_a_probe_can_be_recorded_plainly(train, tmp_path):
    """By its `forward`, without baselines."""
    metrics = train("case_fin", trainer={"num_epochs": 2}, type="recorded_run")
    predictions = list(RunFolder.read(tmp_path / "run").predictions("test"))
    right = sum(p["label"] == p["gold"] for p in predictions) / len(predictions)
    assert metrics["test_accuracy"] == right and len(predictions) == 100
    assert "baseline_majority" not in metrics
    assert record_of(tmp_path / "run")["kind"] == "model"


def test_the_data_of_the_vocabulary(fixtures, tmp_path):
    embedder = {"type": "char_ngrams", "dimension": 20}
    settings = settings_of(fixtures, embedder, datasets_for_vocab_creation=["train"])
    Job(settings, tmp_path / "run").run()
    words = (tmp_path / "run/vocabulary/tokens.txt").read_text(encoding="utf-8").split()
    known = (fixtures / "type_level/Case/finnish/dev.txt").read_text(encoding="utf-8").split()
    assert set(words) - {"@@UNKNOWN@@"} < set(known)
    settings["datasets_for_vocab_creation"] = ["dev"]
    with pytest.raises(ConfigurationError, match="expected train, validation or test, found dev"):
        Job(settings, tmp_path / "other").run()


def test_a_metric_that_is_no_number(fixtures, tmp_path, monkeypatch):
    """It must not cost the run: JSON has no infinity."""
    embedder = {"type": "char_ngrams", "dimension": 20}
    monkeypatch.setattr(
        BasicClassifier, "get_metrics", lambda self, reset=False: {"accuracy": 0.5, "odd": math.inf}
    )
    run = Job(settings_of(fixtures, embedder), tmp_path / "run").run()
    assert run.metrics["test_odd"] is None and run.metrics["test_accuracy"] == 0.5


def field_of(kind):
    """Fields that somebody's reader may have, under names that ours have, too."""
    return {
        "label as a tensor": {"label": TensorField(torch.tensor(1))},
        "labels as a list": {"labels": ListField([LabelField("a"), LabelField("b")])},
        "heads as labels": {"heads": SequenceLabelField(["0"], TextField([Token("x")]), "heads")},
        "a line without a file": {"metadata": MetadataField({"line": 3})},
        "metadata that are text": {"metadata": MetadataField("line")},
        "metadata that are a list": {"metadata": MetadataField(["line"])},
    }[kind]


@pytest.mark.parametrize(
    "kind",
    [
        "label as a tensor", "labels as a list", "heads as labels", "a line without a file",
        "metadata that are text", "metadata that are a list",
    ],
)  # fmt: skip
def test_fields_of_any_reader(kind):
    instances = [
        Instance({"t": TextField([Token(word)], {"x": SingleIdTokenIndexer()}), **field_of(kind)})
        for word in "abc"
    ]
    split = Split(SimpleDataLoader(instances, 2))
    assert list(split.instances()) == instances
    assert all(record.labels == [] for record in split.records)
    assert all(isinstance(record.metadata, dict) for record in split.records)


def test_what_is_refused_leaves_a_finished_run_finished(train, tmp_path, fixtures):
    """Other data, or a file that is gone: what was trained is what it was."""
    paths = {}
    for name in ("train", "validation", "test"):
        source = (
            fixtures / "type_level/Case/finnish" / f"{'dev' if name == 'validation' else name}.txt"
        )
        paths[f"{name}_data_path"] = str(shutil.copy(source, tmp_path / f"{name}.txt"))
    train("case_fin", trainer={"num_epochs": 1}, **paths)
    before = (tmp_path / "run/run.json").read_bytes()
    lines = (tmp_path / "test.txt").read_text(encoding="utf-8").splitlines()
    (tmp_path / "test.txt").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="not those that this run was begun with"):
        train("case_fin", recover=True, trainer={"num_epochs": 1}, **paths)
    (tmp_path / "test.txt").unlink()
    with pytest.raises(FileNotFoundError):
        train("case_fin", recover=True, trainer={"num_epochs": 1}, **paths)
    assert (tmp_path / "run/run.json").read_bytes() == before


def test_the_seconds_of_a_finished_run_are_kept(train, tmp_path):
    train("case_fin", trainer={"num_epochs": 3})
    before = record_of(tmp_path / "run")["seconds"]
    train("case_fin", recover=True, trainer={"num_epochs": 3})
    after = record_of(tmp_path / "run")["seconds"]
    assert all(after[name] >= before[name] for name in before)


def test_finish_alone_leaves_a_finished_run(root, tmp_path):
    """A training loop of one's own, without `train_model`, which would archive."""
    folder = tmp_path / "run"
    folder.mkdir()
    job = Job(
        root / "training_configs/case_fin.jsonnet", folder, overrides={"trainer.num_epochs": 1}
    )
    Params(job.settings()).to_file(str(folder / "config.json"))
    settings = {name: v for name, v in job.settings().items() if not name.endswith("_seed")}
    loop = TrainModel.from_params(Params(settings), serialization_dir=str(folder), local_rank=0)
    loop.finish(loop.run())
    assert job.result().record.task == "Case" and (folder / "model.tar.gz").exists()
    watched = weakref.ref(loop)
    del loop
    gc.collect()
    assert watched() is None, "a run that is over stays in memory"


def test_a_model_is_scored_as_allennlp_does(fixtures, tmp_path):
    embedder = {"type": "char_ngrams", "dimension": 20}
    recorded = Job(settings_of(fixtures, embedder), tmp_path / "recorded").run().metrics
    plain = settings_of(fixtures, embedder, type="default", evaluate_on_test=True)
    allennlp.commands.train.train_model(Params(plain), str(tmp_path / "plain"))
    expected = json.loads((tmp_path / "plain/metrics.json").read_text())
    names = [name for name in expected if "loss" in name or "accuracy" in name]
    assert len(names) > 5
    assert {name: recorded[name] for name in names} == {name: expected[name] for name in names}


def test_no_tags_of_padding(tmp_path):
    """AllenNLP's tagger tags the padding of a batch, too."""
    path = tmp_path / "tags.txt"
    path.write_text("a###X b###Y c###X\nd###Y\na###X b###Y\nb###Y\n" * 3, encoding="utf-8")
    settings = {
        "type": "recorded_run",
        "dataset_reader": {"type": "sequence_tagging"},
        "train_data_path": str(path),
        "test_data_path": str(path),
        "model": {
            "type": "simple_tagger",
            "text_field_embedder": {
                "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 3}}
            },
            "encoder": {"type": "pass_through", "input_dim": 3},
        },
        "data_loader": {"batch_size": 5},
        "trainer": {"num_epochs": 1, "optimizer": "adam"},
    }
    run = Job(settings, tmp_path / "run").run()
    assert [len(p["tags"]) for p in run.predictions("test")] == [3, 1, 2, 1] * 3
    assert run.record.main_metric == "loss" and (run.record.task, run.record.language) == (
        None,
        None,
    )
    assert run.task == "–"
    text = summarize([str(tmp_path / "run")])
    assert f"{run.metrics['test_loss']:.3f}" in text


def test_the_metric_of_a_trainer_that_names_none(train, tmp_path):
    settings = {"num_epochs": 1, "validation_metric": None}
    train("case_fin", trainer=settings, type="recorded_run")
    assert record_of(tmp_path / "run")["main_metric"] == "accuracy"
