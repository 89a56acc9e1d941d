"""Features of words that stand in the data, as input of a model: its indexer and its embedder."""

import torch
from allennlp.data import Token, TokenIndexer, Vocabulary
from allennlp.data.token_indexers.token_indexer import IndexedTokenList
from allennlp.modules import TokenEmbedder

SEPARATOR = "|"


@TokenIndexer.register("feature_bag")
class FeatureBagIndexer(TokenIndexer):
    """
    Hands over the features that a reader has written into `tag_` of each token, as `POS=NOUN|Case=Nom`.
    There is at least one, so that each word is there, whatever is known of it.

    Registered as a `TokenIndexer` with name "feature_bag".

    # Parameters

    namespace : `str`, optional (default = `"features"`)
        Of the vocabulary. A feature that it does not have counts as unknown.
    token_min_padding_length : `int`, optional (default = `0`)
        See `TokenIndexer`.
    """

    def __init__(self, namespace: str = "features", token_min_padding_length: int = 0) -> None:
        super().__init__(token_min_padding_length)
        self._namespace = namespace

    def count_vocab_items(self, token: Token, counter: dict[str, dict[str, int]]) -> None:
        for feature in _features(token):
            counter[self._namespace][feature] += 1

    def tokens_to_indices(self, tokens: list[Token], vocabulary: Vocabulary) -> IndexedTokenList:
        ids = [
            [vocabulary.get_token_index(feature, self._namespace) for feature in _features(token)]
            for token in tokens
        ]
        return {"features": ids}

    def get_empty_token_list(self) -> IndexedTokenList:
        return {"features": []}

    def get_padding_lengths(self, indexed_tokens: IndexedTokenList) -> dict[str, int]:
        bags = indexed_tokens["features"]
        return {
            "features": max(len(bags), self._token_min_padding_length),
            "num_features": max(map(len, bags), default=1),
        }

    def as_padded_tensor_dict(
        self, tokens: IndexedTokenList, padding_lengths: dict[str, int]
    ) -> dict[str, torch.Tensor]:
        # Shape: (num_tokens, num_features)
        padded = torch.zeros(
            padding_lengths["features"], padding_lengths["num_features"], dtype=torch.long
        )
        for row, bag in zip(padded, tokens["features"]):
            row[: len(bag)] = torch.tensor(bag)
        return {"features": padded}


@TokenEmbedder.register("feature_bag")
class FeatureBagEmbedder(TokenEmbedder):
    """
    The sum of the vectors of a word's features, which are trained with the model.

    Registered as a `TokenEmbedder` with name "feature_bag".

    # Parameters

    dimension : `int`, optional (default = `100`)
    namespace : `str`, optional (default = `"features"`)
        That of the indexer.
    """

    def __init__(
        self, vocab: Vocabulary, dimension: int = 100, namespace: str = "features"
    ) -> None:
        super().__init__()
        self._vectors = torch.nn.Embedding(
            vocab.get_vocab_size(namespace), dimension, padding_idx=0
        )

    def get_output_dim(self) -> int:
        return self._vectors.embedding_dim

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Shape: (batch, num_tokens, num_features) → (batch, num_tokens, dimension)"""
        return self._vectors(features).sum(dim=2)


def _features(token: Token) -> list[str]:
    if not token.tag_:
        raise ValueError(
            f"feature_bag: expected features of {token.text!r}, found none: the reader gives none. Of "
            "dependency_parsing the setting gold_morphology does."
        )
    return token.tag_.split(SEPARATOR)
