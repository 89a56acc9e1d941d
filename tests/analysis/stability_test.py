import pandas
import pytest

from linspector_allennlp.analysis.complexity import with_settings
from linspector_allennlp.analysis.stability import rank_stability, score_changes


def table(values, **columns):
    rows = [
        {"task": "WC", "language": "english", "representation": name, "value": value}
        for name, value in zip("abcd", values)
    ]
    return pandas.DataFrame(rows).assign(**columns)


def test_seeds():
    runs = pandas.concat(
        [table([1, 2, 3, 4], seed=1), table([1, 2, 4, 3], seed=2), table([4, 3, 2, 1], seed=3)]
    )
    found = rank_stability(runs, "seed").set_index(["row", "column"])["rho"]
    assert found.to_dict() == pytest.approx({(1, 2): 0.8, (1, 3): -1, (2, 3): -0.8})


def test_within_everything_else_that_varies():
    parts = [
        table([1, 2, 3, 4 * sign], probe=probe, train_share=share)
        for probe, sign in (("linear", 1), ("forest", -1))
        for share in (0.1, 1.0)
    ]
    found = rank_stability(pandas.concat(parts), "probe")
    assert found["train_share"].tolist() == [0.1, 1.0] and (found["rho"] < 1).all()


def test_a_setting():
    parts = [table([1, 2, 3, 4], settings=f'{{"rank": {rank}}}') for rank in (2, 10)]
    found = rank_stability(with_settings(pandas.concat(parts)), "rank")
    assert found[["row", "column", "rho"]].values.tolist() == [[2, 10, 1]]
    with pytest.raises(ValueError, match="there is no dropout"):
        rank_stability(pandas.concat(parts), "dropout")


def test_changes():
    means = pandas.concat(
        [table([0.1, 0.2, 0.3, 0.4], probe="nn"), table([0.2, 0.2, 0.3, 0.6], probe="nn_h")]
    )
    found = score_changes(means, {"classifier": ("probe", "nn", "nn_h")})
    assert found["panel"].unique().tolist() == ["classifier"]
    assert found["difference"].tolist() == pytest.approx([0.1, 0, 0, 0.2])
