"""Configs anywhere find the libraries, by AllenNLP's own command and by ours."""

import json
import subprocess
import sys

import allennlp.common.params
import pytest
from allennlp.common import Params

from linspector_allennlp.jsonnet import evaluate, find_libraries

CONFIG = """
local probe = import 'linspector/probe.libsonnet';
local representations = import 'linspector/representations.libsonnet';
probe.single_form {
  data: probe.example + '/type_level/Case/finnish',
  representation: representations.char_ngrams(),
}
"""


def test_a_config_in_any_folder(tmp_path, monkeypatch):
    (tmp_path / "my.jsonnet").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    settings = Params.from_file("my.jsonnet").as_dict(quiet=True)
    assert settings["type"] == "probe_run"
    assert settings["train_data_path"].endswith("/example/type_level/Case/finnish/train.txt")


def test_once_is_enough():
    before = allennlp.common.params.evaluate_file, allennlp.common.params.evaluate_snippet
    find_libraries()
    assert (allennlp.common.params.evaluate_file, allennlp.common.params.evaluate_snippet) == before


@pytest.mark.parametrize("several", [False, True])
def test_folders_of_the_caller_come_first(several, tmp_path):
    (tmp_path / "linspector").mkdir()
    (tmp_path / "linspector/probe.libsonnet").write_text("'mine'")
    folders = [str(tmp_path)] if several else str(tmp_path)
    expression = "[import 'linspector/probe.libsonnet', import 'linspector/control.libsonnet']"
    found = allennlp.common.params.evaluate_snippet("test", expression, jpathdir=folders)
    assert json.loads(found) == ["mine", {}]


def test_values_of_an_expression():
    values = {"text": "ä'\"\\", "number": 0.5, "list": [1, None, True]}
    assert (
        evaluate("{ [n]: std.extVar(n) for n in ['text', 'number', 'list'] }", **values) == values
    )


@pytest.mark.parametrize("command", ["allennlp", "plugins"])
def test_allennlps_own_command(command, tmp_path):
    """In a process of its own, where nothing of ours has been imported."""
    (tmp_path / "my.jsonnet").write_text(CONFIG)
    arguments = ["train", "my.jsonnet", "-s", "run", "--dry-run"]
    if command == "allennlp":
        arguments += ["--include-package", "linspector_allennlp"]
    else:
        (tmp_path / ".allennlp_plugins").write_text("linspector_allennlp\n")
    result = subprocess.run(
        [sys.executable, "-m", "allennlp", *arguments],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "run/vocabulary").is_dir()
