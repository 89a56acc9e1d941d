"""The sentences that the vectors of a file are numbered by."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Optional

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import numbered_lines
from linspector_allennlp.representations.words import Words
from linspector_allennlp.sentence_files import (
    SENTEVAL_SPLITS,
    SentenceCounts,
    read_labelled_sentences,
)
from linspector_allennlp.treebanks import read_treebank


class SentenceFile(NamedTuple):
    """
    A file of sentences, plain or compressed by gzip: a treebank in CoNLL-U; text with a sentence a
    line, its tokens separated by spaces; or a task file of sentences, ours or SentEval's, which is
    known by the tab in its first line.

    # Parameters

    path : `PathLike`
    is_treebank : `bool`
    split : `str`, optional
        Of a file of SentEval's only this: `tr`, `va` or `te`.
    """

    path: PathLike
    is_treebank: bool
    split: Optional[str] = None

    def read(self, counts: Optional[SentenceCounts] = None) -> Iterator[Words]:
        """
        The sentences; of a treebank the words, as the tasks that come from it have them. Lines of a
        task file that have a label and no sentence are left out, and counted.
        """
        if self.is_treebank:
            for sentence in read_treebank([self.path], check_features=False):
                yield tuple(word.form for word in sentence.words)
            return
        columns = self._first_line().split("\t")
        if len(columns) == 1 and self.split is None:
            for _, text in self._lines():
                yield _tokens(text)
            return
        is_senteval = columns[0] in SENTEVAL_SPLITS.values()
        rows = read_labelled_sentences(
            self.path,
            self.split,
            with_topic=len(columns) == 3 + is_senteval,
            skip_empty=True,
            counts=counts,
        )
        for row in rows:
            yield _tokens(row.sentence)

    def _first_line(self) -> str:
        return next((text for _, text in islice(self._lines(), 1)), "")

    def _lines(self) -> Iterator[tuple[int, str]]:
        return numbered_lines(self.path, "a sentence", blank=b" \r\n")


class NumberedSentences(NamedTuple):
    """
    The sentences of some files, numbered through.

    # Parameters

    numbers : `Mapping[str, List[int]]`
        Of each sentence, by its text.
    lengths : `Sequence[int]`
        How many words each has, by number.
    source : `str`
        The names of the files, and what was left out of them.
    """

    numbers: Mapping[str, list[int]]
    lengths: Sequence[int]
    source: str

    @classmethod
    def read(cls, files: Sequence[SentenceFile]) -> "NumberedSentences":
        numbers: dict[str, list[int]] = {}
        lengths: list[int] = []
        counts = SentenceCounts()
        for file in files:
            before = len(lengths)
            for words in file.read(counts):
                numbers.setdefault(" ".join(words), []).append(len(lengths))
                lengths.append(len(words))
            if len(lengths) == before:
                raise ValueError(f"{file.path}: expected sentences, found none.")
        source = ", ".join(str(file.path) for file in files)
        if counts.empty:
            source += f" (without the {counts.empty} lines that have no sentence)"
        return cls(numbers, lengths, source)


def _tokens(text: str) -> Words:
    # Not at all white space: a token may have a no-break space in it.
    return tuple(token for token in text.split(" ") if token)
