"""
What does a study cost? The Finnish tasks that the LINSPECTOR authors released × four representations × three
seeds, as one suite, in CPU-seconds a run, all told; and a sample of the same runs

- (a) as one `allennlp train` process each, by AllenNLP's `gradient_descent`;
- (b) by the bare PyTorch loop of bare_loop.py, with plain Adam, all in one process: a run reads its files and
  looks its vectors up in a dictionary that is there already;
- (c) by scikit-learn's `MLPClassifier` of the same shape, on the same arrays.

    python benchmarks/suite.py DATA VECTORS FOLDER [--model MODEL] [--sample 6] [--few]

VECTORS is the folder of train_vectors.py, MODEL a folder with a Hugging Face model. FOLDER gets the study and must
be new: the cost of one that is there is not known. The study is run twice, first with an empty store of features,
then with what the model has computed in it, as (a) and (b) have it.
"""

import argparse
import ctypes
import json
import logging
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import mean

import bare_loop
import torch
from allennlp.common import Params
from allennlp.modules import TextFieldEmbedder
from sklearn.neural_network import MLPClassifier

import linspector_allennlp  # noqa: F401
from linspector_allennlp.run_folders.run_folder import RunFolder

SEEDS, WORKERS = 3, 2
PR_SET_CHILD_SUBREAPER = 36


def suite_of(data, vectors, model, few):
    return {
        "data": str(data / "linspector_released" / "type_level"),
        "tasks": ["Case", "OddFeat"] if few else "*",
        "languages": ["finnish"],
        "representations": {
            "fasttext": str(vectors / "fi.vec"),
            "chars": "char_ngrams",
            "random": "random_vectors",
            **({"minilm": f"transformer:{model}:3"} if model else {}),
        },
        "seeds": SEEDS,
    }


def measured(command):
    """The CPU-seconds and the wall time of a command with all processes that it starts."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before, began = _children_cpu(), time.monotonic()
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    while True:  # those whose parent has gone have become ours
        try:
            os.wait()
        except ChildProcessError:
            break
    if done.returncode:
        raise SystemExit(f"failed: {' '.join(command)}")
    return _children_cpu() - before, time.monotonic() - began


def _children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def as_processes(runs, folder):
    """(a): CPU-seconds of each run."""
    seconds = []
    for number, run in enumerate(runs):
        config = json.loads((run.path / "config.json").read_text(encoding="utf-8"))
        config["trainer"].update(type="gradient_descent", optimizer={"type": "adam"})
        path = folder / f"{number}.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        place = str(folder / str(number))
        seconds.append(
            measured(
                [sys.executable, "-m", "allennlp", "train", str(path), "-s", place]
                + ["--include-package", "linspector_allennlp"]
            )[0]
        )
        print(f"  (a) {run.path.name}: {seconds[-1]:.1f}", flush=True)
    return seconds


class Dictionary:
    """The vectors of the words of a run's files, computed before the clock starts."""

    def __init__(self, run):
        config = json.loads((run.path / "config.json").read_text(encoding="utf-8"))
        self.files = {s: config[f"{n}_data_path"] for s, n in NAMES.items()}
        torch.manual_seed(run.record.seed)
        embedder = TextFieldEmbedder.from_params(Params(config["model"]["text_field_embedder"]))
        rows = [row for file in self.files.values() for row in rows_of(file)]
        words = sorted({word for row in rows for word in row[:-1]})
        (inner,) = (part for _, part in embedder.named_children())
        inner.prepare([(word,) for word in words])
        vectors = inner.embed_words([(word,) for word in words], [[0]] * len(words))
        self.vectors = dict(zip(words, vectors))

    def splits(self):
        """What is timed of it: reading the files, and looking the vectors up."""
        rows = {split: rows_of(file) for split, file in self.files.items()}
        names = {
            label: number for number, label in enumerate(sorted({r[-1] for r in rows["train"]}))
        }
        return {
            split: (
                torch.stack(
                    [torch.cat([self.vectors[word] for word in row[:-1]]) for row in of_split]
                ),
                torch.tensor([names.get(row[-1], -1) for row in of_split]),
            )
            for split, of_split in rows.items()
        }, len(names)


NAMES = {"train": "train", "dev": "validation", "test": "test"}


def rows_of(file):
    with open(file, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def in_one_process(runs):
    """(b) and (c): CPU-seconds of each run, seconds of a step of (b), and its accuracies."""
    bare, sklearn, steps, accuracies = [], [], [], []
    for run in runs:
        dictionary = Dictionary(run)
        began = time.process_time()
        splits, num_labels = dictionary.splits()
        read = time.process_time() - began
        began = time.process_time()
        accuracy, epochs = bare_loop.run(splits, num_labels, run.record.seed)
        trained = time.process_time() - began
        bare.append(read + trained)
        steps.append(trained / (len(epochs) * -(-len(splits["train"][1]) // 16)))
        accuracies.append(accuracy)
        x, y = (each.numpy() for each in splits["train"])
        began = time.process_time()
        MLPClassifier(
            [300], batch_size=16, max_iter=20, early_stopping=True, n_iter_no_change=5
        ).fit(x, y)
        sklearn.append(read + time.process_time() - began)
        print(f"  {run.path.name}: (b) {bare[-1]:.1f}, (c) {sklearn[-1]:.1f}", flush=True)
    return bare, sklearn, steps, accuracies


def step_of(runs):
    """Milliseconds of training a probe and step, with validation."""
    steps = sum(run.metrics["training_steps"] for run in runs)
    return 1000 * sum(run.record.seconds["training"] for run in runs) / steps


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    for name in ("data", "vectors", "folder"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--model", help="a folder with a Hugging Face model")
    parser.add_argument("--sample", type=int, default=6)
    parser.add_argument("--few", action="store_true", help="two tasks instead of all")
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    args.folder.mkdir(parents=True)
    suite = args.folder / "suite.json"
    suite.write_text(json.dumps(suite_of(args.data, args.vectors, args.model, args.few)))
    os.environ["LINSPECTOR_CACHE"] = str(args.folder / "cache")
    for store in ("empty", "full"):
        study = args.folder / store
        command = [sys.executable, "-m", "linspector", "probe-suite", str(suite), "-s", str(study)]
        cpu, wall = measured([*command, "--workers", str(WORKERS)])
        runs = [RunFolder.read(path) for path in sorted(study.glob("runs/*"))]
        phases = Counter()
        for run in runs:
            phases.update(run.record.seconds)
        print(
            f"{len(runs)} runs, {WORKERS} workers, {store} store: {wall:.0f} s; {cpu:.0f} CPU-s, "
            f"{cpu / len(runs):.2f} a run"
        )
        print("  seconds by phase: " + ", ".join(f"{name} {s:.1f}" for name, s in phases.items()))
        print(f"  the rest, as start, planning, the model: {cpu - sum(phases.values()):.1f} CPU-s")
    sample = random.Random(13).sample(runs, args.sample)
    with tempfile.TemporaryDirectory() as folder:
        alone = as_processes(sample, Path(folder))
    bare, sklearn, bare_steps, accuracies = in_one_process(sample)
    each = cpu / len(runs)
    print(
        f"(a) gradient_descent, a process each: {mean(alone):.2f} a run, "
        f"ratio {mean(alone) / each:.1f} (≥ 8 wanted)"
    )
    print(f"(b) bare loop: {mean(bare):.2f} a run, ratio {mean(bare) / each:.1f} (≥ 2 wanted)")
    print(f"(c) MLPClassifier: {mean(sklearn):.2f} a run, ratio {mean(sklearn) / each:.1f}")
    of_bare = 1000 * mean(bare_steps)
    ours = step_of(sample)
    of_all = of_bare * mean(run.metrics["training_steps"] for run in runs) / 1000
    print(
        f"(b) with as many steps as the runs of the study have: {of_all:.2f} a run without reading, "
        f"ratio {of_all / each:.1f}"
    )
    print(
        f"a probe and step of the sample: {ours:.3f} ms in the study, {of_bare:.3f} ms in (b), "
        f"ratio {of_bare / ours:.1f}"
    )
    ours = mean(run.metrics["test_accuracy"] for run in sample)
    print(
        f"mean test accuracy of the sample: {100 * ours:.1f}, of (b) {100 * mean(accuracies):.1f}"
    )


if __name__ == "__main__":
    main()
