import pandas
import pytest

from linspector_allennlp.analysis.tidy_scores import seed_means
from linspector_allennlp.analysis.words_alone import alone_and_in_sentence, alone_names


def table(*rows):
    names = ("level", "representation", "layer", "value", "alone", "source")
    made = pandas.DataFrame([dict(zip(names, row)) for row in rows])
    return made.assign(language="german", task="Case", metric="accuracy")


STUDY = table(
    ("token", "elmo", 1, 0.808, False, "aa"),
    ("token", "words of elmo", 1, 0.534, True, "aa"),
    ("token", "elmo", 2, 0.7, False, "bb"),
    ("token", "words of elmo", 2, 0.6, True, "bb"),
    ("type", "elmo", 1, 0.5, False, "aa"),
    ("type", "words of elmo", 1, 0.5, True, "aa"),
    ("token", "bert", 1, 0.9, False, "cc"),
    ("token", "fasttext", None, 0.6, None, "dd"),
    ("token", "fasttext alone", None, 0.6, None, "dd"),
)


def test_by_source():
    """Whatever they are called; a name without a context says nothing."""
    assert alone_names(STUDY) == {"words of elmo": "elmo"}
    found = alone_and_in_sentence(seed_means(STUDY), alone_names(STUDY)).sort_values("layer")
    assert found["representation"].tolist() == ["elmo", "elmo"]
    assert found["a"].tolist() == [0.534, 0.6] and found["b"].tolist() == [0.808, 0.7]
    assert found["difference"].tolist() == pytest.approx([0.274, 0.1])
    assert set(found["level"]) == {"token"}


@pytest.mark.parametrize(
    "name", ["elmo, alone", "elmo alone", "elmo_alone", "elmo-Alone", "elmo (alone)"]
)
def test_by_name(name):
    printed = STUDY.drop(columns=["alone", "source"]).replace("words of elmo", name)
    assert alone_names(printed) == {name: "elmo", "fasttext alone": "fasttext"}
    assert len(alone_and_in_sentence(seed_means(printed), {name: "elmo"})) == 2


@pytest.mark.parametrize("name", ["standalone", "alone", "elmo"])
def test_other_names_are_of_no_pair(name):
    rows = table(("token", name, 1, 0.5, None, None), ("token", "stand", 1, 0.5, None, None))
    assert alone_names(rows) == {}


def test_nothing_beside_it():
    assert alone_and_in_sentence(seed_means(STUDY), {}).empty
    only = STUDY[STUDY["level"] == "type"]
    assert alone_and_in_sentence(seed_means(only), alone_names(STUDY)).empty
    with pytest.raises(ValueError, match="there is no representation"):
        alone_names(STUDY.drop(columns="representation"))
