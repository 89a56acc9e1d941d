"""
What does a step of a small probe cost, alone and in a stack? LINSPECTOR's probe (300 → 300 → labels, batches of
16, 7,000 items) on made-up features: CPU-milliseconds a probe and step, with validation, of the bare loop in
bare_loop.py (plain Adam), of the trainer's own loop, and of stacks of several sizes, in turns in one process:

    python benchmarks/stacked.py [--epochs 2] [--rounds 3]

And with released data, whether probes that are trained together are what they are alone: 24 runs of several
tasks, representations and seeds, as one series, and each by `allennlp train`:

    python benchmarks/stacked.py --data DATA --vectors VECTORS
"""

import argparse
import json
import logging
import tempfile
import time
from pathlib import Path
from statistics import median

import bare_loop
import torch
from allennlp.commands.train import train_model
from allennlp.common import Lazy, Params
from allennlp.data import Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.training.optimizers import Optimizer
from probe_jobs import kind_of, word_task

from linspector_allennlp.models import SingleFormProbe
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.modules import MlpHead
from linspector_allennlp.representations.random_vectors import RandomVectorsEmbedder
from linspector_allennlp.runs.run_series import RunSeries, RunToTrain
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.head_training import HeadTraining, TrainingSettings
from linspector_allennlp.training.stack import Stack
from linspector_allennlp.training.stacked_probe import StackedProbe

DIM, LABELS, TRAIN, DEV = 300, 15, 7000, 2000
SIZES = (1, 2, 3, 4, 8, 12, 16, 24, 48)
TASKS = ("Case", "Number", "OddFeat", "TagCount")


def made_up(size, seed):
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(size, DIM, generator=generator)
    noise = torch.randn(size, LABELS, generator=generator)
    ones = torch.ones(size, dtype=torch.long)
    labels = (2 * values[:, :LABELS] + noise).argmax(dim=1)
    return Features(Ragged(values, ones), {"label": Ragged(labels, ones)})


def new_training(seed, epochs):
    torch.manual_seed(seed)
    vocab = Vocabulary(counter={"labels": {str(n): 100 - n for n in range(LABELS)}})
    embedder = BasicTextFieldEmbedder({"words": RandomVectorsEmbedder(dimension=DIM)})
    head = Lazy(MlpHead, constructor_extras={"dropout": 0.5})
    model = SingleFormProbe(vocab, embedder, head=head)
    settings = TrainingSettings(
        optimizer=Lazy(Optimizer.by_name("fused_adam")),
        learning_rate_scheduler=None,
        num_epochs=epochs,
        patience=None,
        validation_metric="+accuracy",
        grad_norm=None,
        grad_clipping=5.0,
        max_steps=None,
    )
    return HeadTraining(model, SimpleDataLoader([], 16, shuffle=True), settings, seed)


def bare(train, dev, epochs):
    splits = {
        name: (each.values.values, each.targets["label"].values)
        for name, each in (("train", train), ("dev", dev), ("test", dev))
    }
    bare_loop.run(splits, LABELS, 1, epochs, epochs)


def alone(train, dev, epochs):
    training = new_training(1, epochs)
    while not training.finished:
        training.run_epoch(train, dev)


def stacked(data, size, epochs):
    probes = [StackedProbe(new_training(n, epochs), *data[n]) for n in range(size)]
    Stack(probes, size).train()


def measure(epochs, rounds):
    data = [(made_up(TRAIN, n), made_up(DEV, 1000 + n)) for n in range(max(SIZES))]
    ways = {
        "bare loop": (1, lambda: bare(*data[0], epochs)),
        "alone": (1, lambda: alone(*data[0], epochs)),
        **{
            f"stack of {size}": (size, lambda size=size: stacked(data, size, epochs))
            for size in SIZES
        },
    }
    seconds = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (probes, way) in ways.items():
            began = time.process_time()
            way()
            steps = probes * epochs * -(-TRAIN // 16)
            seconds[name].append((time.process_time() - began) / steps)
    first = median(seconds["bare loop"])
    for name, each in seconds.items():
        print(f"{name}: {1000 * median(each):.3f} ms, bare loop ÷ this {first / median(each):.2f}")


def released_runs(data, vectors):
    for task in TASKS:
        for representation in (str(vectors / "fi.vec"), "char_ngrams"):
            for seed in (1, 2, 3):
                overrides = {f"{name}_seed": seed for name in ("random", "numpy", "pytorch")}
                folder = data / "linspector_released" / "type_level"
                job = word_task(
                    "", folder, task, "finnish", representation, kind_of(task), overrides
                )
                yield job.settings()


def compare(data, vectors):
    with tempfile.TemporaryDirectory() as folder:
        runs = [
            RunToTrain(settings, f"{folder}/together/{n}")
            for n, settings in enumerate(released_runs(data, vectors))
        ]
        began = time.process_time()
        ends = RunSeries().train(runs)
        seconds = time.process_time() - began
        assert not any(end.error for end in ends), ends
        epochs, predictions, tested, equal = 0, 0, 0, 0
        for number, run in enumerate(runs):
            train_model(Params(run.settings), f"{folder}/alone/{number}")
            both = [Path(folder, way, str(number)) for way in ("together", "alone")]
            metrics = [json.loads((each / "metrics.json").read_text()) for each in both]
            epochs += metrics[0]["best_epoch"] != metrics[1]["best_epoch"]
            answers = [labels(each / "test_predictions.jsonl") for each in both]
            predictions += sum(ours != theirs for ours, theirs in zip(*answers, strict=True))
            tested += len(answers[0])
            weights = [torch.load(each / "best.th") for each in both]
            equal += all(torch.equal(weights[0][name], weights[1][name]) for name in weights[1])
        print(
            f"{len(runs)} runs together, {seconds / len(runs):.2f} CPU-s each: {epochs} have another best "
            f"epoch than alone; {predictions} of {tested} test predictions differ; the weights of "
            f"{equal} are the same to the bit"
        )


def labels(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line)["label"] for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--vectors", type=Path)
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    if args.data:
        compare(args.data, args.vectors)
    else:
        measure(args.epochs, args.rounds)


if __name__ == "__main__":
    main()
