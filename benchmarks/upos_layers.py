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
import json
import logging
from pathlib import Path

from allennlp.commands.train import train_model
from allennlp.common import Params
from english_words import minilm, read_ewt

import linspector_allennlp  # noqa: F401
from linspector_allennlp.formats import write_rows
from linspector_allennlp.io.hashing import hash_keys

CONFIGS = Path(__file__).resolve().parents[1] / "training_configs"
CONFIG = """
local probe = import 'lib/probe.libsonnet';
local reps = import 'lib/representations.libsonnet';
local minilm = '{model}';
probe.token_in_context {{ data: '{data}', representation: {representation}, model+: {{ head: {head} }} }}
"""
HEADS = {
    "linear": "{ type: 'linear' }",
    "mlp": "{ type: 'mlp', hidden_dims: [300], dropout: 0.5 }",
}
REPRESENTATIONS = {
    **{f"MiniLM, layer {layer}": f"reps.transformer(minilm, layer={layer})" for layer in range(7)},
    "MiniLM, mix of all layers": "reps.transformer(minilm, layer='mix')",
    **{
        f"random MiniLM, layer {layer}": f"reps.random_transformer(minilm, layer={layer})"
        for layer in (0, 3, 6)
    },
    "Proj0: random BiLSTM": "reps.random_bilstm(reps.transformer(minilm, layer=0))",
    "character n-grams": "reps.char_ngrams(384)",
    "random vector a type": "reps.random_vectors(384)",
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


def run(name, task, folder, head):
    config = folder / f"{name}.jsonnet"
    text = CONFIG.format(
        model=minilm(), data=task, representation=REPRESENTATIONS[name], head=HEADS[head]
    ).replace("import 'lib", f"import '{CONFIGS}/lib")
    config.write_text(text, encoding="utf-8")
    train_model(Params.from_file(str(config)), str(folder / name), force=True)
    return json.loads((folder / name / "metrics.json").read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--head", choices=sorted(HEADS), default="linear")
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    task, runs = args.folder / "UPOS/english", args.folder / f"runs_{args.head}"
    make_task(args.data, task)
    runs.mkdir(parents=True, exist_ok=True)
    scores = {}
    print(f"{'representation':27} accuracy   95 % interval  macro-F1")
    for name in REPRESENTATIONS:
        metrics = run(name, task, runs, args.head)
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
