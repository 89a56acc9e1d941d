"""The words of a sentence, and the tensors in which AllenNLP carries them to a representation."""

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np
import torch

Words = tuple[str, ...]
"""A sentence, as a representation gets it."""


def encode_words(
    sentences: Sequence[Sequence[str]],
    num_tokens: Optional[int] = None,
    num_characters: Optional[int] = None,
) -> torch.Tensor:
    """
    Words as their Unicode code points, padded with 0.

    # Parameters

    num_tokens, num_characters : `int`, optional
        After padding; by default those of the longest sentence and of the longest word.

    # Returns

    `torch.Tensor`, int32. Shape: (batch, num_tokens, num_characters)
    """
    if num_tokens is None:
        num_tokens = max(map(len, sentences))
    if num_characters is None:
        num_characters = max(len(word) for words in sentences for word in words)
    padded: Any = np.zeros((len(sentences), num_tokens), dtype=f"<U{num_characters}")
    for row, words in zip(padded, sentences):
        row[: len(words)] = words[:num_tokens]
    code_points = padded.view("<u4").reshape(len(sentences), num_tokens, num_characters)
    return torch.from_numpy(code_points.astype(np.int32))


def decode_words(code_points: torch.Tensor) -> np.ndarray:
    """
    The words that `encode_words` made into code points; padding becomes "".

    # Parameters

    code_points : `torch.Tensor`
        Shape: (batch, num_tokens, num_characters)

    # Returns

    `numpy.ndarray` of strings. Shape: (batch, num_tokens)
    """
    points: Any = code_points.cpu().numpy().astype("<u4", order="C")
    batch, num_tokens, width = points.shape
    # Reading each row of code points as one string of fixed width drops the padding zeros.
    return points.view(f"<U{width}").reshape(batch, num_tokens)
