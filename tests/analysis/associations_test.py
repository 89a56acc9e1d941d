import math

import pandas
import pytest

from linspector_allennlp.analysis.associations import score_against
from linspector_allennlp.analysis.tidy_scores import SYSTEM
from tests.analysis.paper_tables import thesis_scores

# The dimensions of the thesis' encoders on 300-dimensional fastText.
DIMENSIONS = dict.fromkeys(["avg", "SIF", "GEM", "hier"], 300) | {
    "pmeans": 1500, "BOREP": 4096, "RandBiLSTM": 8192, "InferSent": 4096, "QuickThought": 2400, "sent2vec": 700,
    "BERT": 768, "LASER": 1024,
}  # fmt: skip


def table(values, **columns):
    rows = [
        {"representation": name, "task": "Case", "value": value}
        for name, value in zip("abcd", values)
    ]
    return pandas.DataFrame(rows).assign(language="finnish", **columns)


def test_dimensions():
    (found,) = score_against(table([0.1, 0.2, 0.3, 0.9]), {"a": 100, "b": 200, "c": 300}).to_dict(
        "records"
    )
    assert found["rho"] == pytest.approx(1) and found["n"] == 3 and found["left_out"] == "d"
    in_column = table([0.1, 0.2, math.nan, 0.3], dimension=["300", "200", "150", "100"])
    (found,) = score_against(in_column, method="spearman").to_dict("records")
    assert found["rho"] == pytest.approx(-1) and found["left_out"] == "c"


def test_labels():
    values = [0.9, 0.5, 0.2, 0.1]
    tasks = pandas.concat(
        [
            table([value / labels for value in values], labels=labels).assign(task=task)
            for task, labels in (("Case", 12), ("Number", 2), ("Person", 6))
        ]
    )
    found = score_against(tasks, "labels", within=("language", *SYSTEM), over=["task"])
    assert len(found) == 4 and (found["n"] == 3).all() and (found["rho"] < -0.8).all()


def test_mistakes():
    with pytest.raises(ValueError, match="there is no dimension"):
        score_against(table([1, 2, 3, 4]))
    with pytest.raises(ValueError, match=r"finnish, Case: several values of probe \(a, b\)"):
        score_against(table([1, 2, 3, 4], probe=["a", "b", "b", "b"]), {})


@pytest.mark.realdata
def test_dimensions_of_the_thesis(real_data):
    """Figure 20: for word content Pearson's correlation is negative in all languages."""
    probing, _ = thesis_scores(real_data)
    found = score_against(probing, DIMENSIONS)
    content = found[found["task"] == "WC"].set_index("language")["rho"]
    assert len(content) == 5 and (content < 0).all()
    assert (found["n"] == 12).all()
