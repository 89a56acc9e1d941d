"""Tasks about lengths: of a sentence (SentLen), and of the first of two (EOS)."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from linspector_allennlp.tasks.sampling import draw_keys, stable_hashes
from linspector_allennlp.tasks.sentences.bins import Bins, chosen_bins
from linspector_allennlp.tasks.sentences.casing import lowered
from linspector_allennlp.tasks.sentences.sentence_items import (
    TEXT,
    TREEBANK,
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.tasks.sentences.surface_words import without_punctuation

SENTLEN_BINS = {
    "study": "1-4, 5-8, 9-12, 13-16, 17-20, 21-25, 26-29, 30-33, 34-55, 56+",
    "adi": "0-4, 5-8, 9-12, 13-16, 17-20, 21-25, 26-29, 30-33, 34-70, 71+",
    "senteval": "5-8, 9-12, 13-16, 17-20, 21-25, 26-28",
}
EOS_BINS = {
    "eight": "1-8, 9-12, 13-16, 17-20, 21-24, 25-28, 29-32, 33+",
    "six": "1-4, 5-8, 9-12, 13-16, 17-20, 21+",
}
# Languages with long words, and so with short sentences: the study has other numbers for them.
LONG_WORDS = ("tr", "ka")
# Nouns have capitals, and vectors of words know them so.
CAPITALS_KEPT = ("de",)


def sentlen_bins(given: Given) -> Bins:
    """Named ones, or any others."""
    return chosen_bins(given.settings, "sentlen_bins", SENTLEN_BINS, "study")


def eos_bins(given: Given) -> Bins:
    """Those of the language, named ones, or any others."""
    default = "six" if given.language.code in LONG_WORDS else "eight"
    return chosen_bins(given.settings, "eos_bins", EOS_BINS, default)


def make_sentlen(sentences: Sequence[CorpusSentence], given: Given) -> Iterator[SentenceItem]:
    """
    The number of tokens, punctuation included, a multiword token counted once. Sentences of a length
    that is in no bin are left out.
    """
    bins = sentlen_bins(given)
    for sentence in sentences:
        label = bins.label(len(sentence.tokens))
        if label is not None:
            yield item(sentence, label)


class _Words(NamedTuple):
    """A sentence without punctuation."""

    words: tuple[str, ...]
    sentence: CorpusSentence


def make_eos(sentences: Sequence[CorpusSentence], given: Given) -> Iterator[SentenceItem]:
    """
    Two sentences without punctuation, in small letters but in German: how many words has the first?
    A sentence is in one pair only, with the next one of its document; those that are left over, one a
    document at most, are paired by chance. What is nothing but punctuation is left out before.
    """
    bins = eos_bins(given)
    for one, other in _pairs(_bare_sentences(sentences, given), given.seed):
        label = bins.label(len(one.words))
        if label is None:
            continue
        group = f"{one.sentence.text}\t{other.sentence.text}"
        yield SentenceItem(one.words + other.words, label, group, one.sentence.source)


def _bare_sentences(sentences: Sequence[CorpusSentence], given: Given) -> Iterator[_Words]:
    keeps = given.language.code in CAPITALS_KEPT
    for sentence in sentences:
        words = without_punctuation(sentence.tokens)
        if words:
            small = words if keeps else [lowered(word, given.language) for word in words]
            yield _Words(tuple(small), sentence)


def _pairs(sentences: Iterator[_Words], seed: int) -> Iterator[tuple[_Words, _Words]]:
    left: dict[str, list[_Words]] = {TREEBANK: [], TEXT: []}
    by_document = groupby(sentences, lambda each: (each.sentence.source, each.sentence.document))
    for (source, _), document in by_document:
        waiting = None
        for each in document:
            if waiting is None:
                waiting = each
            else:
                yield waiting, each
                waiting = None
        if waiting is not None:
            left[source].append(waiting)
    for single in left.values():
        texts = [each.sentence.text for each in single]
        keys = draw_keys(stable_hashes(texts), seed, "pairs of EOS").tolist()
        # By the text as well, so that nothing depends on the order of the files.
        order = sorted(range(len(single)), key=lambda i: (keys[i], texts[i]))
        for one, other in zip(order[::2], order[1::2]):
            yield single[one], single[other]
