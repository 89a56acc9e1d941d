"""
How long does the page of a study take, and how large is it? The invented studies of `analysis.py`, with labels and
control tasks, of tasks × 10 representations × 5 seeds on 1,000 items each.

    python benchmarks/report.py [--runs 250 500 1000] [--items 1000]
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy
import pandas
from analysis import study

from linspector_allennlp.commands.probe_report import write_page
from linspector_allennlp.commands.tables import table as as_text
from linspector_allennlp.report.page.build import build_page
from linspector_allennlp.report.page.report_data import ReportData

LABELS = [f"label {number}" for number in range(12)]


def report_data(num_runs, num_items):
    """Half of the runs are tasks, the other half their control tasks."""
    table, predictions = study(num_runs // 2, num_items)
    rng = numpy.random.default_rng(13)
    gold = rng.choice(LABELS, len(predictions))
    # The same items have the same gold labels in all runs.
    gold = pandas.Series(gold).groupby(predictions["form"].to_numpy()).transform("first")
    other = rng.choice(LABELS, len(predictions))
    label = numpy.where(predictions["correct"], gold, other)
    predictions = predictions.assign(gold=gold.to_numpy(), label=label)
    table = table.assign(
        metric="accuracy",
        labels=12,
        low=table["value"] - 0.02,
        high=table["value"] + 0.02,
        suffix=0.4,
        control=False,
    )
    controls = table.assign(control=True, value=table["value"] / 2, run=table["run"] + "-control")
    return ReportData("invented", pandas.concat([table, controls], ignore_index=True), predictions)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[250, 500, 1000])
    parser.add_argument("--items", type=int, default=1000)
    args = parser.parse_args()
    rows = [["runs", "sections, s", "file, s", "MB", "figures", "tables"]]
    for runs in args.runs:
        data = report_data(runs, args.items)
        began = time.perf_counter()
        page = build_page(data)
        built = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            size = write_page(page, Path(folder, "report.html"))
        numbers = (built - began, time.perf_counter() - built, size / 1e6)
        counts = (len(page.figures), len(page.tables))
        rows.append([str(runs), *(f"{number:.1f}" for number in numbers), *map(str, counts)])
    print(as_text(rows))


if __name__ == "__main__":
    main()
