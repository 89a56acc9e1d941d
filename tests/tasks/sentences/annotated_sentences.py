"""Small treebanks for the tests of sentence tasks."""

import tempfile
from pathlib import Path

from linspector_allennlp.languages import find_language
from linspector_allennlp.tasks.sentences.paradigms import Paradigms
from linspector_allennlp.tasks.sentences.sentence_items import CorpusSentence, Given
from linspector_allennlp.treebanks import MultiwordToken, Sentence, Word, read_treebank

ENGLISH, TURKISH, FINNISH = map(find_language, ("english", "turkish", "finnish"))


def given(language=ENGLISH, seed=0, paradigms=None, **settings):
    return Given(language, seed, settings, paradigms)


def analysed(text, multiword=()):
    """
    A sentence of words as `form/lemma/upos/feats/head/deprel`; what is missing at the end is empty, an empty
    lemma is the form in small letters. Multiword tokens are triples of first and last word and form.
    """
    words = []
    for number, word in enumerate(text.split(), start=1):
        form, lemma, upos, feats, head, deprel = (word.split("/") + [""] * 5)[:6]
        lemma = lemma or form.lower()
        head = int(head) if head else None
        words.append(Word(number, form, lemma, upos, "", feats, head, deprel, number))
    return of(Sentence("x.conllu", 1, "", words, [MultiwordToken(*some) for some in multiword]))


def of(sentence):
    return CorpusSentence(tuple(sentence.surface_tokens()[0]), sentence, str(sentence.path))


def plain(text):
    return CorpusSentence(tuple(text.split()))


def treebank(*paths):
    return [of(sentence) for sentence in read_treebank(paths)]


def paradigms(*rows):
    """Those of rows like `speak speaks V;PRS;3;SG`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "xyz"
        path.write_text("".join("\t".join(row.split(" ")) + "\n" for row in rows), "utf-8")
        return Paradigms.read(path)


def labels(items):
    return [item.label for item in items]


def texts(items):
    return [" ".join(item.tokens) for item in items]
