import torch
from allennlp.data import Token, TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList

from linspector_allennlp.representations.words import encode_words


@TokenIndexer.register("word_form")
class WordFormIndexer(TokenIndexer):
    """
    Hands the words themselves to the model, as Unicode code points padded with 0. No vocabulary
    is needed, so a word never seen in training reaches its representation like any other.

    Registered as a `TokenIndexer` with name "word_form". Its reader in the model is
    `WordEmbedder`.
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
        # Shape: (1, num_tokens, num_characters)
        code_points = encode_words(
            [tokens["code_points"]],
            num_tokens=padding_lengths["code_points"],
            num_characters=padding_lengths["num_characters"],
        )
        return {"code_points": code_points.squeeze(0)}
