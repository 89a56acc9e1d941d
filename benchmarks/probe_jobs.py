"""What the benchmarks share: shipped configs as jobs in this process, without paying the start-up again."""

import tempfile
from pathlib import Path

import linspector_allennlp  # noqa: F401
from linspector_allennlp.suite.job import Job

CONFIGS = Path(__file__).resolve().parents[1] / "training_configs"
LANGUAGES = {"finnish": "fi", "turkish": "tr"}
EMBEDDER = "model.text_field_embedder.token_embedders.words"


def kind_of(task, level="type_level"):
    in_pairs = task in ("OddFeat", "SameFeat")
    if level == "token_level":
        return "paired_tokens" if in_pairs else "token_in_context"
    return "paired_forms" if in_pairs else "single_form"


def word_task(folder, data_dir, task, language, vectors, kind, overrides):
    """The job of a task of words."""
    variables = {"DATA_DIR": str(data_dir), "TASK": task, "LANGUAGE": language}
    variables["VECTORS"] = str(vectors)
    return Job(CONFIGS / f"{kind}.jsonnet", folder, variables, overrides)


def run_released(data, task, language, vectors, level="type_level", seed=13, **trainer):
    """Trains the shipped config, with changes to its trainer, on a released task; gives its metrics."""
    overrides = {f"{name}_seed": seed for name in ("random", "numpy", "pytorch")}
    overrides.update({f"trainer.{name}": value for name, value in trainer.items()})
    data_dir = Path(data, "linspector_released", level)
    with tempfile.TemporaryDirectory() as folder:
        kind = kind_of(task, level)
        job = word_task(Path(folder, "run"), data_dir, task, language, vectors, kind, overrides)
        return job.run().metrics


def treebank_job(folder, kind, treebank, embedder, target="upos", **overrides):
    """The job of a treebank; `overrides` are of the model."""
    variables = {"TREEBANK": str(treebank), "TARGET": target, "VECTORS": "char_ngrams"}
    changes = {EMBEDDER: embedder, **{f"model.{name}": each for name, each in overrides.items()}}
    return Job(CONFIGS / f"{kind}.jsonnet", folder, variables, changes)


def finished(job):
    """The run of a job: what is there already, or trained now."""
    return job.result() or job.run(force=True)


def transformer(model, layer, **settings):
    return {"type": "transformer_layer", "model": str(model), "layer": layer, **settings}


def random_transformer(model, layer):
    return transformer(model, layer, weights="random", seed=13)
