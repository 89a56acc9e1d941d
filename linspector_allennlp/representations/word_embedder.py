from collections.abc import Collection, Iterable, Sequence
from typing import Any, Optional

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TextFieldEmbedder, TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from linspector_allennlp.representations.named_files import moved
from linspector_allennlp.representations.seeded_module import SeededModule
from linspector_allennlp.representations.transfer_embedder import (
    PREFIX,
    TransferEmbedder,
    both_embedders,
)
from linspector_allennlp.representations.words import Words

FORMER_SEED = 13  # of archives from before the seed of the run was that of its vectors


class WordEmbedder(SeededModule, TokenEmbedder):
    """
    The base of the representations of this package. They take what `WordFormIndexer` gives, so
    that words reach them as they are, and they are frozen: none has weights that are trained, but
    for those of a mix of layers (`layer: "mix"`) in a model that is no probe.

    `forward(code_points)` gives a vector for each word; `forward(code_points, probed=index)` gives
    that of one word of each sentence, and may be much cheaper.
    """

    mixed_layers: int = 1
    """More than 1 if the vector of a word is that many layers in a row: see `hand_over_layers`."""

    max_pieces: int = 0
    """
    Where a model is to learn how the pieces of a word become its vector, the number of pieces that there
    is room for: see `hand_over_pieces`.
    """

    ignores_context: bool = False
    """Whether a word has the same vector in all sentences."""

    prepares: bool = False
    """Whether it wants to know in advance what it will be asked for (`prepare`)."""

    composes_unknown_words: bool = False
    """Whether a word that it does not know still gets a vector of its own, from its parts."""

    skips: bool = False
    """Whether items with words that it has no vector for leave the task (`unk: "skip"`)."""

    former_seed = _seed = FORMER_SEED

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

    def hand_over_layers(self) -> int:
        """
        For a model that mixes layers itself, after they were computed once and for all: where layers
        are to be mixed, vectors are from now on all layers in a row. Gives `mixed_layers`.
        """
        return self.mixed_layers

    def hand_over_pieces(self) -> int:
        """
        For a model that learns to weigh pieces: where it is to, the vector of a word is from now on the
        vectors of its pieces in a row, zeros where there are fewer, and behind them their number. Gives
        `max_pieces`.
        """
        return self.max_pieces

    def embed_words(
        self, sentences: Sequence[Words], places: Sequence[Sequence[int]]
    ) -> torch.Tensor:
        """
        The vectors of the words at these places of each sentence, one sentence after the other, as
        `forward` gives them, from the words themselves. Sentences may come again and again.
        Shape: (num_words, dimension)
        """
        raise NotImplementedError

    def prepare(self, sentences: Iterable[Words]) -> None:
        """
        Announces what will be asked for, so that it can be computed in the best order and kept.
        Nothing depends on it but time, the last digits (a sentence in another batch may differ by
        some 1e-6), and an error that comes early where something is missing.
        """

    def release(self) -> None:
        """Frees what is needed for computing alone; it is made again if there is more to compute."""

    def knows(self, forms: Sequence[str]) -> Optional[numpy.ndarray]:
        """For each form whether there is a vector of its own for it; `None` if it cannot say."""
        return None

    def has_vectors(self, sentence: Words, places: Sequence[int]) -> numpy.ndarray:
        """
        For the words at these places of a sentence whether there is a vector to take; asked for only
        where it `skips` what has none.
        """
        raise NotImplementedError

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

    def forget(self) -> None:
        """Takes back all that it was told to `remember`."""
        self.register_buffer("fingerprint", self.fingerprint[:0])
        self._sources.clear()

    @property
    def source(self) -> str:
        """The files or models that the vectors come from, as the config names them."""
        return ", ".join(source for source, _ in self._sources)

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        if "seed" in self._buffers:
            self.load_seed(state_dict, prefix, self.registered_name)
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


def all_word_embedders(
    module: torch.nn.Module, names: Optional[Collection[str]] = None
) -> list[WordEmbedder]:
    """
    Those of a model's parts that are word embedders, without the parts of these. Given the `names` of a
    text's indexers, only those which embed such a text.
    """
    if isinstance(module, WordEmbedder):
        return [module]
    if isinstance(module, TransferEmbedder) and names is not None:
        module = module.of(names)
    return [part for child in module.children() for part in all_word_embedders(child, names)]


def hand_over_layers(text_field_embedder: TextFieldEmbedder) -> int:
    """How many layers the vector of a word is from now on, for a head to mix; 1 if there is no mix."""
    if isinstance(text_field_embedder, TransferEmbedder):
        return _same_number(
            'layer: "mix"', map(hand_over_layers, both_embedders(text_field_embedder))
        )
    embedders = all_word_embedders(text_field_embedder)
    layers = max([embedder.hand_over_layers() for embedder in embedders], default=1)
    if layers > 1 and sum(isinstance(m, TokenEmbedder) for m in text_field_embedder.modules()) > 1:
        raise ConfigurationError(
            'A representation with layer: "mix" must be the only one of a probe: its layers become '
            "one vector in the head. Name a layer, or leave the others out."
        )
    return layers


def hand_over_pieces(text_field_embedder: TextFieldEmbedder) -> int:
    """How many pieces stand for a word from now on, for a head to make one vector of; 0 if none do."""
    if isinstance(text_field_embedder, TransferEmbedder):
        return _same_number(
            'pool: "attention"', map(hand_over_pieces, both_embedders(text_field_embedder))
        )
    embedders = all_word_embedders(text_field_embedder)
    pieces = max([embedder.hand_over_pieces() for embedder in embedders], default=0)
    if pieces and sum(isinstance(m, TokenEmbedder) for m in text_field_embedder.modules()) > 1:
        raise ConfigurationError(
            'A representation with pool: "attention" must be the only one of a probe: its pieces become '
            "one vector in the head. Name another pooling, or leave the others out."
        )
    return pieces


def _same_number(setting: str, of_both: Iterable[int]) -> int:
    train, test = of_both
    if train != test:
        raise ConfigurationError(
            f"transfer: expected the same {setting} in train and in test, found {train} and {test} parts "
            "of a vector."
        )
    return train


def direct_word_embedders(text_field_embedder: TextFieldEmbedder) -> dict[str, WordEmbedder]:
    """The embedders of a text, in the order of their vectors; nothing if there are others too."""
    if type(text_field_embedder) is not BasicTextFieldEmbedder:
        return {}
    parts = sorted(text_field_embedder.named_children())
    embedders = {
        name[len(PREFIX) :]: part
        for name, part in parts
        if name.startswith(PREFIX) and isinstance(part, WordEmbedder)
    }
    return embedders if len(embedders) == len(parts) else {}
