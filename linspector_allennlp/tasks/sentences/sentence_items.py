"""The sentences that tasks are made from, and the items that come out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Optional

from linspector_allennlp.languages import Language
from linspector_allennlp.tasks.sentences.paradigms import Paradigms
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


def annotated(sentences: Sequence[CorpusSentence]) -> Iterator[tuple[CorpusSentence, Sentence]]:
    """Those sentences that have annotation, with it."""
    for sentence in sentences:
        if sentence.annotated is not None:
            yield sentence, sentence.annotated


class Given(NamedTuple):
    """
    What the maker of a task is given besides sentences.

    # Parameters

    language : `Language`
    seed : `int`
    settings : `Mapping[str, Any]`
        Bins, rules, lists of words, as the user has set them. A maker has a default for each that it reads.
    paradigms : `Paradigms`, optional
        Of a UniMorph file.
    """

    language: Language
    seed: int = 0
    settings: Mapping[str, Any] = {}
    paradigms: Optional[Paradigms] = None


class SentenceTask(NamedTuple):
    """
    A task of sentences.

    # Parameters

    make : `Callable[[Sequence[CorpusSentence], Given], Iterable[SentenceItem]]`
        All items that these sentences give, in their order; `TooLittleData` says why there are none.
    takes_text : `bool`, optional (default = `False`)
        Whether plain text will do, without annotation.
    settings : `tuple[str, ...]`, optional
        The names of those settings that it reads.
    facts : `Callable[[Sequence[CorpusSentence], Given], Mapping[str, Any]]`, optional
        For the manifest: what was chosen (words, bins) where no setting says it.
    kept_apart : `str`, optional
        What else than the sentence is in one split only, as "a verb form".
    """

    make: Callable[[Sequence[CorpusSentence], Given], Iterable[SentenceItem]]
    takes_text: bool = False
    settings: tuple[str, ...] = ()
    facts: Optional[Callable[[Sequence[CorpusSentence], Given], Mapping[str, Any]]] = None
    kept_apart: Optional[str] = None
