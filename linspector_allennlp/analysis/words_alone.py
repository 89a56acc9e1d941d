"""
A representation of words alone beside the same one of words in their sentences. The gap is a sign of ambiguity:
what a form does not tell, its sentence does (LINSPECTOR: German Case, 53.4 and 80.8).
"""

import re
from collections.abc import Mapping

import pandas

from linspector_allennlp.analysis.side_by_side import side_by_side, with_interval
from linspector_allennlp.analysis.tidy_scores import need_columns, present
from linspector_allennlp.analysis.types_and_tokens import LEVELS

ALONE = re.compile(r"(.+?)[\s,_(-]+alone\)?", re.IGNORECASE)
A, B = "alone", "in its sentence"


def alone_names(table: pandas.DataFrame) -> dict[str, str]:
    """
    By the name of a representation of words alone, that of the same one of words in their sentences: those of the
    same `source` that differ in `alone`. Of a table without these columns, a name and the same with
    `alone` at its end, as `elmo` and `elmo, alone`.
    """
    need_columns(table, "representation")
    names = table["representation"].dropna().drop_duplicates()
    by_name = {name: match[1] for name in map(str, names) if (match := ALONE.fullmatch(name))}
    found = {name: other for name, other in by_name.items() if other in set(names)}
    if len(present(table, ["alone", "source"])) < 2:
        return found
    facts = table[["representation", "alone", "source"]].drop_duplicates().dropna()
    alone = facts["alone"].astype(bool)
    pairs = facts[alone].merge(facts[~alone], on="source", suffixes=("", "_b"))
    pairs = pairs.drop_duplicates("representation")
    # Without a context there is nothing that a name could tell.
    found = {name: other for name, other in found.items() if name in set(facts["representation"])}
    return found | dict(zip(pairs["representation"], pairs["representation_b"]))


def alone_and_in_sentence(means: pandas.DataFrame, names: Mapping[str, str]) -> pandas.DataFrame:
    """
    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`).
    names : `Mapping[str, str]`
        As `alone_names` gives them.

    # Returns

    `pandas.DataFrame`
        The rows of `side_by_side`, `a` alone and `b` in its sentence, called by the name of the latter, with
        intervals of the differences. None of type level, where all words are alone.
    """
    need_columns(means, "representation", "value")
    first = {other: name for name, other in reversed(list(names.items()))}
    representation = means["representation"]
    is_alone, is_not = (representation.isin(list(each)) for each in (first.values(), first))
    context = pandas.Series(A, means.index).where(is_alone, B)
    kept = is_alone | is_not
    if "level" in means:
        kept &= means["level"].map(LEVELS).ne("type")
    called = representation.map(lambda name: names.get(name, name))
    sides = means.assign(context=context, representation=called)[kept]
    if {A, B} - set(sides["context"]):
        return sides.iloc[:0]
    return with_interval(side_by_side(sides, "context", A, B))
