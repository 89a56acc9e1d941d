"""The settings of an archive: read, and checked before anything is built of them."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable
from allennlp.data.tokenizers import SentenceSplitter, Tokenizer

from linspector_allennlp.io.regular import read_text, regular
from linspector_allennlp.representations.archives.safe_loading import is_foreign, is_of

BUILT_PARTS = "vocabulary", "model", "dataset_reader", "validation_dataset_reader"

_LOADS = "loads another archive"

# Settings of AllenNLP, allennlp-models and transformers, and what they would do if they are set.
_DANGEROUS = {
    "trust_remote_code": "runs code from the model hub",
    "_pretrained": _LOADS,
    "evalb_directory_path": "names a program to run",
    "srl_eval_path": "names a program to run",
    "cache_dir": "names a folder to write to",
    "feature_cache_dir": "names a folder to write to",
    "offload_folder": "names a folder to write to",
}

PLUGIN = "allennlp_models"
"""The models of AllenNLP's own makers, which are trusted where they are installed."""

# Classes of these may be named, but their functions may do anything to files.
_TRUSTED_CLASSES = "allennlp", PLUGIN, "linspector_allennlp"


def read_config(
    folder: Path,
    packages: Sequence[str],
    parts: Sequence[str] = BUILT_PARTS,
    whole: bool = False,
) -> dict[str, Any]:
    """
    The parts of `config.json` that a trained model is built from. Settings that would run code, or
    write files, are refused before anything is built.

    # Parameters

    folder : `Path`
    packages : `Sequence[str]`
        The packages that are trusted: types may be named by their path in one of these.
    parts : `Sequence[str]`, optional (default = `BUILT_PARTS`)
        What is built of it, and checked.
    whole : `bool`, optional (default = `False`)
        Whether to give the other parts too, which must not be built. A part may then name another
        archive: whoever gives them sees to it that this one is not trusted either.
    """
    path = folder / "config.json"
    config = read_settings(path)
    if not {"model", "dataset_reader"} <= config.keys():
        raise ValueError(f'{path}: expected the settings "model" and "dataset_reader".')
    built = {part: config[part] for part in parts if part in config}
    _check(built, str(path), packages, nested=whole)
    _check_files(folder)
    return config if whole else built


def read_settings(path: Path) -> dict[str, Any]:
    """All of `config.json`, of which nothing has been checked."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path}: there is no such file; expected the archive or the run folder of an "
            "AllenNLP model."
        )
    try:
        # AllenNLP would take jsonnet, which can read other files; it writes JSON.
        config = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: expected JSON, found something else ({error}).") from error
    if not isinstance(config, dict):
        raise ValueError(f'{path}: expected the settings "model" and "dataset_reader".')
    return config


def _check_files(folder: Path) -> None:
    """Refuses pipes and devices among those that AllenNLP opens besides."""
    for path in [folder / "meta.json", *(folder / "vocabulary").glob("*")]:
        if path.exists() and not path.is_dir():
            regular(path)


def types_in(value: Any) -> Iterator[str]:
    """The types that settings name, in whatever depth."""
    if isinstance(value, dict):
        if isinstance(value.get("type"), str):
            yield value["type"]
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from types_in(part)


def _check(value: Any, where: str, packages: Sequence[str], nested: bool = False) -> None:
    if isinstance(value, dict):
        for key, part in value.items():
            if (reason := _danger(key, part, value, packages)) and not (
                nested and reason == _LOADS
            ):
                raise ConfigurationError(
                    f"{where}: {key} = {part!r} {reason}, which an archive must not do. If you "
                    f"trust the model, change this in the config.json of its unpacked folder."
                )
            _check(part, f"{where}: {key}", packages, nested)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            _check(part, f"{where}: {number}", packages, nested)


def _danger(key: str, value: Any, beside: dict[str, Any], packages: Sequence[str]) -> Optional[str]:
    """The harm that this setting would do, among those beside it; `None` if there is none."""
    if key in _DANGEROUS and value not in (None, False):
        return _DANGEROUS[key]
    if key == "type" and value == "from_archive":
        return _LOADS
    if key == "type" and isinstance(value, str) and is_foreign(value, packages):
        if value not in registered_names():
            return "imports and calls what it names, unless its package is one of `packages`"
    if key == "function" and isinstance(value, str):  # of `module_layers`
        if is_foreign(value, packages) or is_of(_TRUSTED_CLASSES, value):
            return "imports and calls what it names, unless its package is one of `packages`"
    if key == "packages" and isinstance(value, list):
        if not all(isinstance(name, str) and is_of(packages, name) for name in value):
            return "imports packages, unless they are among `packages`"
    if key == "language" and isinstance(value, str) and not value.isidentifier():
        if _may_be_of_spacy(beside.get("type")):
            return "loads a pipeline of spaCy's from a folder"
    return None


def _may_be_of_spacy(name: Any) -> bool:
    """
    Whether a type, or none, may be that of a tokenizer or of a splitter of sentences, for which `language`
    names a pipeline. Where no type is given, spaCy's is what is meant.
    """
    names = {*Tokenizer.list_available(), *SentenceSplitter.list_available()}
    return not isinstance(name, str) or name in names or name not in registered_names()


def registered_names() -> set[str]:
    """The names of registered classes, of whatever kind."""
    names = set[str]()
    for kind in Registrable.__subclasses__():
        with suppress(ConfigurationError):  # one whose default is not there
            names.update(kind.list_available())
    return names
