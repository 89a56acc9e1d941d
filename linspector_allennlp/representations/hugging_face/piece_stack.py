"""The vectors of a word's pieces in a row, for a head that learns which of them count."""

from collections.abc import Sequence
from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.words import Words

MAX_PIECES = 8


def room_for_pieces(pool: str, setting: Optional[int], layer: Any) -> int:
    """For how many pieces of a word there is room; 0 if they become one vector at once."""
    if pool != "attention":
        if setting is not None:
            raise ConfigurationError(f'max_pieces: expected pool: "attention", found {pool!r}.')
        return 0
    if not isinstance(layer, int):
        raise ConfigurationError(
            f'pool: "attention" is learned over the pieces of one layer: expected a number as `layer`, '
            f"found {layer!r}."
        )
    if setting is not None and setting < 2:
        raise ConfigurationError(f"max_pieces: expected 2 or more, found {setting}.")
    return MAX_PIECES if setting is None else setting


def stack_pieces(
    vectors: torch.Tensor, word_of: torch.Tensor, sentences: Sequence[Words], max_pieces: int
) -> torch.Tensor:
    """
    The vectors of the pieces of each word in a row, zeros where it has fewer, and behind them their
    number. Refuses a word with more.

    # Parameters

    vectors, word_of :
        As of `pool_pieces`.
    sentences : `Sequence[Words]`
        With all words.

    # Returns

    `torch.Tensor`. Shape: (num_words, max_pieces · dimension + 1)
    """
    num_words = sum(map(len, sentences))
    counts = torch.bincount(word_of, minlength=num_words)
    if counts.max() > max_pieces:
        words = [word for sentence in sentences for word in sentence]
        raise ValueError(
            f"the tokenizer makes {int(counts.max())} pieces of the word {words[counts.argmax()]!r}, and "
            f'attention has room for {max_pieces}: set "max_pieces" to so many or more. Memory and '
            "disk grow with it."
        )
    place = torch.arange(len(word_of), device=word_of.device) - (counts.cumsum(0) - counts)[word_of]
    stacked = vectors.new_zeros(num_words, max_pieces, vectors.shape[-1])
    stacked[word_of, place] = vectors
    return torch.cat([stacked.flatten(1), counts.unsqueeze(1).to(vectors.dtype)], dim=1)
