import json
from pathlib import Path

import pytest
import torch
from allennlp.commands import main
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor

from linspector_allennlp.dataset_readers import DependencyTreeReader, TokenTagsReader
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.predictors import DependencyTreePredictor, TokenTagsPredictor
from linspector_allennlp.suite.job import Job

ROOT = Path(__file__).resolve().parents[1]

KINDS = {
    "single_form": ("Case", "type_level", {"form": "Zürichissä"}),
    "paired_forms": ("OddFeat", "type_level", {"form1": "uudessa", "form2": "uudesta"}),
    "token_in_context": ("Case", "token_level", {"sentence": "Kissa nukkuu yössä .", "index": 2}),
    "paired_tokens": (
        "OddFeat", "token_level",
        {"sentence1": "Kissa nukkuu yössä .", "index1": 2, "sentence2": "Yöt ovat .", "index2": 0},
    ),
}  # fmt: skip


@pytest.fixture(params=KINDS)
def trained_label_probe(request, train, environment, tmp_path, fixtures):
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


def test_predict_evaluate_and_the_reader(trained_label_probe, tmp_path, monkeypatch):
    kind, archive, unseen, data = trained_label_probe
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


def test_unlabelled_data_can_be_predicted(trained_label_probe, tmp_path, monkeypatch):
    _, archive, _, data = trained_label_probe
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
        ("talo", "item 1 of the input: expected JSON, such as .* found .*--use-dataset-reader"),
        ('{"form": "", "form1": "", "form2": "a", "sentence": "a", "index": true}', "found"),
        ('{"form": 5, "form1": ["a"], "form2": "a", "sentence": [], "index": 0}', "found"),
        ('{"form": null, "form1": null, "form2": "a", "sentence": "a", "index": "0"}', "found"),
    ],
)
def test_wrong_lines_of_words_and_tokens(trained_label_probe, line, message):
    kind, archive, *_ = trained_label_probe
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


# Probes that answer for all words of a sentence


# By config: the names under which its predictor is registered, and the keys that come out.
PROBES = {
    "tagging": (["tagging_probe", "token_tags"], {"input", "forms", "labels", "probabilities"}),
    "distance": (["distance_probe", "dependency_tree"], {"edges", "distances"}),
    "perceptron": (["perceptron_probe", "dependency_tree"], {"edges", "distances"}),
    "depth": (["depth_probe", "dependency_tree"], {"root", "depths"}),
    "edges": (["edge_probe", "dependency_tree"], {"heads"}),
}
GOLD = {
    "tagging": {"gold"},
    "distance": {"gold_edges", "gold_distances", "scored"},
    "perceptron": {"gold_edges", "gold_distances", "scored"},
    "depth": {"gold_root", "gold_depths", "scored", "correct"},
    "edges": {"gold_heads"},
}
SENTENCE = ["Vieras", "koira", "söi", "Zürichissä", "."]


@pytest.fixture(scope="module", params=PROBES)
def trained_words_probe(request, tmp_path_factory):
    """A trained archive of each kind."""
    folder = tmp_path_factory.mktemp(request.param) / "run"
    treebank = str(ROOT / "fixtures/raw/finnish-ud")
    variables = {"TREEBANK": treebank, "TARGET": "Case", "VECTORS": "char_ngrams"}
    config = ROOT / f"training_configs/{request.param}.jsonnet"
    Job(config, folder, variables, {"trainer.num_epochs": 2}).run()
    return request.param, str(folder / "model.tar.gz")


def keys_of(kind):
    own = PROBES[kind][1]
    if kind in ("distance", "perceptron", "depth"):
        own = own | {"scored"}
    return own if kind == "tagging" else own | {"input", "forms", "sent_id"}


def check(kind, prediction):
    """What must hold of the answer for a sentence of five words."""
    n = len(SENTENCE)
    assert set(prediction) == keys_of(kind)
    assert prediction["forms"] == SENTENCE
    if kind == "tagging":
        assert prediction["input"] == {"sentence": " ".join(SENTENCE)}
        assert len(prediction["labels"]) == len(prediction["probabilities"]) == n
        assert all(0 < probability <= 1 for probability in prediction["probabilities"])
        assert set(prediction["labels"]) <= set(
            "Nom Gen Par Ine Ela Ill Ade Abl All Ess Tra Abe".split()
        )
    elif kind == "edges":
        assert len(prediction["heads"]) == n and set(prediction["heads"]) <= {*range(n)}
    elif kind == "depth":
        depths = prediction["depths"]
        assert len(depths) == n and min(depths) >= 0
        assert prediction["root"] == depths.index(min(depths[:-1]))
    else:
        distances = prediction["distances"]
        assert len(distances) == n and all(len(row) == n for row in distances)
        for i in range(n):
            # The root of the smallest square stands for no distance at all.
            assert distances[i][i] == pytest.approx(0, abs=1e-5)
            for j in range(n):
                assert distances[i][j] == pytest.approx(distances[j][i], abs=1e-3)
        reached, edges = {0}, prediction["edges"]
        # The full stop is left out of the tree.
        assert len(edges) == n - 2 and all(0 <= first < second < n - 1 for first, second in edges)
        for _ in edges:
            reached |= {end for edge in edges if set(edge) & reached for end in edge}
        assert reached == {*range(n - 1)}, "the edges make no tree"


def test_sentences_in_answers_out(trained_words_probe, tmp_path, monkeypatch):
    kind, archive = trained_words_probe
    lines = [{"sentence": " ".join(SENTENCE)}, {"sentence": SENTENCE}, {"sentence": "Koira"}]
    given = tmp_path / "input.jsonl"
    given.write_text("".join(json.dumps(line) + "\n" for line in lines))
    output = tmp_path / "output.jsonl"
    run(monkeypatch, "predict", archive, given, "--output-file", output, "--silent")
    first, second, third = [json.loads(line) for line in output.open(encoding="utf-8")]
    check(kind, first)
    assert second == first and third["forms"] == ["Koira"]
    assert "Zürichissä" in output.read_text(encoding="utf-8")


def test_sentences_in_a_batch_and_alone(trained_words_probe):
    kind, archive = trained_words_probe
    predictor = Predictor.from_path(archive)
    inputs = [{"sentence": SENTENCE}, {"sentence": "Koira nukkuu"}, {"sentence": "Ei"}]
    together = predictor.predict_batch_json(inputs)
    for given, batched in zip(inputs, together):
        alone = predictor.predict_json(given)
        assert alone.keys() == batched.keys()
        for key in ("labels", "edges", "root", "heads", "forms"):
            assert alone.get(key) == batched.get(key)


def test_the_names_of_a_predictor(trained_words_probe):
    kind, archive = trained_words_probe
    names, _ = PROBES[kind]
    expected = TokenTagsPredictor if kind == "tagging" else DependencyTreePredictor
    for name in names:
        predictor = Predictor.from_archive(load_archive(archive), name)
        assert type(predictor) is expected
        check(kind, predictor.predict_json({"sentence": SENTENCE}))
    assert type(Predictor.from_path(archive)) is expected


def test_a_treebank_through_the_reader(trained_words_probe, tmp_path, monkeypatch, fixtures):
    kind, archive = trained_words_probe
    data = fixtures / "raw/finnish-ud-test.conllu"
    output = tmp_path / "output.jsonl"
    run(monkeypatch, "predict", archive, data, "--use-dataset-reader",
        "--output-file", output, "--silent")  # fmt: skip
    predictions = [json.loads(line) for line in output.open(encoding="utf-8")]
    reader = TokenTagsReader("Case") if kind == "tagging" else DependencyTreeReader()
    instances = list(reader.read(str(data)))
    assert len(predictions) == len(instances) == 12
    metrics = json.loads((Path(archive).parent / "metrics.json").read_text())
    right = total = 0
    for prediction, instance in zip(predictions, instances):
        assert set(prediction) == keys_of(kind) | GOLD[kind]
        assert prediction["forms"] == metadata_of(instance)["words"]
        if kind == "tagging":
            assert prediction["gold"] == instance["labels"].labels
            pairs = list(zip(prediction["labels"], prediction["gold"]))
        else:
            assert prediction["sent_id"] == metadata_of(instance)["sent_id"]
            heads = instance["heads"].tensor.tolist()
        if kind == "edges":
            assert prediction["gold_heads"] == heads
            pairs = [(p, g) for p, g in zip(prediction["heads"], heads) if g != -1]
        elif kind == "depth":
            assert prediction["gold_depths"] == instance["depths"].tensor.tolist()
            assert prediction["gold_root"] == heads.index(-1)
            pairs = [(prediction["root"], prediction["gold_root"])]
        elif kind != "tagging":
            kept = [not mark for mark in instance["punctuation"].tensor.tolist()]
            assert prediction["scored"] == kept
            gold = [
                sorted([word, head])
                for word, head in enumerate(heads)
                if head != -1 and kept[word] and kept[head]
            ]
            assert prediction["gold_edges"] == sorted(gold)
            assert prediction["gold_distances"] == instance["distances"].tensor.tolist()
            assert len(prediction["edges"]) == sum(kept) - 1
            pairs = [(edge in prediction["edges"], True) for edge in gold]
        right += sum(first == second for first, second in pairs)
        total += len(pairs)
    score = {"tagging": "accuracy", "edges": "accuracy", "depth": "root_accuracy"}.get(kind, "uuas")
    assert right / total == pytest.approx(metrics[f"test_{score}"])


@pytest.mark.parametrize(
    "line, message",
    [
        ("{}", 'item 1 of the input: expected {"sentence": words joined .*}, found {}'),
        ("[1]", r"found \[1\]"),
        (
            "Koira nukkuu",
            "item 1 of the input: expected JSON, such as .* found .*--use-dataset-reader",
        ),
        ('{"sentence": ""}', 'found {"sentence": ""}'),
        ('{"sentence": []}', "found"),
        ('{"sentence": ["a", ""]}', "found"),
        ('{"sentence": ["a", 1]}', "found"),
        ('{"sentence": null}', "found"),
        ('{"form": "a"}', 'found {"form": "a"}'),
    ],
)
@pytest.mark.parametrize("predictor", [TokenTagsPredictor, DependencyTreePredictor])
def test_wrong_lines_of_sentences(predictor, line, message):
    predictor = predictor(torch.nn.Linear(1, 1), TokenTagsReader())
    with pytest.raises(ValueError, match=message):
        predictor.load_line(line)


def test_two_spaces_between_words(trained_words_probe):
    _, archive = trained_words_probe
    with pytest.raises(ValueError, match="found an empty one"):
        Predictor.from_path(archive).predict_json({"sentence": "Koira  nukkuu"})


def test_the_item_is_counted(trained_words_probe):
    _, archive = trained_words_probe
    predictor = Predictor.from_path(archive)
    predictor.load_line('{"sentence": "Koira nukkuu"}')
    with pytest.raises(ValueError, match="item 2 of the input"):
        predictor.load_line("{}")


def test_relations_of_edges(train, treebank, tmp_path):
    treebank()
    train("edges", trainer={"num_epochs": 2}, model={"relation_head": {"type": "linear"}})
    predictor = Predictor.from_path(str(tmp_path / "run/model.tar.gz"))
    prediction = predictor.predict_json({"sentence": SENTENCE})
    assert set(prediction) == {"input", "heads", "forms", "sent_id", "relations"}
    assert len(prediction["relations"]) == len(SENTENCE)


def test_every_predictor_is_known_by_its_reader_and_its_probe():
    for names, _ in PROBES.values():
        assert all(name in Predictor.list_available() for name in names)
