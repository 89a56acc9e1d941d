from collections.abc import Iterable, Sequence
from typing import Any, Optional

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.modules import TextFieldEmbedder, TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

Sentence = tuple[str, ...]


class WordEmbedder(TokenEmbedder):
    """
    The base of the representations of this package. They take what `WordFormIndexer` gives, so
    that words reach them as they are, and they are frozen: none has weights that are trained.

    `forward(code_points)` gives a vector for each word; `forward(code_points, probed=index)` gives
    that of one word of each sentence, and may be much cheaper.
    """

    mixed_layers: int = 1
    """More than 1 if the vector of a word is that many layers in a row, for a probe to mix."""

    ignores_context: bool = False
    """Whether a word has the same vector in all sentences."""

    prepares: bool = False
    """Whether it wants to know in advance what it will be asked for (`prepare`)."""

    composes_unknown_words: bool = False
    """Whether a word that it does not know still gets a vector of its own, from its parts."""

    @property
    def registered_name(self) -> str:
        """The `type` by which a config names it."""
        names = TokenEmbedder.list_available()
        known = (name for name in names if TokenEmbedder.resolve_class_name(name)[0] is type(self))
        return next(known, type(self).__name__)

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self._dimension = dimension
        self._sources: list[tuple[str, str]] = []
        self.fingerprint: torch.Tensor
        self.register_buffer("fingerprint", torch.empty(0, dtype=torch.uint8), persistent=False)

    def get_output_dim(self) -> int:
        return self._dimension

    def embed_words(
        self, sentences: Sequence[Sentence], places: Sequence[Sequence[int]]
    ) -> torch.Tensor:
        """
        The vectors of the words at these places of each sentence, one sentence after the other, as
        `forward` gives them, from the words themselves. Sentences may come again and again.
        Shape: (num_words, dimension)
        """
        raise NotImplementedError

    def prepare(self, sentences: Iterable[Sentence]) -> None:
        """
        Announces what will be asked for, so that it can be computed in the best order and kept.
        Nothing depends on it but time, the last digits (a sentence in another batch may differ by
        some 1e-6), and an error that comes early where something is missing.
        """

    def knows(self, forms: Sequence[str]) -> Optional[numpy.ndarray]:
        """For each form whether there is a vector of its own for it; `None` if it cannot say."""
        return None

    def provenance(self) -> dict[str, Any]:
        """What a run folder should say about where the vectors come from."""
        return {}

    def remember(self, digest: str, source: str, setting: str = "file") -> None:
        """
        For the constructor of a subclass: a trained probe keeps the SHA-256 (hexadecimal) of each
        file instead of the vectors, and refuses to work with a file that has another one.

        # Parameters

        source : `str`
            The file, as the `setting` of the config names it.
        """
        content = torch.tensor(list(bytes.fromhex(digest)), dtype=torch.uint8)
        self.register_buffer("fingerprint", torch.cat([self.fingerprint, content]))
        self._sources.append((source, setting))

    @property
    def source(self) -> str:
        """The files or models that the vectors come from, as the config names them."""
        return ", ".join(source for source, _ in self._sources)

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        trained_with = state_dict.get(prefix + "fingerprint")
        if trained_with is not None:
            digests = zip(self._sources, trained_with.split(32), self.fingerprint.split(32))
            for (source, setting), then, now in digests:
                if not torch.equal(then.cpu(), now.cpu()):
                    raise ConfigurationError(
                        f"{source} is not what this probe was trained with: its content has "
                        f"changed. {moved(setting)}"
                    )
        super()._load_from_state_dict(state_dict, prefix, *args)


def word_embedders(module: torch.nn.Module) -> list[WordEmbedder]:
    """Those of a model's parts that are word embedders, without the parts of these."""
    if isinstance(module, WordEmbedder):
        return [module]
    return [embedder for child in module.children() for embedder in word_embedders(child)]


def embedders_of_words(text_field_embedder: TextFieldEmbedder) -> dict[str, WordEmbedder]:
    """The embedders of a text, in the order of their vectors; nothing if there are others too."""
    if type(text_field_embedder) is not BasicTextFieldEmbedder:
        return {}
    embedders = {
        name: getattr(text_field_embedder, f"token_embedder_{name}")
        for name in text_field_embedder._ordered_embedder_keys
    }
    others = [e for e in embedders.values() if not isinstance(e, WordEmbedder)]
    return {} if others else embedders


def encode_words(sentences: Sequence[Sequence[str]]) -> torch.Tensor:
    """Words as their Unicode code points, padded with 0. Shape: (batch, num_tokens, num_characters)"""
    num_tokens = max(map(len, sentences))
    width = max(len(word) for words in sentences for word in words)
    padded: Any = numpy.zeros((len(sentences), num_tokens), dtype=f"<U{width}")
    for row, words in zip(padded, sentences):
        row[: len(words)] = words
    code_points = padded.view("<u4").reshape(len(sentences), num_tokens, width)
    return torch.from_numpy(code_points.astype(numpy.int32))


def decode_words(code_points: torch.Tensor) -> numpy.ndarray:
    """
    The words that `WordFormIndexer` made into code points; padding becomes "".

    # Parameters

    code_points : `torch.Tensor`
        Shape: (batch, num_tokens, num_characters)

    # Returns

    `numpy.ndarray` of strings. Shape: (batch, num_tokens)
    """
    points: Any = code_points.cpu().numpy().astype("<u4", order="C")
    batch, num_tokens, width = points.shape
    # Reading each row of code points as one string of fixed width drops the padding zeros.
    return points.view(f"<U{width}").reshape(batch, num_tokens)


def find_file(source: str, setting: str = "file") -> str:
    """The path of a file that a setting names: a path, or anything that `cached_path` takes."""
    try:
        return str(cached_path(source))
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{source}: there is no such file. {moved(setting)}") from error


def moved(setting: str) -> str:
    """What to do when an archive does not find what it was trained with."""
    return (
        "(If a trained probe looks for it where it was in training, say where it is now with "
        f"""-o '{{"model.text_field_embedder.token_embedders.words.{setting}": "PATH"}}'.)"""
    )
