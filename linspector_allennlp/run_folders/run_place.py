"""
The place of a run that is about to be trained, so that no mistake costs what is there already. A new run
that replaces an old one is trained beside it, and takes its place when it is finished. A start that failed
leaves nothing behind.
"""

import json
import logging
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from linspector_allennlp.io.files import PathLike, replace_folder, restore_folder
from linspector_allennlp.io.json_objects import read_json_object
from linspector_allennlp.io.locks import refusing_others
from linspector_allennlp.run_folders.run_record import NAME

logger = logging.getLogger(__name__)

CONFIG = "config.json"

META = "meta.json"  # AllenNLP writes it when a run begins, and nobody writes one by hand

# What a run writes; a folder with anything else in it is somebody's, and is not removed.
STARTED = (CONFIG, META, "out.log", "err.log", "vocabulary", "provenance.json", "log", ".*.tmp")
TRAINED = (
    "best.th",
    "weights.th",
    "model_state_*.th",
    "training_state*.th",
    "metrics.json",
    "metrics_epoch_*.json",
    "model.tar.gz",
    "mdl.tsv",
    "folds.tsv",
    *(
        f"{split}_{name}"
        for split in ("test", "validation")
        for name in ("report.tsv", "confusion.tsv", "lengths.tsv", "predictions.jsonl")
    ),
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
    if folder.is_symlink() or folder.name in ("", ".."):
        folder = folder.resolve()
    made = [parent for parent in folder.parents if not parent.exists()]
    try:
        with refusing_others(folder, "train"):
            yield from _placed(folder, config, recover, force)
    except BaseException:
        for parent in made:
            with suppress(OSError):  # it is not empty
                parent.rmdir()
        raise


def _placed(folder: Path, config: Mapping[str, Any], recover: bool, force: bool) -> Iterator[Place]:
    restore_folder(folder)
    was_empty = folder.is_dir() and not any(folder.iterdir())
    place = _place(folder, config, recover, force)
    try:
        yield place
    except BaseException:
        if not place.recover and not _has(place.folder, TRAINED):
            shutil.rmtree(place.folder, ignore_errors=True)
            if was_empty:
                folder.mkdir()
        raise
    if place.folder != folder:
        if (place.folder / NAME).exists():
            replace_folder(place.folder, folder)
        elif not place.recover:  # it was not asked to finish
            shutil.rmtree(place.folder, ignore_errors=True)


def _place(folder: Path, config: Mapping[str, Any], recover: bool, force: bool) -> Place:
    beside = folder.with_name(f"{folder.name}.unfinished")
    if recover:
        # Either may have been interrupted: the one that was begun with this config is meant.
        begun = [place for place in (beside, folder) if (place / CONFIG).exists()]
        fitting = [place for place in begun if not _changes(place, config)]
        place = (fitting or begun or [folder])[0]
        _check_config(place, config)
        return Place(place, recover=True)
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return Place(folder, recover=False)
    check_is_run(folder)
    if not _has(folder, TRAINED):  # a start that was killed
        shutil.rmtree(folder)
        return Place(folder, recover=False)
    if not force:
        raise ValueError(
            f"{folder} holds a run already. -f (force=True) replaces it when the new run is finished; "
            "--recover (recover=True) resumes it if it was interrupted."
        )
    if beside.exists():
        if _others(beside):
            raise ValueError(f"{beside} is in the way: it holds {_some(_others(beside))}.")
        logger.warning("%s, which was interrupted, is given up.", beside)
        shutil.rmtree(beside)
    logger.info("Training in %s, which replaces %s when it is finished.", beside, folder)
    return Place(beside, recover=False)


def check_is_run(folder: PathLike) -> None:
    """Refuses a folder that is not that of a run, or has other files in it: they are somebody's."""
    folder = Path(folder)
    others = _others(folder) if folder.exists() else []
    if others and _is_begun(folder):
        raise ValueError(
            f"{folder} is a run, but it also holds {_some(others)}, and is left as it is. Move that "
            "elsewhere, or choose another folder."
        )
    if others:
        raise ValueError(
            f"{folder} is not the folder of a run, and is left as it is: it holds {_some(others)}. "
            "Choose another folder."
        )


def _check_config(folder: Path, config: Mapping[str, Any]) -> None:
    """Refuses to resume a run with other settings, and says which."""
    changes = _changes(folder, config)
    if changes:
        raise ValueError(
            f"{folder} was begun with another config: {_some(changes, '; ')}. Resume it with its own, or "
            "replace it with -f."
        )


def _changes(folder: Path, config: Mapping[str, Any]) -> list[str]:
    """The settings that differ from those a run was begun with."""
    try:
        begun_with = read_json_object(folder / CONFIG)
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"{folder}: there is no run to resume. Leave out --recover to start one."
        ) from error
    then, now = dict(_flat(begun_with)), dict(_flat(json.loads(json.dumps(config))))
    missing = object()
    return [
        f"{key} was {_shown(then, key)}, is {_shown(now, key)}"
        for key in sorted(then.keys() | now.keys())
        if then.get(key, missing) != now.get(key, missing)
    ]


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
    """What is in a folder and no run has written; all of it, if no run was begun there."""
    if not folder.is_dir():
        return ["a file"]
    names = sorted(path.name for path in folder.iterdir())
    if names == [CONFIG] and not (folder / CONFIG).stat().st_size:
        return []  # a start that was killed in its first moment
    if not _is_begun(folder):
        return names
    return [name for name in names if not _matches(name, STARTED + TRAINED)]


def _is_begun(folder: Path) -> bool:
    """
    Whether a run was begun in a folder. Many programs write a `config.json`; that of a run has these
    keys, and is not alone.
    """
    try:
        content = read_json_object(folder / CONFIG)
    except (OSError, ValueError):
        return False
    return {"dataset_reader", "model", "trainer"} <= content.keys() and (folder / META).exists()


def _has(folder: Path, patterns: tuple[str, ...]) -> bool:
    return folder.is_dir() and any(_matches(path.name, patterns) for path in folder.iterdir())


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _some(names: list[str], separator: str = ", ") -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return separator.join(names[:MOST_NAMES]) + more
