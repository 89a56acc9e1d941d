"""The annotation of a treebank as makers of tasks ask for it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Optional

from linspector_allennlp.tasks.sentences.sentence_items import CorpusSentence, annotated
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.treebanks import Sentence, Word

Analysed = tuple[CorpusSentence, Sentence]


def analysed_sentences(
    sentences: Sequence[CorpusSentence],
    upos: bool = False,
    heads: bool = False,
    features: Sequence[str] = (),
) -> list[Analysed]:
    """
    Those sentences that have annotation; `TooLittleData` says what the treebank lacks of it.

    # Parameters

    upos, heads : `bool`, optional (default = `False`)
        Whether parts of speech are needed, and heads with their relations.
    features : `Sequence[str]`, optional
        UD features that at least one word must have: names ("Number") or names with a value ("Polarity=Neg").
    """
    found = list(annotated(sentences))
    if not found:
        raise TooLittleData("it needs a treebank, and no sentence has annotation")
    if upos and not any(word.upos for word in _words(found)):
        raise TooLittleData("the treebank has no parts of speech: its column UPOS is empty")
    if heads and not any(word.head is not None and word.deprel for word in _words(found)):
        raise TooLittleData("the treebank has no trees: its columns HEAD and DEPREL are empty")
    for feature in features:
        if not any(_has(word, feature) for word in _words(found)):
            raise TooLittleData(f"no word of the treebank has {feature} in its column FEATS")
    return found


def own_token(sentence: Sentence) -> tuple[tuple[str, ...], list[int], list[bool]]:
    """
    The surface tokens, for each word the place of its token, and whether it is the whole of it: a part
    of a multiword token cannot be replaced or moved.
    """
    tokens, place_of = sentence.surface_tokens()
    words_at = [0] * len(tokens)
    for place in place_of:
        words_at[place] += 1
    return tuple(tokens), place_of, [words_at[place] == 1 for place in place_of]


@lru_cache(maxsize=100_000)
def ud_features(feats: str) -> Mapping[str, str]:
    """The column FEATS as names and values: `Number=Sing|Person=3`."""
    pairs = (feature.partition("=") for feature in feats.split("|") if "=" in feature)
    return {name: value for name, _, value in pairs}


def root_of(sentence: Sentence) -> Optional[Word]:
    """The one word whose head is 0; `None` if there is none, or several."""
    roots = [word for word in sentence.words if word.head == 0]
    return roots[0] if len(roots) == 1 else None


def dependents(sentence: Sentence, head: Word) -> list[Word]:
    """The words whose head this is, in their order."""
    return [word for word in sentence.words if word.head == head.id]


def relation(word: Word) -> str:
    """The universal part of a relation: `nsubj` of `nsubj:pass`."""
    return word.deprel.partition(":")[0]


def subtree(sentence: Sentence, head: Word) -> list[int]:
    """The ids of a word and of all words below it, sorted."""
    below: dict[Optional[int], list[int]] = {}
    for word in sentence.words:
        below.setdefault(word.head, []).append(word.id)
    found: set[int] = set()
    agenda = [head.id]
    while agenda:
        word_id = agenda.pop()
        if word_id not in found:
            found.add(word_id)
            agenda += below.get(word_id, [])
    return sorted(found)


def _has(word: Word, feature: str) -> bool:
    name, equals, value = feature.partition("=")
    found = ud_features(word.feats).get(name)
    return found == value if equals else found is not None


def _words(found: Sequence[Analysed]) -> Iterator[Word]:
    for _, sentence in found:
        yield from sentence.words
