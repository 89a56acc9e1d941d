"""
Chance for sentences: what becomes of one depends on its text, the seed and the purpose, never on the
sentences around it. The same text so has the same version wherever it stands.
"""

import json
from collections.abc import Sequence

from linspector_allennlp.tasks.sampling import chance, draw_keys, stable_hashes
from linspector_allennlp.tasks.sentences.sentence_items import CorpusSentence
from linspector_allennlp.treebanks import Word


def coins(texts: Sequence[str], seed: int, purpose: str) -> list[bool]:
    """For each text whether it is in the one half or in the other."""
    return chance(draw_keys(stable_hashes(texts), seed, purpose), 0.5).tolist()


def ranked(options: Sequence[str], text: str, seed: int, purpose: str) -> list[int]:
    """The numbers of the options in the order in which they are tried for this text."""
    keys = draw_keys(stable_hashes(f"{option}\t{text}" for option in options), seed, purpose)
    return sorted(range(len(options)), key=lambda number: (int(keys[number]), options[number]))


def chosen(options: Sequence[str], text: str, seed: int, purpose: str) -> str:
    """One of the options for this text; their order does not matter."""
    return options[ranked(options, text, seed, purpose)[0]]


def one_of_each(sentences: Sequence[CorpusSentence]) -> list[CorpusSentence]:
    """
    Each text once, in the order of its first place. Where a text is analysed in several ways, one of them
    is taken by what it says, not by where it stands.
    """
    best: dict[str, CorpusSentence] = {}
    for sentence in sentences:
        text = sentence.text
        known = best.get(text)
        if known is None or _analysis(sentence) < _analysis(known):
            best[text] = sentence
    return list(best.values())


def _analysis(sentence: CorpusSentence) -> str:
    words: Sequence[Word] = [] if sentence.annotated is None else sentence.annotated.words
    # Annotated ones go first: they say more.
    return json.dumps([not words, [tuple(word)[1:] for word in words]])
