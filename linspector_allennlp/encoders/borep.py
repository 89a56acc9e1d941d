import math
from functools import cached_property
from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.encoders.seeded_encoder import SeededEncoder
from linspector_allennlp.encoders.segments import distinct_rows, segment_mean
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows

POOLINGS = ("max", "mean")


@SentenceEncoder.register("borep")
class BorepEncoder(SeededEncoder):
    """
    A bag of random embedding projections (Wieting & Kiela 2019): each word's vector times a random
    matrix, then the greatest value in each dimension. The matrix is uniform between ±1/√word_dim.

    Registered as a `SentenceEncoder` with name "borep".

    # Parameters

    dimension : `int`, optional (default = `4096`)
    pooling : `str`, optional (default = `"max"`)
        Or `"mean"`.
    seed : `int`, optional
        By default that of the run.
    """

    drawn = ("_weight",)

    def __init__(
        self,
        word_dim: int,
        dimension: int = 4096,
        pooling: str = "max",
        seed: Optional[int] = None,
    ) -> None:
        if dimension < 1:
            raise ConfigurationError(
                f"borep: expected a dimension of 1 or more, found {dimension}."
            )
        if pooling not in POOLINGS:
            raise ConfigurationError(
                f"borep: expected a pooling {' or '.join(POOLINGS)}, found {pooling!r}."
            )
        super().__init__(word_dim=word_dim, output_dim=dimension, seed=seed)
        self._pooling = pooling

    def forward(self, rows: WordRows) -> torch.Tensor:
        weight = self._weight.to(rows.vectors.device)
        if self._pooling == "mean":
            return segment_mean(rows.vectors, rows.lengths) @ weight
        words = [word for sentence in rows.sentences for word in sentence]
        vectors, number_of = distinct_rows(rows.vectors, words)
        # The projection of a word that comes again and again is computed once.
        projected = vectors @ weight
        # Sentence by sentence, for its words then stay in the processor's cache: those of all
        # sentences, copied for one reduction, take half as long again.
        numbers = number_of.split(rows.lengths.tolist())
        return torch.stack([projected.index_select(0, some).amax(dim=0) for some in numbers])

    def provenance(self) -> dict[str, Any]:
        return {**super().provenance(), "pooling": self._pooling}

    @cached_property
    def _weight(self) -> torch.Tensor:
        """Shape: (word_dim, output_dim)"""
        generator = torch.Generator().manual_seed(self._seed)
        bound = 1 / math.sqrt(self.word_dim)
        weight = torch.empty(self.word_dim, self.output_dim)
        return weight.uniform_(-bound, bound, generator=generator)
