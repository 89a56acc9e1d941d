"""
What do the layers of MiniLM know of dependency trees? UUAS and DSpr of the structural probe and of the
perceptron (with the loss of the paper, and with the scale-free one) on English EWT, layer by layer,
beside MiniLM with random weights and the tree of adjacent words:

    python benchmarks/structural_layers.py DATA FOLDER [--layers 0 1 2 3 4 5 6]

EWT's dev and test files are put together, each distinct sentence once: eight tenths are training, one
is validation, one test (english_treebank.py). Sentences of 2 to 50 words; full rank; one seed.
"""

import argparse
import logging
from pathlib import Path

from english_treebank import write_splits
from english_words import minilm
from probe_jobs import finished, random_transformer, transformer, treebank_job

PROBES = {
    "distance": ("distance", {}),
    "perceptron": ("perceptron", {}),
    "scale-free": ("perceptron", {"scale_free": True}),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--layers", type=int, nargs="+", default=list(range(7)))
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    treebank = write_splits(args.data, args.folder)
    rows = [
        *((f"MiniLM {n}", transformer(minilm(), n)) for n in args.layers),
        *((f"random {n}", random_transformer(minilm(), n)) for n in (0, 3, 6)),
    ]
    print(
        f"{'':10}" + "".join(f"{name + ': UUAS':>18} (interval)    DSpr  P+FW" for name in PROBES)
    )
    for name, embedder in rows:
        cells = []
        for probe, (kind, changes) in PROBES.items():
            folder = args.folder / f"{name} {probe}".replace(" ", "_")
            metrics = finished(treebank_job(folder, kind, treebank, embedder, **changes)).metrics
            low, high = 100 * metrics["test_uuas_low"], 100 * metrics["test_uuas_high"]
            cells.append(
                f"{100 * metrics['test_uuas']:18.1f} ({low:.1f}–{high:.1f})   "
                f"{metrics['test_dspr']:.3f} {metrics['test_dspr_pfw']:.3f}"
            )
        print(f"{name:10}" + "".join(cells), flush=True)
    uuas, dspr = (metrics[f"baseline_adjacent_{name}"] for name in ("uuas", "dspr"))
    print(f"adjacent words: UUAS {100 * uuas:.1f}, DSpr {dspr:.3f}")
    print({name: value for name, value in metrics.items() if name.startswith(("num_", "overlap"))})


if __name__ == "__main__":
    main()
