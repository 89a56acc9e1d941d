"""What a page is made from: the tidy table, and what a study's folder has beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Optional

import pandas

from linspector_allennlp.analysis.missing_runs import missing_runs
from linspector_allennlp.analysis.one_layer import one_layer
from linspector_allennlp.analysis.own_columns import own_columns_as_settings
from linspector_allennlp.analysis.representation_differences import representation_differences
from linspector_allennlp.analysis.score_tables import score_table
from linspector_allennlp.analysis.tidy_scores import chosen_scores, name_systems, seed_means
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.report.page.cells import form_of_scores
from linspector_allennlp.report.page.foreign_table import foreign_table
from linspector_allennlp.report.page.long_names import short_names
from linspector_allennlp.report.page.study_tables import study_tables
from linspector_allennlp.report.page.study_words import StudyWords, study_words
from linspector_allennlp.run_folders.found_runs import read_run
from linspector_allennlp.run_folders.own_scores import OwnScores, own_scores_of
from linspector_allennlp.run_folders.results_file import read_predictions
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.run_folders.table_columns import SURROGATES

VALIDATION = "validation"


@dataclass(frozen=True)
class ReportData:
    """
    # Parameters

    name : `str`
        Of the study or the file.
    table : `pandas.DataFrame`
        Its scores are fractions.
    predictions : `pandas.DataFrame`, optional
    study : `StudyFolder`, optional
    missing : `Mapping[str, str]`, optional
        By the name of a run that is not in the table, why.
    notes : `Tuple[str, ...]`, optional
        What a reader must know of how it was read.
    ranks : `Mapping[str, Mapping[str, int]]`, optional
        By language the ranks of words in a frequency list, from 1.
    resources : `pandas.DataFrame`, optional
        The statistics of UniMorph files and treebanks, a row for each language (`probe-data describe`).
    whole_names : `Mapping[str, str]`, optional
        Those that are shortened in the table, by what they are there.
    """

    name: str
    table: pandas.DataFrame
    predictions: Optional[pandas.DataFrame] = None
    study: Optional[StudyFolder] = None
    missing: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ranks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    resources: Optional[pandas.DataFrame] = None
    whole_names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_study(cls, path: PathLike) -> "ReportData":
        """That of a study's folder, whole or not."""
        study = StudyFolder(path)
        missing = missing_runs(study)
        table, predictions, notes = study_tables(study)
        table, whole = short_names(table)
        name = _name(study.path.resolve().name)
        return cls(name, table, predictions, study, missing, tuple(notes), whole_names=whole)

    @classmethod
    def of_csv(cls, path: PathLike, predictions: Optional[PathLike] = None) -> "ReportData":
        """That of anybody's table (`read_results`), in fractions or in percent."""
        table, doubts = foreign_table(path)
        table, whole = short_names(own_columns_as_settings(table))
        items = None if predictions is None else read_predictions(predictions)
        notes = ("This is a table only: there are no run folders.", *doubts)
        return cls(_name(Path(path).stem), table, items, notes=notes, whole_names=whole)

    @cached_property
    def scores(self) -> pandas.DataFrame:
        """The table of all scores, means over seeds."""
        found = score_table(self.table, baseline="best")
        if found["value"].isna().all():
            raise ValueError("There is no score.")
        return found

    @cached_property
    def runs(self) -> pandas.DataFrame:
        """The scores of single runs, with what is compared as `system`."""
        runs = chosen_scores(self.table)
        return runs.assign(system=name_systems(runs))

    @cached_property
    def validation(self) -> pandas.DataFrame:
        """Means over seeds on the validation data; none where the table does not say which scores these are."""
        if "split" not in self.table:
            return self.table.iloc[:0]
        rows = self.table[(self.table["split"] == VALIDATION).fillna(False).astype(bool)]
        return seed_means(chosen_scores(rows, split=VALIDATION))

    @cached_property
    def of_one_layer(self) -> pandas.DataFrame:
        """The scores of one layer of each model, chosen by the validation data where there is any."""
        return one_layer(self.scores, self.validation)

    @property
    def layer_chosen_on(self) -> str:
        return (
            "the test data, as there is no score of others"
            if self.validation.empty
            else "the validation data"
        )

    @cached_property
    def run_folders(self) -> tuple[dict[str, RunFolder], list[str]]:
        """The finished runs by their names, and what is wrong with others."""
        runs, unread = {}, []
        for row in self.study.plan() if self.study else ():
            if row.name in self.missing or self.study is None:
                continue
            try:
                runs[row.name] = read_run(self.study.run_path(row.name))
            except (OSError, ValueError) as error:
                unread.append(f"{row.name}: {error}")
        return runs, unread

    @cached_property
    def words(self) -> StudyWords:
        """Those of the runs that have scores; there must be run folders."""
        return study_words(self.runs, self.run_folders[0])

    @cached_property
    def form(self) -> str:
        return form_of_scores(self.scores)

    @cached_property
    def styles(self) -> dict[str, int]:
        """By what is compared, the number of its colour and symbol."""
        names = dict.fromkeys(self.scores["system"])
        return {name: number for number, name in enumerate(names)}

    @cached_property
    def own_scores(self) -> Optional[OwnScores]:
        """Those of a diagnosed model itself."""
        return None if self.study is None else own_scores_of(self.study.suite())

    @cached_property
    def differences(self) -> Optional[pandas.DataFrame]:
        """Between representations; nothing without predictions that can be compared."""
        if self.predictions is None or "run" not in self.table:
            return None
        return representation_differences(self.table, self.predictions)


def _name(name: str) -> str:
    """A file may be called what is no text."""
    return SURROGATES.sub("�", name)
