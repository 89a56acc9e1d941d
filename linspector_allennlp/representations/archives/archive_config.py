"""Reads the config of an AllenNLP model that may come from a stranger."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable

BUILT_PARTS = "vocabulary", "model", "dataset_reader", "validation_dataset_reader"

# Settings of AllenNLP, allennlp-models and transformers, and what they would do if they are set.
_DANGEROUS = {
    "trust_remote_code": "runs code from the model hub",
    "_pretrained": "loads another archive",
    "evalb_directory_path": "names a program to run",
    "srl_eval_path": "names a program to run",
    "cache_dir": "names a folder to write to",
    "feature_cache_dir": "names a folder to write to",
    "offload_folder": "names a folder to write to",
}


def read_config(folder: Path, packages: Sequence[str]) -> dict[str, Any]:
    """
    Those parts of `config.json` that a trained model is built from. What would let the config run
    code, or write files, is refused before anything is built.

    # Parameters

    folder : `Path`
    packages : `Sequence[str]`
        The packages that are trusted: types may be named by their path in one of these.
    """
    path = folder / "config.json"
    if not path.is_file():
        raise FileNotFoundError(
            f"{path}: there is no such file; expected the archive or the run folder of an "
            "AllenNLP model."
        )
    try:
        # AllenNLP would take jsonnet, which can read other files; it writes JSON.
        config = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: expected JSON, found something else ({error}).") from error
    if not isinstance(config, dict) or not {"model", "dataset_reader"} <= config.keys():
        raise ValueError(f'{path}: expected the settings "model" and "dataset_reader".')
    config = {part: config[part] for part in BUILT_PARTS if part in config}
    _check(config, str(path), packages)
    return config


def is_of(packages: Sequence[str], name: str) -> bool:
    """Whether a dotted name lies in one of the packages."""
    return name.split(".")[0] in {package.split(".")[0] for package in packages}


def _check(value: Any, where: str, packages: Sequence[str]) -> None:
    if isinstance(value, dict):
        for key, part in value.items():
            if reason := _danger(key, part, packages):
                raise ConfigurationError(
                    f"{where}: {key} = {part!r} {reason}, which an archive must not do. If you "
                    f"trust the model, change this in the config.json of its unpacked folder."
                )
            _check(part, f"{where}: {key}", packages)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            _check(part, f"{where}: {number}", packages)


def _danger(key: str, value: Any, packages: Sequence[str]) -> Optional[str]:
    """What this setting would do that it must not; `None` if nothing."""
    if key in _DANGEROUS and value not in (None, False):
        return _DANGEROUS[key]
    if key == "type" and value == "from_archive":
        return "loads another archive"
    if key == "type" and isinstance(value, str) and "." in value:
        registered = any(value in names for names in Registrable._registry.values())
        if not registered and not is_of(packages, value):
            return "imports and calls what it names, unless its package is one of `packages`"
    if key == "packages" and isinstance(value, list):
        if not all(isinstance(name, str) and is_of(packages, name) for name in value):
            return "imports packages, unless they are among `packages`"
    if key == "language" and isinstance(value, str) and not value.isidentifier():
        return "loads a pipeline of spaCy's from a folder"
    return None
