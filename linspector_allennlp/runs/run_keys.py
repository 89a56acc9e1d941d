"""What decides the data, the representation and the random numbers of a run, from its settings alone."""

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Optional

from linspector_allennlp.sentence_files import part_of
from linspector_allennlp.treebank_parts import data_files

OF_DATA = (
    "type",
    "dataset_reader",
    "validation_dataset_reader",
    "train_data_path",
    "validation_data_path",
    "test_data_path",
    "evaluate_on_test",
    "datasets_for_vocab_creation",
    "vocabulary",
    "data_loader",
    "validation_data_loader",
    "train_share",
    "held_out",
    "tested_on",
    "transfer",
)
"""The settings that decide what is read, and the numbers of labels."""

OF_HEAD = ("head", "regularizer")
"""The settings of a model on which neither its data nor its features depend."""


def data_key(settings: Mapping[str, Any]) -> str:
    """All that decides the data of a run."""
    chosen = {name: settings[name] for name in OF_DATA if name in settings}
    paths = [value for name, value in chosen.items() if name.endswith("_path") and value]
    files = {file: _stamp(file) for path in paths for file in _files(path)}
    drawn = any(settings.get(name) not in (None, 1) for name in ("train_share", "held_out"))
    embedder = settings["model"].get("text_field_embedder")
    skips = '"unk": "skip"' in as_text(embedder)
    return as_text([chosen, files, seed_of(settings) if drawn else None, embedder if skips else 0])


def is_shared(settings: Mapping[str, Any]) -> bool:
    """Whether a run is trained on features that others may need, too: a plain probe run."""
    trainer = settings.get("trainer") or {}
    plain = settings.get("type") == "probe_run" and not settings.get("folds")
    return bool(plain and trainer.get("type") == "frozen_probe")


def seed_of(settings: Mapping[str, Any]) -> Any:
    """From which the random representations of a run are drawn."""
    seed = settings.get("seed")
    return settings.get("pytorch_seed") if seed is None else seed


def by_representation(
    settings: Iterable[Mapping[str, Any]],
) -> list[list[Mapping[str, Any]]]:
    """The runs that share features, grouped by their representations, but for the layers of these."""
    groups: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for each in filter(is_shared, settings):
        groups[as_text(_without_layers(each["model"].get("text_field_embedder")))].append(each)
    return list(groups.values())


def _without_layers(settings: Any) -> Any:
    if not isinstance(settings, dict):
        return settings
    return {key: _without_layers(value) for key, value in settings.items() if key != "layer"}


def _files(path: str) -> list[str]:
    return list(data_files(part_of(path)[0]))


def _stamp(file: str) -> Optional[tuple[int, int]]:
    """The time and the size of a file; some paths are none, such as addresses."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def as_text(settings: Any) -> str:
    return json.dumps(settings, sort_keys=True, ensure_ascii=False)
