"""What decides the data, the representation and the random numbers of a run, from its settings alone."""

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Optional

from linspector_allennlp.sentence_files import part_of
from linspector_allennlp.treebank_parts import data_files

NOT_OF_DATA = (
    "model", "trainer", "mdl", "include_in_archive", "seed", "random_seed", "numpy_seed", "pytorch_seed",
)  # fmt: skip
"""The settings that do not decide what is read, nor the numbers of labels. All others may, new ones too."""

OF_HEAD = ("head", "regularizer", "scorer", "rank", "dropout")
"""The settings of models on which neither their data nor their features depend."""


def data_key(settings: Mapping[str, Any]) -> str:
    """All that decides the data of a run."""
    chosen = {name: value for name, value in settings.items() if name not in NOT_OF_DATA}
    paths = [value for name, value in chosen.items() if name.endswith("_path") and value]
    files = {file: _stamp(file) for path in paths for file in _files(path)}
    drawn = any(settings.get(name) not in (None, 1) for name in ("train_share", "held_out"))
    embedder = settings["model"].get("text_field_embedder")
    skips = '"unk": "skip"' in as_text(embedder)
    return as_text(
        [chosen, files, seed_of(settings) if drawn else None, stamped(embedder) if skips else 0]
    )


def without_head(model: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a model on which its features depend."""
    return {name: value for name, value in model.items() if name not in OF_HEAD}


def stamped(settings: Any) -> str:
    """These settings, and the state of the files that they name."""
    return as_text([settings, {path: _stamps(path) for path in sorted(set(_texts(settings)))}])


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
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _texts(settings: Any) -> Iterator[str]:
    """All text in settings: some of it names files."""
    if isinstance(settings, str):
        yield settings
    elif isinstance(settings, (Mapping, list, tuple)):
        for value in settings.values() if isinstance(settings, Mapping) else settings:
            yield from _texts(value)


def _stamps(path: str) -> Any:
    """That of a file, or those of the files in a folder; nothing for text that names neither."""
    path = os.path.expanduser(path)
    if os.path.isdir(path):
        return {entry.name: _stamp(entry.path) for entry in sorted(os.scandir(path), key=str)}
    return _stamp(path)


def as_text(settings: Any) -> str:
    return json.dumps(settings, sort_keys=True, ensure_ascii=False)
