"""The sentences that the vectors of a file are numbered by."""

from collections.abc import Iterator
from typing import NamedTuple

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import numbered_lines
from linspector_allennlp.representations.words import Words
from linspector_allennlp.treebanks import read_treebank


class SentenceFile(NamedTuple):
    """
    A file of sentences, plain or compressed by gzip: a treebank in CoNLL-U, or text with a sentence
    a line, its tokens separated by spaces.
    """

    path: PathLike
    is_treebank: bool

    def read(self) -> Iterator[Words]:
        """The sentences; of a treebank the words, as the tasks that come from it have them."""
        if self.is_treebank:
            for sentence in read_treebank([self.path], check_features=False):
                yield tuple(word.form for word in sentence.words)
        else:
            for _, text in numbered_lines(self.path, "a sentence", blank=b" \r\n"):
                # Not at all white space: a token may have a no-break space in it.
                yield tuple(token for token in text.split(" ") if token)
