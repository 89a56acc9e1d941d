"""The words of the data files of a study's runs."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas

from linspector_allennlp.analysis.tidy_scores import present
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.run_folders.data_words import data_words

PLACE = ("level", "language", "task")
TRAIN, SPLITS = "train", ("train", "validation", "test")


class StudyWords(NamedTuple):
    """
    # Parameters

    training : `Mapping[str, Sequence[str]]`
        By the name of a run the words of its training data; of those that were trained on all of them.
    data_sets : `pandas.DataFrame`
        A row for each token of each task: `PLACE`, `split`, `form`.
    unread : `Sequence[str]`
        Which files could not be read, and why.
    """

    training: Mapping[str, Sequence[str]]
    data_sets: pandas.DataFrame
    unread: Sequence[str]


def study_words(data: ReportData) -> StudyWords:
    """Those of the runs that have scores. There must be run folders."""
    folders, _ = data.run_folders
    training: dict[str, Sequence[str]] = {}
    unread: dict[str, None] = {}
    frames: dict[tuple[str, ...], pandas.DataFrame] = {}
    for row in data.runs.drop_duplicates("run").to_dict("records"):
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
        share = row.get("train_share")
        if share is None or pandas.isna(share) or share == 1:
            training[row["run"]] = found[TRAIN]
        place = {name: str(row[name]) for name in present(data.runs, PLACE)}
        if tuple(place.values()) not in frames:
            tokens = [(split, form) for split, forms in found.items() for form in forms]
            frame = pandas.DataFrame(tokens, columns=["split", "form"])
            frames[tuple(place.values())] = frame.assign(**place)
    none = pandas.DataFrame(columns=["split", "form", "task"])
    data_sets = pandas.concat(list(frames.values()), ignore_index=True) if frames else none
    return StudyWords(training, data_sets, list(unread))
