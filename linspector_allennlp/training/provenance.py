import json
import logging
import os
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader
from allennlp.training import Trainer

from linspector_allennlp.io.files import sha256, write_json
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.training.split import Split

logger = logging.getLogger(__name__)

PACKAGES = ("linspector_allennlp", "allennlp", "torch", "numpy", "scipy", "transformers")


def provenance(
    model: FrozenProbe, reader: DatasetReader, splits: Iterable[Split], seed: int
) -> dict[str, Any]:
    """What made a run: its seed, the versions, and the content of the files it read."""
    return {
        "seed": seed,
        "versions": {"python": platform.python_version(), **_versions()},
        "platform": platform.platform(),
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        "task": getattr(reader, "task", None),
        "data": {
            split.name: {
                "path": split.path if "://" in split.path else os.path.normpath(split.path),
                "sha256": sha256(cached_path(split.path)),
                "items": len(split.items),
                **({"sentences": len(split.sentences)} if split.sentences else {}),
                **({"left_out": split.left_out} if split.left_out else {}),
            }
            for split in splits
        },
        "representation": [
            {**module.provenance(), "type": module.registered_name}
            for module in all_word_embedders(model)
        ],
    }


def record_provenance(folder: str, made_by: dict[str, Any]) -> None:
    """
    Writes `provenance.json` into a run folder. A run that is taken up again must be made by what
    it was begun with: other data or vectors are refused.
    """
    path = os.path.join(folder, "provenance.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            begun_with = json.load(file)
        for part in ("task", "data", "representation"):
            if begun_with.get(part) != made_by.get(part):
                raise ConfigurationError(
                    f"{folder}: the {part} files are not those that this run was begun with; it "
                    f"had {begun_with.get(part)}, now there is {made_by.get(part)}. Train anew with -f."
                )
    write_json(path, made_by)


def warn_of_limit(folder: str, metrics: dict[str, Any], trainer: Trainer) -> None:
    """Adds a warning to `provenance.json` if a run was ended by its limit and might have got better."""
    last = getattr(trainer, "_num_epochs", 0) - 1
    if metrics.get("best_epoch") != last or not last:
        return
    warning = (
        f"the best epoch, {last}, is the last that num_epochs allows: the probe might have got better "
        f"(trainer+: {{ num_epochs: {10 * (last + 1)} }})"
    )
    logger.warning(warning)
    path = os.path.join(folder, "provenance.json")
    with open(path, encoding="utf-8") as file:
        made_by = json.load(file)
    if warning not in made_by["warnings"]:
        write_json(path, {**made_by, "warnings": [*made_by["warnings"], warning]})


def _versions() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
