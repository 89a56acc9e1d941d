"""Whole runs of the shipped configs on the fixtures."""

import csv
import hashlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

BUCKETS = {"type": "bucket", "batch_size": 4}
KINDS = [
    ("single_form", "Case", "type_level"),
    ("paired_forms", "OddFeat", "type_level"),
    ("token_in_context", "Case", "token_level"),
    ("paired_tokens", "OddFeat", "token_level"),
]
REPORTED = """
    test_accuracy test_macro_f1 best_validation_accuracy best_epoch baseline_majority baseline_suffix
    test_accuracy_low test_accuracy_high num_labels num_train num_validation num_test oov_train
    oov_validation oov_test
""".split()


def without_times(metrics):
    return {key: value for key, value in metrics.items() if "duration" not in key}


@pytest.mark.parametrize("trainer", ["frozen_probe", "gradient_descent"])
@pytest.mark.parametrize("config, task, level", KINDS)
def test_metrics_of_every_kind_with_both_trainers(
    train, environment, fixtures, config, task, level, trainer
):
    environment(task, level, str(fixtures / "vectors/finnish.vec"))
    metrics = train(config, trainer={"type": trainer})
    assert set(REPORTED) <= set(metrics)
    assert metrics["baseline_majority"] < metrics["test_accuracy"] <= 1
    assert metrics["test_accuracy_low"] < metrics["test_accuracy"] < metrics["test_accuracy_high"]
    assert 0 < metrics["oov_test"] < 0.7
    sizes = [metrics[f"num_{split}"] for split in ("train", "validation", "test")]
    assert sizes == ([700, 200, 100] if config == "single_form" else [210, 60, 30])


def test_the_files_of_a_run_agree_with_each_other_and_with_scikit_learn(train, tmp_path, fixtures):
    metrics = train("case_fin")
    run = tmp_path / "run"
    predictions = [
        json.loads(line) for line in (run / "test_predictions.jsonl").open(encoding="utf-8")
    ]
    data = fixtures / "type_level/Case/finnish/test.txt"
    rows = [line.split("\t") for line in data.read_text(encoding="utf-8").splitlines()]
    assert [[p["input"]["form"], p["gold"]] for p in predictions] == rows
    gold, predicted = ([p[key] for p in predictions] for key in ("gold", "label"))
    assert metrics["test_accuracy"] == pytest.approx(accuracy_score(gold, predicted))
    assert metrics["test_macro_f1"] == pytest.approx(f1_score(gold, predicted, average="macro"))
    report = list(csv.DictReader((run / "test_report.tsv").open(encoding="utf-8"), delimiter="\t"))
    labels = [row["label"] for row in report]
    expected = precision_recall_fscore_support(gold, predicted, labels=labels, zero_division=0)
    for key, column in zip(("precision", "recall", "f1", "support"), expected):
        assert [float(row[key]) for row in report] == pytest.approx(list(column), abs=1e-4)
    confusion = list(
        csv.reader((run / "test_confusion.tsv").open(encoding="utf-8"), delimiter="\t")
    )
    assert confusion[0][1:] == labels == [row[0] for row in confusion[1:]]
    for row in confusion[1:]:
        for label, count in zip(labels, row[1:]):
            assert int(count) == list(zip(gold, predicted)).count((row[0], label))


def test_the_run_folder_says_what_made_it(train, tmp_path, environment, fixtures):
    vectors = fixtures / "vectors/finnish.vec"
    environment("Case", vectors=str(vectors))
    train("single_form", pytorch_seed=5, trainer={"num_epochs": 1})
    provenance = json.loads((tmp_path / "run/provenance.json").read_text())
    digest = lambda path: hashlib.sha256(path.read_bytes()).hexdigest()  # noqa: E731
    folder = fixtures / "type_level/Case/finnish"
    for split, name in (("train", "train"), ("validation", "dev"), ("test", "test")):
        assert provenance["data"][split]["sha256"] == digest(folder / f"{name}.txt")
    assert provenance["representation"][0]["sha256"] == digest(vectors)
    assert provenance["seed"] == 5
    assert {"python", "torch", "allennlp", "numpy"} <= set(provenance["versions"])


def test_same_seed_same_metrics_another_seed_others(train):
    first = train("case_fin", "first")
    assert without_times(train("case_fin", "second")) == without_times(first)
    other = train("case_fin", "other", pytorch_seed=99)
    assert other["training_loss"] != first["training_loss"]


def test_the_representation_runs_once(train, monkeypatch):
    from linspector_allennlp.representations import CharNgramsEmbedder

    embedded = []
    original = CharNgramsEmbedder.embed_forms
    monkeypatch.setattr(
        CharNgramsEmbedder,
        "embed_forms",
        lambda self, forms: (embedded.extend(forms), original(self, forms))[1],
    )
    metrics = train("case_fin")
    assert metrics["epoch"] > 3
    assert len(embedded) == 700 + 200 + 100, "each word once, for training and evaluation alike"


def test_a_killed_run_recovers_to_the_same_result(train, root, tmp_path):
    """SIGKILL in the middle of training, then --recover."""
    overrides = {
        "trainer.num_epochs": 300, "trainer.patience": 300, "data_loader.batch_size": 4
    }  # fmt: skip
    script = (
        "import sys; sys.argv[0] = 'allennlp'; import linspector_allennlp;"
        "from allennlp.commands import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, "train", "training_configs/case_fin.jsonnet"]
        + ["-s", str(tmp_path / "killed"), "-o", json.dumps(overrides)],
        cwd=root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(1200):
        if (tmp_path / "killed/metrics_epoch_3.json").exists() or process.poll() is not None:
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    epochs = len(list((tmp_path / "killed").glob("metrics_epoch_*.json")))
    assert 4 <= epochs < 300 and not (tmp_path / "killed/metrics.json").exists()
    # What is left to do is cut short, so that the test is: the config must be that of the run.
    config = json.loads((tmp_path / "killed/config.json").read_text())
    config["trainer"]["num_epochs"] = epochs + 3
    (tmp_path / "killed/config.json").write_text(json.dumps(config))
    data = {key: config[key] for key in config if key.endswith("_path")}
    changes = {"trainer": config["trainer"], "data_loader": config["data_loader"], **data}
    recovered = train("case_fin", "killed", recover=True, **changes)
    assert without_times(recovered) == without_times(train("case_fin", "whole", **changes))


@pytest.mark.parametrize("trainer", ["frozen_probe", "gradient_descent"])
@pytest.mark.parametrize("config, task, level", KINDS)
def test_every_kind_recovers_with_both_trainers(
    train, environment, tmp_path, config, task, level, trainer
):
    environment(task, level)
    train(config, trainer={"type": trainer, "num_epochs": 1})
    path = tmp_path / "run/config.json"
    settings = json.loads(path.read_text())
    settings["trainer"]["num_epochs"] = 2
    path.write_text(json.dumps(settings))
    metrics = train(config, recover=True, trainer={"type": trainer, "num_epochs": 2})
    assert metrics["epoch"] == 1
    if trainer == "frozen_probe":
        whole = train(config, "whole", trainer={"type": trainer, "num_epochs": 2})
        assert without_times(metrics) == without_times(whole)


def test_recovering_a_finished_run_changes_nothing(train):
    first = train("case_fin")
    assert train("case_fin", recover=True) == first


def test_interrupted_by_the_user(train, monkeypatch, tmp_path):
    """Ctrl-C leaves an archive of the best epoch so far."""
    from linspector_allennlp.training import head_training

    original, calls = head_training.train_epoch, []

    def interrupted(*args):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return original(*args)

    monkeypatch.setattr(head_training, "train_epoch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train("case_fin")
    assert load_archive(str(tmp_path / "run/model.tar.gz")).model is not None


def test_early_stopping_uses_the_best_epoch(train, tmp_path):
    metrics = train("case_fin", trainer={"num_epochs": 30, "patience": 2})
    accuracies = [
        json.loads((tmp_path / f"run/metrics_epoch_{epoch}.json").read_text())[
            "validation_accuracy"
        ]
        for epoch in range(metrics["epoch"] + 1)
    ]
    assert metrics["best_epoch"] == accuracies.index(max(accuracies))
    assert metrics["epoch"] == metrics["best_epoch"] + 2
    predictions = [
        json.loads(line)
        for line in (tmp_path / "run/validation_predictions.jsonl").open(encoding="utf-8")
    ]
    right = sum(p["gold"] == p["label"] for p in predictions) / len(predictions)
    assert right == metrics["best_validation_accuracy"] == max(accuracies)


def test_halving_the_learning_rate_and_limiting_steps(train, tmp_path):
    metrics = train(
        "case_fin",
        trainer={
            "learning_rate_scheduler": "halve_on_plateau",
            "validation_metric": "-loss",
            "max_steps": 100,
            "grad_norm": 1.0,
        },
    )
    assert metrics["training_steps"] == 100


def test_unseen_labels_are_counted_and_scored_as_errors(train, environment, fixtures, tmp_path):
    environment("unseen_label")
    folder = fixtures / "broken/unseen_label"
    labels = {
        split: [line.split("\t")[1] for line in (folder / f"{split}.txt").read_text().splitlines()]
        for split in ("train", "dev", "test")
    }
    unseen = sum(label not in labels["train"] for label in labels["test"])
    paths = {
        f"{split}_data_path": str(folder / f"{file}.txt")
        for split, file in (("train", "train"), ("validation", "dev"), ("test", "test"))
    }
    for trainer in ("frozen_probe", "gradient_descent"):
        metrics = train("single_form", trainer, trainer={"type": trainer}, **paths)
        assert metrics["test_unseen_labels"] == unseen > 0
        assert metrics["num_labels"] == len(set(labels["train"]))
        assert metrics["test_accuracy"] <= 1 - unseen / len(labels["test"])
        log = (tmp_path / trainer / "out.log").read_text()
        assert f"{unseen} of {len(labels['test'])} items have a label that is not in the" in log


def test_no_test_data(train, tmp_path):
    metrics = train("case_fin", test_data_path=None)
    assert "test_accuracy" not in metrics and metrics["num_validation"] == 200


def test_unknown_words_of_the_context_are_no_error(train, environment, fixtures, tmp_path):
    """Only the probed words are looked up: with `unk: error` only they need vectors."""
    words = set()
    for split in ("train", "dev", "test"):
        path = fixtures / f"token_level/Case/finnish/{split}.txt"
        for line in path.read_text(encoding="utf-8").splitlines():
            sentence, index, _ = line.split("\t")
            words.add(sentence.split(" ")[int(index)])
    vectors = tmp_path / "probed.vec"
    vectors.write_text("".join(f"{word} 0.5 {len(word)}\n" for word in sorted(words)))
    environment("Case", "token_level", str(vectors))
    embedder = {"token_embedders": {"words": {"unk": "error"}}}
    metrics = train(
        "token_in_context", trainer={"num_epochs": 1}, model={"text_field_embedder": embedder}
    )
    assert metrics["oov_train"] == metrics["oov_test"] == 0


def test_features_larger_than_memory(train):
    small = train("case_fin", "small", trainer={"feature_memory_gb": 0})
    assert without_times(small) == without_times(train("case_fin", "large"))


@pytest.mark.parametrize("num_workers", [0, 2])
def test_lazy_and_multi_process_loading(train, num_workers):
    loader = {"num_workers": num_workers, "max_instances_in_memory": 64}
    lazy = train("case_fin", "lazy", data_loader=loader)
    assert without_times(lazy) == without_times(train("case_fin", "eager"))


@pytest.mark.parametrize(
    "overrides, error, message",
    [
        ({"train_data_path": "no/such.txt"}, FileNotFoundError, "no/such.txt"),
        ({"train_data_path": "{broken}/empty.txt"}, ValueError, "empty.txt is empty"),
        ({"train_data_path": "{broken}/one_label/train.txt"}, ConfigurationError, "at least two labels"),
        ({"test_data_path": "{odd}/no_label_column.txt"}, ConfigurationError, "line 1: expected 2 tab"),
        ({"trainer": {"epochs": 3}}, ConfigurationError, "epochs"),
        ({"learning_rate": 3}, ConfigurationError, "learning_rate"),
        ({"model": {"head": {"hidden": 3}}}, ConfigurationError, "hidden"),
        ({"dataset_reader": {"lower": True}}, ConfigurationError, "lower"),
        ({"trainer": {"patience": 0}}, ConfigurationError, "patience: expected at least 1"),
        ({"trainer": {"num_epochs": 0}}, ConfigurationError, "num_epochs: expected at least 1"),
        ({"data_loader": {"batch_size": None, "shuffle": None, "batch_sampler": BUCKETS}},
         ConfigurationError, "instead of a `batch_sampler`"),
        ({"data_loader": {"batches_per_epoch": 3}}, ConfigurationError, "leave out `batches_per_epoch`"),
        ({"trainer": {"optimizer": {"type": "adam", "lr": 1e30}}}, ValueError, "lower learning rate"),
    ],
)  # fmt: skip
def test_wrong_things_have_their_own_sentence(train, fixtures, overrides, error, message):
    text = json.dumps(overrides)
    text = text.replace("{broken}", str(fixtures / "broken")).replace(
        "{odd}", str(fixtures / "odd_but_fine")
    )
    with pytest.raises(error) as raised:
        train("case_fin", **json.loads(text))
    assert message in str(raised.value)


def test_a_single_form_file_for_the_paired_reader(train, environment, fixtures):
    environment("OddFeat")
    path = str(fixtures / "broken/two_columns_for_pairs.txt")
    with pytest.raises(ConfigurationError) as raised:
        train("paired_forms", train_data_path=path)
    assert (
        f"{path}, line 1: expected 3 tab-separated columns (form1, form2, label), found 2"
        in str(raised.value)
    )


@pytest.mark.parametrize(
    "name, message",
    [
        ("ragged", "line "),
        ("too_many_values", "line "),
        ("wrong_header_dimension", "line "),
        ("wrong_header_count", "header"),
        ("nan", "line "),
        ("not_a_number", "line "),
        ("empty", "empty"),
        ("other_words", "knows none of the words"),
    ],
)
def test_broken_vectors_have_their_own_sentence(
    train, environment, fixtures, tmp_path, name, message
):
    path = tmp_path / f"{name}.vec"
    path.write_bytes((fixtures / f"broken/vectors/{name}.vec").read_bytes())
    environment("Case", vectors=str(path))
    with pytest.raises((ValueError, ConfigurationError)) as raised:
        train("single_form")
    assert message in str(raised.value)


def test_any_embedder_of_allennlps_own(train, fixtures):
    """
    Its vocabulary has the test words, or it would score no more than the majority; which of them
    it knows it cannot say.
    """
    embedding = {
        "type": "embedding",
        "pretrained_file": str(fixtures / "vectors/finnish.vec"),
        "embedding_dim": 20,
        "vocab_namespace": "tokens",
        "dimension": None,
    }
    metrics = train(
        "case_fin",
        dataset_reader={"token_indexers": {"words": {"type": "single_id"}}},
        model={"text_field_embedder": {"token_embedders": {"words": embedding}}},
    )
    assert metrics["oov_test"] is None
    assert metrics["test_accuracy"] > metrics["baseline_majority"] + 0.1


def test_another_model_is_sent_elsewhere(train):
    encoder = {"type": "boe", "embedding_dim": 300}
    model = {"type": "basic_classifier", "seq2vec_encoder": encoder, "head": None}
    with pytest.raises(ConfigurationError, match="leave out the .type. at the top"):
        train("case_fin", model=model)
    with pytest.raises(ConfigurationError, match="use gradient_descent for other models"):
        train("case_fin", "default", type="recorded_run", model=model)
