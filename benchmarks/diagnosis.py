"""
What does a diagnosis cost beside the training of the model? Our tagger (training_configs/downstream/pos.jsonnet,
two BiLSTM layers over VECTORS), trained on a treebank; then two of its layers at three epochs on five tasks, with
LINSPECTOR's probes and with quick ones (`--quick`), each in CPU-seconds of all its processes; and how far the
scores are apart:

    python benchmarks/diagnosis.py DATA FOLDER --vectors VECTORS [--epochs 2,8,17]

Without VECTORS the tagger is one of AllenNLP's own: words and characters, two BiLSTM layers of `--hidden`. DATA
has ud/ and linspector_released/. FOLDER gets the tagger and the studies; a tagger that is there is not trained
again. Everything else is computed: the feature stores are in FOLDER, too.
"""

import argparse
import json
import os
import shutil
from pathlib import Path

from suite import measured

from linspector_allennlp.analysis.epoch_table import epoch_table
from linspector_allennlp.run_folders.results_file import read_results
from linspector_allennlp.treebanks import read_treebank

ROOT = Path(__file__).resolve().parents[1]
LAYERS = "encoder#0,encoder#1"
TASKS = [
    "type_level/Case", "type_level/POS", "type_level/Tense", "token_level/Case", "token_level/Number",
]  # fmt: skip
CHARACTERS = {
    "type": "character_encoding",
    "embedding": {"embedding_dim": 30, "vocab_namespace": "token_characters"},
    "encoder": {"type": "cnn", "embedding_dim": 30, "num_filters": 50, "ngram_filter_sizes": [3]},
}


def tagger(folder, num_epochs, hidden):
    return {
        "dataset_reader": {
            "type": "sequence_tagging",
            "token_indexers": {
                "tokens": "single_id",
                "characters": {"type": "characters", "min_padding_length": 3},
            },
        },
        "train_data_path": str(folder / "train.txt"),
        "validation_data_path": str(folder / "dev.txt"),
        "vocabulary": {"min_count": {"tokens": 2}},
        "model": {
            "type": "simple_tagger",
            "text_field_embedder": {
                "token_embedders": {
                    "tokens": {"type": "embedding", "embedding_dim": 100},
                    "characters": CHARACTERS,
                }
            },
            "encoder": {
                "type": "lstm", "input_size": 150, "hidden_size": hidden, "num_layers": 2,
                "bidirectional": True, "dropout": 0.3,
            },
        },
        "data_loader": {"batch_size": 32, "shuffle": True},
        "trainer": {
            "num_epochs": num_epochs,
            "optimizer": {"type": "adam", "lr": 0.001},
            "validation_metric": "+accuracy",
            "checkpointer": {"keep_most_recent_by_count": None},
        },
    }  # fmt: skip


def write_tagged(data, folder):
    for split in ("train", "dev"):
        path = data / "ud" / f"tr_imst-ud-{split}.conllu"
        lines = []
        for sentence in read_treebank([path], progress=False):
            words = [word for word in sentence.words if word.form and " " not in word.form]
            lines.append(" ".join(f"{word.form}###{word.upos}" for word in words))
        (folder / f"{split}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--epochs", default="2,8,17")
    parser.add_argument("--hidden", type=int, default=200)
    args = parser.parse_args()
    folder, run = args.folder.absolute(), args.folder.absolute() / "tagger"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    cost = folder / "training_cost.json"
    if not cost.exists():
        shutil.rmtree(run, ignore_errors=True)
        cost.write_text(json.dumps(measured(training_command(args, folder, run))), encoding="utf-8")
    training = json.loads(cost.read_text(encoding="utf-8"))
    told("training", training, training)
    for name, more in (("usual", []), ("quick", ["--quick"])):
        for part in (name, f"cache_{name}"):
            shutil.rmtree(folder / part, ignore_errors=True)
        os.environ["LINSPECTOR_CACHE"] = str(folder / f"cache_{name}")
        tasks = [str(args.data / "linspector_released" / task / "turkish") for task in TASKS]
        command = ["linspector", "probe-diagnose", str(run), "--layers", LAYERS, *more]
        command += ["--epochs", args.epochs, "--tasks", *tasks, "-s", str(folder / name)]
        told(name, measured(command), training)
    usual, quick = (epoch_table(read_results(folder / name)) for name in ("usual", "quick"))
    apart = 100 * (quick - usual).stack()
    print(
        f"quick - usual: {apart.mean():.2f} points in the mean, {apart.min():.2f} to {apart.max():.2f}"
    )
    print((100 * usual).round(1).to_string())


def training_command(args, folder, run):
    num_epochs = max(map(int, args.epochs.split(",")))
    if args.vectors is None:
        write_tagged(args.data, folder)
        config = folder / "tagger.json"
        config.write_text(json.dumps(tagger(folder, num_epochs, args.hidden)), encoding="utf-8")
        return ["allennlp", "train", str(config), "-s", str(run)]
    os.environ["TREEBANK"] = str(args.data / "ud/tr_imst-ud")
    os.environ["VECTORS"] = str(args.vectors)
    changes = {
        "trainer.num_epochs": num_epochs,
        "trainer.patience": None,
        "trainer.checkpointer": {"keep_most_recent_by_count": None},
    }
    config = ROOT / "training_configs/downstream/pos.jsonnet"
    return ["linspector", "train", str(config), "-s", str(run), "-o", json.dumps(changes)]


def told(name, seconds, of_training):
    used, passed = seconds
    share = used / of_training[0]
    print(f"{name:10} {used:8.0f} CPU-seconds {passed:8.0f} s, {share:.2f} of training", flush=True)


if __name__ == "__main__":
    main()
