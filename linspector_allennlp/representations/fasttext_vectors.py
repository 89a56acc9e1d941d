import logging
from collections.abc import Sequence
from itertools import compress
from typing import Any, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.representations.form_embedder import FormEmbedder
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.unknown_words import RANDOM, UnknownWords, check_policy
from linspector_allennlp.representations.vector_files.fasttext_model import FastTextModel

logger = logging.getLogger(__name__)

COMPOSED = "subwords"


@TokenEmbedder.register("fasttext_vectors")
class FastTextVectorsEmbedder(FormEmbedder):
    """
    Word vectors from a fastText model with subwords (`.bin`), which has a vector also for words
    that it has never seen: the mean of those of their character n-grams. Of a model of several
    gigabytes only the dictionary is read, and the rows of the words that are asked for.

    Registered as a `TokenEmbedder` with name "fasttext_vectors".

    # Parameters

    file : `str`
        A path, or anything that `cached_path` takes.
    unk : `str`, optional (default = `"subwords"`)
        The vector of a word outside the vocabulary. `"subwords"` composes it from n-grams; a word
        too short to have any gets zeros, as in fastText, and a warning is logged. The others do
        not look at n-grams: `"mean"` of the vectors of the vocabulary (of 10,000, evenly spread,
        where there are more), `"zeros"`, `"random"` (a fixed random vector for each word, from a
        hash of it, as long as the vectors of the vocabulary are on average), `"shared_random"` (one
        such vector for all words), `"error"`, or `"skip"`: items with such a word leave the task.
    lowercase : `bool`, optional (default = `False`)
        Whether words are lower-cased before they are looked up.
    seed : `int`, optional
        Of the random vectors; by default that of the run.
    """

    def __init__(
        self, file: str, unk: str = COMPOSED, lowercase: bool = False, seed: Optional[int] = None
    ) -> None:
        check_policy(unk, COMPOSED)
        path = find_file(file, "file")
        model = FastTextModel(path)
        if unk == COMPOSED and not model.has_subwords:
            raise ConfigurationError(
                f'{file} has no subwords, so that "unk" cannot be "{COMPOSED}": set it to "mean", '
                '"zeros", "random", "shared_random", "error" or "skip".'
            )
        sha256 = file_digest(path)
        super().__init__(dimension=model.dimension, lowercase=lowercase)
        self.remember(sha256, file)
        self.composes_unknown_words = unk == COMPOSED
        self._file = file
        self._sha256 = sha256
        self._unk = unk
        self.skips = unk == "skip"
        self._random = unk in RANDOM
        if self._random:
            self.take_seed(seed)
        self._model = model

    def knows(self, forms: Sequence[str]) -> np.ndarray:
        return self._model.rows(self.types(forms)) >= 0

    def embed_forms(self, forms: Sequence[str]) -> np.ndarray:
        types, known = self.types(forms), self.knows(forms)
        if self._unk == COMPOSED:
            vectors = self._model.vectors(types)
            self._warn(list(compress(types, ~known & ~vectors.any(axis=1))))
            return vectors
        vectors = np.empty((len(types), self._dimension), dtype=np.float32)
        vectors[known] = self._model.vectors(list(compress(types, known)))
        policy = UnknownWords(self._unk, self._file, self._seed)
        vectors[~known] = policy.vectors(list(compress(types, ~known)), self._model)
        return vectors

    def _warn(self, too_short: Sequence[str]) -> None:
        if too_short:
            logger.warning(
                "%s: %d words are too short for its n-grams and have zeros, such as %r",
                self._file, len(too_short), too_short[0],
            )  # fmt: skip

    def provenance(self) -> dict[str, Any]:
        return {
            "path": self._file,
            "sha256": self._sha256,
            "words": len(self._model),
            "dimension": self._dimension,
            "unk": self._unk,
            "lowercase": self._lowercase,
            **({"seed": self._seed} if self._random else {}),
        }
