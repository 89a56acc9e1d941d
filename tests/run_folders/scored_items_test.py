import json
from dataclasses import replace
from pathlib import Path

import pytest

from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.run_record import RunRecord
from linspector_allennlp.run_folders.scored_items import (
    ItemKey,
    score_predictions,
    scored_items,
    share_items,
)

RECORD = RunRecord(kind="probe", task="Case", main_metric="accuracy", seed=1, config="")


def form(line, word, label, gold, **more):
    return {"line": line, "input": {"form": word}, "label": label, "gold": gold, **more}


def tree(line, words, edges, gold_edges):
    return {"line": line, "forms": words.split(), "edges": edges, "gold_edges": gold_edges}


def depth(line, words, root, gold_root):
    return {"line": line, "forms": words.split(), "root": root, "gold_root": gold_root}


def scored(*predictions, kind="label", cluster="line"):
    return score_predictions(predictions, "a run", kind, cluster)


class TestPredictions:
    def run(self, path: Path, *lines: bytes, split="test") -> RunFolder:
        (path / f"{split}_predictions.jsonl").write_bytes(b"".join(lines))
        return RunFolder(path, RECORD, {}, {})

    def test_they_are_read_one_at_a_time(self, tmp_path):
        # A line separator in a string is no end of a line.
        first = json.dumps({"input": "ä\u2028ö"}, ensure_ascii=False).encode() + b"\n"
        predictions = self.run(tmp_path, first, b"not JSON\n").predictions("test")
        assert next(predictions) == {"input": "ä\u2028ö"}
        with pytest.raises(ValueError, match=r"test_predictions\.jsonl, line 2: expected JSON"):
            next(predictions)

    @pytest.mark.parametrize("line", [b'{"label": "Ine\n', b"\n", b"\xff\xfe\xfd\n"])
    def test_a_line_that_is_not_json(self, tmp_path, line):
        run = self.run(tmp_path, b"{}\n", b"{}\n", line)
        with pytest.raises(ValueError, match=r"test_predictions\.jsonl, line 3: expected JSON"):
            list(run.predictions("test"))

    def test_a_line_that_is_no_object(self, tmp_path):
        run = self.run(tmp_path, b"[1, 2]\n")
        with pytest.raises(ValueError, match=r"line 1: expected a JSON object, found \[1, 2\]"):
            list(run.predictions("test"))

    def test_a_file_that_is_missing_is_missed_at_once(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="no file of predictions"):
            RunFolder(tmp_path, RECORD, {}, {}).predictions("test")
        run = self.run(tmp_path, b"{}\n", split="validation")
        with pytest.raises(FileNotFoundError) as error:
            run.predictions("test")
        assert f"{tmp_path} has no test_predictions.jsonl" in str(error.value)
        assert "There is: validation_predictions.jsonl." in str(error.value)


def test_labels():
    items = scored(form(1, "talo", "Nom", "Nom"), form(3, "talossa", "Nom", "Ine"))
    assert items.kind == "label"
    assert items.keys == [
        ItemKey(1, '{"form": "talo"}', "Nom"),
        ItemKey(3, '{"form": "talossa"}', "Ine"),
    ]
    assert items.correct.tolist() == [True, False]
    assert items.clusters == ["1", "3"]


def test_labels_of_words_in_their_sentences():
    lines = [
        {"line": 11, "sentence": 0, "form": "Koira", "label": "NOUN", "gold": "NOUN"},
        {"line": 12, "sentence": 0, "form": "nukkuu", "label": "NOUN", "gold": "VERB"},
        {"line": 15, "sentence": 1, "form": "Koira", "label": "NOUN", "gold": "NOUN"},
    ]
    items = scored(*lines, cluster="sentence")
    assert items.clusters == ["0", "0", "1"]
    assert [key.text for key in items.keys] == ['"Koira"', '"nukkuu"', '"Koira"']


def test_tokens_in_context_with_the_same_sentence_belong_together():
    def token(line, number, sentence, index):
        item = {"sentence": sentence, "index": index}
        return {"line": line, "sentence": number, "input": item, "label": "X", "gold": "X"}

    tokens = token(1, 0, "a b", 0), token(2, 1, "c d", 0), token(3, 0, "a b", 1)
    assert scored(*tokens, cluster="sentence").clusters == ["0", "1", "0"]
    # A sentence that is the item itself has nothing to be drawn together with.
    whole = {"input": {"sentence": "a b"}, "label": "X", "gold": "X"}
    assert scored({**whole, "line": 1}, {**whole, "line": 2}).clusters == ["1", "2"]


def test_without_lines_the_position_counts():
    items = scored(*[form(None, word, "Nom", "Nom") for word in ("talo", "talo", "kala")])
    assert [key.line for key in items.keys] == [1, 2, 3]
    assert items.clusters == ["1", "2", "3"]


def test_trees():
    items = scored(
        tree(1, "a b c", [[0, 1], [0, 2]], [[0, 1], [1, 2]]),
        tree(5, "d", [], []),
        tree(6, "e f", [[1, 0]], [[0, 1]]),
        kind="edges",
    )
    assert items.kind == "edges"
    assert items.keys == [
        ItemKey(1, "a b c", "0–1"),
        ItemKey(1, "a b c", "1–2"),
        ItemKey(6, "e f", "0–1"),
    ]
    assert items.correct.tolist() == [True, False, True]
    assert items.clusters == ["1", "1", "6"]


def test_roots():
    depths = depth(1, "a b", 0, 0), depth(4, "c d", 0, 1), depth(7, "e", 0, None)
    items = scored(*depths, kind="root")
    assert items.kind == "root"
    assert items.keys == [ItemKey(1, "a b", "0"), ItemKey(4, "c d", "1")]
    assert items.correct.tolist() == [True, False]
    assert items.clusters == ["1", "4"]


def test_a_repeated_item_is_not_merged():
    items = scored(form(1, "talo", "Nom", "Nom"), form(1, "talo", "Ine", "Nom"))
    assert items.correct.tolist() == [True, False]
    assert [key.repetition for key in items.keys] == [0, 1]
    assert str(items.keys[1]) == 'line 1, {"form": "talo"}, gold Nom, for the 2. time'
    once = scored(form(1, "talo", "Nom", "Nom"))
    shared = share_items(items, once)
    assert shared.correct_a.tolist() == [True] and shared.only_a == [items.keys[1]]


@pytest.mark.parametrize(
    "prediction, message",
    [
        ({"line": 2, "label": "Nom"}, "expected label and gold, found only line, label"),
        ({}, "found only nothing"),
        ({"edges": [], "gold_root": 1}, "found only edges, gold_root"),
        (form(2, "talo", "Nom", None), "without a gold label"),
        (form("2", "talo", "Nom", "Nom"), "expected the number of a line, found '2'"),
        (
            tree(2, "a b", [[0, 1]], [[0, 1]]),
            "expected label and gold, found only line, forms, edges",
        ),
    ],
)
def test_a_line_that_cannot_be_scored(prediction, message):
    with pytest.raises(ValueError, match=f"a run, line 2: .*{message}"):
        scored(form(1, "talo", "Nom", "Nom"), prediction)


@pytest.mark.parametrize("edges", [[0, 1], [[0, 1, 2]], 3, None, [["a", 1]]])
def test_edges_that_are_none(edges):
    with pytest.raises(ValueError, match="a run, line 1: expected edges as"):
        scored(tree(1, "a b c", [], edges), kind="edges")
    with pytest.raises(ValueError, match="a run, line 1: expected edges as"):
        scored(tree(1, "a b c", edges, [[0, 1]]), kind="edges")


def test_nothing_to_score():
    nothing = {"label": [], "edges": [tree(1, "a", [], [])], "root": [depth(1, "a", 0, None)]}
    for kind, predictions in nothing.items():
        with pytest.raises(ValueError, match="a run: there is no item to score"):
            scored(*predictions, kind=kind)


def test_a_sentence_that_is_not_named():
    with pytest.raises(ValueError, match="a run, line 1: expected sentence, the sentence of the"):
        scored(form(1, "talo", "Nom", "Nom"), cluster="sentence")


def test_the_record_says_how_predictions_are_scored(tmp_path):
    lines = [tree(1, "a b c", [[0, 1], [0, 2]], [[0, 1], [1, 2]])]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "test_predictions.jsonl").write_text(text, encoding="utf-8")
    record = replace(RECORD, predictions={"kind": "edges", "cluster": "line"})
    assert scored_items(RunFolder(tmp_path, record, {}, {}), "test").correct.tolist() == [
        True,
        False,
    ]
    with pytest.raises(ValueError, match="not scored item by item"):
        scored_items(RunFolder(tmp_path, RECORD, {}, {}), "test")


def test_items_are_put_side_by_side_whatever_their_order():
    first, second, third = (
        form(line, word, "Nom", gold)
        for line, word, gold in ((1, "talo", "Nom"), (2, "talossa", "Ine"), (10, "kala", "Nom"))
    )
    wrong = {**third, "label": "Ine"}
    shared = share_items(scored(third, first, second), scored(first, second, wrong))
    assert shared.correct_a.tolist() == [True, False, True]
    assert shared.correct_b.tolist() == [True, False, False]
    assert shared.clusters == ["1", "2", "10"]
    assert shared.only_a == shared.only_b == []


def test_what_only_one_of_two_runs_has():
    a = scored(form(1, "talo", "Nom", "Nom"), form(2, "talossa", "Nom", "Ine"))
    b = scored(form(1, "talo", "Ine", "Nom"), form(2, "talossa", "Nom", "Ill"))
    shared = share_items(a, b)
    assert shared.correct_a.tolist() == [True] and shared.correct_b.tolist() == [False]
    assert shared.only_a == [ItemKey(2, '{"form": "talossa"}', "Ine")]
    assert shared.only_b == [ItemKey(2, '{"form": "talossa"}', "Ill")]
    nothing = share_items(a, scored(form(7, "talo", "Nom", "Nom")))
    assert len(nothing.correct_a) == len(nothing.clusters) == 0


def test_runs_that_draw_sentences_differently():
    item = form(2, "talo", "Nom", "Nom")
    with pytest.raises(ValueError, match="line 2, .*: 2 in A, 1 in B"):
        share_items(scored(item), scored({**item, "sentence": 1}, cluster="sentence"))


def test_a_prediction_that_is_missing(train, tmp_path):
    """The record says how many items there are."""
    train("case_fin", trainer={"num_epochs": 1})
    path = tmp_path / "run/test_predictions.jsonl"
    assert len(scored_items(RunFolder.read(tmp_path / "run"), "test").keys) == 100
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:40] + lines[41:]), encoding="utf-8")
    with pytest.raises(ValueError, match="test predictions: expected 100 items, found 99"):
        scored_items(RunFolder.read(tmp_path / "run"), "test")
