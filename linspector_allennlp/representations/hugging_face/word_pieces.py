"""Words and the pieces that a transformer's tokenizer makes of them, there and back."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple, Optional

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of

from linspector_allennlp.representations.hugging_face.slow_tokenizer import (
    IN_BETWEEN,
    SlowTokenizer,
)
from linspector_allennlp.representations.words import Words

LONG_SENTENCES = ("window", "error")
POOLINGS = ("mean", "max", "first", "last", "attention")


class PieceBatch(NamedTuple):
    """Sentences as a transformer takes them. A long one is several windows, which overlap."""

    inputs: dict[str, torch.Tensor]
    """Shape of each: (num_windows, window_length)"""
    window_of: torch.Tensor
    position_of: torch.Tensor
    """Where the vector of each piece is: in which window, and at which position there."""
    word_of: torch.Tensor
    """The word that each piece belongs to; all words are counted through, sentence by sentence."""


class WordPieces:
    """
    Cuts words into pieces with a tokenizer of Hugging Face's. A fast one says itself of which word a
    piece is; for others see `SlowTokenizer`.

    # Parameters

    tokenizer : `PreTrainedTokenizerBase`
    max_length : `int`, optional
        The most pieces, with the special ones, that the model takes; `None` if there is no limit.
    long_sentences : `str`
        What becomes of a longer sentence: `"window"`, it is cut into windows that overlap by half,
        and each piece gets the vector of the window in which it has the most context on its poorer
        side; or `"error"`.
    """

    def __init__(self, tokenizer: Any, max_length: Optional[int], long_sentences: str) -> None:
        if long_sentences not in LONG_SENTENCES:
            raise ConfigurationError(
                f"long_sentences: expected {' or '.join(LONG_SENTENCES)}, found {long_sentences!r}."
            )
        if tokenizer.pad_token is None:  # it is masked: any piece serves
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
        tokenizer.padding_side = tokenizer.truncation_side = "right"
        content = (max_length or 0) - tokenizer.num_special_tokens_to_add()
        if max_length is not None and content < 2:
            raise ConfigurationError(
                f"max_length: expected room for 2 pieces or more beside the special ones, found "
                f"{max_length}."
            )
        self._overlap = content // 2
        self._step = content - self._overlap
        self.tokenizer = tokenizer if tokenizer.is_fast else SlowTokenizer(tokenizer)
        self._before_words = " " * (tokenizer.is_fast and _needs_spaces(tokenizer))
        self._max_length = max_length
        self._long_sentences = long_sentences

    def lengths(self, sentences: Sequence[Words]) -> list[int]:
        """The number of pieces of each sentence, with the special ones."""
        pieces = (self._tokenize(some) for some in lazy_groups_of(sentences, 1000))
        return [len(ids) for batch in pieces for ids in batch.input_ids]

    def knows(self, forms: Sequence[str]) -> np.ndarray:
        """For each word whether none of its pieces is the one for unknown text."""
        if not forms:
            return np.zeros(0, dtype=bool)
        unknown = self.tokenizer.unk_token_id
        # Some models begin a sentence with the piece that also stands for unknown text.
        pieces = self._tokenize([(form,) for form in forms], add_special_tokens=False)
        return np.array([unknown is None or unknown not in ids for ids in pieces.input_ids])

    def encode(self, sentences: Sequence[Words]) -> PieceBatch:
        encoded, sentence_of = self.encode_windows(sentences)
        first_words = np.cumsum([0, *map(len, sentences)])
        pieces = []
        for number, windows in groupby(range(len(sentence_of)), key=sentence_of.__getitem__):
            first, *others = windows
            word_ids = [encoded.word_ids(window) for window in [first, *others]]
            window, position, word = self.places(word_ids)
            _check_words(sentences[number], word)
            places = np.stack([window + first, position, word + first_words[number]])
            pieces.append(places[:, word != IN_BETWEEN])
        window_of, position_of, word_of = torch.from_numpy(np.concatenate(pieces, axis=1))
        return PieceBatch(dict(encoded), window_of, position_of, word_of)

    def encode_windows(self, sentences: Sequence[Words]) -> tuple[Any, list[int]]:
        """What the tokenizer makes of sentences, in one window or several, and the sentence of each."""
        limits: dict[str, Any] = {}
        if self._max_length is not None:
            if self._long_sentences == "error":
                self._refuse_long(sentences, self._max_length)
            limits = {"max_length": self._max_length, "truncation": True, "stride": self._overlap}
        encoded = self._tokenize(
            sentences,
            padding=True,
            return_overflowing_tokens=True,
            return_tensors="pt",
            **limits,
        )
        return encoded, encoded.pop("overflow_to_sample_mapping").tolist()

    def _tokenize(self, sentences: Sequence[Words], **settings: Any) -> Any:
        words = [[self._before_words + word for word in sentence] for sentence in sentences]
        return self.tokenizer(words, is_split_into_words=True, verbose=False, **settings)

    def _refuse_long(self, sentences: Sequence[Words], most: int) -> None:
        for sentence, length in zip(sentences, self.lengths(sentences)):
            if length > most:
                raise ValueError(
                    f"a sentence has {length} pieces, and the model takes {most}: "
                    f'{_shortened(sentence)!r}. Set "long_sentences" to "window" to cut it into '
                    "windows."
                )

    def places(self, word_ids: list[list[Optional[int]]]) -> list[np.ndarray]:
        """
        The window, position and word of each piece of a sentence. A piece that is in several
        windows is taken from the one in which its distance to the nearer cut is the greatest.

        # Parameters

        word_ids : `List[List[Optional[int]]]`
            For each position of each window the number of its word; `None` for special pieces and
            `IN_BETWEEN` for those between words.
        """
        positions = [[i for i, word in enumerate(ids) if word is not None] for ids in word_ids]
        starts = np.arange(len(word_ids)) * self._step
        ends = starts + list(map(len, positions))
        pieces = np.arange(ends[-1])
        # Shape: (num_windows, num_pieces)
        left = pieces - starts[:, None]
        right = ends[:, None] - 1 - pieces
        outside = (left < 0) | (right < 0)
        # The sentence's own ends are no cuts.
        left[0] = right[-1] = ends[-1]
        window = np.where(outside, -1, np.minimum(left, right)).argmax(axis=0)
        places = list(zip(window.tolist(), (pieces - starts[window]).tolist()))
        position = np.array([positions[w][i] for w, i in places], dtype=np.int64)
        word = np.array([word_ids[w][positions[w][i]] for w, i in places], dtype=np.int64)
        return [window, position, word]


def pool_pieces(
    vectors: torch.Tensor, word_of: torch.Tensor, num_words: int, pool: str
) -> torch.Tensor:
    """
    The vectors of words from those of their pieces.

    # Parameters

    vectors : `torch.Tensor`
        Shape: (num_pieces, dimension)
    word_of : `torch.Tensor`
        The word of each piece; every word has a piece. They are in the order of the text, which the
        first and the last depend on. Shape: (num_pieces,)
    pool : `str`
        One of `POOLINGS` but for `"attention"`: see `stack_pieces`.

    # Returns

    `torch.Tensor`. Shape: (num_words, dimension)
    """
    counts = torch.bincount(word_of, minlength=num_words)
    ends = counts.cumsum(0)
    if pool == "first":
        return vectors[ends - counts]
    if pool == "last":
        return vectors[ends - 1]
    if pool == "max":
        index = word_of.unsqueeze(1).expand_as(vectors)
        result = vectors.new_empty(num_words, vectors.shape[-1])
        return result.scatter_reduce_(0, index, vectors, "amax", include_self=False)
    sums = vectors.new_zeros(num_words, vectors.shape[-1]).index_add_(0, word_of, vectors)
    return sums / counts.unsqueeze(-1)


def _needs_spaces(tokenizer: Any) -> bool:
    """Whether pieces know of the space before a word, and words one by one would have none."""
    text, words = "a a", ["a", "a"]
    return tokenizer.tokenize(text) != tokenizer.tokenize(words, is_split_into_words=True)


def _check_words(sentence: Words, word_of: np.ndarray) -> None:
    without = sorted(set(range(len(sentence))) - set(word_of.tolist()))
    if without:
        word = sentence[without[0]]
        raise ValueError(
            f"the tokenizer makes no piece of the word {word!r} ({ascii(word)}), number "
            f"{without[0]} in the sentence {_shortened(sentence)!r}, so it has no vector. Remove it "
            "from the data or replace it."
        )


def _shortened(sentence: Words, most: int = 200) -> str:
    text = " ".join(sentence)
    return text if len(text) <= most else f"{text[:most]} …"
