import pandas
import pytest

from linspector_allennlp.analysis.item_groups import scores_by_group
from linspector_allennlp.analysis.word_groups import frequency_bands

TABLE = pandas.DataFrame(
    {
        "task": "Case",
        "representation": "bpe",
        "seed": [1, 2],
        "run": ["a", "b"],
        "value": [0.5, 0.5],
    }
)


def predictions(run, correct, forms="abcd"):
    return pandas.DataFrame(
        {
            "run": run,
            "item": range(len(forms)),
            "form": list(forms),
            "gold": "x",
            "correct": correct,
        }
    )


BOTH = pandas.concat([predictions("a", [1, 1, 0, 0]), predictions("b", [1, 0, 0, 0])]).astype(
    {"correct": bool}
)


def test_known_and_unknown():
    found = scores_by_group(TABLE, BOTH, dict.fromkeys("ab", "known"), "unknown")
    assert found["group"].tolist() == ["known", "unknown"]
    assert found["value"].tolist() == [0.75, 0] and found["items"].tolist() == [2, 2]
    assert found["seeds"].tolist() == [2, 2]
    assert 0 <= found["low"][0] < 0.75 < found["high"][0] <= 1
    # The exact interval of none of two.
    assert found["high"][1] == pytest.approx(1 - 0.025**0.5) and found["low"][1] == 0


def test_pairs():
    pairs = BOTH.assign(form2=list("bdda") * 2)
    found = scores_by_group(TABLE, pairs, dict.fromkeys("ab", "known"), "unknown")
    assert found["group"].tolist() == ["known", "unknown", "known + unknown"]
    assert found["items"].tolist() == [1, 1, 2]


def test_frequency_bands():
    counts = {"c": 1, "a": 9, "b": 5, "d": 1}
    assert frequency_bands(counts, (1, 3)) == {"a": "1-1", "b": "2-3", "c": "2-3", "d": "4-4"}
    assert set(frequency_bands(counts).values()) == {"1-4"}
    assert list(frequency_bands(counts)) == ["a", "b", "c", "d"]


def test_no_predictions():
    assert scores_by_group(TABLE.assign(run=["x", "y"]), BOTH, {}, "all").empty
    with pytest.raises(ValueError, match="there is no form"):
        scores_by_group(TABLE, BOTH.drop(columns="form"), {}, "all")
