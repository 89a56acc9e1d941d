import pandas
import pytest
from scipy.stats import binomtest

from linspector_allennlp.analysis.side_by_side import alone, side_by_side, with_interval
from linspector_allennlp.analysis.tidy_scores import seed_means


def means(*rows):
    names = ("language", "metric", "probe", "value", "low")
    table = pandas.DataFrame([dict(zip(names, row)) for row in rows]).assign(
        task="tree", representation="bert"
    )
    return seed_means(table)


TREES = means(
    ("english", "uuas", "parser", 0.80, 0.7),
    ("english", "uuas", "probe", 0.69, 0.6),
    ("english", "dspr", "parser", 0.70, 0.6),
    ("english", "dspr", "probe", 0.85, 0.8),
    ("basque", "uuas", "parser", 0.60, 0.5),
)


def test_probe_and_parser():
    found = side_by_side(TREES, "probe", "probe", "parser").set_index(["language", "metric"])
    assert len(found) == 2
    assert found.loc[("english", "uuas"), "difference"] == pytest.approx(0.11)
    assert found.loc[("english", "dspr"), ["a", "b", "a_low"]].tolist() == [0.85, 0.70, 0.8]


def test_what_only_one_has():
    found = alone(TREES, "probe", "probe", "parser")
    assert found["language"].tolist() == ["basque"] and found["b"].tolist() == [0.6]
    assert found["a"].isna().all()


def test_types_and_tokens():
    """German Case: a word alone 53.4, in its sentence 80.8. The number of labels may differ."""
    table = pandas.DataFrame(
        {
            "level": ["type_level", "token_level"], "task": "Case", "representation": "elmo",
            "value": [0.534, 0.808], "labels": [5, 4],
        }
    )  # fmt: skip
    found = side_by_side(seed_means(table), "level", "type_level", "token_level")
    assert found["difference"].tolist() == pytest.approx([0.274])


def test_mistakes():
    with pytest.raises(ValueError, match="Expected probe mlp, found parser, probe"):
        side_by_side(TREES, "probe", "probe", "mlp")
    with pytest.raises(ValueError, match="there is no level"):
        side_by_side(TREES, "level", 1, 2)
    twice = pandas.concat([TREES, TREES])
    with pytest.raises(
        ValueError, match="probe probe has several scores of the same language, task"
    ):
        side_by_side(twice, "probe", "probe", "parser")


def test_the_interval_of_a_difference():
    """Newcombe (1998), method 10, his example (a): 56 of 70 and 48 of 80 differ by 0.0524 to 0.3339."""
    ends = [binomtest(*counts).proportion_ci(method="wilson") for counts in ((56, 70), (48, 80))]
    made = pandas.DataFrame(
        {
            "task": "t", "representation": "r", "probe": ["b", "a"], "value": [56 / 70, 48 / 80],
            "low": [each.low for each in ends], "high": [each.high for each in ends],
        }
    )  # fmt: skip
    found = with_interval(side_by_side(made, "probe", "a", "b"))
    interval = found[["difference_low", "difference_high"]].iloc[0].tolist()
    assert interval == pytest.approx([0.0524, 0.3339], abs=0.00005)
    plain = side_by_side(made.drop(columns="low"), "probe", "a", "b")
    assert with_interval(plain) is plain
