"""What is compared in a study."""

from collections.abc import Sequence
from typing import Optional

from linspector_allennlp.analysis.chosen_settings import ChosenSettings
from linspector_allennlp.analysis.study_pairs import (
    NOT_A_SETTING,
    StudyPair,
    side_name,
    study_pairs,
)
from linspector_allennlp.commands.compared_sides import ComparedSide, Match
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.missing_files import listed, nearest
from linspector_allennlp.run_folders.found_runs import FoundRun, find_runs
from linspector_allennlp.run_folders.run_filter import (
    check_conditions,
    check_names,
    fulfils,
    read_conditions,
)


def study_matches(
    study: PathLike,
    by: Sequence[str],
    where: str = "",
    pairs: Sequence[str] = (),
    baseline: Optional[str] = None,
) -> tuple[list[Match], list[str]]:
    """
    What is compared, and notes on what is not. Control tasks are left out, unless `where` asks for them; of a
    search, the runs of the settings that it chose are compared.

    # Parameters

    study : `PathLike`
    by : `Sequence[str]`
        The columns whose values are compared.
    where : `str`, optional
        Only these runs, as `task=Case,layer=3`.
    pairs : `Sequence[str]`, optional
        Which pairs of values, as `chars:fasttext`; by default all.
    baseline : `str`, optional
        The value that all others are compared with, instead.
    """
    notes: list[str] = []
    runs = _chosen(list(find_runs([study], notes.append)), by, where, notes)
    names = list(dict.fromkeys(side_name(run.columns, by) for run in runs))
    wanted = None
    if baseline is not None:
        _check_name("--baseline", baseline, names)
        wanted = [(baseline, name) for name in names if name != baseline]
    elif pairs:
        wanted = [_pair(text, names) for text in pairs]
    found = study_pairs(runs, by, wanted)
    if not found:
        raise ValueError(
            f"{study}: there is nothing to compare: no two values of {' and '.join(by)} are in runs that are "
            f"equal otherwise. There are: {listed(names) or 'no finished runs'}. {' '.join(notes)}".rstrip()
        )
    return [_match(pair) for pair in found], notes


def _chosen(
    runs: list[FoundRun], by: Sequence[str], where: str, notes: list[str]
) -> list[FoundRun]:
    """The runs that may be compared."""
    columns = [run.columns for run in runs]
    conditions = read_conditions(where)
    check_conditions(columns, conditions)
    check_names(by, columns)
    for name in by:
        if name in NOT_A_SETTING:
            raise ValueError(f"--by: runs that differ in their {name} are not compared.")
    varied = {name for each in columns for name in each.get("settings") or {}}
    if not varied & {*by, *conditions}:
        settings = ChosenSettings(runs)
        notes += settings.notes
        runs = [run for run in runs if settings.has(run)]
    if "control" not in conditions:
        num_controls = sum(bool(run.columns.get("control")) for run in runs)
        if num_controls:
            notes.append(f"Runs of control tasks are not compared: {num_controls}.")
        runs = [run for run in runs if not run.columns.get("control")]
    return [run for run in runs if fulfils(run.columns, conditions)]


def _pair(text: str, names: Sequence[str]) -> tuple[str, str]:
    """Two names, each of which may have a colon in it."""
    parts = text.split(":")
    splits = [(":".join(parts[:n]), ":".join(parts[n:])) for n in range(1, len(parts))]
    for a, b in splits:
        if a in names and b in names and a != b:
            return a, b
    if not splits:
        raise ValueError(
            f"--pairs: expected two names such as {':'.join(names[:2])}, found {text!r}."
        )
    for name in splits[0]:
        _check_name("--pairs", name, names)
    raise ValueError(f"--pairs: expected two different names, found {text!r}.")


def _check_name(option: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise ValueError(
            f"{option}: there is no {name}.{nearest(name, names)} There are: {listed(names)}."
        )


def _match(pair: StudyPair) -> Match:
    # In the order of the seeds, so that equal ones are side by side.
    a, b = (
        ComparedSide(side.name, [side.runs[seed].run.path for seed in sorted(side.runs)])
        for side in (pair.a, pair.b)
    )
    return Match(pair.setting, a, b)
