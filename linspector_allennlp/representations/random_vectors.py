from collections.abc import Sequence
from typing import Any, Optional

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.io.hashing import hashed_vectors
from linspector_allennlp.representations.form_embedder import FormEmbedder


@TokenEmbedder.register("random_vectors")
class RandomVectorsEmbedder(FormEmbedder):
    """
    A random vector for each word type, always the same for the same word: the control that knows
    which word it is and nothing else, neither meaning nor spelling. What a probe learns from it
    about words of the training data it has learned by heart; about other words it can only guess.

    Registered as a `TokenEmbedder` with name "random_vectors".

    # Parameters

    dimension : `int`, optional (default = `300`)
    lowercase : `bool`, optional (default = `False`)
        Whether words that differ in case only are one type.
    seed : `int`, optional
        Another seed gives other vectors; by default it is that of the run.
    """

    def __init__(
        self, dimension: int = 300, lowercase: bool = False, seed: Optional[int] = None
    ) -> None:
        if dimension < 1:
            raise ConfigurationError(
                f"random_vectors: expected a dimension of 1 or more, found {dimension}."
            )
        super().__init__(dimension=dimension, lowercase=lowercase)
        self.take_seed(seed)

    def embed_forms(self, forms: Sequence[str]) -> numpy.ndarray:
        return hashed_vectors(self.types(forms), self._dimension, self._seed)

    def knows(self, forms: Sequence[str]) -> numpy.ndarray:
        return numpy.ones(len(forms), dtype=bool)

    def provenance(self) -> dict[str, Any]:
        return {"dimension": self._dimension, "lowercase": self._lowercase, "seed": self._seed}
