"""The manifests of task folders, as `probe-data` takes them up again and `describe` shows them."""

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linspector_allennlp.audit.task_audit import audit_task
from linspector_allennlp.commands.data.audit_tables import describe_audits
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.task_data import TaskData
from tests.hostile.case import Case
from tests.hostile.damage import damaged_json

MADE_OF = {"inputs": {"unimorph": {"file": "x.tsv", "sha256": "0"}}, "versions": {"a": "1"}}
SETTINGS = {"size": 4}
ROWS = [("yön", "Gen"), ("talo", "Nom"), ("kissan", "Gen")]


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    good = folder / "good"
    writer = _writer(good)
    splits: dict[str, Any] = {"train": ROWS, "dev": ROWS[:2], "test": ROWS[1:]}
    writer.write(TaskData("Case", "single_form", splits, {"ambiguity": 0.5}, []), MADE_OF)
    writer.finish({})
    number = 0
    for place in ("Case/finnish/manifest.json", "manifest.json"):
        content = json.loads((good / place).read_text())
        for name, damaged in damaged_json(rng, content, 10):
            number += 1
            root = shutil.copytree(good, folder / f"tasks{number}")
            (root / place).write_bytes(damaged)
            # The folder of a task stands for its manifest.
            there = (root / place).parent if place.startswith("Case") else root / place
            yield Case(f"{place}: {name}", there, lambda root=root: _again(root), "either")
            if place.startswith("Case"):
                yield Case(
                    f"{place}, described: {name}",
                    there,
                    lambda root=root: describe_audits([audit_task(root / "Case/finnish")], True),
                    "either",
                    lambda text: "\x1b" not in text,
                )


def _writer(root: Path) -> TaskWriter:
    return TaskWriter(root, "type-level", "finnish", SETTINGS)


def _again(root: Path) -> Any:
    """The same call once more: it finds what it made, or says what is in the way."""
    writer = _writer(root)
    found = writer.find("Case", MADE_OF)
    writer.finish({"unimorph": {}})
    return found
