import pandas

from linspector_allennlp.analysis.item_groups import group_scores
from linspector_allennlp.analysis.word_groups import (
    band_names,
    groups_by_run,
    known_groups,
    rank_bands,
)

PREDICTIONS = pandas.DataFrame(
    {
        "run": ["a", "a", "b", "b", "c"],
        "form": ["x", "y", "x", "z", "x"],
        "form2": ["x", "z", None, None, "y"],
        "correct": [True, False, True, True, False],
        "gold": "g",
        "known": pandas.array([True, False, None, True, None], dtype="boolean"),
    }
)


def plain(groups):
    return [None if pandas.isna(cell) else cell for cell in groups]


def test_known():
    assert plain(known_groups(PREDICTIONS)) == ["known", "unknown", None, "known", None]


def test_each_run_has_its_own_training_words():
    of_run = {"a": {"x": "seen", "y": "seen"}, "b": {"z": "seen"}}
    found = groups_by_run(PREDICTIONS, of_run, "unseen")
    assert plain(found) == ["seen", "seen + unseen", "unseen", "seen", None]


def test_a_pair_is_as_rare_as_its_rarer_word():
    bands = rank_bands({"x": 3, "y": 11}, [10, 20])
    assert bands == {"x": "1–10", "y": "11–20"}
    order = [*band_names([10, 20]), "none"]
    assert order == ["1–10", "11–20", "> 20", "none"]
    of_run = dict.fromkeys("abc", bands)
    found = groups_by_run(PREDICTIONS, of_run, "none", order)
    assert plain(found) == ["1–10", "none", "1–10", "none", "11–20"]


def test_ranks_at_the_ends_of_bands():
    ranks = {"a": 1, "b": 10, "c": 11, "d": 20, "e": 21}
    assert list(rank_bands(ranks, [10, 20]).values()) == ["1–10", "1–10", "11–20", "11–20", "> 20"]


def test_groups_that_differ_between_representations():
    """One knows x, the other y: each has items of its own."""
    runs = pandas.DataFrame(
        {"task": "Case", "representation": ["p", "q"], "seed": 1, "run": ["p", "q"], "value": 0.5}
    )
    items = pandas.DataFrame(
        {"run": list("ppqq"), "form": list("xyxy"), "gold": "g", "item": [0, 1, 0, 1]}
    )
    items["correct"] = [True, False, True, True]
    groups = pandas.Series(["known", "unknown", "unknown", "known"])
    found = group_scores(runs, items, groups, ["known", "unknown"])
    assert found[["representation", "group", "items", "value"]].values.tolist() == [
        ["p", "known", 1, 1.0],
        ["p", "unknown", 1, 0.0],
        ["q", "known", 1, 1.0],
        ["q", "unknown", 1, 1.0],
    ]
