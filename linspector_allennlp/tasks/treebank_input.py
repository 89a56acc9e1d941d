"""The treebank that tasks are made from: its sentences, its files, and what was counted in them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from linspector_allennlp.sources.remote import treebank_files
from linspector_allennlp.tasks.making import input_file
from linspector_allennlp.treebanks import Sentence, TreebankCounts, read_treebank


class TreebankInput(NamedTuple):
    """
    # Parameters

    inputs : `dict[str, Any]`
        The files, as a manifest has them.
    counts : `TreebankCounts`
    sentences : `list[Sentence]`
    """

    inputs: dict[str, Any]
    counts: TreebankCounts
    sentences: list[Sentence]

    def found(self) -> dict[str, Any]:
        return dict(vars(self.counts))


def read_treebank_input(sources: Sequence[str], skip_bad_lines: bool) -> TreebankInput:
    """Reads CoNLL-U files, or the files of treebanks that are named (`UD_Finnish-TDT`)."""
    files = [file for source in sources for file in treebank_files(source)]
    inputs = {"treebank": sorted((input_file(*file) for file in files), key=str)}
    counts = TreebankCounts()
    # The name of a file tells its split, even where the cache has another name for it.
    sentences = [
        sentence._replace(path=file.name)
        for file in files
        for sentence in read_treebank([file.path], counts, skip_bad_lines)
    ]
    return TreebankInput(inputs, counts, sentences)
