"""What the runs of a process have in common: done once, and kept for the next run that asks."""

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Optional, TypeVar

import torch
from allennlp.common import Lazy, Params
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder

from linspector_allennlp.models import Probe
from linspector_allennlp.representations.seeded_module import SeededModule
from linspector_allennlp.representations.word_embedder import (
    all_word_embedders,
    direct_word_embedders,
)
from linspector_allennlp.runs.run_keys import as_text, data_key, stamped, without_head
from linspector_allennlp.training.feature_source import FeatureShelf
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.split import Split

T = TypeVar("T")

INSTANCE_BYTES, WORD_BYTES = 4000, 500
"""About what an instance takes, and each of its words."""


class SharedWork:
    """
    Results by what they were made from. The ones that were asked for the longest ago go first.

    # Parameters

    memory_gb : `float`
        What all may take; the newest one may take more.
    """

    def __init__(self, memory_gb: float) -> None:
        self._limit = memory_gb * 1e9
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def once(self, key: Hashable, make: Callable[[], T], num_bytes: Callable[[T], int]) -> T:
        found = self.find(key)
        if found is None:
            found = make()
            self.keep(key, found, num_bytes(found))
        return found

    def find(self, key: Hashable) -> Any:
        if key not in self._results:
            return None
        self._results.move_to_end(key)
        return self._results[key][0]

    def keep(self, key: Hashable, result: Any, num_bytes: int) -> None:
        self._results[key] = (result, num_bytes)
        total = sum(size for _, size in self._results.values())
        while total > self._limit and len(self._results) > 1:
            _, (_, size) = self._results.popitem(last=False)
            total -= size

    def results(self) -> Iterator[Any]:
        return (result for result, _ in self._results.values())


class NothingShared:
    """For a run by itself: all is done for it. A `SharedRun` takes from others what it can."""

    def splits(self, read: Callable[[], dict[str, Split]]) -> dict[str, Split]:
        return read()

    def model(self, model: Lazy[Model], vocab: Vocabulary, serialization_dir: str) -> Model:
        return model.construct(vocab=vocab, serialization_dir=serialization_dir)

    def index(self, splits: Mapping[str, Split], vocab: Vocabulary) -> None:
        for split in splits.values():
            split.loader.index_with(vocab)

    def of_data(self, what: str, make: Callable[[], T]) -> T:
        """What depends on the data and on the kind of probe, but on no representation."""
        return make()

    def of_representation(self, what: str, make: Callable[[], T]) -> T:
        """What depends on the data and on their representation, but on no seed and no head."""
        return make()

    def features(self, model: Probe) -> Optional[FeatureShelf]:
        """Where the run leaves its features, and finds those of others."""
        return None


ALONE = NothingShared()

EACH_ITS_OWN = "each its own"
"""In the place of a representation that cannot be shared."""


class SharedRun(NothingShared):
    """
    A probe run with the trainer `frozen_probe` among others. What it takes from these is never changed by a
    run; its labels get their numbers when they are asked for, so that instances belong to no vocabulary.

    # Parameters

    work : `SharedWork`
    settings : `Mapping[str, Any]`
        The config.
    """

    def __init__(self, work: SharedWork, settings: Mapping[str, Any]) -> None:
        self._work = work
        self._model = settings["model"]
        self._trainer = settings["trainer"]
        self._data = data_key(settings)
        self._features = stamped(without_head(self._model))
        others = {k: v for k, v in self._model.items() if k != "text_field_embedder"}
        self._asked = as_text(without_head(others))

    def splits(self, read: Callable[[], dict[str, Split]]) -> dict[str, Split]:
        return self._work.once(("splits", self._data), read, _num_bytes_of_data)

    def model(self, model: Lazy[Model], vocab: Vocabulary, serialization_dir: str) -> Model:
        embedder = self._embedder()
        if embedder is None:
            return super().model(model, vocab, serialization_dir)
        params = model._params.duplicate()
        params.pop("text_field_embedder")
        return Model.from_params(
            params,
            vocab=vocab,
            serialization_dir=serialization_dir,
            text_field_embedder=embedder,
        )

    def index(self, splits: Mapping[str, Split], vocab: Vocabulary) -> None:
        """Instances are shared, and others have other vocabularies."""

    def of_data(self, what: str, make: Callable[[], T]) -> T:
        return self._work.once((what, self._data, self._asked), make, lambda _: 1000)

    def of_representation(self, what: str, make: Callable[[], T]) -> T:
        return self._work.once((what, self._data, self._features), make, lambda _: 1000)

    def features(self, model: Probe) -> Optional[FeatureShelf]:
        # What is fitted to the data must be fitted in each model; what is not of this package may be anything.
        if model.rows.needs_fitting or not direct_word_embedders(model.text_field_embedder):
            return None
        trainer = [self._trainer.get(name) for name in ("representation_batch_size", "cuda_device")]
        seed = torch.initial_seed() if depends_on_seed(model) else None
        key = ("features", self._data, self._features, as_text(trainer), seed)
        return _SharedFeatures(self._work, key)

    def _embedder(self) -> Optional[TextFieldEmbedder]:
        """That of an earlier run, or a new one for this and others; `None` if each needs its own."""
        settings = self._model.get("text_field_embedder")
        key = ("embedder", stamped(settings))
        for each in (key, (*key, torch.initial_seed())):
            found = self._work.find(each)
            if found is not None:
                return None if found is EACH_ITS_OWN else found
        before = torch.get_rng_state()
        embedder = TextFieldEmbedder.from_params(Params(json.loads(as_text(settings))))
        has_drawn = not torch.equal(before, torch.get_rng_state())
        if has_drawn or not direct_word_embedders(embedder):
            torch.set_rng_state(before)
            self._work.keep(key, EACH_ITS_OWN, 0)
            return None
        seed = (torch.initial_seed(),) if depends_on_seed(embedder) else ()
        self._work.keep((*key, *seed), embedder, 1_000_000)
        return embedder


class _SharedFeatures:
    """The features of the splits of some runs."""

    def __init__(self, work: SharedWork, key: Hashable) -> None:
        self._work = work
        self._key = key

    def get(self, name: str) -> Optional[Features]:
        return self._work.find((self._key, name))

    def __setitem__(self, name: str, features: Features) -> None:
        self._work.keep((self._key, name), features, features.num_bytes)


def depends_on_seed(module: torch.nn.Module) -> bool:
    """Whether it would be another one in a run with another seed."""
    seeded = (part for part in module.modules() if isinstance(part, SeededModule))
    return any("seed" in part._buffers and not part._seed_is_given for part in seeded)


def release_models(work: SharedWork) -> None:
    """Frees the models that have computed features; they are loaded again if there is more to compute."""
    for result in work.results():
        if isinstance(result, torch.nn.Module):
            for embedder in all_word_embedders(result):
                embedder.release()


def _num_bytes_of_data(splits: Mapping[str, Split]) -> int:
    words = sum(len(r.metadata.get("words", ())) for s in splits.values() for r in s.records)
    return INSTANCE_BYTES * sum(map(len, splits.values())) + WORD_BYTES * words
