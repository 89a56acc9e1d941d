"""The pieces of which the vector of a whole sentence is made."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Optional

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.hugging_face.word_pieces import PieceBatch, WordPieces
from linspector_allennlp.representations.words import Words

# By pooling how the vectors of its pieces become one.
SENTENCE_POOLINGS = {"cls": "mean", "sentence_mean": "mean", "sentence_max": "max"}


class WholeSentences(WordPieces):
    """
    Cuts sentences into pieces, those of one sentence together: in what it gives, `word_of` is the
    number of the sentence.

    # Parameters

    tokenizer, max_length, long_sentences :
        See `WordPieces`.
    pool : `str`
        `"cls"`: the piece that stands for the sentence, one in each window of a long sentence.
        `"sentence_mean"`, `"sentence_max"`: all pieces, the special ones too, as
        sentence-transformers has it. Of a long sentence a piece in several windows counts once, in
        the window that `WordPieces` takes, and the special ones of all windows count.
    """

    def __init__(
        self, tokenizer: Any, max_length: Optional[int], long_sentences: str, pool: str
    ) -> None:
        super().__init__(tokenizer, max_length, long_sentences)
        self._is_cls = pool == "cls"
        if self._is_cls and not self._has_cls():
            raise ConfigurationError(
                f"pool: expected a model whose tokenizer puts a piece for the whole sentence before "
                f"or behind it, to take the vector of that ({pool}); {tokenizer.name_or_path} has "
                "none. Take sentence_mean or sentence_max."
            )

    def _has_cls(self) -> bool:
        encoded = self._tokenize([("a",)])
        return any(
            word is None and piece == self.tokenizer.cls_token_id
            for piece, word in zip(encoded.input_ids[0], encoded.word_ids(0))
        )

    def encode(self, sentences: Sequence[Words]) -> PieceBatch:
        encoded, sentence_of = self.encode_windows(sentences)
        if self._is_cls:
            window_of, position_of = self._cls_places(encoded)
        else:
            window_of, position_of = self._all_places(encoded, sentence_of)
        numbers = np.array(sentence_of)[window_of]
        places = (torch.from_numpy(each) for each in (window_of, position_of, numbers))
        return PieceBatch(dict(encoded), *places)

    def _cls_places(self, encoded: Any) -> tuple[np.ndarray, np.ndarray]:
        """The first such piece of each window; one in the text itself comes after it."""
        is_cls = (encoded["input_ids"] == self.tokenizer.cls_token_id).numpy()
        is_special = np.array(
            [[word is None for word in encoded.word_ids(i)] for i in range(len(is_cls))]
        )
        return np.arange(len(is_cls)), (is_cls & is_special).argmax(axis=1)

    def _all_places(self, encoded: Any, sentence_of: list[int]) -> tuple[np.ndarray, np.ndarray]:
        is_piece = encoded["attention_mask"].numpy().astype(bool)
        windows, positions = [], []
        for _, group in groupby(range(len(sentence_of)), key=sentence_of.__getitem__):
            first, *others = group
            word_ids = [encoded.word_ids(window) for window in [first, *others]]
            window, position, _ = self.places(word_ids)
            windows.append(window + first)
            positions.append(position)
            for number, ids in zip([first, *others], word_ids):
                special = np.flatnonzero(is_piece[number] & [word is None for word in ids])
                windows.append(np.full(len(special), number))
                positions.append(special)
        return np.concatenate(windows), np.concatenate(positions)
