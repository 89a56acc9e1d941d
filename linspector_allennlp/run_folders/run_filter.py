"""The choice of some runs by what they are called, as `task=Case,layer=3`."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from linspector_allennlp.run_folders.table_columns import PLAN_COLUMNS

Conditions = Mapping[str, str]


def read_conditions(text: str) -> Conditions:
    """
    Conditions by column. A value may have `*` and `?`, as names of files may; without a value, a column
    has to be empty.
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
        if text != pattern and not fnmatchcase(text, pattern):
            return False
    return True


def check_conditions(runs: list[Mapping[str, Any]], conditions: Conditions) -> None:
    """Refuses a name that is neither a column nor a setting of any of these runs."""
    settings = {name for columns in runs for name in columns.get("settings") or {}}
    for name in conditions:
        if name not in PLAN_COLUMNS and name not in settings:
            raise ValueError(
                f"there is no column {name}: expected one of {', '.join([*PLAN_COLUMNS, *sorted(settings)])}."
            )
