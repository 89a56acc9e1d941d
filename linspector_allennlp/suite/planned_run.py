import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from linspector_allennlp.run_folders.run_record import config_digest
from linspector_allennlp.run_folders.study_folder import PlannedRow
from linspector_allennlp.run_folders.table_columns import PLAN_COLUMNS

# What tells a run of a suite from the others, in the order of the table.
COLUMNS = tuple(PLAN_COLUMNS)

NAMED_BY = (
    "task", "language", "representation", "layer", "epoch", "encoder", "probe", "test", "seed",
)  # fmt: skip
LONGEST_NAME = 100


@dataclass(frozen=True)
class PlannedRun:
    """
    A run of a suite: its config, and what the suite calls it.

    # Parameters

    settings : `Mapping[str, Any]`
        The config, as `Job` takes it.
    columns : `Mapping[str, Any]`
        By `COLUMNS` what it is called in the table: text, numbers, `None`; `settings` are those that the
        suite varies, by name; `control` is whether it is the control task.
    """

    settings: Mapping[str, Any]
    columns: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """That of the config, as `run.json` has it."""
        return config_digest(self.settings)

    @cached_property
    def name(self) -> str:
        """The name of its folder: readable, and another one for other settings."""
        columns = self.columns
        there = [key for key in NAMED_BY if columns.get(key) is not None]
        parts = [f"epoch{columns[key]}" if key == "epoch" else str(columns[key]) for key in there]
        parts += [f"{key}={value}" for key, value in (columns.get("settings") or {}).items()]
        parts += ["control"] if columns.get("control") else []
        readable = re.sub(r"[^\w.=+-]+", "_", "-".join(parts), flags=re.ASCII)
        return f"{readable[:LONGEST_NAME].strip('-._')}-{self.digest[:10]}"

    @property
    def row(self) -> PlannedRow:
        """What the study's plan says of it."""
        return PlannedRow(self.name, self.digest, self.columns)
