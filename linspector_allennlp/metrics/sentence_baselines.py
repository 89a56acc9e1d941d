"""
What can be told of a sentence without any representation: by its length, or by the words it has, whatever
their order. An item is the tokens of a sentence and its label.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from linspector_allennlp.metrics.baselines import Item

STRENGTH = 10.0
"""The inverse of the penalty on weights. With scikit-learn's 1.0, rare labels are hardly ever answered: the
macro-F1 of the released Turkish Voice is then 0.48, not 0.60."""

UNSEEN = ""
"""All labels that training does not have, as in `LabelReport`: one class of the macro-F1. No label is empty."""


def majority_predictions(train: Sequence[Item], test: Sequence[Item]) -> list[str]:
    """The most frequent training label, of equally frequent ones the one seen first."""
    return [_most_frequent(train)] * len(test)


def length_predictions(train: Sequence[Item], test: Sequence[Item]) -> list[str]:
    """
    The most frequent training label of the sentences with as many tokens, of equally frequent ones the
    one seen first. For a number that training does not have it is that of the nearest one, of two equally
    near ones the smaller.
    """
    labels_of: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for item in train:
        labels_of[len(item.words)][item.label] += 1
    lengths = sorted(labels_of)
    label_of = {length: labels_of[length].most_common(1)[0][0] for length in lengths}
    return [label_of[_nearest(lengths, len(item.words))] for item in test]


Labeller = Callable[[Sequence[Sequence[str]]], list[str]]
"""The labels that a baseline gives sentences, from their tokens."""


def unigram_predictions(train: Sequence[Item], test: Sequence[Item]) -> list[str]:
    """The labels that `unigram_chooser` gives."""
    return unigram_chooser(train)([item.words for item in test]) if test else []


def unigram_chooser(train: Sequence[Item]) -> Labeller:
    """
    The label by a bag of words: logistic regression, one label against the rest, over tf-idf weights of
    the tokens as they are. Capitals count, since the target words of a task may differ by them.

    It is deterministic. 10,000 sentences with 30 labels take under 4 seconds of a processor. Other solvers of
    scikit-learn have the same accuracy within a point, but are no faster on the released Turkish SentLen (and
    WC): `liblinear` 0.8 (3) seconds, `saga` 4 (3) and not always to the end, `newton-cg` 3 (6), `lbfgs` 15
    (12). `newton-cholesky` would need the square of the vocabulary.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    labels = [item.label for item in train]
    if len(set(labels)) == 1 or not any(item.words for item in train):
        majority = _most_frequent(train)
        return lambda sentences: [majority] * len(sentences)
    vectorizer = TfidfVectorizer(analyzer=tuple)
    bags = vectorizer.fit_transform([item.words for item in train])
    classifier = OneVsRestClassifier(LogisticRegression(solver="liblinear", C=STRENGTH))
    classifier.fit(bags, labels)
    return lambda sentences: classifier.predict(vectorizer.transform(sentences)).tolist()


PREDICTIONS: dict[str, Callable[[Sequence[Item], Sequence[Item]], list[str]]] = {
    "baseline_majority": majority_predictions,
    "baseline_length": length_predictions,
    "baseline_unigram": unigram_predictions,
}
"""The baselines by the names that `metrics.json` has for their accuracies."""


def scores(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, float]:
    """
    The accuracy, and the macro-F1: the mean F1 of the labels that occur, as gold or as prediction
    (scikit-learn's convention, as in `LabelReport`).
    """
    if not gold:
        raise ValueError("Nothing to score: there are no predictions.")
    given, answered = Counter(gold), Counter(predicted)
    right = Counter(label for label, answer in zip(gold, predicted, strict=True) if label == answer)
    f1 = [2 * right[label] / (given[label] + answered[label]) for label in given | answered]
    return {"accuracy": sum(right.values()) / len(gold), "macro_f1": sum(f1) / len(f1)}


def known_labels(train: Sequence[Item], test: Sequence[Item]) -> list[str]:
    """The labels of the test items, those that training does not have as one."""
    known = {item.label for item in train}
    return [item.label if item.label in known else UNSEEN for item in test]


def sentence_baselines(train: Sequence[Item], test: Sequence[Item]) -> dict[str, float]:
    """
    Accuracy and macro-F1 of the three baselines, by the names that `metrics.json` has for them; none
    without test items.
    """
    if not test:
        return {}
    gold = known_labels(train, test)
    metrics = {}
    for name, predictions in PREDICTIONS.items():
        found = scores(gold, predictions(train, test))
        metrics[name] = found["accuracy"]
        metrics[f"{name}_macro_f1"] = found["macro_f1"]
    return metrics


def _most_frequent(items: Sequence[Item]) -> str:
    return Counter(item.label for item in items).most_common(1)[0][0]


def _nearest(lengths: Sequence[int], length: int) -> int:
    """Of sorted lengths that which is nearest, of two the smaller."""
    place = bisect_left(lengths, length)
    return min(lengths[max(0, place - 1) : place + 1], key=lambda each: abs(each - length))
