"""Making one task of sentences: all its items, those that are drawn, and what the manifest says of them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from linspector_allennlp.tasks.sentences.balance import NATURAL
from linspector_allennlp.tasks.sentences.corpus import Corpus
from linspector_allennlp.tasks.sentences.draw import DrawnItems, draw_items
from linspector_allennlp.tasks.sentences.sentence_items import (
    TEXT,
    TREEBANK,
    Given,
    SentenceItem,
    SentenceTask,
)
from linspector_allennlp.tasks.task_data import TaskData, TooLittleData

KIND = "sentence"


def sentence_task(
    name: str,
    task: SentenceTask,
    corpus: Corpus,
    given: Given,
    size: int,
    seed: int,
    balance: str = NATURAL,
    min_label_count: int = 5,
) -> TaskData:
    """Makes one task; for the parameters see `draw_items`."""
    if not task.takes_text and not corpus.treebank:
        raise TooLittleData("it needs the annotation of a treebank (--treebank)")
    sentences = corpus.treebank + (corpus.text if task.takes_text else [])
    items = list(task.make(sentences, given))
    if not items:
        raise TooLittleData(f"none of {len(sentences):,} sentences gives an item")
    drawn = draw_items(items, size, seed, balance, min_label_count)
    chosen = [each for split in drawn.splits.values() for each in split]
    facts = {
        "sentences": len(sentences),
        "candidates": _in_order(drawn.candidates),
        "candidates_from": _by_source(items),
        "items_from": _by_source(chosen),
        "left_out": dict(drawn.left_out),
        "rare_labels": drawn.rare,
        "kept_apart": task.kept_apart,
        "settings": dict(task.facts(sentences, given)) if task.facts else {},
    }
    rows: dict[str, list[tuple[str, ...]]] = {
        split: [(" ".join(each.tokens), each.label) for each in some]
        for split, some in drawn.splits.items()
    }
    return TaskData(name, KIND, rows, facts, _notes(drawn, chosen, size, balance))


def _in_order(counts: Counter) -> dict[str, int]:
    """By label; bins by their numbers."""

    def place(label: str) -> tuple[float, str]:
        number = re.match(r"\d+", label)
        return (int(number[0]) if number else float("inf")), label

    return {label: counts[label] for label in sorted(counts, key=place)}


def _by_source(items: Iterable[SentenceItem]) -> dict[str, int]:
    counts = Counter(each.source for each in items)
    return {source: counts[source] for source in (TREEBANK, TEXT)}


def _notes(drawn: DrawnItems, chosen: Sequence[SentenceItem], size: int, balance: str) -> list[str]:
    notes = []
    if drawn.is_short:
        which = "no more" if balance == NATURAL else f"no more with --balance {balance}"
        notes.append(f"{len(chosen):,} items of {size:,}: there are {which}")
    from_text = _by_source(chosen)[TEXT]
    if from_text:
        notes.append(f"{from_text:,} from text")
    if drawn.rare:
        notes.append(f"left out as too rare: {', '.join(_in_order(Counter(drawn.rare)))}")
    return notes
