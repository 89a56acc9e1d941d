"""The sentences that vectors are trained on, walked through again and again, never in memory."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import BadLines
from linspector_allennlp.sources.remote import treebank_files
from linspector_allennlp.tasks.making import input_file
from linspector_allennlp.tasks.sentences.corpus import (
    check_spaces,
    text_sentences,
    treebank_sentences,
)
from linspector_allennlp.tasks.sentences.sentence_items import CorpusSentence
from linspector_allennlp.treebanks import TreebankCounts, read_treebank

# Gensim reads so many tokens of a sentence and leaves out the rest without a word.
LONGEST = 10_000
CHECKED = 10_000  # sentences of a text, which show whether there are spaces between its words


class CorpusCounts(NamedTuple):
    """
    # Parameters

    words : `Counter[str]`
        How often each word occurs.
    sentences, bad_lines : `int`
    """

    words: "Counter[str]"
    sentences: int
    bad_lines: int


class SentenceStream:
    """
    The tokens of the sentences in files, in the order of the files.

    # Parameters

    text, treebank, tokenized, skip_bad_lines
        See `read_corpus`.
    lowercase : `bool`, optional (default = `False`)
    """

    def __init__(
        self,
        text: Sequence[PathLike] = (),
        treebank: Sequence[str] = (),
        tokenized: bool = False,
        lowercase: bool = False,
        skip_bad_lines: bool = False,
    ) -> None:
        self._text = list(text)
        self._treebank = [file for source in treebank for file in treebank_files(source)]
        self._tokenized = tokenized
        self._lowercase = lowercase
        self._skip_bad_lines = skip_bad_lines
        # The same for all walks, so that a bad line is not shown again and again.
        self._bad = BadLines(skip_bad_lines)

    def inputs(self) -> dict[str, Any]:
        """The files, as a provenance has them. They are read again and again, so no pipe will do."""
        for path in [*self._text, *(file.path for file in self._treebank)]:
            if os.path.exists(path) and not os.path.isfile(path):
                raise ConfigurationError(
                    f"{os.fspath(path)}: expected a regular file, which can be read for each epoch."
                )
        return {
            "text": [input_file(str(path), path) for path in self._text],
            "treebank": [input_file(*file) for file in self._treebank],
        }

    def count(self) -> CorpusCounts:
        """What there is, in a first walk with progress bars, which finds all that is wrong."""
        words: Counter[str] = Counter()
        sentences, found = 0, TreebankCounts()
        for sentence in self._sentences(found, progress=True):
            words.update(self._tokens(sentence))
            sentences += 1
        return CorpusCounts(words, sentences, self._bad.number + found.bad_lines)

    def __iter__(self) -> Iterator[list[str]]:
        for sentence in self._sentences(TreebankCounts(), progress=False):
            tokens = self._tokens(sentence)
            for start in range(0, len(tokens), LONGEST):
                yield tokens[start : start + LONGEST]

    def _tokens(self, sentence: CorpusSentence) -> list[str]:
        return [token.lower() if self._lowercase else token for token in sentence.tokens]

    def _sentences(self, found: TreebankCounts, progress: bool) -> Iterator[CorpusSentence]:
        for file in self._treebank:
            yield from treebank_sentences(
                read_treebank([file.path], found, self._skip_bad_lines, False, progress)
            )
        for path in self._text:
            sentences = text_sentences(path, self._tokenized, self._bad, progress)
            if not self._tokenized:
                first = list(islice(sentences, CHECKED))
                check_spaces(path, first)
                sentences = chain(first, sentences)
            yield from sentences
