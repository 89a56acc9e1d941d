"""
What can be scored without any representation: the baselines that stand beside every probe.

An item is the words that are probed (one, or two of a pair) and its label.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

LONGEST_SUFFIX = 8

ITEM_BASELINES = ("baseline_majority", "baseline_suffix", "baseline_form")


class Item(NamedTuple):
    words: Sequence[str]
    label: str


def form_key(words: Sequence[str]) -> tuple[str, ...]:
    """By what the form of an item is recognised: its word, or its two words in either order."""
    return tuple(sorted(words))


def seen_forms(train: Sequence[Item], test: Sequence[Item]) -> list[bool]:
    """For each test item whether training has its form, whatever the label."""
    known = {form_key(item.words) for item in train}
    return [form_key(item.words) in known for item in test]


Chooser = Callable[[Sequence[str]], str]
"""The label that a baseline gives the words of an item."""


def majority_chooser(train: Sequence[Item]) -> Chooser:
    """The majority label of the training items."""
    majority = _most_frequent(Counter(item.label for item in train))
    return lambda words: majority


def suffix_chooser(train: Sequence[Item]) -> Chooser:
    """
    Suffix back-off: the longest ending of 8, 7, …, 0 characters of the lower-cased word that training
    has seen gives its majority label there (of equally frequent ones the one seen first). For a pair it
    is the two endings together.
    """
    labels_of: defaultdict[tuple[str, ...], Counter] = defaultdict(Counter)
    for item in train:
        for key in _suffix_keys(item.words):
            labels_of[key][item.label] += 1
    majority_of = {key: _most_frequent(counts) for key, counts in labels_of.items()}
    return lambda words: next(majority_of[key] for key in _suffix_keys(words) if key in majority_of)


def form_chooser(train: Sequence[Item]) -> Chooser:
    """
    The most frequent training label of the very same word (of the same two words in either order), or
    the majority label where training does not have it. An upper bound for what is told by the form alone
    where forms come back ("approx-up", Köhn 2016); where no test form is in training it is the majority
    baseline.
    """
    labels_of: defaultdict[tuple[str, ...], Counter] = defaultdict(Counter)
    for item in train:
        labels_of[form_key(item.words)][item.label] += 1
    label_of = {words: _most_frequent(counts) for words, counts in labels_of.items()}
    majority = _most_frequent(Counter(item.label for item in train))
    return lambda words: label_of.get(form_key(words), majority)


CHOOSERS: dict[str, Callable[[Sequence[Item]], Chooser]] = {
    "majority": majority_chooser,
    "suffix": suffix_chooser,
    "form": form_chooser,
}


def majority_accuracy(train: Sequence[Item], test: Sequence[Item]) -> float:
    """The share of test items that `majority_chooser` gets right."""
    return _share_right(majority_chooser(train), test)


def suffix_accuracy(train: Sequence[Item], test: Sequence[Item]) -> float:
    """The share of test items that `suffix_chooser` gets right."""
    return _share_right(suffix_chooser(train), test)


def form_accuracy(train: Sequence[Item], test: Sequence[Item]) -> float:
    """The share of test items that `form_chooser` gets right."""
    return _share_right(form_chooser(train), test)


def item_baselines(train: Sequence[Item], test: Sequence[Item]) -> dict[str, float]:
    """The three baselines, by the names that `metrics.json` has for them; none without test items."""
    if not test:
        return {}
    return {f"baseline_{name}": _share_right(of(train), test) for name, of in CHOOSERS.items()}


def accuracy_by_form(
    train: Sequence[Item], test: Sequence[Item], right: Sequence[bool]
) -> dict[str, float]:
    """
    The accuracy on the test items whose words training has seen, which may have been learned by
    heart, and on the others. Where there are no such items, there is no such number.
    """
    seen, metrics = seen_forms(train, test), {}
    for name, wanted in (("seen", True), ("unseen", False)):
        chosen = [
            is_right for is_right, is_seen in zip(right, seen, strict=True) if is_seen is wanted
        ]
        if chosen:
            metrics[f"accuracy_{name}_forms"] = sum(chosen) / len(chosen)
    return metrics


def _share_right(choose: Chooser, test: Sequence[Item]) -> float:
    return sum(item.label == choose(item.words) for item in test) / len(test)


def _most_frequent(labels: Counter) -> str:
    """Of equally frequent labels the one seen first."""
    return labels.most_common(1)[0][0]


def _suffix_keys(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The endings of the words, the longest first; a short word is its own longest ending."""
    lowered = [word.lower() for word in words]
    longest = min(LONGEST_SUFFIX, max(map(len, lowered)))
    return [
        tuple(word[max(0, len(word) - length) :] for word in lowered)
        for length in range(longest, -1, -1)
    ]
