"""Which recommendations of the thesis (section 7.5) hold in a study."""

from collections.abc import Collection, Mapping
from typing import Any, Optional, Union

import pandas

from linspector_allennlp.analysis.side_by_side import side_by_side
from linspector_allennlp.analysis.stability import Change, rank_stability
from linspector_allennlp.analysis.tidy_scores import name_systems, need_columns, present

LARGE = 30_000
STABLE = 0.9
"""A rank correlation from which orders are called the same."""
SMALL_CHANGE = 0.05

DO_NOT_MIX = "Do not mix classifiers or dimensions in one comparison"

FEW = "There are too few representations for an order."
NO_PAIR = "No score has both sides."
UNKNOWN_PROBES = "The table does not say which classifiers there are (column probe)."

Evidence = tuple[Optional[bool], str]


def recommendations(
    means: pandas.DataFrame,
    size: Optional[str] = None,
    balance: Optional[Change] = None,
    tuning: Optional[Change] = None,
    distorting: Collection[str] = ("RF", "NB", "random_forest", "gaussian_nb"),
    dimensions: Union[str, Mapping[str, int]] = "dimension",
    method: str = "spearman",
) -> pandas.DataFrame:
    """
    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`), fractions.
    size : `str`, optional
        The column with the number of training items.
    balance, tuning : `Tuple[str, Any, Any]`, optional
        The column, its value for unbalanced (untuned) and that for balanced (tuned) runs.
    distorting : `Collection[str]`, optional
        The classifiers that are said to distort the order of representations.
    dimensions : `Union[str, Mapping[str, int]]`, optional
        The column with the dimension of vectors, or that of each representation.

    # Returns

    `pandas.DataFrame`
        `recommendation`, `holds` (missing where the study cannot say), `verdict`, that in words, and `evidence`, a
        sentence. The last recommendation is no claim that could be true or not: it is followed, or it is not.
    """
    need_columns(means, "task", "representation", "value")
    found: dict[str, Evidence] = {
        f"Train on {LARGE} items or more: the order of representations is stable from there": _by_size(
            means, size, method
        ),
        "Balance the classes": _by_balance(means, balance),
        f"Do not use {' or '.join(list(distorting)[:2])}: they distort the order": _by_classifier(
            means, distorting, size, method
        ),
        f"Tuning is optional: it changes scores by {SMALL_CHANGE:g} at most": _by_tuning(
            means, tuning
        ),
        DO_NOT_MIX: _mixed(means, dimensions),
    }
    return pandas.DataFrame(
        {
            "recommendation": list(found),
            "holds": pandas.array([holds for holds, _ in found.values()], dtype="boolean"),
            "verdict": [_verdict(name, holds) for name, (holds, _) in found.items()],
            "evidence": [sentence for _, sentence in found.values()],
        }
    )


def _verdict(name: str, holds: Optional[bool]) -> str:
    if holds is None:
        return "cannot tell"
    if name == DO_NOT_MIX:
        return "followed here" if holds else "not followed here"
    return "supported" if holds else "not supported"


def _by_size(means: pandas.DataFrame, size: Optional[str], method: str) -> Evidence:
    if size is None or means[size].nunique() < 2:
        return None, "No several sizes of the training data are known."
    stable = rank_stability(means, size, method=method).dropna(subset=["rho"])
    if stable.empty:
        return None, FEW
    pair = stable[["row", "column"]]
    stable = stable.assign(least=pair.min(axis=1), most=pair.max(axis=1))
    most = stable["most"].max()
    with_most = stable[stable["most"] == most]
    parts = [
        f"at {least:g} items the order agrees with that at {most:g} by {_range(rho)} ({len(rho)} "
        f"{'order' if len(rho) == 1 else 'orders'})"
        for least, rho in with_most.groupby("least")["rho"]
    ]
    sentence = "; ".join(parts)
    large = with_most.loc[with_most["least"] >= LARGE, "rho"]
    if large.empty:
        return None, f"No two sizes are {LARGE} or more: {sentence}."
    return bool((large >= STABLE).all()), f"{sentence[:1].upper()}{sentence[1:]}."


def _by_balance(means: pandas.DataFrame, change: Optional[Change]) -> Evidence:
    if change is None:
        return None, "No scores of balanced and of unbalanced classes are known."
    found = side_by_side(means, *change)
    if found.empty:
        return None, NO_PAIR
    return bool(found["difference"].max() > SMALL_CHANGE), _changes(found, "Balanced classes")


def _by_tuning(means: pandas.DataFrame, change: Optional[Change]) -> Evidence:
    if change is None:
        return None, "No scores of tuned and of untuned classifiers are known."
    found = side_by_side(means, *change)
    if found.empty:
        return None, NO_PAIR
    return bool(found["difference"].abs().max() <= SMALL_CHANGE), _changes(found, "Tuning")


def _by_classifier(
    means: pandas.DataFrame, distorting: Collection[str], size: Optional[str], method: str
) -> Evidence:
    if not present(means, ["probe"]):
        return None, UNKNOWN_PROBES
    means = _with_several_probes(means)
    if means.empty:
        return None, "No task here has several classifiers."
    within = [size] if size else []
    pairs = rank_stability(means, "probe", within, method=method).dropna(subset=["rho"])
    if pairs.empty:
        return None, FEW
    both = pandas.concat([pairs.rename(columns={"row": "column", "column": "row"}), pairs])
    agreement = both.groupby("row")["rho"].mean().sort_values()
    parts = [f"{probe} {_rho(rho)}" for probe, rho in agreement.items()]
    sentence = f"Mean agreement of the order with other classifiers: {', '.join(parts)}."
    there = {probe for probe in agreement.index if probe in distorting}
    if not there or len(there) == len(agreement):
        return None, sentence
    return set(agreement.index[: len(there)]) == there, sentence


def _mixed(means: pandas.DataFrame, dimensions: Union[str, Mapping[str, int]]) -> Evidence:
    sizes: Any = []
    if not isinstance(dimensions, str):
        sizes = sorted({dimensions[name] for name in means["representation"] if name in dimensions})
    elif dimensions in means:
        sizes = sorted(pandas.to_numeric(means[dimensions]).dropna().unique())
    parts = []
    several = _with_several_probes(means)
    if len(several):
        probes = sorted(several["probe"].unique())
        parts.append(f"tasks with {len(probes)} classifiers ({', '.join(probes)})")
    if len(sizes) > 1:
        dimensions_ = ", ".join(f"{size:g}" for size in sizes)
        parts.append(f"vectors of {len(sizes)} dimensions ({dimensions_})")
    if parts:
        return False, f"This study has {' and '.join(parts)}: compare within one."
    unknown = [] if present(means, ["probe"]) else [UNKNOWN_PROBES]
    unknown += [] if len(sizes) else ["The dimension of vectors is not known."]
    if unknown:
        return None, " ".join(unknown)
    return True, "Each task here has one classifier, and vectors are of one dimension."


def _with_several_probes(means: pandas.DataFrame) -> pandas.DataFrame:
    """The scores of tasks that have several probes: those of other tasks are never set side by side."""
    if not present(means, ["probe"]):
        return means.iloc[:0]
    there = means[means["probe"].notna()]
    keys = present(there, ["level", "language", "task", "metric"])
    return there[there.groupby(keys, dropna=False)["probe"].transform("nunique") > 1]


def _changes(found: pandas.DataFrame, what: str) -> str:
    names = name_systems(found)
    most = found["difference"].abs().idxmax()
    ends = found["difference"].min(), found["difference"].max()
    return (
        f"{what}: {len(found)} scores change by {ends[0]:+.3f} to {ends[1]:+.3f}, the most that of "
        f"{names[most]}."
    )


def _range(rho: pandas.Series) -> str:
    low, high = _rho(rho.min()), _rho(rho.max())
    return low if low == high else f"{low} to {high}"


def _rho(value: float) -> str:
    return f"{value:.2f}"
