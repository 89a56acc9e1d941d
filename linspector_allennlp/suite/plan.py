"""From a suite to its runs: each with its config, in the order in which they share most."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.candidates import Candidate, candidates
from linspector_allennlp.suite.grid import read_grids
from linspector_allennlp.suite.grid_values import check_number_of_runs
from linspector_allennlp.suite.planned_run import PlannedRun
from linspector_allennlp.suite.run_configs import configs_of, controls_of
from linspector_allennlp.suite.skipped import Skipped


class Plan(list[PlannedRun]):
    """
    The runs of a suite.

    # Parameters

    runs : `Iterable[PlannedRun]`
    notes : `Sequence[str]`, optional (default = `()`)
        What was left out and why, as sentences.
    """

    def __init__(self, runs: Iterable[PlannedRun], notes: Sequence[str] = ()) -> None:
        super().__init__(runs)
        self.notes = list(notes)


def planned_runs(suite: Mapping[str, Any]) -> Plan:
    """
    The runs of a suite, none of them twice. Nothing is started, and a suite with a mistake is refused.

    # Parameters

    suite : `Mapping[str, Any]`
        As `read_suite` gives it: `docs/suites.md` says what may be in it.
    """
    for key, value in suite.items():
        if _has_nul(value):
            raise ConfigurationError(
                f"{key}: expected names and paths, found one with a NUL in it."
            )
    notes: list[str] = []
    planned: list[tuple[Candidate, Skipped]] = []
    for grid in read_grids(suite):
        skipped = Skipped(grid.skip)
        of_grid = [each for each in candidates(grid, notes) if not skipped.has(each.columns)]
        if not of_grid:
            where = "the suite" if grid.name is None else f"grid {grid.name}"
            raise ConfigurationError(" ".join([f"{where} has no run.", *notes]))
        planned += [(each, skipped) for each in of_grid]
        check_number_of_runs("the suite", {"runs of its grids": len(planned)})
    planned = _ordered(planned)
    found = [candidate for candidate, _ in planned]
    configs = configs_of(found)
    controls = controls_of(found, configs, notes)
    runs = []
    for (candidate, skipped), config, control in zip(planned, configs, controls):
        runs.append(PlannedRun(config, candidate.columns))
        of_control = {**candidate.columns, "control": True}
        if control is not None and not skipped.has(of_control):
            runs.append(PlannedRun(control, of_control))
    for skipped in dict.fromkeys(each for _, each in planned):
        notes += skipped.unseen()
    return Plan(_distinct(runs, notes), list(dict.fromkeys(notes)))


def _distinct(runs: Sequence[PlannedRun], notes: list[str]) -> list[PlannedRun]:
    """Each run once; two that the table could not tell apart are refused."""
    by_digest: dict[str, PlannedRun] = {}
    for run in runs:
        by_digest.setdefault(run.digest, run)
    if len(by_digest) < len(runs):
        notes.append(
            f"{len(runs) - len(by_digest)} of {len(runs)} runs are others once more, and not repeated."
        )
    by_columns: dict[str, PlannedRun] = {}
    for run in by_digest.values():
        other = by_columns.setdefault(json.dumps(run.columns, sort_keys=True), run)
        if other is not run:
            first, second = (each.settings["train_data_path"] for each in (other, run))
            raise ConfigurationError(
                f"{run.name} and {other.name} would be the same row of the table, though their configs "
                f"differ (trained on {first} and {second}): give them two grids with a name each, or a "
                "treebank its own language."
            )
    return list(by_digest.values())


def _ordered(
    planned: Iterable[tuple[Candidate, Skipped]],
) -> list[tuple[Candidate, Skipped]]:
    """By representation, layer, encoder, the seed of a random one, and data: what is shared is near."""
    places: dict[str, int] = {}

    def order(each: tuple[Candidate, Skipped]) -> tuple[int, ...]:
        candidate, variant = each[0], each[0].variant
        first = places.setdefault(variant.source, len(places))
        data = places.setdefault(json.dumps(candidate.data.data), len(places))
        return first, variant.place, candidate.columns["seed"] if variant.is_random else 0, data

    return sorted(planned, key=order)


def _has_nul(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_nul, (*value, *value.values())))
    if isinstance(value, (list, tuple)):
        return any(map(_has_nul, value))
    return isinstance(value, str) and "\0" in value
