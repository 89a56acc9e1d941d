"""
Is the number right? Trains four tasks with three seeds each, with this package and with the bare
loop of bare_loop.py on features that gensim looked up, and compares the mean test accuracies.

    python benchmarks/agreement.py DATA VECTORS
"""

import argparse
import logging
from pathlib import Path
from statistics import mean

import torch
from bare_loop import run as run_bare
from plain_features import PlainFeatures
from probe_jobs import LANGUAGES, kind_of, run_released

TASKS = [
    ("type_level", "Case", "finnish"),
    ("type_level", "OddFeat", "finnish"),
    ("type_level", "TagCount", "turkish"),
    ("token_level", "Case", "turkish"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    worst = 0.0
    for level, task, language in TASKS:
        vectors = args.vectors / f"{LANGUAGES[language]}.vec"
        folder = args.data / "linspector_released" / level / task / language
        splits, num_labels = PlainFeatures(vectors).task(folder, kind_of(task, level))
        bare = [100 * run_bare(splits, num_labels, seed)[0] for seed in args.seeds]
        ours = [
            100 * run_released(args.data, task, language, vectors, level, seed)["test_accuracy"]
            for seed in args.seeds
        ]
        difference = mean(ours) - mean(bare)
        worst = max(worst, abs(difference))
        print(
            f"{level} {task} {language}: frozen_probe {mean(ours):.2f} {rounded(ours)}, "
            f"bare loop {mean(bare):.2f} {rounded(bare)}, difference {difference:+.2f}",
            flush=True,
        )
    print(f"largest difference {worst:.2f} points (at most 1.0 wanted)")


def rounded(scores):
    return [round(score, 1) for score in scores]


if __name__ == "__main__":
    main()
