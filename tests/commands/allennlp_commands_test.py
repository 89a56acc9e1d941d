"""`train` and `evaluate` as the command line calls them, with this package loaded."""

import json
import sys

import pytest
from allennlp.commands import main
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.probe_summary import summarize

SHORT = {"trainer.num_epochs": 1}


@pytest.fixture
def allennlp(monkeypatch, capsys, root):
    """Runs an `allennlp` command; gives what it prints."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["allennlp", *map(str, words)])
        capsys.readouterr()
        main()
        return capsys.readouterr().out

    return run


def contents(folder):
    """AllenNLP goes on logging to the file of the last run in this process."""
    files = [path for path in folder.iterdir() if path.is_file() and path.name != "out.log"]
    return {path.name: path.read_bytes() for path in files}


def test_train_and_evaluate(allennlp, root, fixtures, tmp_path, monkeypatch):
    config, folder = root / "training_configs/case_fin.jsonnet", tmp_path / "run"

    def train(*more, **settings):
        return allennlp("train", config, "-s", folder, "-o", json.dumps(SHORT | settings), *more)

    output = train()
    assert output.endswith(summarize([str(folder)]) + "\n")
    assert "Metrics: {" not in output
    before = contents(folder)

    missing = {"train_data_path": "no_such/train.txt"}
    with pytest.raises((FileNotFoundError, ConfigurationError), match="no_such/train.txt"):
        train("-f", **missing)
    with pytest.raises(ValueError, match='train_data_path was .*, is "no_such/train.txt"'):
        train("--recover", **missing)
    with pytest.raises(ValueError, match="holds a run already"):
        train()
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]

    train("-f", pytorch_seed=5)
    assert json.loads((folder / "run.json").read_text())["seed"] == 5
    assert [path.name for path in tmp_path.iterdir()] == ["run"]

    metrics = json.loads((folder / "metrics.json").read_text())
    test = fixtures / "type_level/Case/finnish/test.txt"
    output = allennlp("evaluate", folder / "model.tar.gz", test)
    assert f"accuracy  {metrics['test_accuracy']:.4f}\n" in output


def test_a_run_without_a_record_is_left_to_allennlp(allennlp, root, tmp_path):
    """AllenNLP's own run type, with its own way to overwrite."""
    config = root / "training_configs/case_fin.jsonnet"
    overrides = json.dumps({"type": "default", "trainer.type": "gradient_descent", **SHORT})
    output = allennlp("train", config, "-s", tmp_path / "run", "-o", overrides)
    assert not (tmp_path / "run/run.json").exists()
    assert (tmp_path / "run/metrics.json").exists()
    assert "test accuracy" not in output


def test_a_folder_that_is_no_run_is_left_alone_by_any_config(allennlp, root, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine")
    config = root / "training_configs/case_fin.jsonnet"
    overrides = json.dumps({"type": "default", "trainer.type": "gradient_descent", **SHORT})
    with pytest.raises(ValueError, match="mine is not the folder of a run"):
        allennlp("train", config, "-s", tmp_path / "mine", "-f", "-o", overrides)
    assert (tmp_path / "mine/notes.txt").read_text() == "mine"


@pytest.mark.parametrize("overrides", ["[]", "null", "1", '"x"'])
def test_overrides_must_be_an_object(allennlp, root, tmp_path, overrides):
    config = root / "training_configs/case_fin.jsonnet"
    with pytest.raises(ConfigurationError, match="-o: expected an object"):
        allennlp("train", config, "-s", tmp_path / "run", "-o", overrides)
