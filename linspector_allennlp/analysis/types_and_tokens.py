"""Tasks that a language has at both levels: of words as such, and of words in sentences (LINSPECTOR, 3.2)."""

import pandas

from linspector_allennlp.analysis.side_by_side import side_by_side, with_interval
from linspector_allennlp.analysis.tidy_scores import need_columns, present

LEVELS = {"type": "type", "type_level": "type", "token": "token", "token_level": "token"}
"""By what tables call a level, what it is called here."""

A, B = "type", "token"


def types_and_tokens(means: pandas.DataFrame) -> pandas.DataFrame:
    """
    The scores of the same task, language and representation at type level (`a`) and at token level (`b`). Their
    items are others, and so may be their labels: `a_labels`, `b_labels`.

    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`).

    # Returns

    `pandas.DataFrame`
        The rows of `side_by_side`, with intervals of the differences. None where one of the levels is not there.
    """
    levels = known_levels(means)
    if {A, B} - set(levels["level"]):
        return levels.iloc[:0]
    probes = (
        [set(levels.loc[levels["level"] == level, "probe"].dropna()) for level in (A, B)]
        if "probe" in levels
        else []
    )
    if probes and not probes[0] & probes[1]:
        # Each level has the probe of its kind of task, as `single_form` and `token_in_context`.
        levels = levels.drop(columns="probe")
    return with_interval(side_by_side(levels, "level", A, B, present(levels, ["labels"])))


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
