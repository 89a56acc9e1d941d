"""What the benchmarks of syntax share: a probe run on a treebank in this process."""

import json
from pathlib import Path

from allennlp.commands.train import train_model
from allennlp.common import Params

import linspector_allennlp  # noqa: F401

CONFIGS = Path(__file__).resolve().parents[1] / "training_configs"


def config_of(kind, treebank, representation, changes="{}"):
    """A config as a user would write it; `representation` and `changes` are jsonnet."""
    return (
        f"local probe = import '{CONFIGS}/lib/probe.libsonnet';\n"
        f"local reps = import '{CONFIGS}/lib/representations.libsonnet';\n"
        f"probe.{kind} {{ data: '{treebank}', representation: {representation} }} + {changes}\n"
    )


def run(kind, treebank, representation, folder, changes="{}"):
    """Trains it into a folder, or takes what is there already; returns its metrics."""
    folder = Path(folder)
    if not (folder / "metrics.json").exists():
        config = folder.with_suffix(".jsonnet")
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(config_of(kind, treebank, representation, changes), encoding="utf-8")
        train_model(Params.from_file(str(config)), str(folder), force=True)
    return json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
