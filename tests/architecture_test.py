"""A package imports only from those above it, so that a reader knows where to look."""

import ast
from pathlib import Path

import pytest
from allennlp.models import Model

from linspector_allennlp.models import Probe

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "linspector_allennlp"

# What some representations are made of: rooms and files of their own, below the embedders.
BELOW_REPRESENTATIONS = [
    "words", "named_files",
    "vector_files", "sentence_vectors", "hidden_states", "hugging_face", "archives",
    "elmo",
]  # fmt: skip

# From the bottom of the house to the roof. `training` may look at everything that a run is made of.
ORDER = [
    "installation", "late_models", "io", "jsonnet", "example_files", "languages", "tokenizing",
    "treebank_parts", "formats", "sentence_files", "treebanks", "propositions", "trees", "run_folders",
    "sources", "tasks", "vectors", "fields", "dataset_readers",
    *(f"representations.{name}" for name in BELOW_REPRESENTATIONS), "representations",
    "encoders", "modules", "metrics", "downstream",
    "models", "training", "runs", "predictors", "audit", "analysis", "suite",
    "report", "commands",
]  # fmt: skip

# No import crosses from one act to another; what is in no act belongs to all.
ACTS = {
    1: {"sources", "tasks", "vectors"},
    2: {
        "fields",
        "dataset_readers",
        "representations",
        "encoders",
        "modules",
        "downstream",
        "models",
        "training",
        "runs",
        "predictors",
    },
    3: {"audit", "analysis", "suite", "report"},
}
# Where a suite has its runs trained, many in one process.
DOORS = {("suite", f"{PACKAGE}.runs.run_series")}

FILES = sorted((ROOT / PACKAGE).rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def room(module):
    """The room of a module of ours: its package or, where ORDER knows that, a room in it."""
    package, *parts = module.split(".")
    if package != PACKAGE or not parts:
        return None
    inner = ".".join(parts[:2])
    return inner if inner in ORDER else parts[0]


def room_of(path):
    return room(".".join([PACKAGE, *path.relative_to(ROOT / PACKAGE).with_suffix("").parts]))


def act_of(name):
    return next((act for act, rooms in ACTS.items() if name.split(".")[0] in rooms), None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downwards(path):
    here = room_of(path)
    if here in ("__init__", "__main__"):
        return
    assert here in ORDER, f"{path}: a room that ORDER does not know"
    for module in imports(path):
        there = room(module)
        if there is None or (here, module) in DOORS:
            continue
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


def test_rooms_in_rooms():
    names = ["words", "archives.load", "word_embedder", "archives_of_others.load"]
    modules = [f"{PACKAGE}.representations", *(f"{PACKAGE}.representations.{n}" for n in names)]
    assert list(map(room, modules)) == [
        "representations", "representations.words", "representations.archives",
        "representations", "representations",
    ]  # fmt: skip
    assert room(PACKAGE) is None and room("allennlp.representations.words") is None
    folder = ROOT / PACKAGE / "representations"
    for name in BELOW_REPRESENTATIONS:
        assert (folder / name).is_dir() or (folder / f"{name}.py").is_file(), name
    known = {path.parent for path in folder.rglob("*.py")} - {folder}
    assert {path.name for path in known} <= set(BELOW_REPRESENTATIONS)
    assert act_of("representations.words") == act_of("representations") == 2


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


def levels_above(cls, base):
    """How many classes of ours there are between a framework's class and this one, itself included."""
    ours = [each for each in cls.__mro__ if each.__module__.startswith(PACKAGE)]
    return len([each for each in ours if issubclass(each, base)])


def test_no_probe_is_more_than_three_levels_deep():
    registered = [Model.resolve_class_name(name)[0] for name in Model.list_available()]
    probes = [cls for cls in registered if issubclass(cls, Probe)]
    assert len(probes) >= 8
    for probe in probes:
        assert levels_above(probe, Model) <= 3, probe
        assert all(
            len(each.__bases__) == 1
            for each in probe.__mro__
            if each.__module__.startswith(PACKAGE)
        )


def test_training_names_no_kind_of_probe():
    """Neither by an import nor by a question: what differs between probes is theirs to answer."""
    kinds = {cls.__name__ for cls in subclasses(Probe)}
    assert {"LabelProbe", "TreeProbe", "EdgeProbe", "SingleFormProbe"} <= kinds
    for path in FILES:
        if room_of(path) != "training":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not names & kinds, path
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if getattr(call.func, "id", None) == "isinstance":
                assert "Probe" not in {n.id for n in ast.walk(call) if isinstance(n, ast.Name)}, (
                    path
                )


def subclasses(cls):
    return {cls, *(each for child in cls.__subclasses__() for each in subclasses(child))} - {Probe}
