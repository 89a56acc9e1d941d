"""AllenNLP's own models: not imported by plain runs, there when something needs them, named where missing."""

import json
import subprocess
import sys
from importlib.metadata import version

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer
from allennlp.models import Model

from linspector_allennlp.installation import MODELS_BESIDE
from linspector_allennlp.late_models import import_models
from tests.installation_test import WITHOUT_ALLENNLP

WITHOUT_MODELS = WITHOUT_ALLENNLP.replace(
    'name.split(".")[0] == "allennlp"', 'name.split(".")[0] == "allennlp_models"'
).replace('!= "allennlp"', '!= "allennlp-models"')

CONFIG = """
local downstream = import 'linspector/downstream.libsonnet';
local representations = import 'linspector/representations.libsonnet';
downstream.dep {
  data: 'fixtures/raw/finnish-ud',
  representation: representations.char_ngrams(dimension=8),
  model+: { model+: { %s encoder+: { hidden_size: 8, num_layers: 1, dropout: 0 } } },
  trainer+: { num_epochs: 1 },
}
"""


def run(root, script, *arguments):
    words = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(words, cwd=root, capture_output=True, text=True)


def linspector(root, before, after, *arguments):
    script = f"{before}\nimport linspector, sys\ntry:\n    linspector.main()\nfinally:\n    {after}"
    return run(root, script, *arguments)


LOADED = "print('loaded', 'allennlp_models' in sys.modules, file=sys.stderr)"


def test_a_probe_starts_without_them(root):
    ended = linspector(root, "", LOADED, "train", "--help")
    assert "loaded False" in ended.stderr and "nltk" not in ended.stderr


def test_a_registered_name_is_found(root, tmp_path):
    """As in archives of AllenNLP's own; and no data are downloaded."""
    (tmp_path / "dep.jsonnet").write_text(CONFIG % "type: 'biaffine_parser',")
    ended = linspector(root, "", LOADED, "train", tmp_path / "dep.jsonnet", "-s", tmp_path / "run")
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert "loaded True" in ended.stderr and "nltk" not in ended.stderr + ended.stdout
    record = json.loads((tmp_path / "run/run.json").read_text())
    assert (record["probe"], record["main_metric"]) == ("biaffine_parser", "LAS")


@pytest.mark.parametrize("named", ["", "type: 'biaffine_parser',"])
def test_without_them_a_sentence_names_the_remedy(root, tmp_path, named):
    (tmp_path / "dep.jsonnet").write_text(CONFIG % named)
    arguments = ("train", tmp_path / "dep.jsonnet", "-s", tmp_path / "run")
    ended = linspector(root, WITHOUT_MODELS, "pass", *arguments)
    assert ended.returncode != 0 and "Traceback" not in ended.stderr
    line = next(line for line in ended.stderr.splitlines() if "linspector: error:" in line)
    assert "make setup-downstream" in line and f"pip install --no-deps {MODELS_BESIDE}" in line


def test_what_make_installs_is_what_is_named(root):
    pins = (root / "requirements/downstream-no-deps.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in pins if not line.startswith("#"))
    named = [each.partition("==") for each in MODELS_BESIDE.split()]
    assert {name for name, _, _ in named} == set(pins)
    assert all(pins[name] == number for name, _, number in named if number)
    assert all(version(name) == pins[name] for name in pins)


def test_names_are_looked_up_late():
    assert Model.by_name("biaffine_parser").__module__.startswith("allennlp_models.")
    assert import_models()
    with pytest.raises(ConfigurationError, match="is not a registered name for 'Model'"):
        Model.by_name("no_such_model")
    with pytest.raises(ConfigurationError, match="no_such not in acceptable choices for type"):
        TokenIndexer.from_params(Params({"type": "no_such"}))
    with pytest.raises(ConfigurationError, match="biaffine_parser"):
        TokenIndexer.from_params(Params({"type": "biaffine_parser"}))
