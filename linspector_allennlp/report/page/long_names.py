"""Names that are too long for figures: on the page they are there once, and shortened elsewhere."""

import hashlib

import pandas

from linspector_allennlp.analysis.tidy_scores import present

NAMES = ("level", "language", "task", "representation", "encoder", "probe", "test", "metric")
LONGEST, BEGINNING = 200, 150


def short_names(table: pandas.DataFrame) -> tuple[pandas.DataFrame, dict[str, str]]:
    """The table with no name of more letters than `LONGEST`, and by the short ones the whole ones."""
    whole: dict[str, str] = {}
    for column in present(table, NAMES):
        names = table[column].dropna().unique()
        short = {name: _short(name) for name in names if len(str(name)) > LONGEST}
        if short:
            table = table.assign(**{column: table[column].replace(short)})
            whole |= {made: str(name) for name, made in short.items()}
    return table, whole


def _short(name: str) -> str:
    """Two names never have the same."""
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{name[:BEGINNING]}… ({len(name)} letters, {digest})"
