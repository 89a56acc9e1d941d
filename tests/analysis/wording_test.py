import pandas

from linspector_allennlp.analysis.wording import count, in_words, place_words, score_names, some


def test_names_say_what_varies():
    rows = {"language": "finnish", "task": ["Case", "Case"], "probe": ["linear", "mlp"]}
    table = pandas.DataFrame({**rows, "representation": "bpe", "layer": [1, None]}).astype(
        {"layer": "Int64"}
    )
    assert score_names(table).tolist() == ["linear, Case, bpe, layer 1", "mlp, Case, bpe"]
    assert score_names(table[:0]).empty


def test_what_is_as_usual_is_not_said():
    place = {"language": "x", "train_share": 1.0, "control": False, "settings": None, "size": 500.0}
    assert place_words(place) == "x, size 500"
    share = {"train_share": 0.1, "layer": 3, "settings": '{"rank": 2, "tuned": true}'}
    assert place_words(share) == "10 % of the training data, layer 3, rank 2, tuned yes"


def test_some():
    assert some("abc") == "a; b; c" and some("abcdefgh") == "a; b; c; d; e and 3 more"
    assert count("a", "run") == "1 run" and count("", "run") == "0 runs"
    assert in_words(["x", None, float("nan"), pandas.NA, 2]) == "x, 2"
