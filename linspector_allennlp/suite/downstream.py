"""Downstream tasks in a suite: what the configs of `downstream.libsonnet` are called as kinds."""

from collections.abc import Mapping
from typing import Any

LEVEL = "downstream"

OF_TREEBANKS = ("downstream.pos", "downstream.dep", "downstream.dep_morphology")
OF_FOLDERS = ("downstream.srl", "downstream.ner", "downstream.nli")
"""Those whose data are in a folder for each language, in formats of their own."""

FOLDER_KEYS = ("downstream", "data", "language")


def is_downstream(kind: str) -> bool:
    return kind.startswith(f"{LEVEL}.")


def task_of_kind(kind: str) -> str:
    """`dep` of `downstream.dep_morphology`."""
    return kind.removeprefix(f"{LEVEL}.").partition("_")[0]


def lacks(kind: str, config: Mapping[str, Any]) -> str:
    """The sentence of a plan that asks for what a run of this kind cannot have."""
    model = config["model"].get("model") or config["model"]
    name = str(model.get("type")).rpartition(".")[2]
    return f"{kind} ({name}) has neither control task nor description length: it is a task, not a probe."
