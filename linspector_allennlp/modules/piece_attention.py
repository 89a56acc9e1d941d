import math

import torch
from allennlp.nn.util import combine_tensors

from linspector_allennlp.modules.heads import ProbeHead


class PieceAttentionHead(ProbeHead):
    """
    A head that first makes one vector of the pieces of each word, and then does what another head does.
    Piece i with the vector hᵢ has the share softmax(q·h)ᵢ among the pieces of its word; the query q is
    trained with the head. It begins as zeros, so that all pieces have the same share. A probe puts it
    before its own head where a representation gives pieces (`pool: "attention"`).

    # Parameters

    head : `torch.nn.Module`
        It may take more than features.
    word_dim : `int`
        The size of the vector of a piece, and of a word.
    max_pieces : `int`
        For how many pieces of a word there is room. What a word has is their vectors and, at the end,
        the number of them.
    combination : `str`
        How the vectors x (and y) of the word (or two words) of an item become one: see
        `PairedFormsProbe`.
    """

    def __init__(
        self, head: torch.nn.Module, word_dim: int, max_pieces: int, combination: str
    ) -> None:
        super().__init__()
        self.query = torch.nn.Parameter(torch.zeros(word_dim))
        self.head = head
        self._max_pieces = max_pieces
        self._combination = combination
        self._num_words = 2 if "y" in combination else 1

    def words(self, features: torch.Tensor) -> torch.Tensor:
        """
        The vectors of words. Shape: (batch, num_words · (max_pieces · word_dim + 1)) → (batch,
        num_words, word_dim)
        """
        rows = features.unflatten(1, (self._num_words, -1))
        numbers = rows[..., -1:]
        # Shape: (batch, num_words, max_pieces, word_dim)
        pieces = rows[..., :-1].unflatten(-1, (self._max_pieces, -1))
        # Shape: (batch, num_words, max_pieces)
        is_piece = torch.arange(self._max_pieces, device=features.device) < numbers
        scores = (pieces @ self.query).masked_fill(~is_piece, -math.inf)
        shares = torch.softmax(scores, dim=-1)  # every word has a piece
        return (shares.unsqueeze(-2) @ pieces).squeeze(-2)

    def forward(self, features: torch.Tensor, *others: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        words = self.words(features)
        return self.head(combine_tensors(self._combination, list(words.unbind(dim=1))), *others)
