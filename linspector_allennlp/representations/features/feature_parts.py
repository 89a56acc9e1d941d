"""In which order sentences are computed, and how many go into one segment."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from linspector_allennlp.representations.words import Words

SEGMENT_BYTES = 256_000_000  # what a process that is killed loses at most

Lengths = Callable[[Sequence[Words]], Sequence[int]]


def longest_first(sentences: Sequence[Words], lengths: Lengths) -> list[Words]:
    """So that a batch has sentences of like lengths, and what is too long for it fails at once."""
    order = np.argsort(-np.array(lengths(sentences), np.int64), kind="stable")
    return [sentences[i] for i in order]


def segment_parts(sentences: Sequence[Words], word_bytes: int) -> Iterator[list[Words]]:
    """As many sentences at a time as fit into a segment, and at least one."""
    part: list[Words] = []
    size = 0
    for sentence in sentences:
        if part and size + len(sentence) * word_bytes > SEGMENT_BYTES:
            yield part
            part, size = [], 0
        part.append(sentence)
        size += len(sentence) * word_bytes
    if part:
        yield part
