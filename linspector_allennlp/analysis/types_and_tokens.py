"""Tasks that a language has at both levels: of words as such, and of words in sentences (LINSPECTOR, 3.2)."""

import pandas

from linspector_allennlp.analysis.side_by_side import side_by_side, with_interval
from linspector_allennlp.analysis.tidy_scores import need_columns, present

LEVELS = {"type": "type", "type_level": "type", "token": "token", "token_level": "token"}
"""By what tables call a level, what it is called here."""

A, B = "type", "token"

KINDS = ("single_form", "token_in_context", "paired_forms", "paired_tokens")
"""What suites call the probes of these kinds of task."""


def types_and_tokens(means: pandas.DataFrame) -> pandas.DataFrame:
    """
    The scores of the same task, language and representation at type level (`a`) and at token level (`b`). Their
    items are others, and so may be their labels: `a_labels`, `b_labels`, `a_majority`, `b_majority`.

    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`).

    # Returns

    `pandas.DataFrame`
        The rows of `side_by_side`, with intervals of the differences. None where one of the levels is not there.
    """
    levels = _of_both(known_levels(means))
    if levels.empty:
        return levels
    if "probe" in levels:
        levels = _without_kinds(levels)
    return with_interval(
        side_by_side(levels, "level", A, B, present(levels, ["labels", "majority"]))
    )


def _of_both(levels: pandas.DataFrame) -> pandas.DataFrame:
    """The tasks that their language has at both levels."""
    places = present(levels, ["language", "task"])
    if levels.empty:
        return levels
    return levels[levels.groupby(places, dropna=False)["level"].transform("nunique") == 2]


def _without_kinds(levels: pandas.DataFrame) -> pandas.DataFrame:
    """Without the column `probe`, where each level has the probe of its kind of task."""
    probes = [set(levels.loc[levels["level"] == level, "probe"].dropna()) for level in (A, B)]
    if not all(probes) or probes[0] & probes[1]:
        return levels
    known = levels["probe"].isin(KINDS)
    if set(levels.loc[known, "level"]) == {A, B}:
        levels = levels[known]  # not those of treebanks, which ask all words
    return levels.drop(columns="probe")


def tasks_of_one_level(means: pandas.DataFrame) -> dict[str, list[str]]:
    """By level, the tasks (`finnish Tense`) that the same language does not have at the other level."""
    levels = known_levels(means)
    places = present(levels, ["language", "task"])
    named = {
        level: dict.fromkeys(
            " ".join(map(str, cells))
            for cells in levels.loc[levels["level"] == level, places].itertuples(index=False)
        )
        for level in (A, B)
    }
    return {
        level: [name for name in named[level] if name not in named[other]]
        for level, other in ((A, B), (B, A))
    }


def known_levels(means: pandas.DataFrame) -> pandas.DataFrame:
    """The rows of both levels, whatever the table calls them."""
    need_columns(means, "level", "task", "value")
    levels = means["level"].map(LEVELS)
    return means.assign(level=levels)[levels.notna()]
