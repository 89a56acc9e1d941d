"""A package imports only from those above it, so that a reader knows where to look."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "linspector_allennlp"

# From the bottom of the house to the roof. `training` may look at everything that a run is made of.
ORDER = [
    "io", "languages", "formats", "treebanks", "trees",
    "sources", "tasks", "dataset_readers", "representations", "modules", "metrics",
    "models", "training", "predictors", "suite", "audit", "analysis",
    "report", "commands",
]  # fmt: skip

# No import crosses from one act to another; what is in no act belongs to all.
ACTS = {
    1: {"sources", "tasks"},
    2: {"dataset_readers", "representations", "modules", "models", "training", "predictors"},
    3: {"suite", "audit", "analysis", "report"},
}
FILES = sorted((ROOT / PACKAGE).rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def room(module):
    return module.split(".")[1] if module.startswith(f"{PACKAGE}.") else None


def room_of(path):
    return path.relative_to(ROOT / PACKAGE).with_suffix("").parts[0]


def act_of(name):
    return next((act for act, rooms in ACTS.items() if name in rooms), None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downwards(path):
    here = room_of(path)
    if here in ("__init__", "__main__"):
        return
    assert here in ORDER, f"{path}: a room that ORDER does not know"
    for there in filter(None, map(room, imports(path))):
        assert ORDER.index(there) <= ORDER.index(here), f"{path} imports {there}"
        acts = {act_of(here), act_of(there)} - {None}
        assert len(acts) < 2 or here == "commands", f"{path} imports {there} of another act"


def test_it_would_notice(tmp_path):
    """The check itself: an import in the wrong direction fails it."""
    assert ORDER.index("training") > ORDER.index("formats")
    bad = tmp_path / "formats.py"
    bad.write_text("from linspector_allennlp.training import ProbeRun")
    (there,) = map(room, imports(bad))
    assert ORDER.index(there) > ORDER.index("formats")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_commands_print(path):
    if room_of(path) in ("commands", "__main__"):
        return
    calls = [
        n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)
    ]
    assert not [call for call in calls if getattr(call.func, "id", None) == "print"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_commands_parse(path):
    """So that all that a command does can be done from Python."""
    assert room_of(path) == "commands" or "argparse" not in imports(path)


def test_class_names_are_unique():
    names = [
        node.name
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert len(names) == len(set(names))
