"""
What do five folds cost? The released Turkish Voice task, with MiniLM's layer 6 averaged (an encoder that takes
long) and with fastText's vectors averaged (one that takes no time), both with logistic regression:

    python benchmarks/folds.py DATA VECTORS

VECTORS is a file of word vectors, such as sentence_table.py leaves in its folder. Each run is a process of its
own with an empty feature store. The figure is the seconds of a run with five folds in units of a run on the
files' own split, start-up included.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from english_words import minilm

from linspector_allennlp.suite.settings import probe_config

HEAD = {
    "type": "sklearn",
    "classifier": "LogisticRegression",
    "settings": {"C": 3.75, "max_iter": 1000},
}


def seconds(settings, folder):
    folder.mkdir()
    config = folder / "config.json"
    config.write_text(json.dumps(settings), encoding="utf-8")
    environment = {**os.environ, "LINSPECTOR_CACHE": str(folder / "cache")}
    command = [
        sys.executable,
        "-m",
        "linspector_allennlp",
        "train",
        str(config),
        "-s",
        str(folder / "run"),
    ]
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    args = parser.parse_args()
    task = args.data.resolve() / "sentence_released/tr/voice.txt"
    print("| representation | one split | five folds | ratio |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in (f"transformer:{minilm()}", f"word_vectors:{args.vectors.resolve()}"):
            times = []
            for folds in ({}, {"folds": {"type": "k_fold", "k": 5}}):
                settings = probe_config(
                    "sentence",
                    task,
                    name,
                    encoder="average",
                    head=HEAD,
                    dataset_reader={"tokenizer": "words_and_punctuation"},
                    **folds,
                )
                kind = name.partition(":")[0]
                times.append(seconds(settings, Path(folder, f"{kind}{len(folds)}")))
            one, five = times
            print(f"| {kind} | {one:.1f} s | {five:.1f} s | {five / one:.2f} |", flush=True)


if __name__ == "__main__":
    main()
