"""
The files that the runs of a suite read, so that one that is missing is named before anything is trained, and
one that has changed since.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from linspector_allennlp.io.missing_files import missing_file
from linspector_allennlp.sentence_files import part_of
from linspector_allennlp.treebank_parts import data_files, treebank_part

# What the settings of representations call their files.
FILE_KEYS = (
    "archive", "file", "folder", "options_file", "sentences", "vectors", "weight_file",
    "weights_file", "words",
)  # fmt: skip


def missing_files(configs: Iterable[Mapping[str, Any]]) -> list[str]:
    """A sentence for each file that these configs name and is not there."""
    paths = dict.fromkeys(path for config in configs for path in needed_files(config))
    return [missing_file(path) for path in paths if not _is_there(path)]


def needed_files(config: Mapping[str, Any]) -> list[str]:
    """The paths of the data, and of what the representation is made from."""
    return [*_data(config), *_of_representation(config.get("model"))]


def _data(config: Mapping[str, Any]) -> Iterator[str]:
    for key, path in config.items():
        if not key.endswith("_data_path") or not isinstance(path, str):
            continue
        if key == "test_data_path" and config.get("tested_on") == "validation":
            continue  # nobody reads it
        if treebank_part(path) is None:
            yield part_of(path)[0]
        else:
            yield from data_files(path)


def _of_representation(settings: Any) -> Iterator[str]:
    if isinstance(settings, list):
        for each in settings:
            yield from _of_representation(each)
    if not isinstance(settings, Mapping):
        return
    for key, value in settings.items():
        if key == "token_embedders":
            yield from _files(value)
        else:
            yield from _of_representation(value)


def _files(settings: Any) -> Iterator[str]:
    """Those of embedders, and of the embedders in them."""
    for key, value in settings.items() if isinstance(settings, Mapping) else ():
        if isinstance(value, Mapping):  # an embedder, whatever it is called
            yield from _files(value)
            continue
        is_local = key == "model" and str(value).startswith(("/", "./", "../", "~"))
        if key == "weights_file":
            value = _in_folder(settings.get("archive"), value)
        if key in FILE_KEYS or is_local:
            paths = value if isinstance(value, list) else [value]
            yield from (path for path in paths if isinstance(path, str))


def _in_folder(archive: Any, weights: Any) -> Any:
    """Where weights are that may be named by their place in the folder of a run."""
    if isinstance(archive, str) and isinstance(weights, str):
        inside = os.path.join(os.path.expanduser(archive), weights)
        return inside if os.path.exists(inside) else weights
    return weights


def _is_there(path: str) -> bool:
    # An address is fetched when it is needed; what follows a "!" is in an archive.
    return "://" in path or os.path.exists(os.path.expanduser(path.partition("!")[0]))
