"""
Runs every released Finnish and Turkish type-level task with static vectors and shows each score
beside its baselines; the majority baseline must be the paper's, the suffix baseline spec 1's.

    python benchmarks/released_data.py DATA VECTORS [--csv FILE] [--picture FILE]

DATA is the folder of real data, VECTORS the folder that train_vectors.py has written.
"""

import argparse
import csv
import json
import logging
from pathlib import Path

from probe_jobs import LANGUAGES, run_released

# In percent; CharacterCount is not in the paper.
EXPECTED = json.loads(Path(__file__).with_name("released_baselines.json").read_text())
PAPER_MAJORITY, SUFFIX = EXPECTED.values()

COLUMNS = """
    language task test_accuracy test_accuracy_low test_accuracy_high baseline_majority baseline_suffix
    test_macro_f1 oov_test num_labels best_epoch
""".split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--picture", type=Path)
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    rows, wrong = [], 0
    for language, code in LANGUAGES.items():
        folder = args.data / "linspector_released/type_level"
        for task in sorted(path.parent.name for path in folder.glob(f"*/{language}")):
            metrics = run_released(args.data, task, language, args.vectors / f"{code}.vec")
            rows.append({**metrics, "language": language, "task": task})
            majority, suffix = (
                round(100 * metrics[f"baseline_{name}"], 1) for name in ("majority", "suffix")
            )
            expected = PAPER_MAJORITY[language].get(task)
            wrong += expected not in (None, majority)
            wrong += SUFFIX[language].get(task) not in (None, suffix)
            print(
                f"{language:8} {task:14} accuracy {100 * metrics['test_accuracy']:5.1f} "
                f"[{100 * metrics['test_accuracy_low']:5.1f}, {100 * metrics['test_accuracy_high']:5.1f}]  "
                f"majority {majority:5.1f} (paper {expected or '–'})  "
                f"suffix {suffix:5.1f}  unknown {100 * metrics['oov_test']:5.1f}",
                flush=True,
            )
    print(f"{len(rows)} tasks; {wrong} baselines differ from released_baselines.json")
    if args.csv:
        with open(args.csv, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    if args.picture:
        draw(rows, args.picture)


def draw(rows, path):
    """A bar a task with its interval, and marks for the two baselines."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), sharex=True, layout="constrained")
    for axis, language in zip(axes, LANGUAGES):
        tasks = sorted(
            (row for row in rows if row["language"] == language),
            key=lambda row: row["test_accuracy"],
        )
        heights = range(len(tasks))
        scores = [100 * row["test_accuracy"] for row in tasks]
        errors = [
            [100 * (row["test_accuracy"] - row["test_accuracy_low"]) for row in tasks],
            [100 * (row["test_accuracy_high"] - row["test_accuracy"]) for row in tasks],
        ]
        axis.barh(
            heights,
            scores,
            xerr=errors,
            color="#7fa8c9",
            ecolor="#1d2f3d",
            capsize=2,
            label="probe, 95 % interval",
        )
        axis.plot(
            [100 * row["baseline_suffix"] for row in tasks],
            heights,
            "D",
            color="#c05a2b",
            ms=5,
            label="suffix baseline",
        )
        axis.plot(
            [100 * row["baseline_majority"] for row in tasks],
            heights,
            "|",
            color="black",
            ms=12,
            mew=2,
            label="majority baseline",
        )
        axis.set_yticks(heights, [row["task"] for row in tasks])
        axis.set_title(language.capitalize())
        axis.set_xlabel("test accuracy (%)")
        axis.set_xlim(0, 100)
        axis.spines[["top", "right"]].set_visible(False)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    main()
