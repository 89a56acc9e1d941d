"""Reads what a pickle says without doing what it says."""

import pickle
from typing import IO, Any

_GENSIM = "KeyedVectors", "Word2VecKeyedVectors", "EuclideanKeyedVectors", "Vocab", "CompatVocab"
_ALLOWED = {
    "gensim.models.keyedvectors": {*_GENSIM, "FastTextKeyedVectors"},
    "gensim.models.deprecated.keyedvectors": {*_GENSIM, "FastTextKeyedVectors"},
    "gensim.models.fasttext": {"FastTextKeyedVectors"},
    "gensim.models.word2vec": {"Vocab"},
    "numpy": {"ndarray", "dtype"},
    "numpy.core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "_codecs": {"encode"},  # how Python 3 writes bytes for Python 2
    "builtins": {"frozenset", "set"},
    "__builtin__": {"frozenset", "set"},
}


class InertObject:
    """Stands for an object in a pickle: it keeps what that would be made of, and does nothing."""

    arguments: tuple[Any, ...]
    state: Any = None

    def __new__(cls, *arguments: Any) -> "InertObject":
        made = super().__new__(cls)
        made.arguments = arguments
        return made

    def __setstate__(self, state: Any) -> None:
        self.state = state


class InertUnpickler(pickle.Unpickler):
    """
    Reads a pickle of gensim's vectors. A pickle is a program that may call anything; here each
    class or function that it names is replaced by an `InertObject`, so that nothing is imported or
    called, and a name that word vectors do not need is refused.
    """

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file, encoding="latin1")  # as NumPy needs it for pickles of Python 2

    def find_class(self, module: str, name: str) -> Any:
        if name not in _ALLOWED.get(module, ()):
            raise pickle.UnpicklingError(f"a pickle with {module}.{name}, which was not loaded")
        return type(name, (InertObject,), {})
