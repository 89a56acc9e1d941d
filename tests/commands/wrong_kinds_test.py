"""A config with a value of the wrong kind: one sentence with file, key and value."""

import json
import sys

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides

import linspector
from linspector_allennlp.commands.wrong_kinds import naming_wrong_kinds
from linspector_allennlp.suite import probe_config


@pytest.mark.parametrize(
    "key, value, sentence",
    [
        ("trainer.optimizer.type", 0.5, "expected a string, the name of a class, found 0.5."),
        ("type", [], "expected a string, the name of a class, found []."),
        ("trainer.num_epochs", "ten", "expected a int, found 'ten'."),
        ("numpy_seed", [], "expected a whole number from 0 on, below 2 ** 32 for NumPy, found []."),
        (
            "random_seed",
            -1,
            "expected a whole number from 0 on, below 2 ** 32 for NumPy, found -1.",
        ),
        ("model", "probe", "expected an object of settings, found 'probe'."),
        ("dataset_reader", None, "expected a value, found null."),
        ("model.text_field_embedder", "no", "type: there is no no."),
        ("model.head.type", "mpl", "there is no mpl. Did you mean mlp?"),
    ],
)
def test_the_key_is_named(fixtures, tmp_path, monkeypatch, capsys, key, value, sentence):
    settings = probe_config("single_form", fixtures / "type_level/Number/finnish", "char_ngrams")
    path, changes = tmp_path / "run.json", json.dumps({key: value})
    path.write_text(json.dumps(settings))
    words = ["linspector", "train", path, "-s", tmp_path / "run", "-o", changes]
    monkeypatch.setattr(sys, "argv", list(map(str, words)))
    with pytest.raises(SystemExit):
        linspector.main()
    said = capsys.readouterr().err.split("linspector: error: ")[1]
    assert said.startswith(f"{path}: {key}: {sentence}")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "part, settings, sentence",
    [
        ("model.head", {"model.head.hidden_dims": [0.5]}, "it cannot be built, found {"),
        ("trainer", {"trainer.optimizer": 7}, "expected objects of settings in it, found {"),
    ],
)
def test_what_nobody_checks_is_said_of_what_was_built(
    fixtures, tmp_path, monkeypatch, capsys, part, settings, sentence
):
    config = probe_config("single_form", fixtures / "type_level/Number/finnish", "char_ngrams")
    path = tmp_path / "run.json"
    path.write_text(json.dumps(with_overrides(config, settings)))
    words = ["linspector", "train", path, "-s", tmp_path / "run"]
    monkeypatch.setattr(sys, "argv", list(map(str, words)))
    with pytest.raises(SystemExit):
        linspector.main()
    said = capsys.readouterr().err.split("linspector: error: ")[1]
    assert said.startswith(f"{path}: {part}: {sentence}")


def test_an_error_that_is_not_of_the_config_is_left_alone():
    with pytest.raises(TypeError, match="ours"):
        with naming_wrong_kinds("run.json", {}):
            raise TypeError("ours")
    with pytest.raises(ConfigurationError, match="^data$"):
        with naming_wrong_kinds("run.json", {}):
            raise ConfigurationError("data")
