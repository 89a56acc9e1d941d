from functools import cached_property
from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.encoders.seeded_encoder import SeededEncoder
from linspector_allennlp.encoders.segments import (
    max_by,
    rows_of_sentences,
    sentence_groups,
    time_order,
)
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows

MOST_WORDS = 4096


@SentenceEncoder.register("random_esn")
class RandomEsnEncoder(SeededEncoder):
    """
    An echo state network (Jaeger 2001; Wieting & Kiela 2019): two recurrent networks that were never
    trained, one for each direction, and the greatest value of their states over time in each dimension.

    The state is hₜ = (1 − leak)·tanh(W eₜ + U hₜ₋₁) + leak·hₜ₋₁, and h₀ = 0; there is no bias. W is
    uniform between ±input_scale; U is uniform, some of its entries are zeros, and it is scaled to the
    spectral radius, after the zeros are in it.

    Registered as a `SentenceEncoder` with name "random_esn".

    # Parameters

    dimension : `int`, optional (default = `4096`)
        Both directions together.
    spectral_radius : `float`, optional (default = `0.9`)
        The greatest eigenvalue of U; below 1 what was long ago fades.
    sparsity : `float`, optional (default = `0.5`)
        The share of zeros in U.
    leak : `float`, optional (default = `0.0`)
        How much of the last state stays.
    input_scale : `float`, optional (default = `0.1`)
    seed : `int`, optional
        By default that of the run.
    """

    drawn = ("_directions",)

    def __init__(
        self,
        word_dim: int,
        dimension: int = 4096,
        spectral_radius: float = 0.9,
        sparsity: float = 0.5,
        leak: float = 0.0,
        input_scale: float = 0.1,
        seed: Optional[int] = None,
    ) -> None:
        if dimension < 2 or dimension % 2:
            raise ConfigurationError(
                "random_esn: expected an even dimension, half of it for each direction, found "
                f"{dimension}."
            )
        for name, found in [("sparsity", sparsity), ("leak", leak)]:
            if not 0 <= found < 1:
                raise ConfigurationError(
                    f"random_esn: expected a {name} from 0 to less than 1, found {found}."
                )
        for name, found in [("spectral_radius", spectral_radius), ("input_scale", input_scale)]:
            if not found > 0:
                raise ConfigurationError(
                    f"random_esn: expected a {name} greater than 0, found {found}."
                )
        super().__init__(word_dim=word_dim, output_dim=dimension, seed=seed)
        self._spectral_radius = spectral_radius
        self._sparsity = sparsity
        self._leak = leak
        self._input_scale = input_scale

    def forward(self, rows: WordRows) -> torch.Tensor:
        result = rows.vectors.new_empty(len(rows.lengths), self.output_dim)
        for numbers in sentence_groups(rows.lengths, MOST_WORDS):
            some = rows_of_sentences(rows, numbers)
            pooled = [
                self._pooled_states(some, inputs, recurrent, backwards=direction == 1)
                for direction, (inputs, recurrent) in enumerate(self._directions)
            ]
            result[numbers] = torch.cat(pooled, dim=1)
        return result

    def _pooled_states(
        self, rows: WordRows, inputs: torch.Tensor, recurrent: torch.Tensor, backwards: bool
    ) -> torch.Tensor:
        """The states of one direction, over time. Shape: (num_sentences, dimension / 2)"""
        device = rows.vectors.device
        inputs, recurrent = inputs.to(device), recurrent.to(device)
        order = time_order(rows.lengths, backwards)
        projected = rows.vectors[order.rows] @ inputs
        states = torch.empty_like(projected)
        last, start = projected.new_zeros(len(rows.lengths), len(recurrent)), 0
        for size in order.batch_sizes.tolist():
            last = last[:size]
            new = torch.addmm(projected[start : start + size], last, recurrent).tanh_()
            last = torch.lerp(new, last, self._leak)
            states[start : start + size] = last
            start += size
        return max_by(states, order.sentence_of, len(rows.lengths))

    def provenance(self) -> dict[str, Any]:
        return {
            **super().provenance(),
            "spectral_radius": self._spectral_radius,
            "sparsity": self._sparsity,
            "leak": self._leak,
            "input_scale": self._input_scale,
        }

    @cached_property
    def _directions(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Wᵀ and Uᵀ of each. Shapes: (word_dim, dimension / 2), (dimension / 2, dimension / 2)"""
        generator = torch.Generator().manual_seed(self._seed)
        size, scale = self.output_dim // 2, self._input_scale
        directions = []
        for _ in range(2):
            inputs = torch.empty(self.word_dim, size).uniform_(-scale, scale, generator=generator)
            recurrent = torch.empty(size, size).uniform_(-1, 1, generator=generator)
            kept = torch.rand(size, size, generator=generator) >= self._sparsity
            directions.append((inputs, scaled_to(recurrent * kept, self._spectral_radius)))
        return directions


def scaled_to(matrix: torch.Tensor, spectral_radius: float) -> torch.Tensor:
    """The matrix times a number, so that its greatest eigenvalue has this magnitude."""
    found = torch.linalg.eigvals(matrix).abs().max()
    if not found > 0:
        raise ConfigurationError(
            "random_esn: expected a network in which states go on, found one whose weights are all "
            "zero. Set a larger dimension, or a smaller sparsity."
        )
    return matrix * (spectral_radius / found)
