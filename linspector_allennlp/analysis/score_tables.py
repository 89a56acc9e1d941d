"""
The table of all scores (LINSPECTOR, Tables 9, 11 and C.1): language × task × representation, with what the
numbers are to be compared with.
"""

from collections.abc import Sequence
from typing import Optional

import pandas

from linspector_allennlp.analysis.chosen_settings import lower_is_better
from linspector_allennlp.analysis.complexity import OVERLAP
from linspector_allennlp.analysis.selectivity import LEAST_OVERLAP
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    SYSTEM,
    chosen_scores,
    name_systems,
    need_columns,
    present,
    seed_means,
)
from linspector_allennlp.run_folders.table_columns import BASELINES

MARKED = 3

# That of the same word in training is a bound: no vector of a word alone can tell more.
FLOORS = tuple(name for name in BASELINES if name != "form")
"""The baselines that a score should be above."""


def score_table(
    table: pandas.DataFrame,
    metric: Optional[str] = None,
    baseline: str = "majority",
    over: Sequence[str] = SYSTEM,
) -> pandas.DataFrame:
    """
    A row for each score, the mean over its seeds.

    # Parameters

    table : `pandas.DataFrame`
        That of a study.
    metric : `str`, optional
        By default the main metric of each run.
    baseline : `str`, optional (default = `"majority"`)
        The column that gains are over; `best` for the best baseline of each score.
    over : `Sequence[str]`, optional
        What is ranked, within all that is the same otherwise.

    # Returns

    `pandas.DataFrame`
        The columns of `seed_means`, and `system` (what is compared, in words), `control_score` (the mean on
        the control task), `baseline`, `gain` (in the unit of the scores), `gain_percent` (of the baseline),
        and `place` (1 is the best; ties share a place; a score that is not there has none). There is no `form`
        where no test word is in the training data, so that nothing is looked up.
    """
    need_columns(table, "task", "value", "representation")
    means = seed_means(chosen_scores(table, metric))
    means["system"] = name_systems(means, over)
    if "form" in means:
        means["form"] = means["form"].where(_looked_up(table, means))
    means["control_score"] = _controls(table, metric, means)
    means["baseline"] = _baseline(means, baseline)
    means["gain"] = means["value"] - means["baseline"]
    means["gain_percent"] = 100 * means["gain"] / means["baseline"].where(means["baseline"] > 0)
    means["place"] = places_of(means, over)
    return means


def places_of(means: pandas.DataFrame, over: Sequence[str] = SYSTEM) -> pandas.Series:
    """The places of scores within a task; of losses the least is the best."""
    within = [name for name in present(means, (*KEYS, "metric")) if name not in (*over, "grid")]
    return (
        means.assign(signed=means["value"] * goodness(means))
        .groupby(within, dropna=False)["signed"]
        .rank(method="min", ascending=False)
    )


def goodness(scores: pandas.DataFrame) -> pandas.Series:
    """1 where more is better, -1 where less is."""
    if "metric" not in scores:
        return pandas.Series(1, scores.index)
    return scores["metric"].map(lambda name: -1 if lower_is_better(str(name)) else 1).astype(int)


def top_places(
    scores: pandas.DataFrame, places: int = MARKED, within: Sequence[str] = ("level", "language")
) -> pandas.DataFrame:
    """
    How often each representation is among the best (thesis, Figure 19).

    # Parameters

    scores : `pandas.DataFrame`
        That of `score_table`.

    # Returns

    `pandas.DataFrame`
        `within`, `system`, `count`, `tasks` (in which it has a score), and their ratio, `share`.
    """
    need_columns(scores, "system", "place", "task")
    there = scores[scores["place"].notna()]
    keys = [*present(scores, within), "system"]
    groups = there.assign(counted=there["place"] <= places).groupby(keys, sort=False)["counted"]
    found = pandas.DataFrame({"count": groups.sum(), "tasks": groups.size()}).reset_index()
    return found.assign(share=found["count"] / found["tasks"])


def _baseline(means: pandas.DataFrame, name: str) -> pandas.Series:
    if name != "best":
        if name not in means:
            return pandas.Series(float("nan"), means.index)
        return means[name].astype(float)
    known = present(means, FLOORS)
    if not known:
        return pandas.Series(float("nan"), means.index)
    sign = goodness(means)
    return means[known].mul(sign, axis=0).max(axis=1) * sign


def _looked_up(table: pandas.DataFrame, means: pandas.DataFrame) -> pandas.Series:
    """Whether test words are in the training data; where that is not known, whether `form` is no mere majority."""
    majority = (
        means["majority"] if "majority" in means else pandas.Series(float("nan"), means.index)
    )
    is_more = means["form"] != majority
    if "metric" not in table or not (table["metric"] == OVERLAP).any():
        return is_more
    overlap = chosen_scores(table, OVERLAP)
    keys = [name for name in present(means, KEYS) if name in overlap]
    shares = overlap.groupby(keys, dropna=False)["value"].mean().rename("share").reset_index()
    known = means[keys].merge(shares, how="left", on=keys)["share"].set_axis(means.index)
    return (known >= LEAST_OVERLAP).where(known.notna(), is_more)


def _controls(
    table: pandas.DataFrame, metric: Optional[str], means: pandas.DataFrame
) -> pandas.Series:
    controls = chosen_scores(table, metric, control=True)
    keys = [name for name in present(means, (*KEYS, "metric")) if name in controls]
    if controls.empty:
        return pandas.Series(float("nan"), means.index)
    of_setting = controls.groupby(keys, dropna=False)["value"].mean().rename("control_score")
    return (
        means[keys]
        .merge(of_setting.reset_index(), how="left", on=keys)["control_score"]
        .set_axis(means.index)
    )
