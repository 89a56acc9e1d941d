"""
Flaws of a sentence task: what a study of probes over many encoders, sizes and classifiers found about such
data, as sentences for their user. They are said of task files before a run (`audit`) and of a run.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Optional

ENOUGH = 30_000
"""Items from which on the ranking of encoders stays as it is."""

UNEVEN = 1.5
"""So many times its even share of the items a label may have."""

RATIO = 5
"""So many times the items of the rarest label the most frequent one may have."""

SHORT_CUT = 0.5
"""So much of the way from the majority baseline to 1 a baseline may go."""

SHORT_CUTS = {
    "baseline_length": "the number of tokens alone gets",
    "baseline_unigram": "words alone, whatever their order, get",
}

# A classifier of scikit-learn, what it is called, and how far its ranking of twelve encoders agrees with
# that of logistic regression: Spearman's correlations for English and Georgian at 10,000 items.
DISTORTING = {
    "RandomForestClassifier": ("random forest", "0.41 and 0.45"),
    "GaussianNB": ("naive Bayes", "0.84 and 0.61"),
}
NAIVE_BAYES = ("BernoulliNB", "CategoricalNB", "ComplementNB", "MultinomialNB")


def sentence_flaws(
    path: Any,
    labels: Mapping[str, int],
    baselines: Mapping[str, float],
    classifier: Optional[str] = None,
) -> list[str]:
    """
    All that there is to say of a task and its classifier.

    # Parameters

    path : `Any`
        Where the data are.
    labels : `Mapping[str, int]`
        How many items each label has, in all splits together.
    baselines : `Mapping[str, float]`
        As `sentence_baselines` gives them.
    classifier : `str`, optional (default = `None`)
        The name of a class of scikit-learn.
    """
    return [
        *few_items_flaws(path, sum(labels.values())),
        *uneven_label_flaws(path, labels),
        *short_cut_flaws(path, baselines),
        *(classifier_flaws(classifier) if classifier is not None else ()),
    ]


def few_items_flaws(path: Any, number: int) -> Iterator[str]:
    """Fewer items than a ranking of encoders needs."""
    if 0 < number < ENOUGH:
        yield (
            f"{path}: {number:,} items: rankings of encoders are stable only from about {ENOUGH:,} on."
        )


def uneven_label_flaws(path: Any, labels: Mapping[str, int]) -> Iterator[str]:
    """A label with more than its even share."""
    total = sum(labels.values())
    if len(labels) < 2 or not total:
        return
    label = max(labels, key=lambda each: labels[each])
    share = labels[label] / total
    if share > UNEVEN / len(labels) or labels[label] > RATIO * min(labels.values()):
        yield (
            f"{path}: uneven classes: {label!r} has {100 * share:.1f} % of the items, "
            f"{100 / len(labels):.1f} % would be even. Even ones give averaging and random encoders up to "
            "0.29 more F1, trained ones at most 0.09, so they change rankings."
        )


def classifier_flaws(classifier: str) -> Iterator[str]:
    """A classifier by which encoders are ranked as by no other, with or without its module's name."""
    name = classifier.rpartition(".")[2]
    kind, correlations = DISTORTING.get("GaussianNB" if name in NAIVE_BAYES else name, (None, None))
    if kind is not None:
        yield (
            f"{name}: a {kind} distorts the ranking of encoders: its correlations with that of logistic "
            f"regression were {correlations} in two languages. An MLP or logistic regression does not."
        )


def short_cut_flaws(path: Any, baselines: Mapping[str, float]) -> Iterator[str]:
    """Baselines so high that a score need not show what the task is named after."""
    majority = baselines.get("baseline_majority")
    for name, what in SHORT_CUTS.items():
        score = baselines.get(name)
        if score is None or majority is None or majority == 1:
            continue
        if score - majority >= SHORT_CUT * (1 - majority):
            yield (
                f"{path}: a short-cut: {what} {100 * score:.1f} % right, the majority label "
                f"{100 * majority:.1f} %. Compare scores with that."
            )
