import pandas
import pytest

from linspector_allennlp.analysis.recommendations import recommendations
from linspector_allennlp.analysis.tidy_scores import seed_means
from tests.analysis.paper_tables import stability_scores
from tests.analysis.stability_test import table


def test_a_study_that_cannot_say():
    found = recommendations(table([1, 2, 3, 4]))
    assert found["holds"].isna().all() and set(found["verdict"]) == {"cannot tell"}
    evidence = found["evidence"].tolist()
    assert evidence[0] == "No several sizes of the training data are known."
    assert evidence[2].startswith("The table does not say which classifiers there are")
    assert evidence[4].endswith("(column probe). The dimension of vectors is not known.")


def test_probes_of_several_tasks_are_no_choice_of_classifiers():
    """Distances and edges are probed in tasks of their own: their orders are never set side by side."""
    kinds = pandas.concat(
        [
            table([1, 2, 3, 4], probe="distance").assign(task="tree", dimension=300),
            table([4, 3, 2, 1], probe="mlp").assign(dimension=300),
        ]
    )
    found = recommendations(kinds)
    assert found["evidence"][2] == "No task here has several classifiers."
    assert found["verdict"].tolist()[2:] == ["cannot tell", "cannot tell", "followed here"]
    same = recommendations(kinds.assign(task="tree"))
    assert same["evidence"][2].startswith("Mean agreement of the order with other classifiers")
    assert same["verdict"][4] == "not followed here"


def test_by_hand():
    sizes = pandas.concat(
        [
            table([1, 2, 3, 4], size=60_000),
            table([1, 2, 4, 3], size=30_000),
            table([4, 3, 2, 1], size=5_000),
        ]
    )
    first = recommendations(sizes, size="size").iloc[0]
    assert not first["holds"]
    assert first["evidence"] == (
        "At 5000 items the order agrees with that at 60000 by -1.00 (1 order); at 30000 items the order agrees "
        "with that at 60000 by 0.80 (1 order)."
    )
    both = pandas.concat(
        [table([0.1, 0.2, 0.3, 0.4], probe="no"), table([0.12, 0.49, 0.3, 0.4], probe="yes")]
    )
    change = ("probe", "no", "yes")
    found = recommendations(both, balance=change, tuning=change, distorting=["no"]).set_index(
        "recommendation"
    )
    balance, tuning = found.iloc[1], found.iloc[3]
    assert balance["holds"] and not tuning["holds"]
    assert (
        balance["evidence"]
        == "Balanced classes: 4 scores change by +0.000 to +0.290, the most that of b."
    )
    mixed = recommendations(both, dimensions={"a": 300, "b": 4096}).iloc[4]
    assert not mixed["holds"]
    assert mixed["evidence"] == (
        "This study has tasks with 2 classifiers (no, yes) and vectors of 2 dimensions (300, 4096): compare "
        "within one."
    )


def test_too_little_to_say():
    two = pandas.concat(
        [table([0.1, 0.2], probe=name, size=size) for name, size in (("a", 1), ("b", 2))]
    )
    change = ("probe", "a", "b")
    found = recommendations(two, size="size", balance=change, tuning=change)
    assert found["holds"].isna().tolist() == [True] * 4 + [False]
    assert found["evidence"].tolist()[1] == "No score has both sides."
    # An unbalanced task that is easier is no reason to balance.
    worse = pandas.concat([table([0.9, 0.8], probe="a"), table([0.2, 0.1], probe="b")])
    found = recommendations(worse, balance=change)
    assert (
        not found["holds"][1]
        and found["evidence"][2] == "There are too few representations for an order."
    )


@pytest.mark.realdata
def test_they_hold_in_the_thesis(real_data):
    scores = stability_scores(real_data)
    scores = scores.assign(size=scores["size"].str.removesuffix("k").astype(int) * 1000)
    means = seed_means(scores, ["size"])
    found = recommendations(means, size="size", method="spearman_min")
    size, _, classifier, _, mixed = found.to_dict("records")
    assert (
        size["holds"] is True
        and "at 30000 items the order agrees with that at 60000 by 0.95 to 1.00" in size["evidence"]
    )
    assert size["evidence"].startswith(
        "At 5000 items the order agrees with that at 60000 by 0.76 to 0.98"
    )
    assert classifier["holds"] is True and mixed["holds"] is False
