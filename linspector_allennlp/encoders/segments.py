"""Rows of words, one sentence after the other: reduced by sentence, and put into other orders."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch

from linspector_allennlp.encoders.sentence_encoder import WordRows, sentence_of_rows


def segment_max(vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """The greatest value of each sentence by dimension. Shape: (num_words, dim) → (num_sentences, dim)"""
    return max_by(vectors, sentence_of_rows(lengths), len(lengths))


def segment_min(vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """The least value of each sentence by dimension. Shape: (num_words, dim) → (num_sentences, dim)"""
    index = sentence_of_rows(lengths).unsqueeze(1).expand_as(vectors)
    result = vectors.new_empty(len(lengths), vectors.shape[1])
    return result.scatter_reduce_(0, index, vectors, "amin", include_self=False)


def segment_mean(vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """The mean of each sentence. Shape: (num_words, dim) → (num_sentences, dim)"""
    sums = vectors.new_zeros(len(lengths), vectors.shape[1])
    sums.index_add_(0, sentence_of_rows(lengths), vectors)
    return sums / lengths.unsqueeze(1)


def max_by(vectors: torch.Tensor, sentence_of: torch.Tensor, num_sentences: int) -> torch.Tensor:
    """The same for rows in any order, each with the number of its sentence."""
    index = sentence_of.unsqueeze(1).expand_as(vectors)
    result = vectors.new_empty(num_sentences, vectors.shape[1])
    return result.scatter_reduce_(0, index, vectors, "amax", include_self=False)


def first_rows(lengths: torch.Tensor) -> torch.Tensor:
    """The number of the first row of each sentence."""
    return lengths.cumsum(0) - lengths


class TimeOrder(NamedTuple):
    """
    Sentences word by word: the first word of each, then the second of each that has one, and so on,
    the longest sentence first, as recurrent networks take them.

    # Parameters

    rows : `torch.Tensor`
        Of the words, in this order. Shape: (num_words,)
    sentence_of : `torch.Tensor`
        For each of them. Shape: (num_words,)
    batch_sizes : `torch.Tensor`
        How many sentences have a first word, a second, … Shape: (longest,)
    """

    rows: torch.Tensor
    sentence_of: torch.Tensor
    batch_sizes: torch.Tensor


def time_order(lengths: torch.Tensor, backwards: bool = False) -> TimeOrder:
    """The order of words for a network that goes through each sentence, forwards or backwards."""
    longest_first = torch.argsort(lengths, descending=True, stable=True)
    ordered = lengths[longest_first]
    steps = torch.arange(int(ordered[0]), device=lengths.device)
    # Shape: (longest, num_sentences)
    is_word = steps.unsqueeze(1) < ordered
    step, place = is_word.nonzero(as_tuple=True)
    sentence_of = longest_first[place]
    within = lengths[sentence_of] - 1 - step if backwards else step
    return TimeOrder(first_rows(lengths)[sentence_of] + within, sentence_of, is_word.sum(dim=1))


def sentence_groups(lengths: torch.Tensor, most_words: int) -> Iterator[torch.Tensor]:
    """
    The numbers of sentences in groups of like length that, each padded to the longest of its group,
    have together no more than so many words, so that memory does not depend on the size of a batch; a
    longer sentence is a group of its own.
    """
    order = torch.argsort(lengths, descending=True, stable=True)
    start = 0
    while start < len(order):
        size = max(1, most_words // int(lengths[order[start]]))
        yield order[start : start + size]
        start += size


def rows_of_sentences(rows: WordRows, numbers: torch.Tensor) -> WordRows:
    """Those of some sentences only."""
    lengths = rows.lengths[numbers]
    within = torch.arange(int(lengths.sum()), device=lengths.device)
    within = within - first_rows(lengths).repeat_interleave(lengths)
    chosen = first_rows(rows.lengths)[numbers].repeat_interleave(lengths) + within
    sentences = [rows.sentences[number] for number in numbers.tolist()]
    return WordRows(rows.vectors[chosen], lengths, sentences)


def distinct_rows(vectors: torch.Tensor, words: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """
    Each vector once, as far as equal words tell which are equal, and for each word the number of its
    vector: the same word may have others in other sentences. Shape: (num_distinct, dim), (num_words,)
    """
    first_of: dict[str, int] = {}
    firsts = torch.tensor([first_of.setdefault(word, i) for i, word in enumerate(words)])
    firsts = firsts.to(vectors.device)
    own = torch.arange(len(firsts), device=vectors.device)
    firsts = torch.where((vectors == vectors[firsts]).all(dim=1), firsts, own)
    chosen, number_of = torch.unique(firsts, return_inverse=True)
    return vectors[chosen], number_of
