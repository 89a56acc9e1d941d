"""Runs of downstream tasks: their scores, baselines, records and tables, and what is done with them afterwards."""

import json
from collections import Counter

import pandas
import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor
from allennlp.training.util import evaluate

from linspector_allennlp.commands.comparison_text import describe
from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.commands.run_comparison import compare_runs
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.scored_items import scored_items
from linspector_allennlp.run_folders.table_rows import prediction_rows
from linspector_allennlp.suite import Job, probe_config
from linspector_allennlp.treebanks import read_treebank
from tests.conftest import ROOT, merged

TREEBANK = str(ROOT / "fixtures/raw/finnish-ud")
EPOCHS = {"trainer": {"num_epochs": 3}}


def settings(task, representation="char_ngrams", **changes):
    config = probe_config(f"downstream.{task}", TREEBANK, representation)
    small = {"model": {"encoder": {"hidden_size": 20, "num_layers": 1, "dropout": 0}}}
    if task == "dep":
        for name in ("arc_feedforward", "tag_feedforward"):
            small["model"][name] = {"input_dim": 40}
    return merged(merged(config, {**EPOCHS, "model": small}), changes)


def words_of(split):
    return [w for s in read_treebank([f"{TREEBANK}-{split}.conllu"]) for w in s.words]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    made = {
        "pos": settings("pos"),
        "pos2": settings("pos", "random_vectors"),
        "dep": settings("dep"),
    }
    return {name: Job(config, folder / name).run() for name, config in made.items()}


def test_the_record_of_a_tagger(runs):
    run = runs["pos"]
    record = run.record
    assert (record.kind, record.level, record.task, record.language) == (
        "model", "downstream", "pos", "finnish",
    )  # fmt: skip
    assert (record.main_metric, record.probe, run.task) == (
        "accuracy", "simple_tagger", "pos/finnish",
    )  # fmt: skip
    assert record.settings["encoder"]["hidden_size"] == 20
    assert record.sizes["test"] == {"items": 50, "sentences": 12}
    assert record.baselines == ["baseline_majority", "baseline_suffix", "baseline_form"]
    assert record.predictions == {"kind": "label", "cluster": "sentence"}
    assert run.columns["task"] == "pos" and run.columns["language"] == "finnish"


@pytest.mark.parametrize("batch_size", [1, 5])
@pytest.mark.parametrize("name, scores", [("pos", ["accuracy"]), ("dep", ["UAS", "LAS"])])
def test_the_scores_are_those_of_the_models_own_metric(runs, name, scores, batch_size):
    """Whatever the batches: AllenNLP pads the sentences of one."""
    run = runs[name]
    archive = load_archive(str(run.path / "model.tar.gz"))
    reader = archive.validation_dataset_reader
    instances = list(reader.read(f"{TREEBANK}-test.conllu"))
    for instance in instances:
        reader.apply_token_indexers(instance)
    loader = SimpleDataLoader(instances, batch_size, vocab=archive.model.vocab)
    metrics = evaluate(archive.model, loader)
    for score in scores:
        assert run.metrics[f"test_{score}"] == pytest.approx(metrics[score])
        low, high = (run.metrics[f"test_{score}_{end}"] for end in ("low", "high"))
        assert low < metrics[score] < high
    assert not any("by the model's own metric" in w for w in run.provenance["warnings"])


def test_the_facts_of_a_tagger(runs):
    metrics = runs["pos"].metrics
    train, test = words_of("train"), words_of("test")
    seen = {word.form for word in train}
    assert metrics["unseen_words_test"] == sum(w.form not in seen for w in test) / len(test)
    assert metrics["num_train"] == len(train) and metrics["num_test"] == len(test) == 50
    assert metrics["oov_test"] == 0 and "unseen_words_train" not in metrics
    ((tag, _),) = Counter(word.upos for word in train).most_common(1)
    assert metrics["baseline_majority"] == sum(word.upos == tag for word in test) / len(test)


def test_the_predictions_of_a_tagger(runs):
    run, test = runs["pos"], words_of("test")
    records = list(run.predictions("test"))
    assert [(r["line"], r["form"], r["gold"]) for r in records] == [
        (w.line, w.form, w.upos) for w in test
    ]
    right = sum(record["correct"] for record in records) / len(records)
    assert run.metrics["test_accuracy"] == pytest.approx(right)
    rows = list(prediction_rows(run, "run"))
    assert len(rows) == len(test) and sum(r["correct"] for r in rows) == pytest.approx(right * 50)
    assert {row["cluster"] for row in rows} == {str(number) for number in range(12)}


def test_the_predictions_of_a_parser(runs):
    run, test = runs["dep"], words_of("test")
    records = list(run.predictions("test"))
    assert [record["gold_head"] + 1 for record in records] == [word.head for word in test]
    scored = [word for word in test if word.upos != "PUNCT"]
    items = scored_items(run, "test")
    assert len(items.keys) == len(scored) == run.metrics["num_test"] < len(test)
    assert run.metrics["test_LAS"] == pytest.approx(items.correct.mean())
    heads = [r["head"] == r["gold_head"] for r in records if r.get("scored", True)]
    assert run.metrics["test_UAS"] == pytest.approx(sum(heads) / len(heads))
    assert len(list(prediction_rows(run, "run"))) == len(scored)


def test_the_baseline_of_a_parser(runs):
    """By hand from the file: the neighbour on the side that has more heads in training."""
    sides = Counter(word.head - word.id for word in words_of("train") if word.head)
    step = 1 if sides[1] >= sides[-1] else -1
    right = total = 0
    for sentence in read_treebank([f"{TREEBANK}-test.conllu"]):
        for word in sentence.words:
            if word.upos == "PUNCT":
                continue
            head = word.id + step
            total += 1
            right += word.head == (head if head <= len(sentence.words) else 0)
    assert runs["dep"].metrics["baseline_adjacent_UAS"] == right / total
    assert runs["dep"].record.baselines == ["baseline_adjacent"]


def test_the_table_of_a_run(runs):
    scores = runs["dep"].scores()
    las = scores[(scores["metric"] == "LAS") & (scores["split"] == "test")].iloc[0]
    assert las["is_main"] and las["level"] == "downstream" and las["low"] < las["value"]
    assert las["adjacent"] == runs["dep"].metrics["baseline_adjacent"]
    uas = scores[(scores["metric"] == "UAS") & (scores["split"] == "test")].iloc[0]
    assert not uas["is_main"]
    assert uas["adjacent"] == runs["dep"].metrics["baseline_adjacent_UAS"]
    unseen = scores[(scores["metric"] == "unseen_words") & (scores["split"] == "test")]
    assert unseen["value"].tolist() == [runs["dep"].metrics["unseen_words_test"]]
    assert pandas.notna(uas["items"])


def test_summary_and_comparison(runs):
    paths = [str(runs[name].path) for name in ("pos", "pos2", "dep")]
    text = summarize(paths)
    for expected in ("task pos", "test LAS", "unseen in training", "adjacent"):
        assert expected in text
    assert "LAS" in summarize(paths[2:])
    numbers = compare_runs(runs["pos"], runs["pos2"], "test", False, 200, 13)
    assert (numbers["measure"], numbers["items"], numbers["clusters"]) == ("accuracy", 50, 12)
    assert numbers["a"]["score"] == pytest.approx(runs["pos"].metrics["test_accuracy"])
    assert "accuracy" in describe(numbers)
    parsed = compare_runs(runs["dep"], runs["dep"], "test", False, 200, 13)
    assert (parsed["measure"], parsed["items"]) == ("LAS", 38)
    with pytest.raises(ValueError, match="was scored by accuracy, .* by LAS"):
        compare_runs(runs["pos"], runs["dep"], "test", False, 200, 13)


def test_evaluate_and_predict(runs):
    archive = load_archive(str(runs["dep"].path / "model.tar.gz"))
    predictor = Predictor.from_archive(archive)
    line = json.dumps({"tokens": "Koira nukkuu .", "pos_tags": ["NOUN", "VERB", "PUNCT"]})
    found = json.loads(predictor.dump_line(predictor.predict_json(predictor.load_line(line))))
    assert found["words"] == ["Koira", "nukkuu", "."] and len(found["predicted_heads"]) == 3
    assert "arc_loss" not in found
    for wrong, expected in [
        ({"tokens": "a b"}, 'expected {"tokens": words .*, "pos_tags": words'),
        ({"tokens": "a b", "pos_tags": "X"}, "a tag for each of 2 tokens"),
    ]:
        with pytest.raises(ValueError, match=expected):
            predictor.predict_json(predictor.load_line(json.dumps(wrong)))
    archive = load_archive(str(runs["pos"].path / "model.tar.gz"))
    predictor = Predictor.from_archive(archive)
    assert len(predictor.predict_json({"tokens": ["Koira", "nukkuu"]})["tags"]) == 2


def test_it_is_taken_up_again(tmp_path, runs):
    config = settings("pos")
    folder = tmp_path / "run"
    Job(merged(config, {"trainer": {"num_epochs": 1}}), folder).run()
    (folder / "run.json").unlink()
    content = json.loads((folder / "config.json").read_text())
    content["trainer"]["num_epochs"] = 3
    (folder / "config.json").write_text(json.dumps(content))
    run = Job(config, folder).run(recover=True)
    same = [name for name in run.metrics if name.startswith(("test_", "best_"))]
    assert len(same) > 8
    assert {n: run.metrics[n] for n in same} == {n: runs["pos"].metrics[n] for n in same}


def test_plain_allennlp(tmp_path, runs):
    config = settings("pos")
    train_model(Params(config), str(tmp_path / "plain"))
    run = RunFolder.read(tmp_path / "plain")
    assert run.metrics["test_accuracy"] == runs["pos"].metrics["test_accuracy"]


def test_a_share_of_the_training_data(tmp_path):
    run = Job(settings("pos", train_share=0.5), tmp_path / "run").run()
    assert 20 < run.record.sizes["train"]["sentences"] < 64
    words = len(words_of("train"))
    assert run.metrics["num_train"] < words
    assert run.metrics["unseen_words_test"] >= 0.2, "the vocabulary is that of the share"


def test_a_warning_below_the_baselines(runs):
    (warning,) = [w for w in runs["pos"].provenance["warnings"] if "is below what needs no" in w]
    assert "suffix" in warning


def test_what_is_refused(tmp_path):
    config = probe_config("tagging", TREEBANK, "char_ngrams")
    with pytest.raises(ConfigurationError, match="downstream: expected a recorded_run"):
        Job({**config, "downstream": "pos"}, tmp_path / "probe").run()
    with pytest.raises(ValueError, match="expected instances with head_indices"):
        Job(settings("pos", downstream="dep"), tmp_path / "other").run()
    wrong = settings("pos")
    wrong["model"]["model"]["encoder"]["input_size"] = 3
    with pytest.raises(
        ConfigurationError, match="encoder.input_size follows from the representation"
    ):
        Job(wrong, tmp_path / "size").run()
    wrong = settings("pos")
    wrong["model"]["sizes"] = {"encoder.type.input_size": 0}
    with pytest.raises(ConfigurationError, match="sizes: expected settings of type for"):
        Job(wrong, tmp_path / "sizes").run()


def test_a_model_whose_metric_says_something_else(runs, monkeypatch, tmp_path):
    """The predictions decide, and the run says so."""
    from allennlp.models import SimpleTagger

    original = SimpleTagger.get_metrics

    def wrong(self, reset=False):
        return {**original(self, reset), "accuracy": 0.123}

    monkeypatch.setattr(SimpleTagger, "get_metrics", wrong)
    run = Job(settings("pos", trainer={"num_epochs": 1}), tmp_path / "run").run()
    assert run.metrics["test_accuracy"] != 0.123
    assert any("0.1230 by the model's own metric" in w for w in run.provenance["warnings"])
