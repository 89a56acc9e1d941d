"""
How much description lengths and usable bits hang on the seed, with the epoch chosen by validation
accuracy (as it was) and by validation loss (as it is):

    python benchmarks/description_length.py DATA [--seeds 13 14 15]

where DATA is the folder of real data. The probes are LINSPECTOR's, of the released Case tasks, over
character n-grams. `dearer` is the largest share by which an item of a block costs more than one of
the block before it, from a tenth of the data on, although its probe has seen twice as much.
"""

import argparse
import csv
import logging
import math
import tempfile
from pathlib import Path
from unittest.mock import patch

from linspector_allennlp.suite import Job, probe_config
from linspector_allennlp.training import frozen_probe_trainer

LANGUAGES = ("finnish", "turkish")


def run(data, language, seed, folder):
    config = probe_config(
        "single_form",
        data=data / "linspector_released/type_level/Case" / language,
        representation="char_ngrams",
        seed=seed,
        mdl=True,
    )
    return Job(config, folder).run()


def dearer(run_folder):
    """By how much, at most, an item of a later block costs more than one of the block before."""
    with open(run_folder / "mdl.tsv", encoding="utf-8") as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(file, delimiter="\t"))[1:]]
    size = rows[-1][1]
    costs = [bits / (end - first) for first, end, bits in rows if first >= size / 10]
    return max(after / before - 1 for before, after in zip(costs, costs[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[13, 14, 15])
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    print(
        "language  seed  kbit by accuracy  dearer  kbit by loss  dearer  usable bits: accuracy, loss"
    )
    for language in LANGUAGES:
        for seed in args.seeds:
            with tempfile.TemporaryDirectory() as folder:
                by_loss = run(args.data, language, seed, Path(folder, "loss"))
                # What `replace` does there is to choose by loss.
                with patch.object(frozen_probe_trainer, "replace", lambda settings, **_: settings):
                    former = run(args.data, language, seed, Path(folder, "accuracy"))
                metrics = by_loss.metrics
                # The bits of the epoch with the best accuracy; all labels are seen in training.
                bits = metrics["test_loss"] / math.log(2)
                print(
                    f"{language:8}  {seed:4}  {former.metrics['mdl_bits'] / 1000:16.2f}"
                    f"  {100 * dearer(former.path):5.1f}%  {metrics['mdl_bits'] / 1000:12.2f}"
                    f"  {100 * dearer(by_loss.path):5.1f}%"
                    f"  {metrics['test_label_bits'] - bits:20.3f}, {metrics['test_usable_bits']:.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
