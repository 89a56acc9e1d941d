"""
How long do the analyses of a study take, on one core? Invented studies of 250, 500 and 1,000 runs (tasks × 10
representations × 5 seeds) on 1,000 items each. Time that is linear in the number of runs doubles from row to row.

    python benchmarks/analysis.py [--runs 250 500 1000] [--items 1000]
"""

import argparse
import os
import time

# Before numpy is imported: one core is one thread.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy
import pandas

from linspector_allennlp.analysis.correlation import correlations
from linspector_allennlp.analysis.item_groups import scores_by_group
from linspector_allennlp.analysis.representation_differences import representation_differences
from linspector_allennlp.analysis.score_tables import score_table
from linspector_allennlp.analysis.study_findings import study_findings
from linspector_allennlp.analysis.tidy_scores import chosen_scores, seed_means
from linspector_allennlp.analysis.word_groups import frequency_bands
from linspector_allennlp.commands.tables import table as as_text

REPRESENTATIONS, SEEDS = 10, 5


def study(num_runs, num_items):
    """A table and predictions: some representations are better, and some items easier."""
    rng = numpy.random.default_rng(13)
    rows, parts = [], []
    for task in range(num_runs // (REPRESENTATIONS * SEEDS)):
        ease = rng.uniform(-0.3, 0.3, num_items)
        forms = [f"word {task} {item}" for item in range(num_items)]
        for representation in range(REPRESENTATIONS):
            for seed in range(SEEDS):
                run = f"task{task}-rep{representation}-{seed}"
                correct = rng.uniform(size=num_items) < 0.5 + representation / 50 + ease
                rows.append(
                    {
                        "language": "invented",
                        "task": f"task{task}",
                        "representation": f"rep{representation}",
                        "seed": seed,
                        "run": run,
                        "majority": 0.3,
                        "value": correct.mean(),
                    }
                )
                cells = {"run": run, "item": range(num_items), "form": forms, "gold": "x"}
                parts.append(pandas.DataFrame({**cells, "correct": correct}))
    return pandas.DataFrame(rows), pandas.concat(parts, ignore_index=True)


def seconds_of(scores, predictions):
    """By the name of an analysis."""
    bands = frequency_bands({f"word {n} {i}": i for n in range(9) for i in range(500)})
    differences = pandas.DataFrame()

    def compared(method):
        nonlocal differences
        differences = representation_differences(scores, predictions, method=method)

    analyses = {
        "score table": lambda: score_table(scores),
        "correlations": lambda: correlations(seed_means(chosen_scores(scores))),
        "bootstrap": lambda: compared("bootstrap"),
        "randomisation": lambda: compared("randomisation"),
        "frequency bands": lambda: scores_by_group(scores, predictions, bands, "none"),
        "findings": lambda: study_findings(scores, differences),
    }
    seconds = {}
    for name, analyse in analyses.items():
        began = time.process_time()
        analyse()
        seconds[name] = time.process_time() - began
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[250, 500, 1000])
    parser.add_argument("--items", type=int, default=1000)
    args = parser.parse_args()
    rows = []
    for runs in args.runs:
        seconds = seconds_of(*study(runs, args.items))
        header = ["runs", *seconds, "all"]
        rows.append([str(runs), *(f"{s:.1f}" for s in (*seconds.values(), sum(seconds.values())))])
    print(
        f"CPU-seconds, {args.items} items a run, {REPRESENTATIONS} representations, {SEEDS} seeds\n"
    )
    print(as_text([header, *rows]))


if __name__ == "__main__":
    main()
