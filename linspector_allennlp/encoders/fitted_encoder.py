from typing import Any

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder


class FittedEncoder(SentenceEncoder):
    """
    The base of encoders that learn something of the training sentences, without their labels. It is
    kept in buffers, which an archive has.

    # Parameters

    word_dim, output_dim : `int`
    """

    needs_fitting = True

    sized_by_fitting: tuple[str, ...] = ()
    """The names of those buffers whose size is not known before."""

    def __init__(self, word_dim: int, output_dim: int) -> None:
        super().__init__(word_dim=word_dim, output_dim=output_dim)
        self.num_fitted: torch.Tensor
        self.register_buffer("num_fitted", torch.tensor(0))

    def check_fitted(self) -> None:
        """Raises `ConfigurationError` before it was shown any sentences."""
        if self.num_fitted == 0:
            raise ConfigurationError(
                f"{self.registered_name}: it must be fitted on the training sentences before it can "
                'encode any, and was not. A run of `"type": "probe_run"` fits it.'
            )

    def set_fitted(self, num_sentences: int) -> None:
        """For `fit`, at its end."""
        if num_sentences == 0:
            raise ValueError(
                f"{self.registered_name}: expected training sentences with words that the "
                "representation knows, found none."
            )
        self.num_fitted.fill_(num_sentences)

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        for name in self.sized_by_fitting:
            loaded = state_dict.get(prefix + name)
            if loaded is not None:
                device = self.num_fitted.device
                self.register_buffer(name, torch.empty_like(loaded, device=device))
        super()._load_from_state_dict(state_dict, prefix, *args)


class SecondMoments:
    """
    The directions in which vectors are the largest, from as many as there are: what is kept of them
    is a square matrix of their dimension. They are not centered.

    # Parameters

    dimension : `int`
    """

    def __init__(self, dimension: int) -> None:
        self._sums = torch.zeros(dimension, dimension, dtype=torch.float64)
        self.count = 0

    def add(self, vectors: torch.Tensor) -> None:
        """Shape: (num_vectors, dimension)"""
        exact = vectors.to("cpu", torch.float64)
        self._sums.addmm_(exact.T, exact)
        self.count += len(vectors)

    def directions(self, most: int) -> tuple[torch.Tensor, torch.Tensor]:
        """
        The first right singular vectors of the matrix whose rows are the vectors, and the singular
        values; zeros where the matrix has no more. Shapes: (most, dimension), (most,)
        """
        values, vectors = torch.linalg.eigh(self._sums)
        values, vectors = values.flip(0)[:most], vectors.T.flip(0)[:most]
        # Below this they are rounding errors, and their vectors arbitrary.
        values = torch.where(values > 1e-12 * values[:1], values, torch.zeros_like(values))
        padding = (0, most - len(values))
        vectors = torch.nn.functional.pad(vectors * (values > 0).unsqueeze(1), (0, 0, *padding))
        return vectors, torch.nn.functional.pad(values.sqrt(), padding)
