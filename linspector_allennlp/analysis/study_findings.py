"""What a reader of a study should know first, in sentences with numbers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Optional

import pandas

from linspector_allennlp.analysis.doubts import below_baselines, failed_controls, within_chance
from linspector_allennlp.analysis.score_tables import score_table
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    SYSTEM,
    chosen_scores,
    need_columns,
    present,
    varying,
)
from linspector_allennlp.analysis.wording import (
    are,
    count,
    have,
    percent,
    place_words,
    score_names,
    some,
)


def study_findings(
    table: pandas.DataFrame,
    differences: Optional[pandas.DataFrame] = None,
    missing: Optional[Mapping[str, str]] = None,
) -> pandas.DataFrame:
    """
    # Parameters

    table : `pandas.DataFrame`
        That of a study; scores are fractions.
    differences : `pandas.DataFrame`, optional
        That of `representation_differences`: which differences are within chance.
    missing : `Mapping[str, str]`, optional
        By the name of a run that is not in the table, why, as `failed` or `not run`.

    # Returns

    `pandas.DataFrame`
        `topic` (missing, best, chance, baselines, controls, seeds) and `sentence`.
    """
    need_columns(table, "task", "representation", "value")
    scores = score_table(table, baseline="best")
    topics: dict[str, Iterable[str]] = {
        "missing": _missing(table, missing or {}),
        "best": _best(scores),
        "chance": within_chance(differences),
        "baselines": below_baselines(scores),
        "controls": failed_controls(table),
        "seeds": _seeds(scores),
    }
    rows = [(topic, sentence) for topic, sentences in topics.items() for sentence in sentences]
    return pandas.DataFrame(rows, columns=["topic", "sentence"])


def _missing(table: pandas.DataFrame, missing: Mapping[str, str]) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for name, reason in missing.items():
        by_reason.setdefault(reason, []).append(name)
    for reason, names in by_reason.items():
        yield f"{count(names, 'run')} {are(names)} not here ({reason}): {some(names)}."
    both = [chosen_scores(table, control=control) for control in (False, True)]
    scores = pandas.concat(both, ignore_index=True)
    bad = scores[scores["value"].isna()]
    if len(bad):
        names = sorted(set(score_names(scores)[bad.index]))
        yield f"{count(bad, 'run')} {have(bad)} no number as a score, and no part in a mean: {some(names)}."


def _best(scores: pandas.DataFrame) -> Iterator[str]:
    """Which representation is ahead in how many tasks, by level, language and whatever else varies."""
    if scores["value"].isna().all():
        yield "There is no score."
        return
    if scores["system"].nunique() < 2:
        yield "There is one representation: nothing is compared."
        return
    varied = [name for name in varying(scores, KEYS) if name not in (*SYSTEM, "task", "grid")]
    keys = list(dict.fromkeys([*present(scores, ["level", "language"]), *varied]))
    groups = scores.groupby(keys, dropna=False, sort=False) if keys else [((), scores)]
    for place, group in groups:
        title = place_words(dict(zip(keys, place))) or "All tasks"
        there = group[group["value"].notna()]
        contested = there[there.groupby("task")["system"].transform("nunique") > 1]
        if len(contested):
            winners = contested[contested["place"] == 1].groupby("system", sort=False)["task"]
            ahead = sorted(winners, key=lambda winner: -winner[1].nunique())
            parts = [
                f"{name} in {tasks.nunique()} ({some(tasks.unique())})" for name, tasks in ahead
            ]
            yield f"{title}: the best of {count(set(contested['task']), 'task')}: {', '.join(parts)}."
        everyone = set(group["system"])
        short = {
            task: sorted(everyone - set(of_task["system"]))
            for task, of_task in there.groupby("task")
        }
        cases = [f"{task} ({', '.join(names)})" for task, names in short.items() if names]
        if cases:
            yield f"{title}: there is no score in {some(cases)}."


def _seeds(scores: pandas.DataFrame) -> Iterator[str]:
    single = scores[scores["seeds"] == 1]
    if len(single):
        yield (
            f"{len(single)} of {count(scores, 'score')} {are(single)} of one seed: what another one would give "
            "is not known."
        )
    if scores["sd"].notna().any():
        most = scores["sd"].idxmax()
        yield (
            f"The standard deviation over seeds is {percent(scores['sd'].median())} points in the median, at "
            f"most {percent(scores['sd'][most])} ({score_names(scores)[most]})."
        )
