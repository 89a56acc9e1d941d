import json

import pytest
from allennlp.commands import main
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor

KINDS = {
    "single_form": ("Case", "type_level", {"form": "Zürichissä"}),
    "paired_forms": ("OddFeat", "type_level", {"form1": "uudessa", "form2": "uudesta"}),
    "token_in_context": ("Case", "token_level", {"sentence": "Kissa nukkuu yössä .", "index": 2}),
}


@pytest.fixture(params=KINDS)
def trained(request, train, environment, tmp_path, fixtures):
    """A trained archive of each kind, with an input of words that training never saw."""
    kind = request.param
    task, level, unseen = KINDS[kind]
    environment(task, level)
    train(kind, trainer={"num_epochs": 2})
    data = fixtures / level / task / "finnish/test.txt"
    return kind, str(tmp_path / "run/model.tar.gz"), unseen, data


def run(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["linspector", *map(str, arguments)])
    main()


def test_predict_evaluate_and_the_reader(trained, tmp_path, monkeypatch):
    kind, archive, unseen, data = trained
    lines = tmp_path / "input.jsonl"
    lines.write_text(json.dumps(unseen) + "\n" + json.dumps(unseen) + "\n")
    output = tmp_path / "output.jsonl"
    run(monkeypatch, "predict", archive, lines, "--output-file", output, "--silent")
    first, second = [json.loads(line) for line in output.open(encoding="utf-8")]
    assert first == second
    assert first["input"] == unseen
    probabilities = first["probabilities"]
    assert sum(probabilities.values()) == pytest.approx(1, abs=1e-5)
    assert first["label"] == max(probabilities, key=probabilities.get)
    assert "ä" not in json.dumps(unseen) or "ä" in output.read_text(encoding="utf-8")

    with_reader = tmp_path / "with_reader.jsonl"
    run(monkeypatch, "predict", archive, data, "--use-dataset-reader",
        "--output-file", with_reader, "--silent")  # fmt: skip
    predictions = [json.loads(line) for line in with_reader.open(encoding="utf-8")]
    gold = [line.rstrip("\n").rsplit("\t", 1)[1] for line in data.open(encoding="utf-8")]
    assert [prediction["gold"] for prediction in predictions] == gold
    accuracy = sum(p["gold"] == p["label"] for p in predictions) / len(predictions)

    metrics = tmp_path / "metrics.json"
    run(monkeypatch, "evaluate", archive, data, "--output-file", metrics)
    evaluated = json.loads(metrics.read_text())
    trained_metrics = json.loads((tmp_path / "run/metrics.json").read_text())
    assert evaluated["accuracy"] == trained_metrics["test_accuracy"] == accuracy
    assert evaluated["macro_f1"] == trained_metrics["test_macro_f1"]


def test_unlabelled_data_can_be_predicted(trained, tmp_path, monkeypatch):
    _, archive, _, data = trained
    bare = tmp_path / "bare.txt"
    bare.write_text(
        "".join(line.rsplit("\t", 1)[0] + "\n" for line in data.open(encoding="utf-8")),
        encoding="utf-8",
    )
    output = tmp_path / "output.jsonl"
    run(monkeypatch, "predict", archive, bare, "--use-dataset-reader",
        "--output-file", output, "--silent")  # fmt: skip
    predictions = [json.loads(line) for line in output.open(encoding="utf-8")]
    assert len(predictions) == 100 if "type_level/Case" in str(data) else 30
    assert all("gold" not in prediction for prediction in predictions)
    with pytest.raises(ValueError, match="no item had a label"):
        run(monkeypatch, "evaluate", archive, bare)


@pytest.mark.parametrize(
    "line, message",
    [
        ("{}", "item 1 of the input: expected {.*}, found {}"),
        ("[1]", r"found \[1\]"),
        ("talo", "item 1 of the input: Expecting value"),
        ('{"form": "", "form1": "", "form2": "a", "sentence": "a", "index": true}', "found"),
        ('{"form": 5, "form1": ["a"], "form2": "a", "sentence": [], "index": 0}', "found"),
        ('{"form": null, "form1": null, "form2": "a", "sentence": "a", "index": "0"}', "found"),
    ],
)
def test_wrong_lines(trained, line, message):
    kind, archive, *_ = trained
    for name in (kind, f"{kind}_probe"):
        predictor = Predictor.from_archive(load_archive(archive), name)
        with pytest.raises(ValueError, match=message):
            predictor.predict_json(predictor.load_line(line))


def test_a_sentence_may_be_a_list_and_its_index_must_be_inside(train, environment, tmp_path):
    environment("Case", "token_level")
    train("token_in_context", trainer={"num_epochs": 1})
    predictor = Predictor.from_path(str(tmp_path / "run/model.tar.gz"))
    words = {"sentence": ["Kissa", "nukkuu"], "index": 1}
    assert predictor.predict_json(words)["input"] == {"sentence": "Kissa nukkuu", "index": 1}
    with pytest.raises(ValueError, match="found an empty one"):
        predictor.predict_json({"sentence": "Kissa  nukkuu", "index": 1})
    with pytest.raises(ValueError, match="from 0 to 1"):
        predictor.predict_json({"sentence": "Kissa nukkuu", "index": 2})
