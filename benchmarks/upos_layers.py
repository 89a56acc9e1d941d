"""
What do the layers of a transformer know of parts of speech? UPOS of English EWT, token in context,
layer by layer for MiniLM, beside its controls and baselines; the trained model must be above its
random twin.

    python benchmarks/upos_layers.py DATA FOLDER [--head linear]

DATA is the folder of real data; the task and the runs go into FOLDER. EWT's dev and test files are
put together, each distinct sentence once; a tenth of the sentences are the test data, two tenths
the validation data, the rest is training, and every word of a sentence is an item.
"""

import argparse
import logging
from pathlib import Path

from english_words import minilm, read_ewt
from probe_jobs import EMBEDDER, random_transformer, transformer, word_task

from linspector_allennlp.formats import write_rows
from linspector_allennlp.io.hashing import hash_keys

HEADS = {
    "linear": {"type": "linear"},
    "mlp": {"type": "mlp", "hidden_dims": [300], "dropout": 0.5},
}


def representations(model):
    return {
        **{f"MiniLM, layer {layer}": transformer(model, layer) for layer in range(7)},
        "MiniLM, mix of all layers": transformer(model, "mix"),
        **{
            f"random MiniLM, layer {layer}": random_transformer(model, layer) for layer in (0, 3, 6)
        },
        "Proj0: random BiLSTM": {
            "type": "random_bilstm",
            "base": transformer(model, 0),
            "seed": 13,
        },
        "character n-grams": {"type": "char_ngrams", "dimension": 384},
        "random vector a type": {"type": "random_vectors", "dimension": 384, "seed": 13},
    }


def make_task(data, folder):
    """Writes the task; a sentence is in one split, which its hash decides."""
    folder.mkdir(parents=True, exist_ok=True)
    sentences = read_ewt(data)
    keys = [" ".join(word for word, _ in sentence) for sentence in sentences]
    tenth_of = hash_keys([key.encode() for key in keys]) % 10
    for split, tenths in [("test", {0}), ("dev", {1, 2}), ("train", {3, 4, 5, 6, 7, 8, 9})]:
        rows = [
            (key, str(index), upos)
            for key, tenth, sentence in zip(keys, tenth_of, sentences)
            if tenth in tenths
            for index, (_, upos) in enumerate(sentence)
        ]
        write_rows(folder / f"{split}.txt", "token_in_context", rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--head", choices=sorted(HEADS), default="linear")
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    runs = args.folder / f"runs_{args.head}"
    make_task(args.data, args.folder / "UPOS/english")
    scores = {}
    print(f"{'representation':27} accuracy   95 % interval  macro-F1")
    for name, embedder in representations(minilm()).items():
        changes = {EMBEDDER: embedder, "model.head": HEADS[args.head]}
        task = args.folder, "UPOS", "english", "char_ngrams", "token_in_context"
        metrics = word_task(runs / name, *task, changes).run(force=True).metrics
        scores[name] = 100 * metrics["test_accuracy"]
        low, high = 100 * metrics["test_accuracy_low"], 100 * metrics["test_accuracy_high"]
        macro_f1 = 100 * metrics["test_macro_f1"]
        print(
            f"{name:27} {scores[name]:8.1f}   {low:5.1f} – {high:4.1f}  {macro_f1:8.1f}", flush=True
        )
        if "layer_weights" in metrics:
            print("    weights", " ".join(f"{weight:.2f}" for weight in metrics["layer_weights"]))
    for baseline in ("majority", "suffix", "form"):
        print(f"{'baseline: ' + baseline:27} {100 * metrics[f'baseline_{baseline}']:8.1f}")
    print({key: value for key, value in metrics.items() if key.startswith("num_")})
    for layer in (3, 6):
        if scores[f"MiniLM, layer {layer}"] <= scores[f"random MiniLM, layer {layer}"]:
            raise SystemExit(f"layer {layer}: the trained model is not above its random twin")


if __name__ == "__main__":
    main()
