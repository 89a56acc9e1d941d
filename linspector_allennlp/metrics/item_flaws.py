"""
Flaws of items: what in the data of any task is probably not meant, as sentences for their user. They are
said of task files before a run (`audit`) and in the provenance of a run.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from linspector_allennlp.io.visible import as_seen
from linspector_allennlp.metrics.baselines import Item

FEW = 30
"""An interval from fewer test items, or sentences, says little."""

LEAKED = 0.01
"""A share of the test data from here on that training has, too, changes a score."""

HEADER_NAMES = frozenset(
    "form form1 forms id input item lemma sentence string surface text token token1 tokens word word1 "
    "wordform words".split()
)


def header_flaws(splits: Mapping[Any, Sequence[Item]]) -> Iterator[str]:
    """First lines, by the path of a file, that name columns and have a label that nothing else has."""
    firsts = {path: items[0] for path, items in splits.items() if items}
    others = {item.label for items in splits.values() for item in items[1:]}
    for path, (words, label) in firsts.items():
        if label not in others and words[0].lower().replace("_", "") in HEADER_NAMES:
            cells = ", ".join(map(repr, (*words, label)))
            yield (
                f"{path}: its first line ({cells}) looks like a header, and is read as an item. The "
                "format has none: remove the line."
            )


def unseen_label_flaws(path: Any, items: Sequence[Item], seen: Counter) -> Iterator[str]:
    """Labels that the training data do not have."""
    unseen = Counter(item.label for item in items if item.label not in seen)
    if unseen:
        listed = ", ".join(f"{label!r} ({count})" for label, count in unseen.most_common(10))
        yield (
            f"{path}: {sum(unseen.values())} of {len(items)} items have a label that is not in the "
            f"training data, and count as errors: {listed}."
        )


def alike_label_flaws(where: Any, labels: Iterable[str]) -> Iterator[str]:
    """Labels that look the same, and are counted and learned as different ones."""
    alike: dict[str, list[str]] = {}
    for label in sorted(set(labels)):
        alike.setdefault(as_seen(label), []).append(label)
    for several in alike.values():
        if len(several) > 1:
            yield (
                f"{where}: {len(several)} labels look the same, and differ only in white space or in "
                f"Unicode normalisation: {', '.join(map(ascii, several))}."
            )


def few_flaws(path: Any, number: int, what: str = "items") -> Iterator[str]:
    """Test data too small for a score."""
    if 0 < number < FEW:
        yield f"{path}: only {number} {what}: a score from so few says little."


def leak_flaws(
    path: Any, which: str, leaked: Sequence[Hashable], total: object, others: str
) -> Iterator[str]:
    """
    Test data that training has.

    # Parameters

    which : `str`
        The data in words, as `items whose form is`.
    leaked : `Sequence[Hashable]`
        For each of them what is there twice.
    total : `object`
        The number of all, and what there is to say of it.
    others : `str`
        The names of the splits that have it, too.
    """
    if leaked:
        yield (
            f"{path}: {which} in {others} too: {len(leaked)} of {total}, such as {shown(leaked[0])}."
        )


def shown(what: Hashable, longest: int = 60) -> str:
    """A form, pair, sentence or token of a sentence, short enough for a line."""
    if isinstance(what, tuple) and isinstance(what[1], int):
        sentence, index = what
        return f"token {index} of {shown(sentence)}"
    if isinstance(what, tuple):
        return " / ".join(map(shown, what))
    text = str(what)
    return repr(text if len(text) <= longest else f"{text[: longest - 1]}…")
