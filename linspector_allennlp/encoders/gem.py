from collections.abc import Iterable
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.encoders.fitted_encoder import FittedEncoder, SecondMoments
from linspector_allennlp.encoders.orthogonal_words import coarse_sentences, novel_parts
from linspector_allennlp.encoders.segments import rows_of_sentences, sentence_groups
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows

MOST_WORDS = 4096


@SentenceEncoder.register("gem")
class GemEncoder(FittedEncoder):
    """
    The geometric embedding of Yang et al. (2019), "Parameter-free Sentence Embedding via Orthogonal
    Basis": a weighted sum of the words' vectors, in which a word weighs the more, the more of its
    vector is not in those of its neighbours.

    For each word, r is the length of that part of its vector v which is orthogonal to all other words
    in the window, and q the direction of this part. The weight is the sum of novelty, significance and
    uniqueness: exp(r / |v|) + r / (2·window + 1) + exp(−|σ ⊙ Dq| / num_removed). D are directions of
    the training sentences with their singular values σ: of `num_directions` the `num_removed` with the
    largest σ·|S d|, S being the words of the sentence. They are removed from the sum.

    A word whose vector is all in the span of its neighbours (to a ten-thousandth of its length), such
    as one that comes twice in a window, has r = 0 and no direction: Dq = 0.

    Registered as a `SentenceEncoder` with name "gem".

    # Parameters

    window : `int`, optional (default = `7`)
        How many words on each side are neighbours.
    num_directions : `int`, optional (default = `45`)
        K of the paper.
    num_removed : `int`, optional (default = `17`)
        h of the paper.
    sigma_power : `float`, optional (default = `3.0`)
        Of singular values in the training sentences: see `coarse_sentences`.
    """

    def __init__(
        self,
        word_dim: int,
        window: int = 7,
        num_directions: int = 45,
        num_removed: int = 17,
        sigma_power: float = 3.0,
    ) -> None:
        if window < 1:
            raise ConfigurationError(f"gem: expected a window of 1 or more words, found {window}.")
        if not 1 <= num_removed <= num_directions:
            raise ConfigurationError(
                "gem: expected 1 <= num_removed <= num_directions, found "
                f"{num_removed} and {num_directions}."
            )
        if not sigma_power >= 1:
            raise ConfigurationError(
                f"gem: expected a sigma_power of 1 or more, found {sigma_power}."
            )
        # There are no more directions than dimensions.
        num_directions = min(num_directions, max(word_dim, num_removed))
        super().__init__(word_dim=word_dim, output_dim=word_dim)
        self._window = window
        self._num_removed = num_removed
        self._sigma_power = sigma_power
        self.directions: torch.Tensor
        self.singular_values: torch.Tensor
        self.register_buffer("directions", torch.zeros(num_directions, word_dim))
        self.register_buffer("singular_values", torch.zeros(num_directions))

    def fit(self, batches: Iterable[WordRows]) -> None:
        moments = SecondMoments(self.word_dim)
        for rows in batches:
            for numbers in sentence_groups(rows.lengths, MOST_WORDS):
                words = padded_words(rows_of_sentences(rows, numbers))
                moments.add(coarse_sentences(words, self._sigma_power))
        self.set_fitted(moments.count)
        directions, singular_values = moments.directions(len(self.directions))
        self.directions.copy_(directions)
        self.singular_values.copy_(singular_values)

    def forward(self, rows: WordRows) -> torch.Tensor:
        self.check_fitted()
        result = rows.vectors.new_empty(len(rows.lengths), self.output_dim)
        for numbers in sentence_groups(rows.lengths, MOST_WORDS):
            some = rows_of_sentences(rows, numbers)
            result[numbers] = self._encode(padded_words(some), some.lengths).to(result.dtype)
        return result

    def _encode(self, words: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Shape: (num_sentences, longest, word_dim) → (num_sentences, word_dim)"""
        directions, sigma = self.directions.double(), self.singular_values.double()
        # Shape: (num_sentences, longest, num_directions)
        along = words @ directions.T
        chosen = (sigma * along.norm(dim=1)).topk(self._num_removed, dim=1).indices
        is_chosen = torch.zeros_like(along[:, 0]).scatter_(1, chosen, 1.0)
        novel = novel_parts(words, along, lengths, self._window)
        novelty = novel.shares.exp()
        significance = novel.shares * words.norm(dim=2) / (2 * self._window + 1)
        common = (novel.along * (sigma * is_chosen).unsqueeze(1)).norm(dim=2)
        uniqueness = (-common / self._num_removed).exp()
        # Words that are only padding are zeros, whatever they weigh.
        weights = novelty + significance + uniqueness
        sums = torch.einsum("st,std->sd", weights, words)
        return sums - (sums @ directions.T * is_chosen) @ directions

    def provenance(self) -> dict[str, Any]:
        return {
            "window": self._window,
            "num_directions": len(self.directions),
            "num_removed": self._num_removed,
            "sigma_power": self._sigma_power,
        }


def padded_words(rows: WordRows) -> torch.Tensor:
    """The words of each sentence, in double precision. Shape: (num_sentences, longest, word_dim)"""
    shape = len(rows.lengths), int(rows.lengths.max()), rows.vectors.shape[1]
    padded = rows.vectors.new_zeros(shape, dtype=torch.float64)
    is_word = torch.arange(shape[1], device=padded.device) < rows.lengths.unsqueeze(1)
    padded[is_word] = rows.vectors.double()
    return padded
