"""Plans that somebody else has written, or damaged."""

import json

import pytest

from linspector_allennlp.run_folders.study_folder import StudyFolder
from tests.run_folders.made_runs import accuracy, made_study

NAMES = ["", ".", "..", "../run0", "/tmp", "a/b", "a\\b", "a\0b", "ä" * 128, "\ud800", 5, None]


def with_row(folder, **changes):
    study = made_study(folder, [({}, accuracy(0.5))])
    content = json.loads((folder / "suite.json").read_text())
    content["runs"][0].update(changes)
    (folder / "suite.json").write_text(json.dumps(content))
    return study


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_one_folder(tmp_path, name):
    with pytest.raises(ValueError, match=r"suite\.json: .*expected the name of a folder, found "):
        with_row(tmp_path, name=name).plan()
    assert with_row(tmp_path / "good", name="ä" * 127).plan()[0].name == "ä" * 127


@pytest.mark.parametrize("changes, message", [
    ({"digest": 5}, "run0: expected a digest, found 5"),
    ({"columns": None}, "run0: expected columns by name, found None"),
    ({"columns": [1]}, r"run0: expected columns by name, found \[1\]"),
    ({"columns": {"settings": [1]}}, r"run0: expected settings by name, found \[1\]"),
    ({"columns": {"settings": "a"}}, "run0: expected settings by name, found 'a'"),
    ({"other": 1}, "other"),
])  # fmt: skip
def test_rows_of_another_kind(tmp_path, changes, message):
    with pytest.raises(
        ValueError, match=r"suite\.json: expected the plan of a study; .*" + message
    ):
        with_row(tmp_path, **changes).plan()


def test_a_plan_that_is_too_deep(tmp_path):
    (tmp_path / "suite.json").write_text("[" * 200_000)
    with pytest.raises(ValueError, match=r"suite\.json: expected JSON; .*recursion"):
        StudyFolder(tmp_path).plan()
