from typing import Any

import numpy
import torch
from allennlp.data import Token, TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList


@TokenIndexer.register("word_form")
class WordFormIndexer(TokenIndexer):
    """
    Hands the words themselves to the model, as Unicode code points padded with 0. No vocabulary
    is needed, so a word never seen in training reaches its representation like any other.

    Registered as a `TokenIndexer` with name "word_form". Its reader in the model is
    `FormEmbedder`.
    """

    def count_vocab_items(self, token: Token, counter: dict[str, dict[str, int]]) -> None:
        pass

    def tokens_to_indices(self, tokens: list[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        return {"code_points": [token.ensure_text() for token in tokens]}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"code_points": []}

    def get_padding_lengths(self, indexed_tokens: IndexedTokenList) -> dict[str, int]:
        forms = indexed_tokens["code_points"]
        return {
            "code_points": max(len(forms), self._token_min_padding_length),
            "num_characters": max(map(len, forms), default=1),
        }

    def as_padded_tensor_dict(
        self, tokens: IndexedTokenList, padding_lengths: dict[str, int]
    ) -> dict[str, torch.Tensor]:
        num_tokens, width = padding_lengths["code_points"], padding_lengths["num_characters"]
        padded: Any = numpy.zeros(num_tokens, dtype=f"<U{width}")
        forms = tokens["code_points"][:num_tokens]
        padded[: len(forms)] = forms
        # Shape: (num_tokens, num_characters)
        code_points = padded.view("<u4").reshape(num_tokens, width).astype(numpy.int32)
        return {"code_points": torch.from_numpy(code_points)}
