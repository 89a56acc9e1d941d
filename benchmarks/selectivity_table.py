"""
How selective are probes of different capacity? XPOS of English EWT and MiniLM: linear, linear of rank
10, MLP-1 with 1000 and with 10 hidden units, on layers 0, 3 and 6, each beside its control task; and
dependency edges, bilinear and MLP-1, on layer 3:

    python benchmarks/selectivity_table.py DATA FOLDER

The data: see english_treebank.py. One seed.
"""

import argparse
import json
import logging
from pathlib import Path

from english_treebank import write_splits
from english_words import minilm
from probe_jobs import transformer, treebank_job

from linspector_allennlp.commands.probe_selectivity import probe_selectivity

HEADS = {
    "linear": {"type": "linear"},
    "linear, rank 10": {"type": "low_rank", "rank": 10},
    "MLP-1, 1000": {"type": "mlp", "hidden_dims": [1000], "dropout": 0},
    "MLP-1, 10": {"type": "mlp", "hidden_dims": [10], "dropout": 0},
}
SCORERS = {
    "bilinear": {"type": "bilinear"},
    "MLP-1, 1000": {"type": "mlp", "hidden_dims": [1000]},
}


def numbers_of(kind, treebank, layer, changes, folder):
    path = folder / "selectivity.json"
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    job = treebank_job(folder, kind, treebank, transformer(minilm(), layer), "xpos", **changes)
    return probe_selectivity(job.config, folder, job.variables, job.overrides, force=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    treebank = write_splits(args.data, args.folder)
    runs = [
        ("tagging", layer, name, {"head": head})
        for layer in (0, 3, 6)
        for name, head in HEADS.items()
    ]
    runs += [("edges", 3, name, {"scorer": scorer}) for name, scorer in SCORERS.items()]
    print(f"{'':34} task  control  selectivity  (interval)     ceiling  overlap")
    for kind, layer, name, changes in runs:
        folder = args.folder / f"{kind}_{layer}_{name}".replace(", ", "_").replace(" ", "_")
        n = numbers_of(kind, treebank, layer, changes, folder)
        print(
            f"{kind + ', layer ' + str(layer):17}{name:16} {100 * n['task_accuracy']:5.1f}  "
            f"{100 * n['control_accuracy']:7.1f}  {100 * n['selectivity']:11.1f}  "
            f"({100 * n['selectivity_low']:.1f}–{100 * n['selectivity_high']:.1f})  "
            f"{100 * n['control_ceiling']:9.1f}  {100 * n['type_overlap']:7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
