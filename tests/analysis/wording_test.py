import pandas

from linspector_allennlp.analysis.wording import count, in_words, score_names, some


def test_names_say_what_varies():
    rows = {"language": "finnish", "task": ["Case", "Case"], "probe": ["linear", "mlp"]}
    table = pandas.DataFrame({**rows, "representation": "bpe", "layer": [1, None]}).astype(
        {"layer": "Int64"}
    )
    assert score_names(table).tolist() == ["linear, Case, bpe, layer 1", "mlp, Case, bpe"]
    assert score_names(table[:0]).empty


def test_some():
    assert some("abc") == "a; b; c" and some("abcdefgh") == "a; b; c; d; e and 3 more"
    assert count("a", "run") == "1 run" and count("", "run") == "0 runs"
    assert in_words(["x", None, float("nan"), pandas.NA, 2]) == "x, 2"
