"""What is not to be believed in a study, in sentences with numbers."""

from collections.abc import Iterator
from typing import Optional

import pandas

from linspector_allennlp.analysis.complexity import task_and_control
from linspector_allennlp.analysis.score_tables import FLOORS, goodness
from linspector_allennlp.analysis.tidy_scores import KEYS, need_columns, present
from linspector_allennlp.analysis.wording import (
    MOST,
    apart,
    are,
    cases,
    count,
    have,
    num_tasks,
    percent,
    place_name,
    score_names,
    some,
)

NAMED = 2
"""So many that may be as good are named."""


def within_chance(differences: Optional[pandas.DataFrame]) -> Iterator[str]:
    """
    Which differences are none.

    # Parameters

    differences : `pandas.DataFrame`, optional
        That of `representation_differences`.
    """
    if differences is None:
        yield "Differences were not tested: small ones may be chance."
        return
    if differences.empty:
        yield "Differences were not tested: no task has predictions of two representations."
        return
    need_columns(differences, "a", "b", "score_a", "score_b", "better")
    within = differences[differences["better"].isna()]
    yield (
        f"{len(within)} of {count(differences, 'difference')} between representations {are(within)} within "
        "chance (randomisation or bootstrap, corrected by Holm for the pairs of a task)."
    )
    # Its task, and what tells comparisons of a task apart: the pairs are as the systems elsewhere.
    pairs = differences["a"].astype(str) + " " + differences["b"].astype(str)
    keys = [*apart(differences.assign(system=pairs)), "task"]
    tasks = list(differences.groupby(present(differences, KEYS), dropna=False, sort=False))
    names = [place_name(dict(zip(keys, part.iloc[0][keys]))) for _, part in tasks]
    unclear = [text for name, (_, part) in zip(names, tasks) if (text := _as_good(name, part))]
    named = f": {some(unclear)}" if unclear else ""
    of_tasks = count(tasks, "task")
    if (number := num_tasks(differences)) != len(tasks):
        of_tasks = f"{count(tasks, 'comparison')} ({count(range(number), 'task')})"
    yield f"In {len(unclear)} of {of_tasks} others may be as good as the best{named}."


def below_baselines(scores: pandas.DataFrame) -> Iterator[str]:
    """
    # Parameters

    scores : `pandas.DataFrame`
        That of `score_table` with `baseline="best"`.
    """
    known = scores[scores["value"].notna() & scores["baseline"].notna()]
    if known.empty:
        yield "No baselines are known: a score alone says little."
        return
    names, sign = score_names(scores), goodness(known)

    def named(rows: pandas.DataFrame) -> str:
        return cases(names[rows.index], rows["task"])

    below = known[sign * known["value"] < sign * known["baseline"]]
    listed = [
        f"{names[row]} ({percent(value)}, baseline {percent(baseline)})"
        for row, value, baseline in zip(below.index, below["value"], below["baseline"])
    ]
    yield (
        f"{len(below)} of {count(known, 'score')} {are(below)} below the best baseline "
        f"({', '.join(present(known, FLOORS))}){': ' if len(below) else ''}{cases(listed, below['task'])}."
    )
    if len(below) > MOST:
        far = (sign * (known["baseline"] - known["value"])).idxmax()
        yield f"The farthest below is {listed[below.index.get_loc(far)]}."
    worse = known["value"]
    for end, side in (("low", 1), ("high", -1)):
        if end in known:
            worse = worse.mask(sign == side, known[end])
    unclear = known[sign * worse <= sign * known["baseline"]].drop(below.index)
    if len(unclear):
        yield f"{count(unclear, 'more score')} {have(unclear)} it in the interval: {named(unclear)}."
    if "form" in known and len(looked_up := known[sign * known["value"] < sign * known["form"]]):
        yield (
            f"{count(looked_up, 'score')} {are(looked_up)} below what looking words up in the training data "
            f"gives: {named(looked_up)}."
        )


def failed_controls(table: pandas.DataFrame) -> Iterator[str]:
    """
    # Parameters

    table : `pandas.DataFrame`
        That of a study.
    """
    if not present(table, ["control"]) or not table["control"].fillna(False).any():
        yield "There are no control tasks: how much probes have learned by heart is not known."
        return
    if table["control"].all():
        yield "No control task has its task beside it: there is no selectivity."
        return
    controls = task_and_control(table)
    names = score_names(controls)
    failed = controls[~controls["learnable"].fillna(True).astype(bool)]
    if len(failed):
        yield (
            f"{count(failed, 'control task')} cannot be learned, because hardly any test word is in the "
            f"training data; there is no selectivity: {cases(names[failed.index], failed['task'])}."
        )
    known = controls[controls["selectivity"].notna()]
    if len(known):
        low, high = known["selectivity"].agg(["min", "max"])
        most = names[known["selectivity"].idxmax()]
        yield (
            f"Selectivity is {percent(low)} to {percent(high)} points in {count(known, 'setting')}, the most "
            f"that of {most}."
        )
    negative = known[known["selectivity"] <= 0]
    if len(negative):
        yield (
            f"{count(negative, 'score')} {are(negative)} no better than that of random labels: "
            f"{cases(names[negative.index], negative['task'])}."
        )


def _as_good(name: str, pairs: pandas.DataFrame) -> str:
    """The best of a task and those that may be as good; nothing where it is alone."""
    scores = dict(zip(pairs["a"], pairs["score_a"])) | dict(zip(pairs["b"], pairs["score_b"]))
    best = max(scores, key=scores.__getitem__)
    unclear = pairs[pairs["better"].isna()]
    others = [
        b if a == best else a
        for a, b in unclear[["a", "b"]].itertuples(index=False)
        if best in (a, b)
    ]
    if not others:
        return ""
    more = " or ".join(others) if len(others) <= NAMED else f"{len(others)} others"
    return f"{name} ({best} {percent(scores[best])}, or {more})"
