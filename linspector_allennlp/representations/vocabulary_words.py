from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Optional, cast

import numpy
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenIndexer
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations.archives.instances import SentenceInstances
from linspector_allennlp.representations.archives.load import (
    import_packages,
    load_reader,
    load_vocabulary,
    refusals,
)
from linspector_allennlp.representations.archives.safe_loading import safe_loading
from linspector_allennlp.representations.archives.settings import read_config
from linspector_allennlp.representations.word_embedder import WordEmbedder

MOST_WORDS = 50
"""In an instance: readers may refuse longer sentences."""


class VocabularyWords:
    """
    The words that a trained model knows: those that its own reader and vocabulary give a number of their
    own in at least one namespace of words, or that a representation of this package which it is built
    over knows. The model itself is not loaded.

    # Parameters

    folder : `Path`
    packages : `Sequence[str]`
    extra_inputs : `Mapping[str, str]`, optional
        See `BlackBoxModel`.
    """

    def __init__(
        self, folder: Path, packages: Sequence[str], extra_inputs: Optional[Mapping[str, str]]
    ) -> None:
        self._folder, self._extra_inputs = folder, extra_inputs
        self._packages = import_packages(folder, packages)

    @property
    def has_parts(self) -> bool:
        """Whether the model sees the parts of words, too, such as characters."""
        with_parts = {name for name, each in self._indexers.items() if _as_of_words(each) is None}
        whole = {
            name for name, each in self._word_embedders.items() if not each.composes_unknown_words
        }
        return bool(with_parts - whole)

    def knows(self, forms: Sequence[str]) -> numpy.ndarray:
        """For each form whether it is known; a model without a vocabulary of words knows all."""
        parts = [self._knows(forms[i : i + MOST_WORDS]) for i in range(0, len(forms), MOST_WORDS)]
        return numpy.concatenate([numpy.zeros(0, dtype=bool), *parts])

    def _knows(self, forms: Sequence[str]) -> numpy.ndarray:
        of_words = list(filter(None, map(_as_of_words, self._indexers.values())))
        embedders = self._word_embedders.values()
        if not of_words and not embedders:
            return numpy.ones(len(forms), dtype=bool)
        field, vocabulary = self._field(forms), self._vocabulary
        known = numpy.zeros(len(forms), dtype=bool)
        for indexer in of_words:
            unknown = vocabulary.get_token_index(vocabulary._oov_token, str(indexer.namespace))
            ids = [indexer.tokens_to_indices([t], vocabulary)["tokens"] for t in field.tokens]
            first = len(indexer._start_tokens)
            known |= numpy.array([of_word[first] != unknown for of_word in ids])
        for embedder in embedders:
            found = embedder.knows([token.text or "" for token in field.tokens])
            known |= numpy.ones(len(forms), dtype=bool) if found is None else found
        return known

    def _field(self, forms: Sequence[str]) -> TextField:
        with safe_loading(self._packages):
            instance, name = self._instances.instance(tuple(forms))
        field = instance.fields[name]
        assert isinstance(field, TextField)
        return field

    @cached_property
    def _indexers(self) -> dict[str, TokenIndexer]:
        """Those of the words of a sentence, but for those that the model drops."""
        indexers = self._field(["a"]).token_indexers or {}
        config = read_config(self._folder, self._packages)
        return {
            name: indexer
            for name, indexer in indexers.items()
            if not _is_dropped(config["model"], name) and _is_of_text(indexer)
        }

    @cached_property
    def _word_embedders(self) -> dict[str, WordEmbedder]:
        """The representations of this package among what the model sees of a sentence."""
        config = read_config(self._folder, self._packages)
        found: dict[str, WordEmbedder] = {}
        for name, settings in _token_embedders(config["model"]):
            kind = settings.get("type") if isinstance(settings, dict) else None
            if name in self._indexers and kind in TokenEmbedder.list_available():
                cls, _ = TokenEmbedder.resolve_class_name(kind)
                if issubclass(cls, WordEmbedder):
                    with safe_loading(self._packages), refusals(self._folder):
                        built = TokenEmbedder.from_params(Params(dict(settings)))
                    found[name] = cast(WordEmbedder, built)
        return found

    @cached_property
    def _instances(self) -> SentenceInstances:
        reader: DatasetReader = load_reader(self._folder, self._packages)
        return SentenceInstances(reader, self._extra_inputs)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return load_vocabulary(self._folder, self._packages)


def _as_of_words(indexer: TokenIndexer) -> Optional[SingleIdTokenIndexer]:
    """The indexer, if it looks words up in a vocabulary."""
    is_of_words = isinstance(indexer, SingleIdTokenIndexer) and indexer.namespace is not None
    return indexer if is_of_words else None  # type: ignore[return-value]


def _is_of_text(indexer: TokenIndexer) -> bool:
    """Not one of tags that a token has beside its text."""
    return getattr(indexer, "_feature_name", "text") == "text"


def _is_dropped(settings: Any, name: str) -> bool:
    """Whether the model has an embedder of this name that gives nothing (`empty`)."""
    return any(
        isinstance(embedder, dict) and embedder.get("type") == "empty"
        for found, embedder in _token_embedders(settings)
        if found == name
    )


def _token_embedders(settings: Any) -> Iterator[tuple[str, Any]]:
    """All `token_embedders` in the settings of a model, by name."""
    if isinstance(settings, list):
        for each in settings:
            yield from _token_embedders(each)
    elif isinstance(settings, dict):
        yield from (settings.get("token_embedders") or {}).items()
        for each in settings.values():
            yield from _token_embedders(each)
