"""The files of a finished run, as `probe-summary` shows them and other runs are compared with them."""

import json
import random
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.scored_items import scored_items
from tests.hostile.case import Case
from tests.hostile.damage import damaged_bytes, damaged_json, damaged_text
from tests.run_folders.made_runs import made_run

PREDICTIONS = [
    {
        "line": n + 1,
        "input": {"form": f"w{n}"},
        "label": "A",
        "gold": "AB"[n % 2],
        "correct": n % 2 == 0,
    }
    for n in range(4)
]


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    metrics = {
        "test_accuracy": 0.5,
        "test_accuracy_low": 0.4,
        "test_accuracy_high": 0.6,
        "best_validation_accuracy": 0.5,
        "baseline_majority": 0.25,
        "num_test": 4,
    }
    sizes = {"test": {"items": 4}}
    data = {"train": {"path": "train.txt", "items": 9}, "test": {"path": "test.txt", "items": 4}}
    good = made_run(
        folder / "good", metrics, PREDICTIONS, data=data, sizes=sizes, seconds={"training": 1.5}
    )
    report = "label\tprecision\trecall\tf1\tsupport\nA\t0.5\t1\t0.66\t2\nB\t0\t0\t0\t2\n"
    confusions = "gold\tA\tB\nA\t2\t0\nB\t2\t0\n"
    (good / "test_report.tsv").write_text(report)
    (good / "test_confusion.tsv").write_text(confusions)
    number = 0

    def summarized(file: str, damages: Iterable[tuple[str, bytes]]) -> Iterator[Case]:
        nonlocal number
        for name, damaged in damages:
            number += 1
            run = shutil.copytree(good, folder / f"run{number}")
            (run / file).write_bytes(damaged)
            yield Case(
                f"{file}: {name}",
                run,
                lambda run=run: summarize([str(run)]),
                "either",
                _can_be_scores,
            )

    for file, changes in (("metrics.json", 8), ("run.json", 20), ("provenance.json", 6)):
        content = json.loads((good / file).read_text())
        yield from summarized(file, damaged_json(rng, content, changes))
    for file, text in (("test_report.tsv", report), ("test_confusion.tsv", confusions)):
        yield from summarized(file, damaged_text(rng, text))
        odd = text.replace("0.5", "7").replace("0.66", "-3").replace("\t2", "\tnan")
        yield from summarized(file, [("numbers that are none", odd.encode())])
    lines = b"".join(json.dumps(each).encode() + b"\n" for each in PREDICTIONS)
    broken = [json.dumps(each).encode() + b"\n" for each in PREDICTIONS]
    for name, damaged in (
        *damaged_bytes(rng, lines),
        *(
            (f"a line: {name}", broken[0] + damaged + b"\n" + b"".join(broken[2:]))
            for name, damaged in damaged_json(rng, PREDICTIONS[1], 6)
        ),
    ):
        number += 1
        run = shutil.copytree(good, folder / f"run{number}")
        (run / "test_predictions.jsonl").write_bytes(damaged)
        yield Case(
            f"predictions: {name}",
            run,
            lambda run=run: scored_items(RunFolder.read(run), "test"),
            "either",
            lambda items: len(items.keys) == 4,
        )


def _can_be_scores(text: str) -> bool:
    """No accuracy that is none, and nothing that a terminal obeys."""
    numbers = [cell for line in text.splitlines() for cell in line.split() if _is_number(cell)]
    scores = [float(number) for number in numbers if "." in number]
    return "\x1b" not in text and "nan" not in text and all(0 <= score <= 100 for score in scores)


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).removeprefix("-").isdigit()
