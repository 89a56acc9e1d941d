"""What an audit says of tasks of whole sentences: their baselines, lengths, variants and flaws."""

from collections import Counter
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import NamedTuple, Optional

from linspector_allennlp.audit.task_rows import TaskRow, TaskRows
from linspector_allennlp.metrics.baselines import form_key
from linspector_allennlp.metrics.item_flaws import leak_flaws
from linspector_allennlp.metrics.sentence_baselines import sentence_baselines
from linspector_allennlp.metrics.sentence_flaws import sentence_flaws


class SentenceFacts(NamedTuple):
    """
    # Parameters

    baselines : `dict[str, float]`
        Those of `sentence_baselines` on the test split; none if there is no test or training split.
    mean_length : `Optional[float]`
        The tokens of a sentence, over all splits; `None` if there are no sentences.
    variants : `dict[str, list[str]]`
        For "test" and "dev" those items whose tokens are in another order or case in a split before it.
        They are no leak of the very sentence.
    empty : `int`
        The lines without a sentence.
    """

    baselines: dict[str, float]
    mean_length: Optional[float]
    variants: dict[str, list[str]]
    empty: int

    def share_of_variants(self, test_items: Optional[int]) -> Optional[float]:
        """That of the test items; `None` if there are none."""
        return len(self.variants["test"]) / test_items if test_items else None


def sentence_facts(rows: TaskRows) -> SentenceFacts:
    """Goes through the rows of a task; the unigram baseline takes most of the time."""
    train, dev, test = (rows.splits.get(name, []) for name in ("train", "dev", "test"))
    lengths = [len(row.item.words) for split in (train, dev, test) for row in split]
    return SentenceFacts(
        baselines=sentence_baselines([row.item for row in train], [row.item for row in test])
        if train
        else {},
        mean_length=sum(lengths) / len(lengths) if lengths else None,
        variants={"test": _variants(test, [*train, *dev]), "dev": _variants(dev, train)},
        empty=rows.empty,
    )


def sentence_task_flaws(folder: Path, rows: TaskRows, facts: SentenceFacts) -> Iterator[str]:
    """Lines without a sentence, variants in two splits, and what the study found about such data."""
    if facts.empty:
        total = facts.empty + sum(map(len, rows.splits.values()))
        yield (
            f"{folder}: {facts.empty:,} of {total:,} lines have no sentence and are left out here. "
            "SentEval's reader takes their label for the sentence: remove them."
        )
    for split, others in (("test", "train or dev"), ("dev", "train")):
        which = "items whose tokens, in another order or case, are"
        total = len(rows.splits.get(split, ()))
        yield from leak_flaws(rows.files[split], which, facts.variants[split], total, others)
    labels = Counter(row.item.label for split in rows.splits.values() for row in split)
    yield from sentence_flaws(folder, labels, facts.baselines)


def _variants(rows: list[TaskRow], others: list[TaskRow]) -> list[str]:
    """Those sentences of which the others have the tokens, but not the sentence."""
    sentences = {unit for row in others for unit in row.units}
    keys = {_key(row) for row in others}
    return [
        str(row.units[0]) for row in rows if sentences.isdisjoint(row.units) and _key(row) in keys
    ]


def _key(row: TaskRow) -> Hashable:
    """What the variants of a sentence share: its tokens in any order and case."""
    return form_key([word.casefold() for word in row.item.words])
