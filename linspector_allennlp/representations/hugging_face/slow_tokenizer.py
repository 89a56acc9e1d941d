"""Tokenizers without a fast version, which do not say of which word a piece is."""

from collections.abc import Sequence
from typing import Any, Optional

IN_BETWEEN = -1
"""The word of a piece between two words, such as the byte of the space."""


class SlowTokenizer:
    """
    A tokenizer of bytes, of characters or of words one by one, with the part of a fast one's interface
    that `WordPieces` needs. Whose a piece is can be told where the pieces of a sentence are those of its
    words, in a row, with those of a space in between; a sentence in which they are not is refused.

    # Parameters

    tokenizer : `PreTrainedTokenizerBase`
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tokenizer, name)

    def __call__(
        self,
        sentences: Sequence[Sequence[str]],
        is_split_into_words: bool = True,
        add_special_tokens: bool = True,
        max_length: Optional[int] = None,
        stride: int = 0,
        **_: Any,
    ) -> "SlowEncoding":
        limit = None
        if max_length is not None:
            limit = max_length - self._tokenizer.num_special_tokens_to_add()
        windows, words, sample_of = [], [], []
        for number, sentence in enumerate(sentences):
            ids, word_of = self._aligned(sentence)
            for start in _starts(len(ids), limit, stride):
                end = None if limit is None else start + limit
                windows.append(self._window(ids[start:end], add_special_tokens))
                words.append(
                    _with_special(windows[-1].pop("special_tokens_mask"), word_of[start:end])
                )
                sample_of.append(number)
        return SlowEncoding(self._tokenizer, windows, words, sample_of)

    def _window(self, ids: list[int], add_special_tokens: bool) -> dict[str, list[int]]:
        return dict(
            self._tokenizer.prepare_for_model(
                ids, add_special_tokens=add_special_tokens, return_special_tokens_mask=True
            )
        )

    def _aligned(self, sentence: Sequence[str]) -> tuple[list[int], list[int]]:
        """The pieces of a sentence, without special ones, and the word of each."""
        pieces: list[int] = []
        word_of: list[int] = []
        space = self._plain(" ")
        for number, word in enumerate(sentence):
            own = self._plain(word)
            between = space if number else []
            pieces += [*between, *own]
            word_of += [IN_BETWEEN] * len(between) + [number] * len(own)
        text = " ".join(sentence)
        if pieces != self._plain(text):
            raise ValueError(
                f"{self._tokenizer.name_or_path}: its tokenizer ({type(self._tokenizer).__name__}) has no "
                "fast version, which would say of which word a piece is, and the pieces of the sentence "
                f"{text!r} are not those of its words in a row. Choose a model that has a tokenizer.json, "
                "or make one for it."
            )
        return pieces, word_of

    def _plain(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False, verbose=False).input_ids)


class SlowEncoding(dict[str, Any]):
    """What a fast tokenizer gives for sentences: their windows, and of which word each piece is."""

    def __init__(
        self,
        tokenizer: Any,
        windows: list[dict[str, list[int]]],
        words: list[list[Optional[int]]],
        sample_of: list[int],
    ) -> None:
        super().__init__(tokenizer.pad(windows, padding=True, return_tensors="pt"))
        self.input_ids = [window["input_ids"] for window in windows]
        length = self["input_ids"].shape[1]
        self._words = [[*ids, *[None] * (length - len(ids))] for ids in words]
        self["overflow_to_sample_mapping"] = self["input_ids"].new_tensor(sample_of)

    def word_ids(self, window: int) -> list[Optional[int]]:
        return self._words[window]


def _starts(num_pieces: int, limit: Optional[int], overlap: int) -> range:
    if limit is None or num_pieces <= limit:
        return range(1)
    return range(0, num_pieces - overlap, limit - overlap)


def _with_special(is_special: Sequence[int], word_of: Sequence[int]) -> list[Optional[int]]:
    words = iter(word_of)
    return [None if special else next(words) for special in is_special]
