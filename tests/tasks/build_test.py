import json
import os
import subprocess
import sys

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.formats import read_single_forms
from linspector_allennlp.io.files import sha256
from linspector_allennlp.tasks import build
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.task_data import TaskData, TooLittleData
from tests.tasks.paradigms import NOUN_TAGS, OTHER_TAGS, VERB_TAGS, paradigm, write_unimorph

RECIPE = {
    "level": "type-level",
    "language": "finnish",
    "settings": {"size": 4, "seed": 0},
    "inputs": {"unimorph": [{"name": "fin", "sha256": "0"}]},
    "versions": {"linspector_allennlp": "0"},
}


class _Writer:
    """A `TaskWriter` for one recipe."""

    def __init__(self, root, recipe, force):
        self._writer = TaskWriter(
            root, recipe["level"], recipe["language"], recipe["settings"], force
        )
        self._made_of = {key: recipe[key] for key in ("inputs", "versions")}
        self.leave_out, self.finish = self._writer.leave_out, self._writer.finish

    def is_there(self, name):
        return self._writer.find(name, self._made_of) is not None

    def write(self, data):
        self._writer.write(data, self._made_of)


def writer_of(root, recipe, force=False):
    return _Writer(root, recipe, force)


def task(name="Case", label="Genitive", kind="single_form"):
    splits = {
        "train": [("yön", label), ("talo", "None")],
        "dev": [("kissan", label)],
        "test": [("koiran", label)],
    }
    return TaskData(name, kind, splits, {"ambiguity": 0.5}, ["a note"])


def content(folder):
    """Every file below a folder with its bytes, and every folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def root_manifest(root):
    return json.loads((root / "manifest.json").read_text(encoding="utf-8"))


@pytest.fixture
def root(tmp_path):
    return tmp_path / "data"


def test_a_task_and_its_manifest(root):
    writer = writer_of(root, RECIPE)
    assert not writer.is_there("Case")
    writer.write(task())
    folder = root / "Case" / "finnish"
    assert set(content(folder)) == {"train.txt", "dev.txt", "test.txt", "manifest.json"}
    rows = [(row.form, row.label) for row in read_single_forms(folder / "train.txt")]
    assert rows == task().splits["train"]
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert {key: manifest[key] for key in RECIPE} == RECIPE
    assert manifest["task"] == "Case" and manifest["kind"] == "single_form"
    assert manifest["facts"] == {"ambiguity": 0.5} and manifest["notes"] == ["a note"]
    assert manifest["labels"] == {"Genitive": 3, "None": 1}
    assert manifest["files"]["train.txt"] == {"rows": 2, "sha256": sha256(folder / "train.txt")}


@pytest.mark.parametrize("bad", [("a\tb", "X"), ("", "X"), ("a",), ("a", "b", "X")])
def test_a_failing_write_leaves_nothing(root, bad):
    broken = task()
    broken.splits["test"].append(bad)
    writer = writer_of(root, RECIPE)
    with pytest.raises(ValueError):
        writer.write(broken)
    assert not root.exists() or content(root) == {}
    writer.finish({})
    assert not (root / "manifest.json").exists()


def test_a_failing_write_keeps_what_is_there(root, monkeypatch):
    writer_of(root, RECIPE).write(task())
    before = content(root)
    writer = writer_of(root, {**RECIPE, "settings": {}}, force=True)
    assert not writer.is_there("Case")

    def full_disk(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(build, "write_json", full_disk)
    with pytest.raises(OSError, match="No space"):
        writer.write(task(label="Partitive"))
    assert content(root) == before


def test_the_same_recipe_has_made_it_already(root):
    writer_of(root, RECIPE).write(task())
    writer = writer_of(root, RECIPE)
    assert writer.is_there("Case") and not writer.is_there("Number")
    writer.finish({})
    assert list(root_manifest(root)["type-level finnish"]["made"]) == ["Case"]


@pytest.mark.parametrize("damage", [lambda p: p.unlink(), lambda p: p.write_text("a\tX\n")])
def test_a_task_that_was_changed_is_not_taken_for_made(root, damage):
    writer_of(root, RECIPE).write(task())
    damage(root / "Case" / "finnish" / "test.txt")
    with pytest.raises(ValueError, match=r"is not as it was made \(test.txt\). --force"):
        writer_of(root, RECIPE).is_there("Case")


def test_another_recipe_needs_force(root):
    writer_of(root, RECIPE).write(task())
    before = content(root)
    other = {**RECIPE, "settings": {"size": 4, "seed": 1}}
    with pytest.raises(ValueError, match="Case/finnish exists and was made otherwise. --force"):
        writer_of(root, other).is_there("Case")
    assert content(root) == before
    writer = writer_of(root, other, force=True)
    assert not writer.is_there("Case")
    writer.write(task(label="Partitive"))
    assert "Partitive" in (root / "Case/finnish/dev.txt").read_text(encoding="utf-8")


def test_what_others_put_there_is_not_ours(root):
    folder = root / "Case" / "finnish"
    folder.mkdir(parents=True)
    (folder / "train.txt").write_text("yön\tGenitive\n")
    with pytest.raises(ValueError, match="exists and was made otherwise"):
        writer_of(root, RECIPE).is_there("Case")


def test_another_level_is_never_replaced(root):
    writer_of(root, RECIPE).write(task())
    for force in (False, True):
        writer = writer_of(root, {**RECIPE, "level": "token-level"}, force)
        with pytest.raises(ValueError, match="holds a type-level task: choose another --output"):
            writer.is_there("Case")


def test_a_broken_manifest_is_named(root):
    writer_of(root, RECIPE).write(task())
    (root / "Case/finnish/manifest.json").write_text("{")
    with pytest.raises(ValueError, match=r"Case/finnish/manifest.json is no JSON: .*mend it"):
        writer_of(root, RECIPE).is_there("Case")


@pytest.mark.parametrize(
    "field, value", [("files", [1]), ("files", {"train.txt": 3}), ("labels", None), ("notes", None)]
)
def test_a_damaged_manifest_is_named(root, field, value):
    writer = writer_of(root, RECIPE)
    writer.write(task())
    path = root / "Case/finnish/manifest.json"
    manifest = json.loads(path.read_text())
    manifest[field] = value
    if value is None:
        del manifest[field]
    path.write_text(json.dumps(manifest))
    with pytest.raises(ValueError, match=f"manifest.json: expected .*{field}"):
        writer_of(root, RECIPE).is_there("Case")


def test_a_damaged_manifest_of_the_root_is_named(root):
    root.mkdir(parents=True)
    (root / "manifest.json").write_text('{"type-level finnish": {"made": [1]}}')
    writer = writer_of(root, RECIPE)
    writer.write(task())
    with pytest.raises(ValueError, match="manifest.json: type-level finnish: expected what was"):
        writer.finish({})


def test_two_at_once_in_one_folder(root):
    """The second is refused, of other languages and levels it is not; nothing is left of the lock."""
    first, second = (TaskWriter(root, "type-level", "finnish", {"seed": n}) for n in (0, 1))
    with first.alone():
        with pytest.raises(
            ValueError, match="finnish type-level: another process is at work there"
        ):
            with second.alone():
                pass
        with TaskWriter(root, "type-level", "turkish", {}).alone():
            pass
        with TaskWriter(root, "token-level", "finnish", {}).alone():
            pass
    assert not root.exists()


def test_the_manifest_of_the_root_has_all_languages_and_levels(root):
    for level, language in [("type-level", "turkish"), ("type-level", "finnish"), ("x", "finnish")]:
        writer = writer_of(root / level, {**RECIPE, "level": level, "language": language})
        writer.write(task())
        writer.leave_out("Voice", "3 forms, 4 needed")
        writer.finish({"unimorph": {"bad_lines": 2}})
    runs = root_manifest(root / "type-level")
    assert list(runs) == ["type-level finnish", "type-level turkish"]
    finnish = runs["type-level finnish"]
    assert finnish["made"]["Case"]["labels"] == {"Genitive": 3, "None": 1}
    assert finnish["not_made"] == {"Voice": "3 forms, 4 needed"}
    assert finnish["reading"] == {"unimorph": {"bad_lines": 2}}


def test_the_manifest_of_the_root_keeps_what_was_made_before(root):
    for name in ("Case", "Number"):
        writer = writer_of(root, RECIPE)
        writer.write(task(name))
        writer.finish({})
    assert set(root_manifest(root)["type-level finnish"]["made"]) == {"Case", "Number"}


def test_the_same_bytes_again(tmp_path):
    roots = [tmp_path / "one", tmp_path / "two"]
    for root, names in zip(roots, (["Case", "Mood"], ["Mood", "Case"])):
        writer = writer_of(root, RECIPE)
        for name in names:
            writer.write(task(name))
            writer.leave_out(f"no {name}", "why")
        writer.finish({})
    one, two = map(content, roots)
    assert one == two
    text = one["Case/finnish/manifest.json"]
    assert text.endswith(b"}\n") and b"\r" not in text and str(tmp_path).encode() not in text


def test_the_command_gives_the_same_bytes_whatever_python_hashes(tmp_path, fixtures):
    """The whole way from file to files; sets and dictionaries of text have another order each."""
    rows = []
    for name, tags in (("noun", NOUN_TAGS), ("verb", VERB_TAGS)):
        suffixes = [chr(ord("a") + n % 13) * (1 + n // 5) for n in range(len(tags))]
        rows += paradigm(name, [f"{name[0]}{n}" for n in range(30)], tags, suffixes)
    rows += [(f"{tag}{n}", f"{tag.lower()}{n}", tag) for tag in OTHER_TAGS for n in range(30)]
    path = write_unimorph(tmp_path / "xyz", rows)
    command = [sys.executable, "-m", "linspector_allennlp", "probe-data", "type-level"]
    command += ["--unimorph", str(path), "--language", "xyz:xyz", "--size", "100"]
    command += ["--lexicon", str(fixtures / "raw/finnish_lexicon.txt")]
    running = [
        subprocess.Popen(
            [*command, "--output", str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for seed in ("1", "2")
    ]
    for process in running:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0, output.decode()
    one, two = content(tmp_path / "1"), content(tmp_path / "2")
    assert one == two
    made = set(json.loads(one["manifest.json"])["type-level xyz"]["made"])
    assert {"Case", "Number", "POS", "TagCount", "OddFeat", "SameFeat"} <= made


def test_a_task_that_can_no_longer_be_made_is_said_to_be_old(root):
    first = writer_of(root, RECIPE)
    first.write(task())
    first.leave_out("Mood", "why")
    first.finish({})
    again = writer_of(root, {**RECIPE, "settings": {"size": 9}}, force=True)
    assert not again.is_there("Case")
    again.leave_out("Case", "3 forms, 9 needed")
    again.finish({})
    run = root_manifest(root)["type-level finnish"]
    assert run["not_made"] == {
        "Case": "3 forms, 9 needed; what is there was made before, otherwise"
    }
    assert run["made"]["Case"]["settings"] == RECIPE["settings"]


def test_a_split_of_one_label_is_no_task():
    data = task()
    with pytest.raises(
        TooLittleData, match="of 4 items in all, those of dev \\(1\\) would all be 'Genitive'"
    ):
        data.check_labels()


def test_what_is_made_at_last_is_no_longer_not_made(root):
    first = writer_of(root, RECIPE)
    first.leave_out("Case", "why")
    first.finish({})
    again = writer_of(root, RECIPE)
    again.write(task())
    again.finish({})
    assert root_manifest(root)["type-level finnish"]["not_made"] == {}


def test_one_file_for_all_splits(root):
    writer = TaskWriter(root, "sentence-level", "finnish", {}, layout="senteval")
    written = writer.write(task(kind="sentence"), {"inputs": {}, "versions": {}})
    folder = root / "Case/finnish"
    text = (folder / "senteval.txt").read_text(encoding="utf-8")
    assert text.splitlines()[::2] == ["tr\tGenitive\työn", "va\tGenitive\tkissan"]
    assert {path.name for path in folder.iterdir()} == {"senteval.txt", "manifest.json"}
    splits = {"train": 2, "dev": 1, "test": 1}
    sha = sha256(folder / "senteval.txt")
    assert written["files"] == {"senteval.txt": {"rows": 4, "splits": splits, "sha256": sha}}
    assert writer.find("Case", {"inputs": {}, "versions": {}}) == written
    with pytest.raises(ConfigurationError, match="format is 'json', but must be one of"):
        TaskWriter(root, "sentence-level", "finnish", {}, layout="json")


def test_settings_of_a_single_task(root):
    writer = TaskWriter(root, "sentence-level", "finnish", {"size": 4})
    made_of = {"inputs": {}, "versions": {}, "settings": {"size": 4, "bins": "1,2"}}
    assert writer.write(task(kind="sentence"), made_of)["settings"] == {"size": 4, "bins": "1,2"}
    assert writer.find("Case", made_of)
    with pytest.raises(ValueError, match="was made otherwise"):
        writer.find("Case", {**made_of, "settings": {"size": 4, "bins": "3"}})
