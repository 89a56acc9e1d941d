"""What the benchmarks share: one probe run in this process, without paying the start-up again."""

import json
import os
import tempfile
from pathlib import Path

from allennlp.commands.train import train_model_from_file

import linspector_allennlp  # noqa: F401

CONFIGS = Path(__file__).resolve().parents[1] / "training_configs"
LANGUAGES = {"finnish": "fi", "turkish": "tr"}


def kind_of(task, level="type_level"):
    if level == "token_level":
        return "token_in_context"
    return "paired_forms" if task in ("OddFeat", "SameFeat") else "single_form"


def run(data, task, language, vectors, level="type_level", seed=13, **overrides):
    """Trains the shipped config on a released task; returns its metrics."""
    os.environ.update(
        DATA_DIR=str(Path(data, "linspector_released", level)),
        TASK=task,
        LANGUAGE=language,
        VECTORS=str(vectors),
    )
    overrides.update({f"{name}_seed": seed for name in ("random", "numpy", "pytorch")})
    with tempfile.TemporaryDirectory() as folder:
        train_model_from_file(
            str(CONFIGS / f"{kind_of(task, level)}.jsonnet"), folder, json.dumps(overrides), force=True
        )
        return json.loads(Path(folder, "metrics.json").read_text())
