"""What `metrics.json` says of a score, from the predictions that stand beside it."""

import json
import math
from collections import Counter

import numpy as np
import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.dataset_readers import DependencyTreeReader, TokenTagsReader
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.formats import read_paired_forms
from linspector_allennlp.metrics.interval import share_interval

WORTH = ("accuracy_seen_forms", "accuracy_unseen_forms", "bits", "label_bits", "usable_bits")


def predictions_of(folder):
    with open(folder / "test_predictions.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_forms(metrics, predictions, seen, word_of):
    for name, wanted in (("seen", True), ("unseen", False)):
        right = [p["label"] == p["gold"] for p in predictions if (word_of(p) in seen) == wanted]
        assert metrics[f"test_accuracy_{name}_forms"] == pytest.approx(sum(right) / len(right))


def test_tags(train, treebank, tmp_path, fixtures):
    treebank("Case")
    metrics = train("tagging", trainer={"num_epochs": 5})
    predictions = predictions_of(tmp_path / "run")
    path = str(fixtures / "raw/finnish-ud-train.conllu")
    words, labels = [], Counter()
    for instance in TokenTagsReader("Case").read(path):
        words += metadata_of(instance)["words"]
        labels.update(instance["labels"].labels)
    check_forms(metrics, predictions, set(words), lambda p: p["form"])
    known = [p for p in predictions if p["gold"] in labels]
    bits = sum(-math.log2(p["gold_probability"]) for p in known) / len(known)
    prior = sum(-math.log2(labels[p["gold"]] / labels.total()) for p in known) / len(known)
    assert metrics["test_bits"] == pytest.approx(bits, rel=1e-4)
    assert metrics["test_label_bits"] == pytest.approx(prior)
    assert metrics["test_usable_bits"] == pytest.approx(prior - bits, rel=1e-4)
    assert metrics["test_bits"] == pytest.approx(metrics["test_loss"] / math.log(2), rel=1e-5)


def test_heads(train, treebank, tmp_path, fixtures):
    treebank()
    metrics = train("edges", trainer={"num_epochs": 5})
    predictions = predictions_of(tmp_path / "run")
    offsets, words = Counter(), []
    for instance in DependencyTreeReader().read(str(fixtures / "raw/finnish-ud-train.conllu")):
        for word, (form, head) in enumerate(
            zip(metadata_of(instance)["words"], instance["heads"].tensor.tolist())
        ):
            if head >= 0:
                offsets[head - word] += 1
                words.append(form)
    check_forms(metrics, predictions, set(words), lambda p: p["form"])
    lengths = {
        metadata_of(instance)["sentence"]: len(metadata_of(instance)["words"])
        for instance in DependencyTreeReader().read(str(fixtures / "raw/finnish-ud-test.conllu"))
    }
    bits, prior = [], []
    for p in predictions:
        bits.append(-math.log2(p["gold_probability"]))
        weights = [offsets[n - p["index"]] + 1 for n in range(lengths[p["sentence"]])]
        prior.append(-math.log2(weights[p["gold"]] / sum(weights)))
    assert metrics["num_test"] == len(bits) == len(predictions)
    assert metrics["test_bits"] == pytest.approx(sum(bits) / len(bits), rel=1e-4)
    assert metrics["test_label_bits"] == pytest.approx(sum(prior) / len(prior))
    assert metrics["test_usable_bits"] == pytest.approx(
        metrics["test_label_bits"] - metrics["test_bits"]
    )


@pytest.mark.parametrize("trainer", ["frozen_probe", "gradient_descent"])
def test_unseen_labels(train, environment, fixtures, tmp_path, trainer):
    environment("unseen_label")
    folder = fixtures / "broken/unseen_label"
    paths = {
        f"{split}_data_path": str(folder / f"{file}.txt")
        for split, file in (("train", "train"), ("validation", "dev"), ("test", "test"))
    }
    by_loss = {"type": trainer, "num_epochs": 2, "validation_metric": "-loss"}
    metrics = train("single_form", trainer=by_loss, **paths)
    # Genitive and Partitive are half of the training items each; of six test items two are of a third.
    assert metrics["test_label_bits"] == pytest.approx(1)
    known = [p for p in predictions_of(tmp_path / "run") if p["gold"] != "Translative"]
    assert len(known) == 4
    bits = sum(-math.log2(p["probabilities"][p["gold"]]) for p in known) / 4
    assert metrics["test_bits"] == pytest.approx(bits, rel=1e-4)
    assert "test_accuracy_seen_forms" not in metrics, "no form comes back"
    assert metrics["test_accuracy_unseen_forms"] == metrics["test_accuracy"]


def test_pairs_and_tokens_in_context(train, environment, fixtures, tmp_path):
    """The test pairs are those of training the other way round, and so all are seen."""
    environment("OddFeat")
    pairs = read_paired_forms(fixtures / "type_level/OddFeat/finnish/train.txt")
    swapped = "".join(f"{pair.form2}\t{pair.form1}\t{pair.label}\n" for pair in pairs)
    (tmp_path / "swapped.txt").write_text(swapped, encoding="utf-8")
    changes = {"test_data_path": str(tmp_path / "swapped.txt")}
    metrics = train("paired_forms", "pairs", trainer={"num_epochs": 1}, **changes)
    assert {f"test_{name}" for name in WORTH[2:]} < metrics.keys()
    assert metrics["overlap_test"] == 1
    assert metrics["test_accuracy_seen_forms"] == metrics["test_accuracy"]
    assert "test_accuracy_unseen_forms" not in metrics
    environment("Case", "token_level")
    metrics = train("token_in_context", "tokens", trainer={"num_epochs": 1})
    assert {f"test_{name}" for name in WORTH} < metrics.keys()


@pytest.mark.parametrize("name", ["distance", "depth", "perceptron"])
def test_trees_have_no_such_numbers(train, treebank, name):
    treebank()
    metrics = train(name, trainer={"num_epochs": 1})
    assert not {f"test_{each}" for each in WORTH} & metrics.keys()


@pytest.mark.parametrize("name", ["distance", "depth", "perceptron"])
def test_no_code_of_trees(train, treebank, tmp_path, name):
    treebank()
    with pytest.raises(ConfigurationError, match="mdl: a .*Probe gives no probabilities"):
        train(name, mdl=True)
    assert not list((tmp_path / "run").glob("metrics*")), "it was trained"


def test_no_code_of_another_trainer(train, tmp_path):
    with pytest.raises(ConfigurationError, match="mdl: expected the trainer frozen_probe"):
        train("case_fin", mdl=True, trainer={"type": "gradient_descent"})
    assert not list((tmp_path / "run").glob("metrics*")), "it was trained"


def test_the_interval_of_tokens_is_over_sentences(train, environment, tmp_path):
    environment("Case", level="token_level")
    metrics = train("token_in_context", trainer={"num_epochs": 2})
    predictions = predictions_of(tmp_path / "run")
    sentences = sorted({p["sentence"] for p in predictions})
    assert len(sentences) < len(predictions)
    groups = [[p["correct"] for p in predictions if p["sentence"] == s] for s in sentences]
    right, total = (np.array(list(map(count, groups)), float) for count in (sum, len))
    expected = share_interval(right, total)
    assert (metrics["test_accuracy_low"], metrics["test_accuracy_high"]) == pytest.approx(expected)


def test_correlations_over_few_sentences_are_pointed_out(train, treebank, tmp_path):
    treebank()
    train("distance", trainer={"num_epochs": 1})
    warnings = json.loads((tmp_path / "run/provenance.json").read_text(encoding="utf-8"))[
        "warnings"
    ]
    assert any("only 2 of 12 sentences have 5 to 50 words" in warning for warning in warnings)
