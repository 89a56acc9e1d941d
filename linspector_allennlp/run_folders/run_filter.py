"""The choice of some runs by what they are called, as `task=Case,layer=3`."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from linspector_allennlp.io.missing_files import listed, nearest
from linspector_allennlp.run_folders.table_columns import PLAN_COLUMNS

Conditions = Mapping[str, str]


def read_conditions(text: str) -> Conditions:
    """
    Conditions by column. A value may have `*` and `?`, as names of files may, and several are divided by
    `|`: `task=Case|Number`. Without a value, a column has to be empty.
    """
    conditions = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, sign, value = part.partition("=")
        if not sign or not name:
            raise ValueError(f"expected conditions such as task=Case,layer=3, found {part!r:.200}.")
        conditions[name.strip()] = value.strip()
    return conditions


def fulfils(columns: Mapping[str, Any], conditions: Conditions) -> bool:
    """Whether a run is called so. A name that is no column is one of the settings that the suite varies."""
    return all(
        any(_matches(_text(columns, name), value) for value in (pattern, *pattern.split("|")))
        for name, pattern in conditions.items()
    )


def check_conditions(runs: Sequence[Mapping[str, Any]], conditions: Conditions) -> None:
    """Refuses a condition that none of these runs fulfils, be it of its name or of its value."""
    check_names(conditions, runs)
    for name, pattern in conditions.items():
        there = sorted({_text(columns, name) for columns in runs})
        for value in pattern.split("|"):
            if pattern not in there and not any(_matches(text, value) for text in there):
                raise ValueError(
                    f"no run has {name}={value}.{nearest(value, there)} There are: "
                    f"{listed([text or 'nothing' for text in there])}."
                )


def _text(columns: Mapping[str, Any], name: str) -> str:
    settings = columns.get("settings") or {}
    value = columns.get(name) if name in PLAN_COLUMNS else settings.get(name)
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.12g}"  # as tables have it: 1, not 1.0
    return str(value).lower() if isinstance(value, bool) else str(value)


def _matches(text: str, pattern: str) -> bool:
    return text == pattern or fnmatchcase(text, pattern)


def check_names(
    names: Iterable[str], runs: Iterable[Mapping[str, Any]], also: Sequence[str] = ()
) -> None:
    """Refuses a name that is neither a column nor a setting of any of these runs, nor one of others."""
    settings = {name for columns in runs for name in columns.get("settings") or {}}
    known = [*PLAN_COLUMNS, *also, *sorted(settings - {*PLAN_COLUMNS, *also})]
    for name in names:
        if name not in known:
            raise ValueError(
                f"there is no column {name}.{nearest(name, known)} There are: {', '.join(known)}."
            )
