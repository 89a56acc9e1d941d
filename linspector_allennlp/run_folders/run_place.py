"""
The place of a run that is about to be trained, so that no mistake costs what is there already. A new run
that replaces an old one is trained beside it, and takes its place when it is finished. A start that failed
leaves nothing behind.
"""

import json
import logging
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from linspector_allennlp.io.files import PathLike, replace_folder, restore_folder
from linspector_allennlp.io.locks import refusing_others
from linspector_allennlp.run_folders.run_record import NAME

logger = logging.getLogger(__name__)

CONFIG = "config.json"

# What a run writes; a folder with anything else in it is somebody's, and is not removed.
STARTED = (
    CONFIG,
    "meta.json",
    "out.log",
    "err.log",
    "vocabulary",
    "provenance.json",
    "log",
    ".*.tmp",
)
TRAINED = (
    "*.th",
    "metrics.json",
    "metrics_epoch_*.json",
    "model.tar.gz",
    "mdl.tsv",
    "test_*.tsv",
    "validation_*.tsv",
    "*_predictions.jsonl",
    NAME,
)

MOST_NAMES = 5


class Place(NamedTuple):
    """The folder to train in, and whether a run that is there is taken up again."""

    folder: Path
    recover: bool


@contextmanager
def place_for_run(
    folder: PathLike, config: Mapping[str, Any], recover: bool = False, force: bool = False
) -> Iterator[Place]:
    """
    Gives the place to train a run in; afterwards, if the run is finished, it is in `folder`.

    # Parameters

    folder : `PathLike`
        Where the run is to be.
    config : `Mapping[str, Any]`
        Its settings. A run that is taken up again must have the same.
    recover : `bool`, optional (default = `False`)
        Whether an interrupted run is taken up again.
    force : `bool`, optional (default = `False`)
        Whether a run that is there is replaced.
    """
    folder = Path(folder)
    if folder.is_symlink():
        folder = folder.resolve()
    with refusing_others(folder, "train"):
        restore_folder(folder)
        place = _place(folder, config, recover, force)
        try:
            yield place
        except BaseException:
            if not place.recover and not _has(place.folder, TRAINED):
                shutil.rmtree(place.folder, ignore_errors=True)
            raise
        if place.folder != folder:
            if (place.folder / NAME).exists():
                replace_folder(place.folder, folder)
            else:  # it was not asked to finish
                shutil.rmtree(place.folder, ignore_errors=True)


def _place(folder: Path, config: Mapping[str, Any], recover: bool, force: bool) -> Place:
    beside = folder.with_name(f"{folder.name}.unfinished")
    if recover:
        place = beside if beside.is_dir() else folder
        _check_config(place, config)
        return Place(place, recover=True)
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return Place(folder, recover=False)
    others = _others(folder)
    if others:
        raise ValueError(
            f"{folder} is not the folder of a run, and is left as it is: it holds {_some(others)}. "
            "Choose another folder."
        )
    if not _has(folder, TRAINED):  # a start that was killed
        shutil.rmtree(folder)
        return Place(folder, recover=False)
    if not force:
        raise ValueError(
            f"{folder} holds a run already. -f replaces it when the new run is finished; --recover "
            "resumes it if it was interrupted."
        )
    if beside.exists():
        if _others(beside):
            raise ValueError(f"{beside} is in the way: it holds {_some(_others(beside))}.")
        shutil.rmtree(beside)
    logger.info("Training in %s, which replaces %s when it is finished.", beside, folder)
    return Place(beside, recover=False)


def _check_config(folder: Path, config: Mapping[str, Any]) -> None:
    """Refuses to resume a run with other settings, and says which."""
    try:
        begun_with = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"{folder}: there is no run to resume. Leave out --recover to start one."
        ) from error
    except ValueError as error:
        raise ValueError(f"{folder / CONFIG}: expected JSON; {error}.") from error
    then, now = dict(_flat(begun_with)), dict(_flat(json.loads(json.dumps(config))))
    missing = object()
    changes = [
        f"{key} was {_shown(then, key)}, is {_shown(now, key)}"
        for key in sorted(then.keys() | now.keys())
        if then.get(key, missing) != now.get(key, missing)
    ]
    if changes:
        raise ValueError(
            f"{folder} was begun with another config: {_some(changes, '; ')}. Resume it with its own, or "
            "replace it with -f."
        )


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """The settings by their dotted keys."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _flat(inner, f"{key}.{name}" if key else name)
    else:
        yield key, value


def _shown(settings: dict[str, Any], key: str) -> str:
    return json.dumps(settings[key], ensure_ascii=False) if key in settings else "not set"


def _others(folder: Path) -> list[str]:
    """What is in a folder and no run has written; all of it, if there is no config of a run."""
    if not folder.is_dir():
        return ["a file"]
    names = sorted(path.name for path in folder.iterdir())
    if not _is_config(folder / CONFIG):
        return names
    return [name for name in names if not _matches(name, STARTED + TRAINED)]


def _is_config(path: Path) -> bool:
    """Many programs write a file of this name; that of a run has these keys."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and {"dataset_reader", "model", "trainer"} <= content.keys()


def _has(folder: Path, patterns: tuple[str, ...]) -> bool:
    return folder.is_dir() and any(_matches(path.name, patterns) for path in folder.iterdir())


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _some(names: list[str], separator: str = ", ") -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return separator.join(names[:MOST_NAMES]) + more
