"""
How long is an epoch? In one run and on one thread, seconds per epoch (training and validation) of
the trainer `frozen_probe`, of the bare loop in bare_loop.py, and of AllenNLP's `gradient_descent`,
on real data with static vectors, for the three kinds of tasks:

    python benchmarks/train_speed.py DATA VECTORS

The three take turns, `--rounds` times; the median epoch of each is compared.
"""

import argparse
import logging
import time
from pathlib import Path
from statistics import median

import torch
from allennlp.training.callbacks import TrainerCallback
from bare_loop import run as run_bare
from plain_features import PlainFeatures
from probe_jobs import run_released

TASKS = [
    ("single_form", "type_level", "Case"),
    ("paired_forms", "type_level", "OddFeat"),
    ("token_in_context", "token_level", "Case"),
]


@TrainerCallback.register("epoch_times")
class EpochTimes(TrainerCallback):
    """Notes when each epoch ends, whatever the trainer."""

    ends: list = []

    def on_epoch(self, trainer, metrics, epoch, **kwargs):
        EpochTimes.ends.append(time.perf_counter())


def epochs_of(trainer, data, level, task, vectors, num_epochs, optimizer):
    """Seconds of each epoch but the first, which has no beginning to count from."""
    EpochTimes.ends.clear()
    settings = {"type": trainer, "num_epochs": num_epochs, "patience": None, "optimizer": optimizer}
    if trainer == "gradient_descent":
        settings["run_confidence_checks"] = False
    run_released(data, task, "turkish", vectors, level, callbacks=["epoch_times"], **settings)
    ends = EpochTimes.ends
    return [end - start for start, end in zip(ends, ends[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--optimizer", default="fused_adam", help="the bare loop has plain Adam (adam)"
    )
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    vectors = args.vectors / "tr.vec"
    plain = PlainFeatures(vectors)
    for kind, level, task in TASKS:
        folder = args.data / "linspector_released" / level / task / "turkish"
        splits, num_labels = plain.task(folder, kind)
        seconds = {"bare loop": [], "frozen_probe": [], "gradient_descent": []}
        for _ in range(args.rounds):
            seconds["bare loop"] += run_bare(splits, num_labels, 1, args.epochs, args.epochs)[1][1:]
            for trainer in ("frozen_probe", "gradient_descent"):
                seconds[trainer] += epochs_of(
                    trainer, args.data, level, task, vectors, args.epochs, args.optimizer
                )
        bare, frozen, descent = (median(seconds[name]) for name in seconds)
        print(
            f"{kind}: bare loop {bare:.3f} s, frozen_probe {frozen:.3f} s, gradient_descent {descent:.3f} s; "
            f"frozen_probe ÷ bare loop {frozen / bare:.2f} (≤ 1.1 wanted), "
            f"gradient_descent ÷ frozen_probe {descent / frozen:.2f} (≥ 1.6 wanted)",
            flush=True,
        )


if __name__ == "__main__":
    main()
