"""The sentences that tasks are made from: those of treebanks, then those of plain text."""

import os
from collections.abc import Iterable, Iterator, Sequence
from sys import intern
from typing import Any, NamedTuple, Optional

from linspector_allennlp.io.conllu_rows import COLUMNS
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import BadLines, MalformedLine, numbered_lines
from linspector_allennlp.tasks.making import input_file
from linspector_allennlp.tasks.sentences.sentence_items import CorpusSentence
from linspector_allennlp.tasks.sentences.surface_words import is_punctuation
from linspector_allennlp.tasks.treebank_input import read_treebank_input
from linspector_allennlp.tokenizing import words_and_punctuation
from linspector_allennlp.treebanks import Sentence

# It belongs to no word, and a task file cannot have it: it would be taken for the mark of the file.
BYTE_ORDER_MARK = "\ufeff"

# Beyond this mean the words of a text, if there are many, are no words.
LONGEST_MEAN, MANY = 12, 20


class Corpus(NamedTuple):
    """
    # Parameters

    treebank, text : `list[CorpusSentence]`
        All sentences, repeated ones too: they follow each other as they were written.
    inputs, reading : `dict[str, Any]`
        For manifests: the files, and what was counted in them.
    """

    treebank: list[CorpusSentence]
    text: list[CorpusSentence]
    inputs: dict[str, Any]
    reading: dict[str, dict[str, Any]]


def read_corpus(
    treebank: Sequence[str],
    text: Sequence[PathLike] = (),
    tokenized: bool = False,
    skip_bad_lines: bool = False,
) -> Corpus:
    """
    Reads all sentences of a language.

    # Parameters

    treebank : `Sequence[str]`
        CoNLL-U files, or names of treebanks (`UD_Finnish-TDT`).
    text : `Sequence[PathLike]`, optional
        Files with one sentence a line, plain or gzip. A blank line ends a document.
    tokenized : `bool`, optional (default = `False`)
        Whether the tokens of the text are those between its spaces.
    skip_bad_lines : `bool`, optional (default = `False`)
        Count broken lines and go on; the default is to stop at the first.
    """
    corpus = Corpus([], [], {}, {})
    if treebank:
        read = read_treebank_input(treebank, skip_bad_lines)
        corpus.treebank.extend(treebank_sentences(read.sentences))
        corpus.inputs.update(read.inputs)
        corpus.reading["treebank"] = read.found()
    if text:
        bad = BadLines(skip_bad_lines)
        for path in text:
            sentences = list(text_sentences(path, tokenized, bad))
            if not tokenized:
                check_spaces(path, sentences)
            corpus.text.extend(sentences)
        corpus.inputs["text"] = sorted(
            (input_file(os.fspath(path), path) for path in text), key=str
        )
        corpus.reading["text"] = {"sentences": len(corpus.text), "bad_lines": bad.number}
    return corpus


def treebank_sentences(sentences: Iterable[Sentence]) -> Iterator[CorpusSentence]:
    """The sentences of a treebank as they are written."""
    for sentence in sentences:
        tokens, _ = sentence.surface_tokens()
        document = f"{os.path.basename(sentence.path)} {sentence.document}"
        yield CorpusSentence(_interned(tokens), sentence, intern(document))


def text_sentences(
    path: PathLike,
    tokenized: bool = False,
    bad: Optional[BadLines] = None,
    progress: bool = True,
) -> Iterator[CorpusSentence]:
    """The sentences of a text, one a line; a file without any is an error."""
    bad = bad or BadLines(skip=False)
    number = document = last = 0
    for line, text in numbered_lines(path, bad=bad, progress=progress):
        if text.count("\t") == COLUMNS - 1:
            expected = "a sentence of plain text (CoNLL-U is for --treebank)"
            bad.add(MalformedLine(path, line, expected, repr(text)))
            continue
        if "\0" in text:
            bad.add(MalformedLine(path, line, "text", "a character of number 0 in it"))
            continue
        text = text.replace(BYTE_ORDER_MARK, " ")
        tokens = text.split() if tokenized else words_and_punctuation(text)
        if not tokens:
            continue
        document += line > last + 1
        last, number = line, number + 1
        yield CorpusSentence(
            _interned(tokens), None, intern(f"{os.path.basename(path)} {document}")
        )
    if not number:
        raise ValueError(f"{path} has no sentence: expected plain text, one sentence a line.")


def check_spaces(path: PathLike, sentences: Sequence[CorpusSentence]) -> None:
    """Refuses text whose words are not told apart by spaces: every sentence would be a word."""
    runs = [
        token for sentence in sentences for token in sentence.tokens if not is_punctuation(token)
    ]
    if len(runs) > MANY and sum(map(len, runs)) > LONGEST_MEAN * len(runs):
        mean = sum(map(len, runs)) / len(runs)
        raise ValueError(
            f"{path}: its words have {mean:.0f} characters on average. Is the language written without "
            "spaces? Then tokenise the text, put spaces between the words, and say --tokenized."
        )


def _interned(tokens: Iterable[str]) -> tuple[str, ...]:
    """The tokens, each text being in memory once: a million sentences are then a few hundred MB."""
    return tuple(map(intern, tokens))
