"""Settings that vary: grids of them, and random samples of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.missing_files import nearest
from linspector_allennlp.suite.grid_values import (
    GREATEST_SEED,
    MOST_RUNS,
    check_number_of_runs,
    is_number,
    is_seed,
    is_whole,
)

SELECTIVITY = "selectivity"

DISTRIBUTIONS = ("uniform", "log_uniform", "int")

# What the probes report of their validation data.
METRICS = (
    "accuracy", "macro_f1", "loss", "relation_accuracy", "labelled_accuracy", "uuas", "dspr", "dspr_pfw",
    "root_accuracy", "nspr",
)  # fmt: skip

# jsonnet tells whole numbers apart up to here.
GREATEST = 2**53

OPTIONS = ("by", "samples", "seed", "grid")

Point = dict[str, Any]
"""A value for each setting that varies, by its key in the config."""


@dataclass(frozen=True)
class Search:
    """
    # Parameters

    by : `str`
        The criterion: `selectivity`, or a metric of the validation data, as `accuracy` or `loss`.
    points : `Sequence[Point]`
        What is tried.
    """

    by: str
    points: Sequence[Point]


def points_of_grid(key: str, given: Any) -> list[Point]:
    """All combinations of a mapping of lists; or the points themselves, if they are given as a list."""
    if isinstance(given, list):
        if not given or not all(isinstance(point, Mapping) for point in given):
            raise ConfigurationError(f"{key}: expected a list of settings, found {given!r}.")
        return [dict(point) for point in given]
    if not isinstance(given, Mapping):
        raise ConfigurationError(f"{key}: expected lists of values by key, found {given!r}.")
    for name, values in given.items():
        if not isinstance(values, list) or not values:
            raise ConfigurationError(
                f"{key}: expected a list of values of {name}, found {values!r}."
            )
    counts = {f"of {name}": len(values) for name, values in given.items()}
    check_number_of_runs(key, counts)
    return [dict(zip(given, values)) for values in product(*given.values())]


def read_search(given: Any) -> Any:
    """The search that a grid describes; nothing if there is none."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or not isinstance(given.get("by"), str):
        raise ConfigurationError(
            "search: expected by, as 'selectivity' or 'accuracy', and settings to try, as "
            "'model.head.rank': [2, 4]."
        )
    # Of a metric its name says whether more of it is better.
    by = given["by"].lstrip("+-")
    known = (SELECTIVITY, *METRICS)
    if by not in known:
        near = nearest(by, known)
        raise ConfigurationError(
            f"search: expected by one of {', '.join(known)}, found {by!r}.{near}"
        )
    settings = {key: value for key, value in given.items() if key not in OPTIONS}
    if "grid" in given:
        if settings or "samples" in given or "seed" in given:
            raise ConfigurationError("search: expected nothing but by beside grid.")
        return Search(by, points_of_grid("search.grid", given["grid"]))
    if not settings:
        raise ConfigurationError("search: it names no settings to try.")
    samples, seed = given.get("samples", 20), given.get("seed", 13)
    return Search(by, sampled_points(settings, samples, seed))


def sampled_points(settings: Mapping[str, Any], samples: int, seed: int) -> list[Point]:
    """
    Random points, the same at the same seed. Of lists alone none is drawn twice, and no more than there are.

    # Parameters

    settings : `Mapping[str, Any]`
        By key a list of values, or a distribution: `{"uniform": [0, 0.8]}`, `log_uniform` or `int`, with the
        least and the greatest value.
    samples, seed : `int`
    """
    if not is_whole(samples, 1, MOST_RUNS):
        raise ConfigurationError(
            f"search: expected samples of 1 to {MOST_RUNS}, found {samples!r}."
        )
    if not is_seed(seed):
        raise ConfigurationError(
            f"search: expected a seed from 0 to {GREATEST_SEED}, found {seed!r}."
        )
    # Slow to import, and of use here only.
    from sklearn.model_selection import ParameterGrid, ParameterSampler

    drawn_from = {key: _distribution(key, value) for key, value in settings.items()}
    if all(isinstance(values, list) for values in drawn_from.values()):
        samples = min(samples, len(ParameterGrid(drawn_from)))
    drawn = ParameterSampler(drawn_from, samples, random_state=seed)
    return [{key: _plain(point[key]) for key in settings} for point in drawn]


def _distribution(key: str, given: Any) -> Any:
    if isinstance(given, list) and given:
        return given
    name = next(iter(given)) if isinstance(given, Mapping) and len(given) == 1 else None
    if name not in DISTRIBUTIONS:
        near = nearest(name, DISTRIBUTIONS) if name else ""
        raise ConfigurationError(
            f"search: expected a list of values of {key}, or one of {', '.join(DISTRIBUTIONS)} with two "
            f"numbers, found {given!r}.{near}"
        )
    ends = given[name]
    if not _is_range(ends, name == "int") or (name == "log_uniform" and ends[0] <= 0):
        raise ConfigurationError(
            f"search: {name} of {key} expects the least and the greatest value, found {ends!r}."
        )
    from scipy import stats

    low, high = ends
    if name == "int":
        return stats.randint(low, high + 1)
    return stats.uniform(low, high - low) if name == "uniform" else stats.loguniform(low, high)


def _is_range(ends: Any, is_whole_only: bool) -> bool:
    if not isinstance(ends, list) or len(ends) != 2:
        return False
    if is_whole_only:
        fit = all(is_whole(end, -GREATEST, GREATEST) for end in ends)
    else:
        fit = all(is_number(end) and abs(end) <= GREATEST for end in ends)
    return fit and ends[0] < ends[1]


def _plain(value: Any) -> Any:
    """A number as JSON has it, with four digits, which a person can read and type again."""
    value = value.item() if hasattr(value, "item") else value
    return float(f"{value:.4g}") if isinstance(value, float) else value
