"""What the benchmarks share: one probe run in this process, without paying the start-up again."""

import json
import os
import tempfile
from pathlib import Path

from allennlp.commands.train import train_model
from allennlp.common import Params

import linspector_allennlp  # noqa: F401

CONFIGS = Path(__file__).resolve().parents[1] / "training_configs"
LANGUAGES = {"finnish": "fi", "turkish": "tr"}


def kind_of(task, level="type_level"):
    if level == "token_level":
        return "token_in_context"
    return "paired_forms" if task in ("OddFeat", "SameFeat") else "single_form"


def run(data, task, language, vectors, level="type_level", seed=13, **trainer):
    """Trains the shipped config, with changes to its trainer, on a released task; returns its metrics."""
    os.environ.update(
        DATA_DIR=str(Path(data, "linspector_released", level)),
        TASK=task,
        LANGUAGE=language,
        VECTORS=str(vectors),
    )
    settings = Params.from_file(str(CONFIGS / f"{kind_of(task, level)}.jsonnet")).as_dict(
        quiet=True
    )
    settings.update({f"{name}_seed": seed for name in ("random", "numpy", "pytorch")})
    settings["trainer"].update(trainer)
    with tempfile.TemporaryDirectory() as folder:
        train_model(Params(settings), folder, force=True)
        return json.loads(Path(folder, "metrics.json").read_text())
