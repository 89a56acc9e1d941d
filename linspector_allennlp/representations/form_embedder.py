from collections.abc import Sequence
from typing import Any

import numpy
import torch
from allennlp.modules import TokenEmbedder


class FormEmbedder(TokenEmbedder):
    """
    The base of representations that are a function of the word form alone. It takes what
    `WordFormIndexer` gives, embeds each distinct form once, and leaves padding at zero.

    A subclass implements `embed_forms` and `knows`. It has no trained weights: what it needs to
    give the same vectors again is in its settings.
    """

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self._dimension = dimension

    def get_output_dim(self) -> int:
        return self._dimension

    def embed_forms(self, forms: Sequence[str]) -> numpy.ndarray:
        """A float32 matrix with a row for each form."""
        raise NotImplementedError

    def knows(self, forms: Sequence[str]) -> numpy.ndarray:
        """For each form whether the representation has a vector of its own for it."""
        raise NotImplementedError

    def provenance(self) -> dict[str, Any]:
        """What a run folder should say about where the vectors come from."""
        return {}

    def forward(self, code_points: torch.Tensor) -> torch.Tensor:
        # Shape: (batch, num_tokens, num_characters)
        points: Any = code_points.cpu().numpy().astype("<u4", order="C")
        batch, num_tokens, width = points.shape
        # Reading each row of code points as one string of fixed width drops the padding zeros.
        forms, inverse = numpy.unique(points.view(f"<U{width}").ravel(), return_inverse=True)
        # Shape: (num_distinct_forms, dimension)
        vectors = numpy.zeros((len(forms), self._dimension), dtype=numpy.float32)
        is_word = forms != ""
        if is_word.any():
            vectors[is_word] = self.embed_forms(forms[is_word].tolist())
        # Shape: (batch, num_tokens, dimension)
        embedded = torch.from_numpy(vectors[inverse.ravel()])
        return embedded.view(batch, num_tokens, self._dimension).to(code_points.device)
