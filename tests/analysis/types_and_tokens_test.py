import pandas
import pytest

from linspector_allennlp.analysis.tidy_scores import seed_means
from linspector_allennlp.analysis.types_and_tokens import tasks_of_one_level, types_and_tokens


def table(*rows):
    names = ("level", "task", "probe", "value", "low", "high", "labels")
    made = pandas.DataFrame([dict(zip(names, row)) for row in rows])
    return seed_means(made.assign(language="german", representation="elmo", metric="accuracy"))


BOTH = table(
    ("type", "Case", "single_form", 0.534, 0.50, 0.56, 5),
    ("token", "Case", "token_in_context", 0.808, 0.78, 0.83, 4),
    ("type", "Tense", "single_form", 0.9, 0.8, 1.0, 3),
)


def test_german_case():
    """The numbers of LINSPECTOR; each level has the probe of its kind of task."""
    (row,) = types_and_tokens(BOTH).to_dict("records")
    assert (row["task"], row["a"], row["b"]) == ("Case", 0.534, 0.808)
    assert row["difference"] == pytest.approx(0.274)
    # 0.274 - √(0.028² + 0.026²) and 0.274 + √(0.022² + 0.034²)
    assert row["difference_low"] == pytest.approx(0.274 - 0.0382099)
    assert row["difference_high"] == pytest.approx(0.274 + 0.0404969)
    assert (row["a_labels"], row["b_labels"]) == (5, 4)
    assert tasks_of_one_level(BOTH) == {"type": ["german Tense"], "token": []}


def test_other_names_of_levels_and_the_same_classifiers():
    named = BOTH.assign(level=BOTH["level"] + "_level", probe="mlp")
    linear = named.assign(probe="linear", value=named["value"] / 2)
    found = types_and_tokens(pandas.concat([named, linear]))
    assert found["probe"].tolist() == ["mlp", "linear"] or found["probe"].tolist() == [
        "linear",
        "mlp",
    ]
    of_linear = found[found["probe"] == "linear"].iloc[0]
    assert (of_linear["a"], of_linear["b"]) == (0.267, 0.404)


def test_one_level_has_no_pairs():
    types = BOTH[BOTH["level"] == "type"]
    assert types_and_tokens(types).empty
    assert tasks_of_one_level(types)["type"] == ["german Case", "german Tense"]
    assert types_and_tokens(BOTH.assign(level="downstream")).empty
    with pytest.raises(ValueError, match="there is no level"):
        types_and_tokens(BOTH.drop(columns="level"))


def test_without_intervals():
    found = types_and_tokens(BOTH.drop(columns=["low", "high"]))
    assert "difference_low" not in found and found["difference"].tolist() == pytest.approx([0.274])


def test_other_probes_of_treebanks_are_no_token_tasks():
    """Trees have two probes and no type level; a treebank asks Case of all its words."""
    others = table(
        ("token", "trees", "distance", 0.7, 0.6, 0.8, None),
        ("token", "trees", "perceptron", 0.8, 0.7, 0.9, None),
        ("token", "Case", "tagging", 0.9, 0.8, 1.0, 6),
    )
    (row,) = types_and_tokens(pandas.concat([BOTH, others])).to_dict("records")
    assert (row["task"], row["a"], row["b"]) == ("Case", 0.534, 0.808)
