"""
A structural probe beside a parser of the same form, which is trained to find trees (Hall Maudslay et al. 2020:
Figures 2 and 3).
"""

import re
from typing import Any, Optional

import pandas

from linspector_allennlp.analysis.side_by_side import side_by_side, with_interval
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    chosen_scores,
    need_columns,
    present,
    seed_means,
)

METRICS = ("uuas", "dspr", "dspr_pfw")
A, B = "probe", "parser"
PARSERS, PROBES = re.compile("perceptron|parser"), re.compile("distance|structural|^probe$")


def probe_and_parser(table: pandas.DataFrame, split: str = "test") -> pandas.DataFrame:
    """
    # Parameters

    table : `pandas.DataFrame`
        That of a study. A probe is called `distance`, a parser `perceptron`, or by a longer name with one of
        these in it; in somebody's table also `probe` (`structural`) and `parser`.

    # Returns

    `pandas.DataFrame`
        The rows of `side_by_side` for each of `METRICS`, `a` the probe and `b` the parser, with intervals of
        the differences, and `adjacent`, the score of the tree in which every word hangs on the next. Each of
        both has the settings that its own search chose.
    """
    need_columns(table, "probe", "metric")
    means = seed_means(chosen_scores(table, METRICS, split=split))
    sides = means.assign(probe=means["probe"].map(_side))
    sides = sides[sides["probe"].notna()]
    if {A, B} - set(sides["probe"]):
        return sides.iloc[:0]
    found = with_interval(side_by_side(sides, "probe", A, B, present(sides, ["adjacent"])))
    if "a_adjacent" in found:
        found = found.rename(columns={"a_adjacent": "adjacent"}).drop(columns="b_adjacent")
    return found


def layers_chosen(
    found: pandas.DataFrame, by: Optional[pandas.DataFrame] = None
) -> pandas.DataFrame:
    """
    The rows of one layer of each representation: that where the UUAS of probe and parser together is best.

    # Parameters

    found : `pandas.DataFrame`
        That of `probe_and_parser`.
    by : `pandas.DataFrame`, optional
        That of the validation data, by which to choose; by default `found` itself.
    """
    if not present(found, ["layer"]):
        return found
    scores = found if by is None or by.empty else by
    scores = scores[scores["metric"] == METRICS[0]]
    keys = [name for name in present(found, KEYS) if name not in ("layer", "grid")]
    order = (scores["a"] + scores["b"]).sort_values(ascending=False, kind="stable").index
    best = scores.loc[order].drop_duplicates(keys)[[*keys, "layer"]]
    return found.merge(best, on=[*keys, "layer"])


def _side(name: Any) -> Optional[str]:
    text = "" if pandas.isna(name) else str(name).lower()
    if PARSERS.search(text):
        return B
    return A if PROBES.search(text) else None
