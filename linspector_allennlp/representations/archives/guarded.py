"""AllenNLP's `load_archive` without trust in the archive: for the commands, which open whole archives."""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Optional, Union

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.common.meta import META_NAME, Meta
from allennlp.common.params import parse_overrides, with_overrides
from allennlp.common.plugins import discover_plugins
from allennlp.common.registrable import Registrable
from allennlp.data import DatasetReader
from allennlp.models import Model
from allennlp.models.archival import Archive
from allennlp.version import VERSION

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.archives.load import (
    refusals,
    with_plugin,
)
from linspector_allennlp.representations.archives.safe_loading import checked_resolver, safe_loading
from linspector_allennlp.representations.archives.settings import BUILT_PARTS, read_config
from linspector_allennlp.representations.archives.unpack import find_weights, unpacked

logger = logging.getLogger(__name__)

# What `evaluate` builds besides.
OPENED_PARTS = (*BUILT_PARTS, "data_loader", "validation_data_loader", "evaluation")

OPTION = "--include-package"

_trusted: dict[str, None] = {}


def trust(package: str) -> None:
    """From now on classes of this package may be named by their path: the user has named it."""
    _trusted[package] = None


def trusted_packages() -> Sequence[str]:
    """What the user has named by `--include-package` or in a list of plugins, AllenNLP, and ours."""
    return ["allennlp", "linspector_allennlp", *discover_plugins(), *_trusted]


def load_archive(
    archive_file: PathLike,
    cuda_device: int = -1,
    overrides: Union[str, dict[str, Any]] = "",
    weights_file: Optional[str] = None,
) -> Archive:
    """
    As `allennlp.models.archival.load_archive`, with what `archive(...)` refuses: members that lead out
    of the folder, pickles with more than weights, and settings that name code to run. A setting in
    `overrides` is the user's own.
    """
    with unpacked(cached_path(archive_file)) as folder, _named(folder, archive_file):
        packages = with_plugin(folder, trusted_packages())
        settings = read_config(folder, packages, OPENED_PARTS, whole=True)
        if isinstance(overrides, str):
            overrides = parse_overrides(overrides)
        settings = with_overrides(settings, overrides)
        config = Params(settings)
        weights = find_weights(folder, weights_file)
        with safe_loading(packages), refusals(folder, weights, OPTION):
            readers = _readers(config.duplicate(), str(folder))
            model = Model.load(config.duplicate(), str(folder), str(weights), cuda_device)
        meta = _meta(folder)
    if meta is not None and meta.version.split(".")[0] != VERSION.split(".")[0]:
        logger.warning("%s is of AllenNLP %s, and this is %s.", archive_file, meta.version, VERSION)
    return Archive(model, config, *readers, meta)


@contextmanager
def _named(folder: Path, archive: PathLike) -> Iterator[None]:
    """In this block an error names the archive, and not the folder that it is unpacked into for now."""
    try:
        yield
    except (ConfigurationError, ValueError, OSError) as error:
        is_setting = isinstance(error, ConfigurationError)
        text = error.message if is_setting else str(error)  # type: ignore[union-attr]
        text = text.replace(str(folder), os.fspath(archive)).replace("`packages`", OPTION)
        if os.fspath(archive) not in text:  # it is of a setting in the archive's config
            text = f"{archive}: {text}"
        kind: type[Exception] = ConfigurationError if is_setting else ValueError
        raise kind(text) from error


def _readers(config: Params, folder: str) -> tuple[DatasetReader, DatasetReader]:
    settings = config.get("dataset_reader")
    others = config.get("validation_dataset_reader") or settings.duplicate()
    return (
        DatasetReader.from_params(settings, serialization_dir=folder),
        DatasetReader.from_params(others, serialization_dir=folder),
    )


def _meta(folder: Path) -> Optional[Meta]:
    path = folder / META_NAME
    if not path.exists():
        return None
    try:
        return Meta.from_path(path)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path}: expected the version of AllenNLP; {error!r:.200}.") from error


@contextmanager
def extracted_archive(path: PathLike, cleanup: bool = True) -> Iterator[str]:
    """As AllenNLP's, of which its initialisers take weights; nothing leads out of the folder."""
    with unpacked(path, cleanup) as folder:
        yield os.fspath(folder)


def install() -> None:
    """
    From now on AllenNLP opens archives in this way, wherever it does; and a type that a config names
    by its path must be a class of the kind that is wanted there, not any function.
    """
    from allennlp import models
    from allennlp.commands import predict
    from allennlp.models import archival
    from allennlp.predictors import predictor

    for module in (models, archival, predict, predictor):
        setattr(module, "load_archive", load_archive)  # noqa: B010  (one of them imports it)
    archival.extracted_archive = extracted_archive  # type: ignore[assignment]
    Registrable.resolve_class_name = classmethod(checked_resolver())  # type: ignore[assignment]
