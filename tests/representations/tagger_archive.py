"""A small tagger of AllenNLP's, trained on our fixtures: a black box for the tests."""

import tarfile
from copy import deepcopy
from pathlib import Path

import conllu
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.models import Model

ROOT = Path(__file__).resolve().parents[2]

READER = {
    "type": "sequence_tagging",
    "token_indexers": {
        "tokens": "single_id",
        "characters": {"type": "characters", "min_padding_length": 1},
    },
}
MODEL = {
    "type": "simple_tagger",
    "text_field_embedder": {
        "token_embedders": {
            "tokens": {"type": "embedding", "embedding_dim": 6},
            "characters": {
                "type": "character_encoding",
                "embedding": {"embedding_dim": 4, "vocab_namespace": "token_characters"},
                "encoder": {"type": "lstm", "input_size": 4, "hidden_size": 3},
            },
        }
    },
    "encoder": {"type": "lstm", "input_size": 9, "hidden_size": 5, "bidirectional": True},
}


def train_tagger(folder: Path) -> Path:
    """The run folder of a tagger after two epochs, with the weights of both and a model.tar.gz."""
    folder.mkdir(parents=True, exist_ok=True)
    treebank = (ROOT / "fixtures/raw/finnish-ud-dev.conllu").read_text(encoding="utf-8")
    lines = [
        " ".join(f"{token['form']}###{token['upos']}" for token in sentence)
        for sentence in conllu.parse(treebank)[:40]
    ]
    data = folder / "tagged.txt"
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = {
        "dataset_reader": READER,
        "train_data_path": str(data),
        "validation_data_path": str(data),
        "model": MODEL,
        "data_loader": {"batch_size": 16},
        "trainer": {
            "num_epochs": 2,
            "optimizer": "adam",
            "checkpointer": {"keep_most_recent_by_count": 2},
        },
    }
    train_model(Params(deepcopy(config)), str(folder / "run"))
    return folder / "run"


def save_run(folder: Path, model_type: str, words: list[str]) -> Path:
    """A run folder as training leaves it, for a registered model that takes a vocabulary alone."""
    vocabulary = Vocabulary.empty()
    for word in words:
        vocabulary.add_token_to_namespace(word, "tokens")
    (folder / "vocabulary").mkdir(parents=True)
    vocabulary.save_to_files(str(folder / "vocabulary"))
    model = Model.by_name(model_type)(vocabulary)  # type: ignore[call-arg]
    torch.save(model.state_dict(), folder / "best.th")
    Params({"dataset_reader": "sequence_tagging", "model": model_type}).to_file(
        str(folder / "config.json")
    )
    return folder


def pack(path: Path, members: dict[str, Path]) -> Path:
    """A tar.gz with these files or folders under these names."""
    with tarfile.open(path, "w:gz") as archive:
        for name, file in members.items():
            archive.add(file, arcname=name)
    return path
