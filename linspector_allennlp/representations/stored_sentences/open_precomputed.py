"""Precomputed vectors of sentences, whatever the kind of their file."""

from collections.abc import Sequence
from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.stored_sentences.keyed_sentences import KeyedSentences
from linspector_allennlp.representations.stored_sentences.precomputed_files import (
    EVERYTHING,
    Arrays,
    open_arrays,
    read_index,
)
from linspector_allennlp.representations.stored_sentences.precomputed_sentences import (
    PrecomputedSentences,
)
from linspector_allennlp.representations.stored_sentences.sentence_file import read_sentences
from linspector_allennlp.representations.stored_sentences.stacked_sentences import StackedSentences


def open_precomputed(
    path: PathLike,
    sentences: Optional[PathLike] = None,
    is_treebank: bool = False,
    per_sentence: bool = False,
) -> PrecomputedSentences:
    """
    # Parameters

    path : `PathLike`
        An HDF5, `.npy` or safetensors file.
    sentences : `PathLike`, optional
        The file of the sentences whose numbers are the keys, or that are the rows of a `.npy` file;
        `is_treebank` says whether it is CoNLL-U.
    per_sentence : `bool`, optional (default = `False`)
        Whether there is one vector for a sentence, not one for each of its words.
    """
    arrays = open_arrays(path)
    if sentences is None:
        if EVERYTHING in arrays:
            raise ConfigurationError(
                f"sentences: expected the file of the sentences whose vectors are the rows of {path}, "
                "found no setting."
            )
        return KeyedSentences(path, arrays, read_index(path, arrays), per_sentence)
    numbers: dict[str, list[int]] = {}
    lengths = []
    for number, words in enumerate(read_sentences(sentences, is_treebank)):
        numbers.setdefault(" ".join(words), []).append(number)
        lengths.append(len(words))
    if not lengths:
        raise ValueError(f"{sentences}: expected sentences, found none.")
    if EVERYTHING in arrays:
        return StackedSentences(path, arrays[EVERYTHING], numbers, lengths, per_sentence)
    _check_number_of_arrays(path, arrays, sentences, lengths)
    return KeyedSentences(path, arrays, numbers, per_sentence)


def _check_number_of_arrays(
    path: PathLike, arrays: Arrays, sentences: PathLike, lengths: Sequence[int]
) -> None:
    found = sum(key.isdecimal() for key in arrays)
    if found != len(lengths):
        raise ValueError(
            f"{path}: expected {len(lengths)} arrays with numbers for keys, one for each sentence "
            f"of {sentences}, found {found}."
            + " Where the keys are the sentences, leave out `sentences`."
            * (not found)
        )
