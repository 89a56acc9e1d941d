"""The doors of AllenNLP's commands: `evaluate`, `predict`, and parts that configs take from archives."""

import json
import os
import sys

import pytest
import torch
from allennlp.commands import main
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model, SimpleTagger, archival
from allennlp.modules import Seq2SeqEncoder
from allennlp.nn.initializers import PretrainedModelInitializer
from allennlp.predictors import Predictor
from allennlp.training.optimizers import Optimizer

from linspector_allennlp.representations.archives import guarded
from linspector_allennlp.representations.archives.load import load_model
from linspector_allennlp.representations.archives.unpack import unpack_archive
from tests.representations.tagger_archive import pack

PACKAGE = "tests.representations.users_package"
SENTENCE = '{"sentence": "koira juoksee"}\n'


@pytest.fixture
def archive(tagger_run, tmp_path):
    """An archive of the tagger with other settings, weights or members."""

    def make(weights=None, members=None, config=None, **settings):
        content = json.loads((tagger_run / "config.json").read_text()) | (config or {})
        content["model"] = {**content["model"], **settings}
        (tmp_path / "config.json").write_text(json.dumps(content))
        torch.save(weights or torch.load(tagger_run / "best.th"), tmp_path / "weights.th")
        files = {name: tmp_path / name for name in ("config.json", "weights.th")}
        files = {**files, "vocabulary": tagger_run / "vocabulary", **(members or {})}
        return pack(tmp_path / "model.tar.gz", files)

    return make


@pytest.fixture
def run(monkeypatch, tmp_path):
    def run(*words):
        monkeypatch.setattr(sys, "argv", ["linspector", *map(str, words)])
        main()

    return run


@pytest.fixture
def sentence(tmp_path):
    (tmp_path / "input.jsonl").write_text(SENTENCE)
    return tmp_path / "input.jsonl"


@Predictor.register("tests_plain", exist_ok=True)
class PlainPredictor(Predictor):
    """As most are, without a pipeline of spaCy's."""


class Evil:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def test_an_ordinary_archive(archive, run, sentence, tagger_run, tmp_path, capsys):
    path, output = archive(), tmp_path / "answers.jsonl"
    options = ["--predictor", "tests_plain", "--use-dataset-reader"]
    run("predict", path, tagger_run.parent / "tagged.txt", *options, "--output-file", output)
    assert "tags" in json.loads(output.read_text().splitlines()[0])
    run("evaluate", path, tagger_run.parent / "tagged.txt")
    assert "accuracy" in capsys.readouterr().out
    opened = archival.load_archive(path)
    assert isinstance(opened.model, SimpleTagger)
    assert opened.config["trainer"]["num_epochs"] == 2
    saved = torch.load(tagger_run / "best.th")
    assert all(torch.equal(t, saved[name]) for name, t in opened.model.state_dict().items())


def test_overrides_are_the_users(archive):
    opened = archival.load_archive(archive(), overrides='{"model.verbose_metrics": true}')
    assert opened.model._verbose_metrics


@pytest.mark.parametrize(
    "config",
    [
        {"model": {"type": "subprocess.getoutput", "cmd": "touch X"}},
        {"dataset_reader": {"type": "subprocess.getoutput", "cmd": "touch X"}},
        {"validation_data_loader": {"type": "subprocess.getoutput", "cmd": "touch X"}},
        {"evaluation": {"type": "subprocess.getoutput", "cmd": "touch X"}},
    ],
)
def test_no_setting_runs_code(archive, run, config, sentence, tmp_path):
    touched = tmp_path / "touched"
    text = json.dumps(config).replace("touch X", f"touch {touched}")
    changed = json.loads(text)
    path = archive(
        config={k: v for k, v in changed.items() if k != "model"}, **changed.get("model", {})
    )
    for command in ("evaluate", "predict"):
        with pytest.raises(ConfigurationError, match="type = 'subprocess.getoutput' imports and"):
            run(command, path, sentence)
    assert not touched.exists()


@pytest.mark.parametrize(
    "function", ["os.system", "linspector_allennlp.io.files.replace_folder", "allennlp.x.y"]
)
def test_no_network_is_loaded_by_a_function_that_an_archive_names(archive, run, sentence, function):
    network = {"type": "module_layers", "function": function, "module": "x"}
    path = archive(text_field_embedder={"token_embedders": {"tokens": network}})
    for command in ("evaluate", "predict"):
        with pytest.raises(ConfigurationError, match=f"function = '{function}' imports and calls"):
            run(command, path, sentence)
    with pytest.raises(ConfigurationError, match=f"function = '{function}' imports and calls"):
        load_model(unpack_archive(path))


def test_no_member_leads_out(archive, sentence, run, tmp_path):
    (tmp_path / "evil").write_text("x")
    path = archive(members={"../../outside": tmp_path / "evil"})
    for command in ("evaluate", "predict"):
        with pytest.raises(ValueError, match="outside': a path that leads out of the folder"):
            run(command, path, sentence)
    with pytest.raises(ValueError, match="leads out"), archival.extracted_archive(path):
        pass
    with pytest.raises(ValueError, match="leads out"):
        PretrainedModelInitializer(str(path))


def test_no_weights_run_code(archive, sentence, run, tagger_run, tmp_path):
    touched = tmp_path / "touched"
    path = archive({**torch.load(tagger_run / "best.th"), "evil": Evil(touched)})
    with pytest.raises(
        ValueError, match="model.tar.gz/weights.th: .*a pickle that calls posix.system"
    ):
        run("predict", path, sentence)
    with pytest.raises(ValueError, match="posix.system"):
        Predictor.from_path(str(path))
    with pytest.raises(ValueError, match="posix.system"):
        Model.from_params(Params({"type": "from_archive", "archive_file": str(path)}))
    assert not touched.exists()


def test_nothing_is_left_behind(archive, monkeypatch, tmp_path):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    archival.load_archive(archive())
    assert not list((tmp_path / "temporary").iterdir())


def test_a_package_that_is_named(archive, monkeypatch, run, tagger_run, capsys):
    monkeypatch.setattr(guarded, "_trusted", {})
    path = archive(encoder={"type": f"{PACKAGE}.UsersEncoder", "input_dim": 9})
    command = "evaluate", path, tagger_run.parent / "tagged.txt"
    with pytest.raises(ConfigurationError, match="UsersEncoder' imports and calls what it names"):
        run(*command)
    with pytest.raises(ValueError, match="these weights cannot be loaded"):  # it has none
        run(*command, "--include-package", PACKAGE)


def test_a_config_of_the_users_own_calls_no_function():
    with pytest.raises(
        ConfigurationError, match="subprocess.getoutput: expected the path of a Mod"
    ):
        Model.from_params(Params({"type": "subprocess.getoutput", "cmd": "exit 3"}))
    assert Optimizer.by_name("torch.optim.Adam") is torch.optim.Adam
    assert Seq2SeqEncoder.by_name("torch.nn.LSTM") is torch.nn.LSTM
    assert guarded.trusted_packages()[0] == "allennlp"


def test_a_damaged_archive(archive, sentence, run):
    path = archive()
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match="model.tar.gz: expected a whole model.tar.gz"):
        run("evaluate", path, sentence)
