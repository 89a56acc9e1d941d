"""
What does a diagnosis cost beside the training of the model? A POS tagger of AllenNLP's own (words and
characters, two BiLSTM layers), trained on a treebank, then two of its layers at three epochs on five tasks, both
in CPU-seconds of all their processes:

    python benchmarks/diagnosis.py DATA FOLDER [--epochs 2,8,20] [--hidden 200]

DATA has ud/ and linspector_released/. FOLDER gets the tagger and the study; a tagger that is there is not trained
again. Everything is computed: the feature store is in FOLDER, too.
"""

import argparse
import json
import os
import shutil
from pathlib import Path

from suite import measured

from linspector_allennlp.treebanks import read_treebank

LAYERS = "text_field_embedder,encoder#0"
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
    parser.add_argument("--epochs", default="2,8,20")
    parser.add_argument("--hidden", type=int, default=200)
    args = parser.parse_args()
    folder, run = args.folder, args.folder / "tagger"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ["LINSPECTOR_CACHE"] = str(folder / "cache")
    cost = folder / "training_cost.json"
    if not cost.exists():
        shutil.rmtree(run, ignore_errors=True)
        write_tagged(args.data, folder)
        num_epochs = max(map(int, args.epochs.split(",")))
        config = folder / "tagger.json"
        config.write_text(json.dumps(tagger(folder, num_epochs, args.hidden)), encoding="utf-8")
        training = measured(["allennlp", "train", str(config), "-s", str(run)])
        cost.write_text(json.dumps(training), encoding="utf-8")
    training = json.loads(cost.read_text(encoding="utf-8"))
    for name in ("study", "cache"):
        shutil.rmtree(folder / name, ignore_errors=True)
    tasks = [str(args.data / "linspector_released" / task / "turkish") for task in TASKS]
    command = [
        "linspector",
        "probe-diagnose",
        str(run),
        "--layers",
        LAYERS,
        "--epochs",
        args.epochs,
    ]
    probing = measured([*command, "--tasks", *tasks, "-s", str(folder / "study")])
    for name, (used, passed) in (("training", training), ("diagnosis", probing)):
        print(f"{name:10} {used:8.0f} CPU-seconds {passed:8.0f} s")
    print(f"the diagnosis takes {probing[0] / training[0]:.2f} of the training")


if __name__ == "__main__":
    main()
