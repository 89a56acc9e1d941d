"""Every shipped config reads as it should, builds and trains."""

import os
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.jsonnet import evaluate
from linspector_allennlp.suite.job import Job
from tests.representations.tiny_transformers import make_bert

ROOT = Path(__file__).resolve().parents[1]
CONFIGS = ROOT / "training_configs"
LIBRARIES = ROOT / "linspector_allennlp/configs/linspector"
NAMES = sorted(path.stem for path in CONFIGS.glob("*.jsonnet"))
TASKS = {
    "case_fin": ("Case", "type_level"),
    "single_form": ("Number", "type_level"),
    "paired_forms": ("SameFeat", "type_level"),
    "token_in_context": ("Case", "token_level"),
    "paired_tokens": ("OddFeat", "token_level"),
    "sentence": ("SentLen", "sentence_level"),
    "syneval": ("Case", "type_level"),
    "transfer": ("Case", "type_level"),
}

LEVELS = ("type_level", "token_level", "sentence_level")

TREEBANKS = {
    "tagging": "accuracy",
    "tagging_control": "accuracy",
    "distance": "uuas",
    "perceptron": "uuas",
    "depth": "root_accuracy",
    "edges": "accuracy",
}

DOWNSTREAM = {"pos": "accuracy", "dep": "LAS"}
SEMANTIC = {"srl", "ner", "nli", "char_trigram_srl"}  # see downstream/semantic_runs_test.py


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is_for_in_a_few_lines(name):
    lines = (CONFIGS / f"{name}.jsonnet").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("// ")
    assert len(lines) <= 12


@pytest.mark.parametrize("vectors", ["char_ngrams", "finnish.vec"])
@pytest.mark.parametrize("name", TASKS)
def test_it_trains(name, vectors, train, environment, fixtures):
    if vectors == "finnish.vec":
        vectors = str(fixtures / "vectors/finnish.vec")
    environment(*TASKS[name], vectors)
    metrics = train(name, trainer={"num_epochs": 2})
    assert metrics["test_accuracy"] > 0 and metrics["num_labels"] > 2


@pytest.mark.parametrize("layer", ["0", "-1", "[0, 2]", "average", "mix"])
@pytest.mark.parametrize("name", ["single_form", "token_in_context"])
def test_a_transformer_trains(name, layer, train, environment, tmp_path):
    environment(*TASKS[name], f"transformer:{make_bert(tmp_path / 'bert')}:{layer}")
    metrics = train(name, trainer={"num_epochs": 2})
    assert metrics["test_accuracy"] > 0
    assert ("layer_weights" in metrics) == (layer == "mix")


def test_a_layer_that_the_transformer_does_not_have(train, environment, tmp_path):
    environment("Case", vectors=f"transformer:{make_bert(tmp_path / 'bert')}:3")
    with pytest.raises(ConfigurationError, match="layer: expected a number from 0 .* found 3"):
        train("single_form")


@pytest.mark.parametrize("name", TREEBANKS)
def test_a_treebank_trains(name, train, treebank):
    treebank(target="Case")
    metrics = train(name, trainer={"num_epochs": 2})
    assert metrics[f"test_{TREEBANKS[name]}"] > 0 and metrics["num_test_sentences"] == 12


@pytest.mark.parametrize("name", DOWNSTREAM)
def test_a_downstream_task_trains(name, train, treebank):
    treebank()
    lines = (CONFIGS / f"downstream/{name}.jsonnet").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("// ") and len(lines) <= 12
    metrics = train(f"downstream/{name}", trainer={"num_epochs": 2})
    assert metrics[f"test_{DOWNSTREAM[name]}"] > 0 and metrics["num_test_sentences"] == 12


@pytest.mark.parametrize("name", DOWNSTREAM)
def test_the_downstream_settings_are_those_of_the_study(name, treebank):
    treebank()
    path = CONFIGS / f"downstream/{name}.jsonnet"
    config = Params.from_file(str(path)).as_dict(quiet=True)
    model, trainer = config["model"]["model"], config["trainer"]
    loader = config["data_loader"]
    told = (
        model["encoder"]["hidden_size"], loader.get("batch_sampler", loader)["batch_size"],
        trainer["num_epochs"], trainer["patience"], trainer["validation_metric"],
    )  # fmt: skip
    assert (
        told
        == {
            "pos": (300, 32, 40, 10, "+accuracy"),
            "dep": (250, 128, 30, 5, "+LAS"),
        }[name]
    )
    assert trainer["optimizer"] == {"type": "adam", "lr": 0.001}
    if name == "pos":
        assert model["encoder"]["dropout"] == 0.5
    else:
        assert model["encoder"]["num_layers"] == 2
        assert model["pos_tag_embedding"]["embedding_dim"] == 100
        assert model["arc_representation_dim"] == model["tag_representation_dim"] == 200
        assert model["arc_feedforward"]["activations"] == "relu"


def test_no_config_is_missing_here():
    assert set(NAMES) == {*TASKS, *TREEBANKS}
    assert {path.stem for path in CONFIGS.glob("downstream/*")} == {*DOWNSTREAM, *SEMANTIC}


def test_the_defaults_are_linspectors(environment):
    environment("Case")
    config = Params.from_file(str(CONFIGS / "single_form.jsonnet")).as_dict(quiet=True)
    assert config["data_loader"] == {"batch_size": 16, "shuffle": True}
    assert config["model"]["head"] == {"type": "mlp", "hidden_dims": [300], "dropout": 0.5}
    trainer = config["trainer"]
    assert (trainer["num_epochs"], trainer["patience"], trainer["grad_clipping"]) == (20, 5, 5.0)
    assert trainer["validation_metric"] == "+accuracy"
    assert trainer["optimizer"]["lr"] == 0.001


def test_syneval_is_linear(environment):
    environment("Case")
    config = Params.from_file(str(CONFIGS / "syneval.jsonnet")).as_dict(quiet=True)
    assert config["model"]["head"] == {"type": "linear", "dropout": 0.0}
    assert (config["tested_on"], config["held_out"]) == ("test", None)


@pytest.mark.parametrize(
    "name, metric", [("distance", "-loss"), ("depth", "-loss"), ("perceptron", "+uuas")]
)
def test_the_defaults_of_trees_are_those_of_their_studies(name, metric, treebank):
    treebank()
    config = Params.from_file(str(CONFIGS / f"{name}.jsonnet")).as_dict(quiet=True)
    assert config["dataset_reader"]["max_length"] == 50
    assert config["data_loader"] == {"batch_size": 64, "shuffle": True}
    trainer = config["trainer"]
    assert (trainer["validation_metric"], trainer["patience"]) == (metric, 5)
    assert "learning_rate_scheduler" not in trainer


@pytest.mark.parametrize("name", ["tagging", "edges"])
def test_the_defaults_of_control_tasks_are_those_of_their_study(name, treebank):
    treebank()
    trainer = Params.from_file(str(CONFIGS / f"{name}.jsonnet")).as_dict(quiet=True)["trainer"]
    assert (trainer["validation_metric"], trainer["patience"]) == ("-loss", 4)
    assert (trainer["learning_rate_scheduler"], trainer["max_steps"]) == (
        "halve_on_plateau",
        100000,
    )
    assert trainer["optimizer"]["lr"] == 0.001


PRESET = """
    local probe = import 'linspector/probe.libsonnet';
    probe.control_tasks[std.extVar('kind')] + std.extVar('given') {
      data: 'x', representation: { token_indexers: {}, text_field_embedder: {} },
    }
"""


def preset(kind, **given):
    """The probe, its weight decay and its steps: hidden settings are given as such."""
    hidden = "".join(
        f"{name}:: {value!r}, ".replace("True", "true") for name, value in given.items()
    )
    text = PRESET.replace("std.extVar('given')", "{" + hidden + "}")
    config = evaluate(text, kind=kind)
    assert config["data_loader"]["batch_size"] == 16
    trainer = config["trainer"]
    assert (trainer["patience"], trainer["optimizer"]["lr"]) == (4, 0.001)
    part = config["model"]["head" if kind == "tagging" else "scorer"]
    return part, trainer["optimizer"]["weight_decay"], trainer["max_steps"]


def mlp(*hidden_dims, dropout=0, **more):
    both = {"dropout": dropout, "input_dropout": dropout}
    return {"type": "mlp", "hidden_dims": [*hidden_dims], **both, **more}


RELU = {"activation": "relu"}


@pytest.mark.parametrize(
    "kind, given, expected, weight_decay",
    [
        ("tagging", {}, {"type": "low_rank", "rank": 1000, "dropout": 0}, 0),
        ("tagging", {"probe": "mlp1"}, mlp(1000, **RELU), 0),
        ("tagging", {"probe": "mlp2", "size": 45}, mlp(45, 45, **RELU), 0),
        ("tagging", {"probe": "mlp1", "dropout": 0.4}, mlp(1000, dropout=0.4, **RELU), 0),
        ("tagging", {"designed": True}, {"type": "low_rank", "rank": 10, "dropout": 0}, 0),
        ("tagging", {"designed": True, "probe": "mlp2"}, mlp(10, 10, **RELU), 0),
        ("edges", {}, {"type": "bilinear", "rank": 1000, "dropout": 0}, 0),
        ("edges", {"designed": True}, {"type": "bilinear", "rank": 1000, "dropout": 0}, 0.01),
        ("edges", {"designed": True, "probe": "mlp1"}, mlp(1000), 0.1),
        ("edges", {"designed": True, "probe": "mlp2"}, mlp(50, 50), 0),
        ("edges", {"probe": "mlp1", "size": 5, "weight_decay": 10}, mlp(5), 10),
    ],
)
def test_the_probes_of_the_study_of_control_tasks(kind, given, expected, weight_decay):
    assert preset(kind, **given) == (expected, weight_decay, 100000)


def test_its_limits():
    assert preset("tagging", max_steps=1500)[2] == 1500
    series = evaluate("(import 'linspector/probe.libsonnet').control_tasks.series")
    assert series["size"] == {"tagging": [2, 4, 10, 45, 1000], "edges": [5, 10, 50, 100, 1000]}
    assert series["max_steps"] == [1500, 3000, 6000, 12500, 25000, 50000, 100000]
    with pytest.raises(ConfigurationError, match="probe: expected linear, mlp1 or mlp2, found"):
        preset("tagging", probe="bilinear")
    with pytest.raises(ConfigurationError, match="probe: expected bilinear, mlp1 or mlp2, found"):
        preset("edges", probe="linear")


@pytest.mark.parametrize("kind, probe", [("tagging", "linear"), ("edges", "mlp1")])
def test_they_train(kind, probe, fixtures, tmp_path):
    config = f"""
        local probe = import 'linspector/probe.libsonnet';
        local representations = import 'linspector/representations.libsonnet';
        probe.control_tasks.{kind} {{
          data: '{fixtures}/raw/finnish-ud', probe:: '{probe}', designed:: true, max_steps:: 5,
          representation: representations.char_ngrams(),
        }}
    """
    metrics = Job(evaluate(config), tmp_path / "run").run().metrics
    assert metrics["test_accuracy"] > 0 and metrics["training_steps"] == 5


def test_no_probe_of_a_treebank_has_dropout(treebank):
    """LINSPECTOR's .5 is for its own tasks."""
    for name in TREEBANKS:
        treebank()
        model = Params.from_file(str(CONFIGS / f"{name}.jsonnet")).as_dict(quiet=True)["model"]
        assert "dropout" not in str(model), name


def test_no_size_is_typed_into_a_config():
    for path in [*CONFIGS.rglob("*.jsonnet"), *LIBRARIES.glob("*.libsonnet")]:
        text = path.read_text(encoding="utf-8")
        assert "num_labels" not in text and "/home" not in text
        assert not re.search(r"input_dim: *\d+,", text)


@pytest.mark.parametrize(
    "folder", ["training_configs", "configs", "linspector_allennlp/example/configs"]
)
def test_the_example_is_found_from_any_folder(folder, root, monkeypatch):
    for here, path in [(root, f"{folder}/case_fin.jsonnet"), (root / folder, "case_fin.jsonnet")]:
        monkeypatch.chdir(here)
        settings = Params.from_file(path).as_dict(quiet=True)
        assert all(Path(settings[f"{split}_data_path"]).exists() for split in ("train", "test"))


def test_the_package_has_what_it_needs_where_it_is_installed(root):
    """What a wheel has is in the folder of the package, and named in setup.cfg."""
    setup = ConfigParser()
    setup.read(root / "setup.cfg", encoding="utf-8")
    patterns = setup["options.package_data"]["linspector_allennlp"].split()
    package = root / "linspector_allennlp"
    shipped = {path.resolve() for pattern in patterns for path in package.glob(pattern)}
    examples = [root / "fixtures" / name for name in (*LEVELS, "downstream", "raw")]
    needed = [path for folder in examples for path in folder.rglob("*") if path.is_file()]
    needed += [
        *CONFIGS.rglob("*.jsonnet"),
        *LIBRARIES.glob("*"),
        root / "fixtures/vectors/finnish.vec",
        package / "py.typed",
        *(package / "report/page/web").iterdir(),
    ]
    assert shipped == set(needed)


def test_a_missing_variable_is_named(monkeypatch):
    for name in ("DATA_DIR", "TASK", "LANGUAGE", "VECTORS", "TREEBANK", "TARGET"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(RuntimeError, match="DATA_DIR|VECTORS"):
        Params.from_file(str(CONFIGS / "single_form.jsonnet"))


def test_the_wheel_works_on_its_own(root, tmp_path):
    """Built and installed elsewhere, it writes a config and reads it, without the repository."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    source, target = tmp_path / "source", tmp_path / "target"
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "*.egg-info", "tests")
    shutil.copytree(root, source, symlinks=True, ignore=ignored)
    built = ["wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(source)]
    subprocess.run([*pip, *built], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    installed = ["install", "--no-deps", "--target", str(target), str(wheel)]
    subprocess.run([*pip, *installed], check=True, capture_output=True)
    shutil.rmtree(source)
    script = (
        "import linspector_allennlp, sys\n"
        "from linspector_allennlp.suite import Job\n"
        "from linspector_allennlp.commands.new_config import new_config\n"
        "new_config('case_fin')\n"
        "run = Job('case_fin.jsonnet', 'run', overrides={'trainer.num_epochs': 1}).run()\n"
        "print(linspector_allennlp.__file__, run.metrics['num_test'])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    assert result.stdout.splitlines()[-1] == f"{target}/linspector_allennlp/__init__.py 100"
