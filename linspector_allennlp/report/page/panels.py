"""The parts of a table of scores that fit into one figure: a score for each task and representation."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import pandas

from linspector_allennlp.analysis.tidy_scores import KEYS, SYSTEM, present, varying
from linspector_allennlp.analysis.wording import in_words
from linspector_allennlp.report.page.model import FACETS, Facets, Words

MOST = 24
"""So many figures of a kind are drawn."""


class Panel(NamedTuple):
    """
    # Parameters

    key : `str`
        What tells its figures apart.
    title : `str`
    scores : `pandas.DataFrame`
        No two are of the same task and representation.
    facets : `Facets`
    """

    key: str
    title: str
    scores: pandas.DataFrame
    facets: Facets


def panels(scores: pandas.DataFrame) -> list[Panel]:
    """By level and language, and whatever else makes several scores of a task and a representation."""
    there = scores[scores["value"].notna()]
    place = present(there, ["level", "language"])
    names = [*KEYS, "metric"]
    others = [name for name in varying(there, names) if name not in (*SYSTEM, *place, "task", "grid")]
    of_score = there.groupby([*place, "task", *present(there, SYSTEM)], dropna=False)
    apart = [name for name in others if of_score[name].nunique(dropna=False).max() > 1]
    return list(_parts(there, [*place, *apart]))


def first_panels(all_panels: list[Panel]) -> Iterator[Panel]:
    yield from islice(all_panels, MOST)


def left_out(all_panels: list[Panel], kind: str) -> Iterator[Words]:
    """Says how many figures are not drawn."""
    if len(all_panels) > MOST:
        yield Words([f"{MOST} of {len(all_panels)} {kind} are drawn; the tables have all scores."])


def _parts(scores: pandas.DataFrame, keys: list[str]) -> Iterator[Panel]:
    if not keys:
        yield Panel("all", "All scores", scores, {})
        return
    groups = scores.groupby(keys, dropna=False, sort=False)
    for number, (cells, part) in enumerate(groups, start=1):
        named = zip(keys, cells)
        facets = {
            name: cell for name, cell in named if name in FACETS and not pandas.isna(cell)
        }
        yield Panel(str(number), in_words(cells) or "All scores", part, facets)
