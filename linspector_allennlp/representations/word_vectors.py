from collections.abc import Sequence
from typing import Any, Optional

import numpy as np
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations.form_embedder import FormEmbedder
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.unknown_words import RANDOM, UnknownWords, check_policy
from linspector_allennlp.representations.vector_files.vector_store import VectorStore


@TokenEmbedder.register("word_vectors")
class WordVectorsEmbedder(FormEmbedder):
    """
    Static word vectors from a file: text (word2vec or fastText `.vec`, GloVe `.txt`) or word2vec's
    binary, plain or `.gz`; NumPy, HDF5 or safetensors. The file is read once into a memory-mapped
    store beside it; after that only the words that are asked for are touched. gensim's `.kv` files
    are to be converted; the error says how.

    Registered as a `TokenEmbedder` with name "word_vectors".

    # Parameters

    file : `str`
        A path, or anything that `cached_path` takes.
    unk : `str`, optional (default = `"mean"`)
        The vector of a word that the file does not have: `"mean"` of all vectors, `"zeros"`,
        `"random"` (a fixed random vector for each word, from a hash of it, as long as the
        vectors of the file are on average), `"shared_random"` (one such vector for all words),
        `"error"`, or `"skip"`: items with such a word leave the task.
    lowercase : `bool`, optional (default = `False`)
        Whether words are lower-cased before they are looked up.
    seed : `int`, optional
        Of the random vectors; by default that of the run.
    words : `str`, optional (default = `None`)
        A text file with one word a line, where the file has a matrix and no words. By default the
        file beside it with the same name but for its ending `.txt`, `.vocab` or `.words`.
    """

    def __init__(
        self,
        file: str,
        unk: str = "mean",
        lowercase: bool = False,
        seed: Optional[int] = None,
        words: Optional[str] = None,
    ) -> None:
        check_policy(unk)
        word_list = None if words is None else find_file(words, "words")
        store = VectorStore.open(find_file(file, "file"), word_list)
        super().__init__(dimension=store.dimension, lowercase=lowercase)
        self.remember(store.fingerprint, file)
        self._file = file
        self._words = words
        self._unk = unk
        self.skips = unk == "skip"
        self._random = unk in RANDOM
        if self._random:
            self.take_seed(seed)
        self._store = store

    def knows(self, forms: Sequence[str]) -> np.ndarray:
        return self._store.rows(self.types(forms)) >= 0

    def embed_forms(self, forms: Sequence[str]) -> np.ndarray:
        types = self.types(forms)
        rows = self._store.rows(types)
        known = rows >= 0
        vectors = np.zeros((len(forms), self._dimension), dtype=np.float32)
        vectors[known] = self._store.vectors(rows[known])
        unknown = [word for word, is_known in zip(types, known) if not is_known]
        policy = UnknownWords(self._unk, self._file, self._seed)
        vectors[~known] = policy.vectors(unknown, self._store)
        return vectors

    def provenance(self) -> dict[str, Any]:
        word_list = {} if self._words is None else {"word_list": self._words}
        return {
            "path": self._file,
            **word_list,
            "sha256": self._store.fingerprint,
            "words": len(self._store),
            "dimension": self._dimension,
            "unk": self._unk,
            "lowercase": self._lowercase,
            **({"seed": self._seed} if self._random else {}),
        }
