"""The choice of some runs by what they are called, as `task=Case,layer=3`."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from linspector_allennlp.io.missing_files import nearest
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
            raise ValueError(f"expected conditions such as task=Case,layer=3, found {part!r}.")
        conditions[name.strip()] = value.strip()
    return conditions


def fulfils(columns: Mapping[str, Any], conditions: Conditions) -> bool:
    """Whether a run is called so. A name that is no column is one of the settings that the suite varies."""
    settings = columns.get("settings") or {}
    for name, pattern in conditions.items():
        value = columns.get(name) if name in PLAN_COLUMNS else settings.get(name)
        text = "" if value is None else str(value)
        if isinstance(value, bool):
            text = text.lower()
        several = pattern.split("|")
        if text not in (pattern, *several) and not any(fnmatchcase(text, one) for one in several):
            return False
    return True


def check_conditions(runs: Iterable[Mapping[str, Any]], conditions: Conditions) -> None:
    """Refuses conditions on what is neither a column nor a setting of any of these runs."""
    check_names(conditions, runs)


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
