import math
from collections.abc import Sequence
from typing import Any, Optional, Union

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.encoders.segments import segment_max, segment_mean, segment_min
from linspector_allennlp.encoders.sentence_encoder import (
    SentenceEncoder,
    WordRows,
    sentence_of_rows,
)

Power = Union[float, str]
DEFAULT = (-math.inf, 0.0, 1.0, 2.0, math.inf)
EPSILON = 1e-6
"""Added to magnitudes before their logarithm or a negative power, where zero has none."""


@SentenceEncoder.register("power_means")
class PowerMeansEncoder(SentenceEncoder):
    """
    Power means of a sentence's words in each dimension, side by side: (mean xᵖ)^(1/p) for each p
    (Rücklé et al. 2018). What the formula does not say is in `power_mean`.

    Registered as a `SentenceEncoder` with name "power_means".

    # Parameters

    p : `List[Union[float, str]]`, optional (default = `["-inf", 0, 1, 2, "inf"]`)
        Numbers; `"-inf"` is the least value and `"inf"` the greatest.
    normalize : `bool`, optional (default = `False`)
        Whether each word's vector is made one of length 1 before, so that of several spaces side by side
        none weighs more than another.
    """

    def __init__(
        self, word_dim: int, p: Optional[list[Power]] = None, normalize: bool = False
    ) -> None:
        self._powers = list(DEFAULT) if p is None else _powers(p)
        super().__init__(word_dim=word_dim, output_dim=word_dim * len(self._powers))
        self._normalize = normalize

    def forward(self, rows: WordRows) -> torch.Tensor:
        vectors = rows.vectors
        if self._normalize:
            vectors = torch.nn.functional.normalize(vectors, dim=1)
        means = [power_mean(vectors, rows.lengths, power) for power in self._powers]
        return torch.cat(means, dim=1)

    def provenance(self) -> dict[str, Any]:
        powers = [power if math.isfinite(power) else str(power) for power in self._powers]
        return {"p": powers, "normalize": self._normalize}


def power_mean(vectors: torch.Tensor, lengths: torch.Tensor, power: float) -> torch.Tensor:
    """
    A power mean of each sentence by dimension. Powers and roots of negative numbers are these:

    | p                  | of the values x of a dimension                                    |
    |--------------------|-------------------------------------------------------------------|
    | −∞, ∞              | the least, the greatest                                           |
    | 1                  | the mean                                                          |
    | even               | (mean xᵖ)^(1/p), which is positive                                |
    | other positive     | m = mean sign(x)·abs(x)ᵖ, then sign(m)·abs(m)^(1/p)               |
    | 0                  | exp(mean log(abs(x) + ε)), the geometric mean of the magnitudes   |
    | negative           | (mean (abs(x) + ε)ᵖ)^(1/p), of the magnitudes too                 |

    Shape: (num_words, dim) → (num_sentences, dim)
    """
    if power == math.inf:
        return segment_max(vectors, lengths)
    if power == -math.inf:
        return segment_min(vectors, lengths)
    if power == 1:
        return segment_mean(vectors, lengths)
    if power == 2:
        return segment_mean(vectors.square(), lengths).sqrt()
    magnitudes = vectors.abs()
    if power <= 0:
        logarithms = magnitudes.add_(EPSILON).log_()
        if power == 0:
            return segment_mean(logarithms, lengths).exp()
        # Around the least, so that no power is larger than 1 and one of them is.
        least = segment_min(logarithms, lengths)
        powers = (power * (logarithms - least[sentence_of_rows(lengths)])).exp()
        return (segment_mean(powers, lengths).log() / power + least).exp()
    # In units of the greatest, so that no power is too large for the type.
    greatest = segment_max(magnitudes, lengths).clamp_min_(torch.finfo(vectors.dtype).tiny)
    powers = (magnitudes / greatest[sentence_of_rows(lengths)]) ** power
    if power % 2 != 0:
        powers = powers.copysign(vectors)
    means = segment_mean(powers, lengths)
    return greatest * (means.abs() ** (1 / power)).copysign(means)


def _powers(given: Sequence[Power]) -> list[float]:
    powers = []
    for power in given:
        try:
            powers.append(float(power))
        except ValueError:
            powers.append(math.nan)
    if not powers or any(map(math.isnan, powers)) or len(set(powers)) < len(powers):
        raise ConfigurationError(
            'power_means: expected in `p` different numbers, "-inf" or "inf", one or more, found '
            f"{list(given)!r}."
        )
    return powers
