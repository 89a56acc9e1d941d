"""
Downstream tasks with and without this package: the same AllenNLP model, data and vectors, as a `recorded_run` over
a representation and as AllenNLP trains it alone, with its own readers and its `embedding` of a file.

    python benchmarks/downstream.py scores TREEBANK VECTORS [--task pos] [--epochs 3] [--seeds 3] [--hidden 100]
    python benchmarks/downstream.py epochs TREEBANK VECTORS MODEL [--task pos] [--instances 600]

`scores` prints the test scores of both by seed, and what they took.
`epochs` prints the seconds of a processor that an epoch of a
`recorded_run` takes over static vectors and over what a transformer has computed. TREEBANK is how the names of its
files begin. `--hidden` makes the BiLSTM smaller than the study's, for a machine that has better to do.
"""

import argparse
import json
import sys
import tempfile
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.training import TrainerCallback

import linspector_allennlp  # noqa: F401
from linspector_allennlp.suite import Job, probe_config
from linspector_allennlp.treebanks import read_treebank

SCORES = {"pos": ["accuracy"], "dep": ["UAS", "LAS"]}
SPLITS = {"train_data_path": "train", "validation_data_path": "dev", "test_data_path": "test"}
MODEL_KEYS = ("encoder", "arc_feedforward", "tag_feedforward")


def with_package(given: argparse.Namespace, seed: int, representation: str) -> dict[str, Any]:
    config = probe_config(f"downstream.{given.task}", given.treebank, representation, seed=seed)
    config["trainer"]["num_epochs"] = given.epochs
    if given.hidden:
        model = config["model"]["model"]
        model["encoder"]["hidden_size"] = given.hidden
        for name in MODEL_KEYS[1:]:
            if name in model:
                model[name]["input_dim"] = 2 * given.hidden
    return config


def alone(given: argparse.Namespace, seed: int, folder: Path) -> dict[str, Any]:
    """The same without anything of this package."""
    config = with_package(given, seed, f"word_vectors:{given.vectors}")
    with open(given.vectors, encoding="utf-8") as file:
        dimension = int(file.readline().split()[1])
    model = config["model"]["model"]
    beside = model.get("pos_tag_embedding", {}).get("embedding_dim", 0)
    model["encoder"]["input_size"] = dimension + beside
    embedder = {
        "type": "embedding", "embedding_dim": dimension, "pretrained_file": given.vectors, "trainable": False,
    }  # fmt: skip
    model["text_field_embedder"] = {"token_embedders": {"tokens": embedder}}
    config["model"] = model
    config["type"] = "default"
    config["evaluate_on_test"] = True
    # What is padded takes most of the time of AllenNLP's parser; scores are the same in any order.
    sampler = {"type": "bucket", "batch_size": 128, "sorting_keys": ["words"], "shuffle": False}
    if given.task == "dep":
        config["validation_data_loader"] = {"batch_sampler": sampler}
    del config["downstream"]
    reader = "allennlp_models.structured_prediction.dataset_readers.universal_dependencies"
    config["dataset_reader"] = {"type": f"{reader}.UniversalDependenciesDatasetReader"}
    if given.task == "pos":
        config["dataset_reader"] = {"type": "sequence_tagging", "token_delimiter": "\t"}
        for key, split in SPLITS.items():
            config[key] = str(folder / f"{split}.txt")
            write_tags(f"{given.treebank}-{split}.conllu", Path(config[key]))
    return config


def write_tags(treebank: str, path: Path) -> None:
    """What AllenNLP's reader of tagged text takes."""
    with open(path, "w", encoding="utf-8") as file:
        for sentence in read_treebank([treebank], progress=False):
            file.write("\t".join(f"{word.form}###{word.upos}" for word in sentence.words) + "\n")


def scores(given: argparse.Namespace) -> None:
    print("seed", "with this package", "AllenNLP alone", sep="\t")
    for seed in range(13, 13 + given.seeds):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            ours = Job(
                with_package(given, seed, f"word_vectors:{given.vectors}:unk=random"),
                folder / "ours",
            )
            began = time.process_time()
            metrics = ours.run().metrics
            half = time.process_time()
            with redirect_stdout(sys.stderr):  # where AllenNLP logs, too
                train_model(Params(alone(given, seed, folder)), str(folder / "alone"))
            used = (half - began, time.process_time() - half)
            plain = json.loads((folder / "alone/metrics.json").read_text())
            for name in SCORES[given.task]:
                both = (f"{name} {100 * each[f'test_{name}']:.2f}" for each in (metrics, plain))
                print(seed, *both, sep="\t", flush=True)
            print(seed, *(f"CPU-seconds {each:.0f}" for each in used), sep="\t", flush=True)


@TrainerCallback.register("processor_seconds")
class ProcessorSeconds(TrainerCallback):
    """What the training part of each epoch takes, with the validation after it."""

    of_epochs: list[float] = []

    def on_start(self, trainer: Any, is_primary: bool = True, **kwargs: Any) -> None:
        self.began = time.process_time()

    def on_epoch(self, trainer: Any, metrics: Any, epoch: int, **kwargs: Any) -> None:
        now = time.process_time()
        self.of_epochs.append(now - self.began)
        self.began = now


def epochs(given: argparse.Namespace) -> None:
    print("representation", "seconds of the best epoch", sep="\t")
    found = []
    for name in (f"word_vectors:{given.vectors}", f"transformer:{given.model}"):
        config = with_package(given, 13, name)
        config["trainer"]["callbacks"] = ["processor_seconds"]
        config["dataset_reader"]["max_instances"] = given.instances
        with tempfile.TemporaryDirectory() as temporary:
            ProcessorSeconds.of_epochs.clear()
            Job(config, Path(temporary, "run")).run()
        found.append(min(ProcessorSeconds.of_epochs))
        print(name.split(":")[0], f"{found[-1]:.2f}", sep="\t", flush=True)
    print(f"ratio {found[1] / found[0]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["scores", "epochs"])
    parser.add_argument("treebank")
    parser.add_argument("vectors")
    parser.add_argument("model", nargs="?")
    parser.add_argument("--task", choices=list(SCORES), default="pos")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--hidden", type=int)
    parser.add_argument("--instances", type=int, default=600)
    given = parser.parse_args()
    torch.set_num_threads(1)
    epochs(given) if given.what == "epochs" else scores(given)


if __name__ == "__main__":
    main()
