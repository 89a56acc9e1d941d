"""The words of the data files of a study's runs."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Optional

import pandas

from linspector_allennlp.analysis.tidy_scores import present
from linspector_allennlp.run_folders.data_words import data_words, is_whole
from linspector_allennlp.run_folders.run_folder import RunFolder

PLACE = ("level", "language", "task")
TRAIN, SPLITS = "train", ("train", "validation", "test")


class StudyWords(NamedTuple):
    """
    # Parameters

    training : `Mapping[str, Sequence[str]]`
        By the name of a run the words of its training data, if it was trained on all of them: not of a share of
        them, nor where some were held out or left out, in folds, or up to a number.
    data_sets : `pandas.DataFrame`
        A row for each token of each task: `PLACE`, `split`, `form`.
    unread : `Sequence[str]`
        Which files could not be read, and why.
    """

    training: Mapping[str, Sequence[str]]
    data_sets: pandas.DataFrame
    unread: Sequence[str]


def study_words(runs: pandas.DataFrame, folders: Mapping[str, RunFolder]) -> StudyWords:
    """
    # Parameters

    runs : `pandas.DataFrame`
        The scores of single runs.
    folders : `Mapping[str, RunFolder]`
        Those of finished runs, by their names.
    """
    training: dict[str, Sequence[str]] = {}
    unread: dict[str, None] = {}
    frames: dict[tuple[str, ...], pandas.DataFrame] = {}
    of_place = present(runs, PLACE)
    for row in runs.drop_duplicates("run").to_dict("records"):
        folder = folders.get(row["run"])
        if folder is None:
            continue
        sources = folder.provenance.get("data") or {}
        found: dict[str, list[str]] = {}
        for split in SPLITS:
            if isinstance(sources.get(split), dict):
                try:
                    found[split] = data_words(sources[split], str(folder.record.probe))
                except (
                    ValueError,
                    OSError,
                    IndexError,
                ) as error:  # IndexError: of another kind of task
                    unread[str(error)] = None
        if TRAIN not in found:
            continue
        if _trained_on_all(folder, row.get("train_share")):
            training[row["run"]] = found[TRAIN]
        place = {name: str(row[name]) for name in of_place}
        if tuple(place.values()) not in frames:
            parts = [pandas.DataFrame({"split": name, "form": found[name]}) for name in found]
            frame = pandas.concat(parts, ignore_index=True)
            frames[tuple(place.values())] = frame.assign(**place)
    none = pandas.DataFrame(columns=["split", "form", "task"])
    data_sets = pandas.concat(list(frames.values()), ignore_index=True) if frames else none
    return StudyWords(training, data_sets, list(unread))


def _trained_on_all(folder: RunFolder, share: Optional[float]) -> bool:
    """Whether its training words are those of its whole file."""
    made_by, record = folder.provenance, folder.record
    if made_by.get("held_out") is not None or made_by.get("folds") or record.folds:
        return False
    is_all = share is None or pandas.isna(share) or share == 1
    return is_all and is_whole(made_by["data"][TRAIN], str(record.probe))
