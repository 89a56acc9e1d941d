"""Items that are of use: each input once, and with one label."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from linspector_allennlp.tasks.sentences.sentence_items import TEXT, TREEBANK, SentenceItem

REPEATED, CONTRADICTORY = "repeated", "contradictory"


class ItemGroup(NamedTuple):
    """The items that were made from one sentence (or one pair); they stay together."""

    name: str
    source: str
    items: tuple[SentenceItem, ...]


def unique_groups(items: Iterable[SentenceItem], left_out: Counter) -> list[ItemGroup]:
    """
    The groups of items, sorted by their names. An input is in one of them only: a group that repeats
    what another has is left out, and so are groups that give one input several labels. A group stays
    whole or goes. Text gives way to the treebank, so that what comes from this is the same with text
    and without.

    # Parameters

    left_out : `Counter`
        Where to count the items that are left out, by reason.
    """
    by_name: dict[str, dict[str, Counter]] = {TREEBANK: {}, TEXT: {}}
    for each in items:
        by_name[each.source].setdefault(each.group, Counter())[each] += 1
    kept: list[ItemGroup] = []
    seen: set[tuple[str, ...]] = set()
    for source, groups in by_name.items():
        labels: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for group in groups.values():
            for each in group:
                labels[each.tokens].add(each.label)
        before = set(seen)
        for name in sorted(groups):
            counts = groups[name]
            inputs = {each.tokens for each in counts}
            if inputs & before or (source == TEXT and name in by_name[TREEBANK]):
                left_out[REPEATED] += counts.total()
            elif any(len(labels[tokens]) > 1 for tokens in inputs):
                left_out[CONTRADICTORY] += counts.total()
            elif inputs & seen:
                left_out[REPEATED] += counts.total()
            else:
                left_out[REPEATED] += counts.total() - len(counts)
                seen |= inputs
                kept.append(ItemGroup(name, source, tuple(counts)))
        # Contradictory ones too: their sentences are no better in a text.
        seen |= labels.keys()
    return sorted(kept)


def with_frequent_labels(
    groups: Sequence[ItemGroup], least: int
) -> tuple[list[ItemGroup], list[str]]:
    """The groups without items of labels that fewer than `least` have; and these labels."""
    counts = Counter(each.label for group in groups for each in group.items)
    rare = {label for label, number in counts.items() if number < least}
    if not rare:
        return list(groups), []
    kept = [
        group._replace(items=tuple(each for each in group.items if each.label not in rare))
        for group in groups
    ]
    return [group for group in kept if group.items], sorted(rare)
