"""
Token-level tasks: what is the value of a feature of this word in its sentence? (Şahin et al. 2020,
section 3.4.) One instance for each token that carries the feature: no class for those that do not,
and no filter by frequency or ambiguity.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.sources.analysed_sentences import AnalysedSentence
from linspector_allennlp.sources.schema import PERSON, Analysis, person_and_number
from linspector_allennlp.tasks.draw_items import draw_by_group, draw_frequent_labels
from linspector_allennlp.tasks.form_labels import character_bin
from linspector_allennlp.tasks.sampling import draw_keys, drawn, stable_hashes
from linspector_allennlp.tasks.splits import split_sizes
from linspector_allennlp.tasks.task_data import CHARACTER_BIN, TAG_COUNT, TaskData, TooLittleData

KIND = "token_in_context"
SPLIT_BY = ("sentence", "token")


class _Candidates(NamedTuple):
    """Tokens with a label, column by column, each once; `sentence_of` points into `sentences`."""

    sentences: list[str]
    sentence_of: list[int]
    indices: list[int]
    forms: list[str]
    labels: list[str]


def token_task(
    sentences: Sequence[AnalysedSentence],
    feature: str,
    seed: int,
    size: int = 10_000,
    min_label_count: int = 5,
    split_by: str = "sentence",
    max_length_deviation: Optional[float] = None,
) -> TaskData:
    """
    Makes a token-level task. The order of the sentences does not matter.

    # Parameters

    sentences : `Sequence[AnalysedSentence]`
        The treebank.
    feature : `str`
        A dimension of the schema ("Case"; "Person" is person and number), "TagCount" or
        "CharacterBin", these of words that have tags.
    seed : `int`
        Decides what is drawn.
    size : `int`, optional (default = `10_000`)
        How many tokens to draw, in the proportions of `split_sizes`.
    min_label_count : `int`, optional (default = `5`)
        Values that would be seldomer in the task are left out.
    split_by : `str`, optional (default = `"sentence"`)
        "sentence" keeps all tokens of a sentence in one split, also if the sentence is repeated;
        "token" is the study's own way, in which train and test share sentences.
    max_length_deviation : `Optional[float]`, optional (default = `None`)
        Only sentences whose length is within so many standard deviations of the mean.
    """
    check_split_by(split_by)
    left_out: Counter = Counter()
    kept = of_usual_length(sentences, max_length_deviation)
    left_out["in_sentences_of_unusual_length"] = _carriers(sentences, feature) - _carriers(
        kept, feature
    )
    found = _candidates(kept, feature, left_out)
    if not found.labels:
        raise TooLittleData(f"no token has a value of {feature}")
    names, labels = np.unique(np.array(found.labels), return_inverse=True)
    sentence_of = np.array(found.sentence_of)
    keys = draw_keys(stable_hashes(_texts(found)), seed, f"token {feature}")
    sentence_keys = draw_keys(stable_hashes(found.sentences), seed, "sentence")

    def draw(items: np.ndarray) -> list[np.ndarray]:
        if split_by == "sentence":
            return draw_by_group(items, keys, sentence_of, sentence_keys, size)
        if len(items) < size:
            raise TooLittleData(f"{len(items):,} tokens, {size:,} needed")
        return np.split(drawn(items, keys, size), np.cumsum(split_sizes(size))[:2])

    splits = draw_frequent_labels(labels, min_label_count, draw)
    chosen = np.concatenate(splits)
    counts = np.bincount(labels[chosen], minlength=len(names))
    left_out["rare_value"] = int((counts == 0)[labels].sum())
    facts = {
        "feature": feature,
        "split_by": split_by,
        "sentences": len(sentences),
        "distinct_sentences": len({sentence.text for sentence in sentences}),
        "sentences_drawn_from": len(np.unique(sentence_of[chosen])),
        "candidates": _carriers(sentences, feature),
        "left_out": dict(left_out),
        "rare_values": [str(name) for name, count in zip(names, counts) if not count],
        "ambiguity": ambiguous_share(zip(found.forms, found.labels)),
    }
    rows = [[_row(found, item) for item in split.tolist()] for split in splits]
    return TaskData(feature, KIND, dict(zip(SPLITS, rows)), facts, _notes(facts))


def check_split_by(split_by: str) -> None:
    """Raises `ConfigurationError` unless it is one of `SPLIT_BY`."""
    if split_by not in SPLIT_BY:
        raise ConfigurationError(f"split_by is {split_by!r}, but must be one of {SPLIT_BY}")


def values_of(form: str, analysis: Optional[Analysis], feature: str) -> tuple[str, ...]:
    """The values of a feature that a word may have: none, one, or several if that is left open."""
    if analysis is None:
        return ()
    if feature == TAG_COUNT:
        return (str(len(analysis.tags)),)
    if feature == CHARACTER_BIN:
        return (character_bin(form),)
    if feature == PERSON:
        return person_and_number(analysis.values)
    return analysis.values.get(feature, ())


def ambiguous_share(pairs: Iterable[tuple[str, str]]) -> float:
    """The share of forms that occur with more than one value."""
    values: dict[str, set[str]] = {}
    for form, value in pairs:
        values.setdefault(form, set()).add(value)
    return round(sum(len(found) > 1 for found in values.values()) / len(values), 6)


def _candidates(
    sentences: Sequence[AnalysedSentence], feature: str, left_out: Counter
) -> _Candidates:
    readings: dict[tuple[str, ...], list[AnalysedSentence]] = {}
    for sentence in sentences:
        readings.setdefault(sentence.forms, []).append(sentence)
    found = _Candidates([], [], [], [], [])
    # In the order of the text, so that nothing depends on the order of the files.
    for forms in sorted(readings):
        same = readings[forms]
        for index, form in enumerate(forms):
            outcomes = [values_of(form, reading.analyses[index], feature) for reading in same]
            carriers = sum(map(bool, outcomes))
            if not carriers:
                continue
            left_out["in_repeated_sentence"] += carriers - 1
            if len(set(outcomes)) > 1:
                left_out["conflicting_values"] += 1
            elif len(outcomes[0]) > 1:
                left_out["value_left_open"] += 1
            else:
                found.sentence_of.append(len(found.sentences))
                found.indices.append(index)
                found.forms.append(form)
                found.labels.append(outcomes[0][0])
        found.sentences.append(" ".join(forms))
    return found


def of_usual_length(
    sentences: Sequence[AnalysedSentence], max_deviation: Optional[float]
) -> Sequence[AnalysedSentence]:
    """Those whose length is within so many standard deviations of the mean."""
    if max_deviation is None:
        return sentences
    lengths = np.array([len(sentence.forms) for sentence in sentences])
    usual = np.abs(lengths - lengths.mean()) <= max_deviation * lengths.std()
    return [sentence for sentence, wanted in zip(sentences, usual.tolist()) if wanted]


def _carriers(sentences: Sequence[AnalysedSentence], feature: str) -> int:
    return sum(
        bool(values_of(form, analysis, feature))
        for sentence in sentences
        for form, analysis in zip(sentence.forms, sentence.analyses)
    )


def _texts(found: _Candidates) -> Iterable[str]:
    for sentence, index in zip(found.sentence_of, found.indices):
        yield f"{found.sentences[sentence]}\t{index}"


def _row(found: _Candidates, item: int) -> tuple[str, ...]:
    sentence = found.sentences[found.sentence_of[item]]
    return sentence, str(found.indices[item]), found.labels[item]


def _notes(facts: dict[str, Any]) -> list[str]:
    rare = facts["rare_values"]
    in_order = sorted(
        rare, key=lambda value: (value.isdecimal(), len(value) * value.isdecimal(), value)
    )
    return [f"left out as too rare: {', '.join(in_order)}"] if rare else []
