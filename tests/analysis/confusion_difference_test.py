import pandas
import pytest

from linspector_allennlp.analysis.confusion_difference import confusion_difference


def answers(run, labels, gold="NNJ"):
    return pandas.DataFrame({"run": run, "gold": list(gold), "label": list(labels)})


def test_confusion_difference():
    predictions = pandas.concat(
        [
            answers("a1", "NNN"),
            answers("a2", "NJN"),
            answers("b1", "NNJ"),
            answers("c", "NNJ", "NJJ"),
        ]
    )
    found = confusion_difference(predictions, ["a1", "a2"], ["b1"]).set_index(["gold", "label"])
    assert found.loc[("J", "N")].to_dict() == {"a": 2, "b": 0, "difference": -1}
    assert found.loc[("J", "J")].to_dict() == {"a": 0, "b": 1, "difference": 1}
    assert found.loc[("N", "N"), "difference"] == 0.5 and found["difference"].sum() == 0
    assert found["difference"].abs().is_monotonic_decreasing
    with pytest.raises(ValueError, match="gold labels are not the same"):
        confusion_difference(predictions, ["a1"], ["c"])
    with pytest.raises(ValueError, match="found none of d"):
        confusion_difference(predictions, ["a1"], ["d"])
