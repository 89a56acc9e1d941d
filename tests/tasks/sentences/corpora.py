"""Small corpora for tests of sentence tasks, and languages."""

from hypothesis import strategies as st

from linspector_allennlp.languages import find_language
from linspector_allennlp.tasks.sentences.sentence_items import CorpusSentence, Given
from linspector_allennlp.treebanks import MultiwordToken, Sentence, Word

WORDS = ["kala", "ui", "vesi", "Meri", "on", "laaja", "ja", "syvä", "kivi"]
MARKS = [".", ",", "!", '"']

tokens = st.lists(st.sampled_from(WORDS + MARKS), min_size=1, max_size=25)
corpora = st.lists(tokens, min_size=1, max_size=12).map(
    lambda lists: [plain(*one) for one in lists]
)
seeds = st.integers(0, 5)


def plain(*words, document="a.txt 1"):
    """A sentence of plain text."""
    return CorpusSentence(tuple(words), None, document)


def tagged(text, document="t.conllu 1"):
    """A sentence of a treebank: `form/UPOS` for each word; `du/ADP+le/DET=du` is a multiword token."""
    words, ranges = [], []
    for part in text.split():
        pieces, _, form = part.partition("=")
        first = len(words) + 1
        for piece in pieces.split("+"):
            word, _, upos = piece.partition("/")
            words.append(Word(1, word, word, upos, "", "", 0, "", len(words) + 1))
        if form:
            ranges.append(MultiwordToken(first, len(words), form))
    sentence = Sentence("t.conllu", 1, "", words, ranges)
    return CorpusSentence(tuple(sentence.surface_tokens()[0]), sentence, document)


def given_for(language="fi", seed=0, **settings):
    return Given(find_language(language), seed, settings)
