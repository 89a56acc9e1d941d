import pandas

from linspector_allennlp.analysis.wording import (
    cases,
    count,
    in_words,
    place_name,
    score_names,
    some,
)


def test_names_say_what_varies():
    rows = {"language": "finnish", "task": "Case", "probe": ["linear", "mlp", "mlp"]}
    table = pandas.DataFrame({**rows, "representation": "bpe", "layer": [1, 1, None]}).astype(
        {"layer": "Int64"}
    )
    assert score_names(table).tolist() == [
        "linear, Case, bpe, layer 1", "mlp, Case, bpe, layer 1", "mlp, Case, bpe",
    ]  # fmt: skip
    assert score_names(table[:0]).empty


def test_names_leave_out_what_says_nothing():
    """The classifier is that of the task; all of the training data needs no words."""
    rows = {"task": ["Case", "Odd", "Odd"], "probe": ["mlp", "paired", "paired"]}
    table = pandas.DataFrame({**rows, "representation": "bpe", "train_share": [1.0, 1.0, 0.25]})
    names = ["Case, bpe", "Odd, bpe", "25 % of the training data, Odd, bpe"]
    assert score_names(table).tolist() == names


def test_cases():
    assert cases("abc", "xxy") == "a; b; c"
    assert cases("abcdef", "xyyyxz") == "y (3); x (2); z (1)"


def test_what_is_as_usual_is_not_said():
    place = {"language": "x", "train_share": 1.0, "control": False, "settings": None, "size": 500.0}
    assert place_name(place) == "x, size 500"
    share = {"train_share": 0.1, "layer": 3, "settings": '{"rank": 2, "tuned": true}'}
    assert place_name(share) == "10 % of the training data, layer 3, rank 2, tuned yes"


def test_some():
    assert some("abc") == "a; b; c" and some("abcdefgh") == "a; b; c; d; e and 3 more"
    assert count("a", "run") == "1 run" and count("", "run") == "0 runs"
    assert in_words(["x", None, float("nan"), pandas.NA, 2]) == "x, 2"
