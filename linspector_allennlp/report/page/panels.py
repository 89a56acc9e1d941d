"""The parts of a table of scores that fit into one figure: a score for each task and representation."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import pandas

from linspector_allennlp.analysis.tidy_scores import KEYS, SYSTEM, present, varying
from linspector_allennlp.analysis.wording import place_name
from linspector_allennlp.report.page.model import FACETS, Facets, Words

MOST = 24
"""So many figures of a kind are drawn."""
LONGEST_KEY = 60


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
    groups = there.groupby(place, dropna=False, sort=False) if place else [((), there)]
    return [panel for _, group in groups for panel in _parts(group, place)]


def first_panels(all_panels: list[Panel]) -> Iterator[Panel]:
    yield from islice(all_panels, MOST)


def left_out(all_panels: list[Panel], kind: str) -> Iterator[Words]:
    """Says how many figures are not drawn."""
    if len(all_panels) > MOST:
        yield Words([f"{MOST} of {len(all_panels)} {kind} are drawn; the tables have all scores."])


def place_title(cells: Mapping[str, Any]) -> str:
    """What the scores of a panel have in common, in words."""
    return place_name(cells) or "All scores"


def _parts(group: pandas.DataFrame, place: list[str]) -> Iterator[Panel]:
    names = [*KEYS, "metric"]
    others = [
        name for name in varying(group, names) if name not in (*SYSTEM, *place, "task", "grid")
    ]
    of_score = group.groupby(["task", *present(group, SYSTEM)], dropna=False)
    keys = [*place, *(name for name in others if of_score[name].nunique(dropna=False).max() > 1)]
    for cells, part in group.groupby(keys, dropna=False, sort=False) if keys else [((), group)]:
        named = dict(zip(keys, cells))
        facets = {
            name: str(cell)
            for name, cell in named.items()
            if name in FACETS and not pandas.isna(cell)
        }
        title = place_title(named)
        yield Panel(figure_key(title), title, part, facets)


def figure_key(title: str) -> str:
    """A part of the name of a file, on any file system; two titles never have the same."""
    plain = re.sub("[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST_KEY]
    digest = hashlib.sha256(title.encode()).hexdigest()[:4]
    return plain if plain == title.lower().replace(", ", "-") else f"{plain}-{digest}".strip("-")
