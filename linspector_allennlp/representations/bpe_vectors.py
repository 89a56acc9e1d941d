import logging
import re
from collections.abc import Sequence
from itertools import chain, compress
from typing import Any, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.representations.form_embedder import FormEmbedder
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.unknown_words import RANDOM, UnknownWords, check_policy
from linspector_allennlp.representations.vector_files.fasttext_model import row_means
from linspector_allennlp.representations.vector_files.vector_store import VectorStore
from linspector_allennlp.representations.words import Words

logger = logging.getLogger(__name__)

WORD_START = "▁"
_DIGIT = re.compile(r"\d")
_USUAL_SHARE = 0.9  # of the pieces of a model that have vectors, where the two belong together


@TokenEmbedder.register("bpe_vectors")
class BpeVectorsEmbedder(FormEmbedder):
    """
    Vectors of subwords: a SentencePiece model cuts a word into pieces, and its vector is the mean
    of theirs. The files of BPEmb (Heinzerling & Strube, 2018) are of this kind, for 275 languages:
    `fi.wiki.bpe.vs10000.model` and `fi.wiki.bpe.vs10000.d100.w2v.bin`.

    A piece without a vector, such as a letter that the model has never seen, is left out of the
    mean. A word is unknown if none of its pieces has a vector; the bare mark of a word's beginning
    (`▁`) does not count, because every word has it.

    Registered as a `TokenEmbedder` with name "bpe_vectors".

    # Parameters

    model : `str`
        The SentencePiece model: a path, or anything that `cached_path` takes.
    vectors : `str`
        The vectors of its pieces, in any format that "word_vectors" takes.
    unk : `str`, optional (default = `"mean"`)
        The vector of an unknown word: `"mean"` of all pieces' vectors, `"zeros"`, `"random"` (a
        fixed random vector for each word, from a hash of it, as long as the vectors of the pieces
        are on average), `"shared_random"` (one such vector for all words), `"error"`, or `"skip"`:
        items with such a word leave the task.
    lowercase : `bool`, optional (default = `True`)
        Whether words are lower-cased first, as BPEmb was trained.
    digits_to_zero : `bool`, optional (default = `True`)
        Whether every digit becomes 0 first, as BPEmb was trained.
    seed : `int`, optional
        Of the random vectors; by default that of the run.
    """

    def __init__(
        self,
        model: str,
        vectors: str,
        unk: str = "mean",
        lowercase: bool = True,
        digits_to_zero: bool = True,
        seed: Optional[int] = None,
    ) -> None:
        check_policy(unk)
        model_path = find_file(model, "model")
        processor = _load_sentencepiece(model_path)
        store = VectorStore.open(find_file(vectors, "vectors"))
        super().__init__(dimension=store.dimension, lowercase=lowercase)
        self._files = {"model": model, "vectors": vectors}
        self._digests = {"model": file_digest(model_path), "vectors": store.fingerprint}
        for setting, digest in self._digests.items():
            self.remember(digest, self._files[setting], setting)
        self._processor = processor
        self._store = store
        self._unk = unk
        self._digits_to_zero = digits_to_zero
        self.skips = unk == "skip"
        self._random = unk in RANDOM
        if self._random:
            self.take_seed(seed)
        self._check_that_they_belong_together()

    def _check_that_they_belong_together(self) -> None:
        ids = range(self._processor.get_piece_size())
        share = np.mean(self._store.rows([self._processor.id_to_piece(i) for i in ids]) >= 0)
        model, vectors = self._files.values()
        if share == 0:
            raise ConfigurationError(
                f"{vectors} has a vector for none of the {len(ids)} pieces of {model}: expected "
                "the vectors that were made with this model."
            )
        if share < _USUAL_SHARE:
            logger.warning(
                "%s has vectors for only %.0f %% of the %d pieces of %s: do they belong together?",
                vectors, 100 * share, len(ids), model,
            )  # fmt: skip

    def types(self, forms: Sequence[str]) -> list[str]:
        types = super().types(forms)
        return [_DIGIT.sub("0", form) for form in types] if self._digits_to_zero else types

    def _piece_rows(self, types: list[str]) -> tuple[list[list[int]], np.ndarray, np.ndarray]:
        """The rows of the pieces of each word; whether it has some that count; whether all."""
        pieces = self._processor.encode(types, out_type=str)
        distinct = list(dict.fromkeys(chain.from_iterable(pieces)))
        row_of = dict(zip(distinct, self._store.rows(distinct).tolist()))
        found = [[row_of[piece] >= 0 for piece in word if piece != WORD_START] for word in pieces]
        rows = [[row_of[piece] for piece in word if row_of[piece] >= 0] for word in pieces]
        has_some = np.array([any(word) for word in found], dtype=bool)
        return rows, has_some, has_some & np.array([all(word) for word in found], dtype=bool)

    def knows(self, forms: Sequence[str]) -> np.ndarray:
        """For each form whether every one of its pieces has a vector."""
        return self._piece_rows(self.types(forms))[2]

    def has_vectors(self, sentence: Words, places: Sequence[int]) -> np.ndarray:
        """For each word whether some of its pieces has a vector: the others are unknown."""
        return self._piece_rows(self.types([sentence[i] for i in places]))[1]

    def embed_forms(self, forms: Sequence[str]) -> np.ndarray:
        types = self.types(forms)
        rows, has_some, _ = self._piece_rows(types)
        vectors = row_means(rows, self._store.vectors, self._dimension)
        unknown = list(compress(types, ~has_some))
        policy = UnknownWords(self._unk, self._files["vectors"], self._seed)
        vectors[~has_some] = policy.vectors(unknown, self._store)
        return vectors

    def provenance(self) -> dict[str, Any]:
        return {
            "model": self._files["model"],
            "model_sha256": self._digests["model"],
            "path": self._files["vectors"],
            "sha256": self._digests["vectors"],
            "pieces": len(self._store),
            "dimension": self._dimension,
            "unk": self._unk,
            "lowercase": self._lowercase,
            "digits_to_zero": self._digits_to_zero,
            **({"seed": self._seed} if self._random else {}),
        }


def _load_sentencepiece(path: str) -> Any:
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError as error:
        raise ConfigurationError(
            "bpe_vectors needs a package: pip install 'sentencepiece>=0.1.96'"
        ) from error
    try:
        return SentencePieceProcessor(model_file=path)
    except (RuntimeError, OSError) as error:
        raise ValueError(
            f"{path}: expected a SentencePiece model; found something else ({error}). Name the "
            '".model" file that belongs to the vectors.'
        ) from error
