"""The distance between the main verb and its subject."""

import re
from collections.abc import Sequence
from typing import Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sentences.annotation import analysed_sentences, dependents, root_of
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.treebanks import Sentence

FIVE = ("1", "2-4", "5-7", "8-12", "13+")
NAMED_BINS = {"five": FIVE, "two": FIVE[:2]}
BIN = re.compile(r"(\d+)(\+|-(\d+))?")


def subject_distance(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    SVDist: the bin of the distance, in word ids, between the root, which must be a VERB, and the first
    `nsubj` whose head it is. Sentences without these are left out, as are distances in no bin.

    Setting `svdist_bins`: `five` (the default; the study's), `two` (the first two of them, all that its
    released files have), or bins of your own ("1,2-4,5+").
    """
    bins = _bins(given.settings.get("svdist_bins") or "five")
    items = []
    for sentence, some in analysed_sentences(sentences, upos=True, heads=True):
        distance = _distance(some)
        label = None if distance is None else _label(distance, bins)
        if label is not None:
            items.append(item(sentence, label))
    return items


def _distance(sentence: Sentence) -> Optional[int]:
    root = root_of(sentence)
    if root is None or root.upos != "VERB":
        return None
    subjects = [word for word in dependents(sentence, root) if word.deprel == "nsubj"]
    return abs(subjects[0].id - root.id) if subjects else None


def _label(distance: int, bins: Sequence[tuple[str, int, Optional[int]]]) -> Optional[str]:
    for label, low, high in bins:
        if low <= distance and (high is None or distance <= high):
            return label
    return None


def _bins(setting: Union[str, Sequence[str]]) -> list[tuple[str, int, Optional[int]]]:
    """The bins with their lowest and highest distance; the last may be open."""
    if isinstance(setting, str):
        setting = NAMED_BINS.get(setting) or setting.split(",")
    bins: list[tuple[str, int, Optional[int]]] = []
    for text in setting:
        match = BIN.fullmatch(text.strip())
        if not match:
            raise _wrong(text)
        low = int(match[1])
        high = None if match[2] == "+" else int(match[3] or low)
        end = bins[-1][2] if bins else 0
        if end is None or low <= end or (high is not None and high < low):
            raise _wrong(text)
        bins.append((text.strip(), low, high))
    return bins


def _wrong(text: str) -> ConfigurationError:
    return ConfigurationError(
        f"svdist_bins: expected five, two, or rising bins like {','.join(FIVE)}; found {text!r}."
    )
