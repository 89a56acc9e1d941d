"""The items that a representation with `unk: "skip"` leaves of a task: those of words that it has."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, cast

import numpy as np
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader, DatasetReader, Instance
from allennlp.data.fields import IndexField, TensorField, TextField
from allennlp.models import Model
from allennlp.modules import TokenEmbedder

from linspector_allennlp.dataset_readers.wrapping_reader import WrappingReader
from linspector_allennlp.fields import (
    ProbeLabelsField,
    labels_of,
    metadata_of,
    names_of_indexers,
    tensor_of,
    text_of,
)
from linspector_allennlp.models.rows import words_of
from linspector_allennlp.representations.transfer_embedder import both_embedders
from linspector_allennlp.representations.word_embedder import (
    WordEmbedder,
    all_word_embedders,
    direct_word_embedders,
)
from linspector_allennlp.representations.words import Words

logger = logging.getLogger(__name__)

OF_EACH_WORD = ("words", "forms", "indices", "lines", "multiword")
"""The metadata of a sentence that have an entry for each probed word."""


class KnownWordsReader(WrappingReader):
    """
    Reads what another reader reads, without the items that ask of a word for which a representation
    has no vector: a form, a pair with one such form, a token, a tagged word (the others of its sentence
    stay), a tree with one such word, a sentence of nothing but such words.

    `skipped` says of the file that was read last how many `items` were left out and, of a treebank, how
    many `sentences` of which nothing is left.

    # Parameters

    reader : `DatasetReader`
    embedders : `Mapping[str, WordEmbedder]`
        Those with `unk: "skip"`, by the names of their indexers; a word must have a vector in each that
        this reader has an indexer for.
    """

    def __init__(self, reader: DatasetReader, embedders: Mapping[str, WordEmbedder]) -> None:
        super().__init__(reader)
        self._embedders = embedders
        self.skipped: dict[str, int] = {"items": 0}

    def _read(self, file_path: str) -> Iterator[Instance]:
        skipped, kept, unknown, source = {"items": 0}, 0, "", ""
        for instance in self._reader.read(file_path):
            before = _num_items(instance)
            if "places" in instance.fields:
                skipped.setdefault("sentences", 0)
            names = names_of_indexers(instance)
            asked = [part for name, part in self._embedders.items() if name in names]
            source = source or " and ".join(embedder.source for embedder in asked)
            left = known_part(instance, asked) if asked else instance
            if left is not None:
                kept += 1
                yield left
            elif "sentences" in skipped:
                skipped["sentences"] += 1
            after = 0 if left is None else _num_items(left)
            skipped["items"] += before - after
            unknown = unknown or (_words(instance)[0] if left is None else "")
        self.skipped = skipped
        if unknown and not kept:
            raise ValueError(
                f'{file_path}: nothing of it is left: {source} ("unk": "skip") has no vectors for what '
                f"each item asks of, such as {unknown!r}. Is it for another language, or does its case "
                "differ (see `lowercase`)?"
            )
        if skipped["items"]:
            logger.info("%s: %s of unknown words left out (%s)", file_path, skipped, source)


def known_part(instance: Instance, embedders: Sequence[WordEmbedder]) -> Optional[Instance]:
    """What is left of an instance where all of these embedders have vectors; `None` if nothing is."""
    fields, metadata = instance.fields, metadata_of(instance)
    if "words" not in metadata:
        return instance  # of somebody else's reader: the run says what it expects
    known = [
        [embedder.has_vectors(words, places) for words, places in _asked(instance)]
        for embedder in embedders
    ]
    if "group" in metadata:  # a sentence (and its topic), from whichever words there are
        return instance if all(text.any() for texts in known for text in texts) else None
    is_known = np.all([np.concatenate(texts) for texts in known], axis=0)
    if is_known.all():
        return instance
    if "labels" not in fields or not is_known.any():
        return None
    labels, places = cast(ProbeLabelsField, fields["labels"]).labels, tensor_of(instance, "places")
    kept = np.flatnonzero(is_known).tolist()
    fields["labels"] = ProbeLabelsField([labels[i] for i in kept])
    fields["places"] = TensorField(places[kept], padding_value=-1)
    for name in OF_EACH_WORD:
        metadata[name] = [metadata[name][i] for i in kept]
    return instance


def embedders_that_skip(model: Lazy[Model]) -> dict[str, WordEmbedder]:
    """
    The representations with `unk: "skip"` in the settings of a model, by the names of their indexers,
    built ahead of it: the data that they leave decide which labels the model has.
    """
    settings = model._params.duplicate().as_dict(quiet=True)
    embedder = _part(settings, "text_field_embedder")
    # Those of training and test, or those of both.
    sides = [_part(embedder, name) for name in ("train", "test")] + [embedder]
    found = {n: each for side in sides for n, each in _part(side, "token_embedders").items()}
    built = {
        name: TokenEmbedder.from_params(Params(each))
        for name, each in found.items()
        if isinstance(each, dict) and each.get("unk") == "skip"
    }
    return {name: each for name, each in built.items() if isinstance(each, WordEmbedder)}


def skipping_embedders(model: Model) -> dict[str, WordEmbedder]:
    """The same of a model that is built."""
    embedder = getattr(model, "text_field_embedder", None)
    sides = [] if embedder is None else both_embedders(embedder)
    parts = {n: part for side in sides for n, part in direct_word_embedders(side).items()}
    return {name: part for name, part in parts.items() if part.skips}


def check_skipping(model: Model, kind: str, found: Mapping[str, WordEmbedder]) -> None:
    """Refuses a model in which items cannot leave."""
    skipping = [embedder for embedder in all_word_embedders(model) if embedder.skips]
    if not skipping:
        return
    if kind != "probe":
        raise ConfigurationError(
            'unk: "skip" takes items out of a probing task: expected a probe_run. Another model asks of '
            'all words: set it to "mean", "zeros", "random" or "shared_random".'
        )
    if not len(skipping) == len(found) == len(skipping_embedders(model)):
        raise ConfigurationError(
            'unk: "skip" is for representations right under `token_embedders`, all of this package; '
            f"found {', '.join(part.registered_name for part in skipping)} among others."
        )


def check_loader(loader: DataLoader) -> None:
    """Refuses a loader whose other processes would know what they left out, and not this one."""
    if getattr(loader, "num_workers", 0):
        raise ConfigurationError(
            'unk: "skip" counts what is left out: expected data loaders without num_workers.'
        )


def _part(settings: Any, name: str) -> dict[str, Any]:
    """The settings by a name in those of a config, where there are any."""
    found = settings.get(name)
    return found if isinstance(found, dict) else {}


def _asked(instance: Instance) -> list[tuple[Words, Sequence[int]]]:
    """The texts of an instance and the places there of the words that it asks of."""
    fields = instance.fields
    if "tokens" not in fields:
        # Each of two texts is a form, or a sentence with the index of a word of its own.
        texts = [(name, field) for name, field in fields.items() if isinstance(field, TextField)]
        indices = [fields.get(name.replace("tokens", "index")) for name, _ in texts]
        places = [index.sequence_index if isinstance(index, IndexField) else 0 for index in indices]
        return [(words_of(text), (place,)) for (_, text), place in zip(texts, places)]
    words = words_of(text_of(instance))
    if "index" in fields:
        return [(words, (cast(IndexField, fields["index"]).sequence_index,))]
    if "places" in fields:
        return [(words, tensor_of(instance, "places").tolist())]
    topic = [words_of(text_of(instance, "topic"))] if "topic" in fields else []
    return [(text, range(len(text))) for text in (words, *topic)]


def _words(instance: Instance) -> list[str]:
    return metadata_of(instance)["words"]


def _num_items(instance: Instance) -> int:
    return sum(label is not None for label in labels_of(instance))
