"""The sentences that tasks are made from, and the items that come out."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Optional

from linspector_allennlp.treebanks import Sentence

TREEBANK, TEXT = "treebank", "text"


class CorpusSentence(NamedTuple):
    """
    A sentence to make items from.

    # Parameters

    tokens : `tuple[str, ...]`
        As it is written: surface tokens, punctuation included, a multiword token once.
    annotated : `Sentence`, optional
        Its words, as the treebank has them; nothing for plain text.
    document : `str`, optional
        The file and document that it is from, in which sentences follow each other.
    """

    tokens: tuple[str, ...]
    annotated: Optional[Sentence] = None
    document: str = ""

    @property
    def source(self) -> str:
        return TEXT if self.annotated is None else TREEBANK

    @property
    def text(self) -> str:
        return " ".join(self.tokens)


class SentenceItem(NamedTuple):
    """
    An item of a task.

    # Parameters

    tokens : `tuple[str, ...]`
    label : `str`
    group : `str`
        What it was made from. Items of one group are never in two splits.
    source : `str`
        `treebank` or `text`.
    """

    tokens: tuple[str, ...]
    label: str
    group: str
    source: str


def item(
    sentence: CorpusSentence, label: str, tokens: Optional[Sequence[str]] = None
) -> SentenceItem:
    """An item made from a sentence, which is as it was unless other tokens are given."""
    made = sentence.tokens if tokens is None else tuple(tokens)
    return SentenceItem(made, label, sentence.text, sentence.source)


def word_tokens(sentence: Sentence) -> tuple[tuple[str, ...], Sequence[int]]:
    """The surface tokens of a treebank's sentence, and for each word the place of its token."""
    tokens, place_of = sentence.surface_tokens()
    return tuple(tokens), place_of


def annotated(sentences: Sequence[CorpusSentence]) -> Iterator[tuple[CorpusSentence, Sentence]]:
    """Those sentences that have annotation, with it."""
    for sentence in sentences:
        if sentence.annotated is not None:
            yield sentence, sentence.annotated
