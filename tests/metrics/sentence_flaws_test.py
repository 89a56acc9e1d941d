import pytest

from linspector_allennlp.metrics.sentence_flaws import (
    classifier_flaws,
    few_items_flaws,
    sentence_flaws,
    short_cut_flaws,
    uneven_label_flaws,
)


def test_few_items():
    assert list(few_items_flaws("a", 30_000)) == list(few_items_flaws("a", 0)) == []
    assert list(few_items_flaws("a", 29_999)) == [
        "a: 29,999 items: rankings of encoders are stable only from about 30,000 on."
    ]


def test_uneven_labels():
    """Of three labels one may have half of the items; of two, three quarters."""
    assert list(uneven_label_flaws("a", {"A": 50, "B": 30, "C": 20})) == []
    assert list(uneven_label_flaws("a", {"A": 75, "B": 25})) == []
    assert list(uneven_label_flaws("a", {"A": 5})) == list(uneven_label_flaws("a", {})) == []
    (flaw,) = uneven_label_flaws("a", {"A": 24, "B": 76})
    assert flaw.startswith("a: uneven classes: 'B' has 76.0 % of the items, 50.0 % would be even.")


@pytest.mark.parametrize(
    "classifier, kind",
    [
        ("RandomForestClassifier", "random forest"),
        ("sklearn.ensemble.RandomForestClassifier", "random forest"),
        ("GaussianNB", "naive Bayes"),
        ("MultinomialNB", "naive Bayes"),
        ("LogisticRegression", None),
        ("MLPClassifier", None),
        ("LinearSVC", None),
    ],
)
def test_classifiers(classifier, kind):
    found = list(classifier_flaws(classifier))
    assert len(found) == (kind is not None)
    for flaw in found:
        assert flaw.startswith(f"{classifier.split('.')[-1]}: ") and kind in flaw


def test_short_cuts():
    """Half of the way from 60 % to 100 % is 80 %."""
    baselines = {"baseline_majority": 0.6, "baseline_length": 0.79, "baseline_unigram": 0.8}
    assert list(short_cut_flaws("a", baselines)) == [
        "a: a short-cut: words alone, whatever their order, get 80.0 % right, the majority label 60.0 %. "
        "Compare scores with that."
    ]
    (flaw,) = short_cut_flaws("a", {"baseline_majority": 0.1, "baseline_length": 0.96})
    assert "the number of tokens alone gets 96.0 % right" in flaw
    solved = {"baseline_majority": 1.0, "baseline_length": 1.0}
    assert list(short_cut_flaws("a", solved)) == list(short_cut_flaws("a", {})) == []


def test_all_of_them():
    baselines = {"baseline_majority": 0.9, "baseline_length": 0.9, "baseline_unigram": 0.99}
    flaws = sentence_flaws("a", {"A": 900, "B": 100}, baselines, "GaussianNB")
    assert [flaw.split(":")[1][:8] for flaw in flaws] == [
        " 1,000 i",
        " uneven ",
        " a short",
        " a naive",
    ]
    assert len(sentence_flaws("a", {"A": 900, "B": 100}, baselines)) == 3
    assert sentence_flaws("a", {"A": 15_000, "B": 15_000}, {}, "LogisticRegression") == []
