import pandas
import pytest

from linspector_allennlp.analysis.aligned_answers import Answers

COLUMNS = ["run", "line", "cluster", "gold", "correct"]


def predictions(*rows):
    return pandas.DataFrame(rows, columns=COLUMNS)


def test_the_same_items():
    answers = Answers(
        predictions(
            ("a", 1, "s1", "x", True),
            ("a", 2, "s1", "y", False),
            ("b", 1, "s1", "x", False),
            ("b", 2, "s1", "y", True),
        )
    )
    found = answers.of(["a", "b"])
    assert found.correct.tolist() == [[True, False], [False, True]]
    assert found.clusters.tolist() == [0, 0] and found.left_out == 0
    assert "a" in answers and "c" not in answers


def test_only_what_all_have_in_any_order():
    answers = Answers(
        predictions(
            ("a", 1, "s1", "x", True),
            ("a", 2, "s2", "y", True),
            ("b", 2, "s2", "y", False),
            ("b", 3, "s3", "x", True),
            ("b", 1, "s1", "x", False),
        )
    )
    found = answers.of(["a", "b"])
    assert found.correct.tolist() == [[True, True], [False, False]] and found.left_out == 1
    assert len(set(found.clusters)) == 2


def test_several_items_of_a_line():
    """As the edges of a tree; the same item twice counts twice."""
    rows = [("a", 1, "s1", gold, gold == "0–1") for gold in ("0–1", "1–2", "1–2")]
    answers = Answers(predictions(*rows, *(("b", *row[1:4], True) for row in rows[:2])))
    found = answers.of(["a", "b"])
    assert found.correct.tolist() == [[True, False], [True, True]] and found.left_out == 1


def test_nothing_in_common():
    answers = Answers(predictions(("a", 1, "s1", "x", True), ("b", 2, "s1", "x", True)))
    with pytest.raises(ValueError, match="they have none in common"):
        answers.of(["a", "b"])
    with pytest.raises(ValueError, match="there is no gold"):
        Answers(predictions().drop(columns="gold"))


def test_items_without_clusters_are_their_own():
    rows = predictions(("a", 1, None, "x", True), ("a", 2, None, "x", True)).drop(
        columns=["cluster", "line"]
    )
    assert Answers(rows).of(["a"]).clusters.tolist() == [0, 1]
