import json
import os

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.job import Job, control_settings

SHORT = {"trainer.num_epochs": 2}


def test_a_config_with_variables_and_changes(root, fixtures, tmp_path, monkeypatch):
    for name in ("DATA_DIR", "TASK", "LANGUAGE", "VECTORS"):
        monkeypatch.delenv(name, raising=False)
    variables = {
        "DATA_DIR": str(fixtures / "type_level"),
        "TASK": "Case",
        "LANGUAGE": "finnish",
        "VECTORS": "random_vectors",
    }
    config = root / "training_configs/single_form.jsonnet"
    job = Job(config, tmp_path / "run", variables, SHORT)
    assert job.result() is None
    run = job.run()
    assert job.result() == run
    other = Job(config, tmp_path / "run", variables, {"trainer.num_epochs": 3})
    assert other.result() is None, "the run of another config"
    assert run.record.name == "Case/finnish" and run.metrics["epoch"] == 1
    assert run.representation == "random_vectors"
    assert "TASK" not in os.environ
    settings = job.settings()
    again = Job(settings, tmp_path / "again").run()
    assert settings == job.settings(), "the settings were taken apart"
    assert again.record.config == run.record.config
    assert again.metrics["test_accuracy"] == run.metrics["test_accuracy"]


def test_what_is_there_is_not_replaced(root, tmp_path):
    job = Job(root / "training_configs/case_fin.jsonnet", tmp_path / "run", overrides=SHORT)
    first = job.run()
    with pytest.raises(ValueError, match="holds a run already"):
        job.run()
    assert job.run(recover=True).metrics["test_loss"] == first.metrics["test_loss"]
    other = Job(job.config, job.folder, overrides=json.dumps({"trainer.num_epochs": 1}))
    assert other.run(force=True).metrics["epoch"] == 0


def test_a_folder_without_a_run_is_begun(root, tmp_path):
    (tmp_path / "run").mkdir()
    job = Job(root / "training_configs/case_fin.jsonnet", tmp_path / "run", overrides=SHORT)
    assert job.run(recover=True).metrics["epoch"] == 1


def test_a_run_without_a_record_is_refused_before_it_is_trained(root, tmp_path):
    settings = Job(root / "training_configs/case_fin.jsonnet", tmp_path).settings()
    for name in (None, "default"):
        settings["type"] = name
        with pytest.raises(
            ConfigurationError, match="expected a config with the type recorded_run"
        ):
            Job(settings, tmp_path / "run").run()
    assert not (tmp_path / "run").exists()


def test_settings_have_no_variables(tmp_path):
    with pytest.raises(ConfigurationError, match="variables are for a jsonnet file"):
        Job({"a": 1}, tmp_path, {"TASK": "Case"}).settings()


def test_nothing_is_printed(root, tmp_path, capfd):
    Job(root / "training_configs/case_fin.jsonnet", tmp_path / "run", overrides=SHORT).run()
    assert capfd.readouterr().out == ""


def test_changes_of_settings(tmp_path):
    job = Job({"a": {"b": 1, "c": 2}}, tmp_path, overrides={"a.b": 3})
    assert job.settings() == {"a": {"b": 3, "c": 2}} and job.config == {"a": {"b": 1, "c": 2}}
    assert Job({"a": 1}, tmp_path, overrides='{"a": 2}').settings() == {"a": 2}


def test_the_control_of_edges_has_no_relations():
    task = {
        "dataset_reader": {"type": "dependency_tree"},
        "train_data_path": "train",
        "validation_data_path": "dev",
        "model": {"type": "edge_probe", "relation_head": {"type": "linear"}, "scorer": "mlp"},
    }
    reader = {
        "type": "control_task",
        "reader": {"type": "dependency_tree"},
        "train_data_path": "train",
        "seed": 5,
    }
    control = control_settings(task, seed=5)
    assert control["model"] == {"type": "edge_probe", "scorer": "mlp"}
    assert control["dataset_reader"] == reader and control["validation_data_path"] == "dev"
    assert control_settings(task, learnable=False)["validation_data_path"] == "train"
