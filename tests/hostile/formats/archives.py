"""Archives of AllenNLP models, through the door of the commands and that of `archive(...)`."""

import io
import json
import os
import random
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.models import Model

from linspector_allennlp.representations.archives import guarded
from linspector_allennlp.representations.archives.load import load_model
from linspector_allennlp.representations.archives.unpack import unpack_archive
from tests.hostile.case import Case
from tests.hostile.damage import damaged_bytes, damaged_json, written

CONFIG: dict[str, Any] = {
    "dataset_reader": {"type": "sequence_tagging"},
    "model": {
        "type": "simple_tagger",
        "text_field_embedder": {
            "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 2}}
        },
        "encoder": {"type": "lstm", "input_size": 2, "hidden_size": 2},
    },
    "data_loader": {"batch_size": 4},
    "trainer": {"num_epochs": 1},
}


class Evil:
    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> Any:
        return os.system, (self.command,)


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    harm = folder / "harm"
    members = _good(folder)
    number = 0

    def made(name: str, content: bytes, may: str = "either") -> Iterator[Case]:
        nonlocal number
        number += 1
        path = written(folder, number, content, "tar.gz")
        yield Case(name, path, _harmless(lambda: _state(path), harm), may)
        yield Case(f"{name}, in archive(…)", path, _harmless(lambda: _layer(path), harm), may)

    yield from made("whole", _packed(members), "read")
    for name, content in damaged_bytes(rng, _packed(members)):
        yield from made(name, content)
    for name, config in damaged_json(rng, CONFIG, 8):
        yield from made(f"config.json: {name}", _packed({**members, "config.json": config}))
    evil = {"type": "subprocess.getoutput", "cmd": f"touch {harm}"}
    for part in ("model", "dataset_reader", "vocabulary"):
        config = json.dumps({**CONFIG, part: evil}).encode()
        yield from made(
            f"a {part} that runs code", _packed({**members, "config.json": config}), "refuse"
        )
    weights = io.BytesIO()
    torch.save({"a": Evil(f"touch {harm}")}, weights)
    yield from made(
        "weights that run code", _packed({**members, "weights.th": weights.getvalue()}), "refuse"
    )
    for name in ("../harm", "../../harm", str(harm), "a/../../harm", "vocabulary/../../harm"):
        yield from made(
            f"a member {name.replace(str(folder), '')}", _packed({**members, name: b"x"}), "refuse"
        )
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
        yield from made(f"a member of type {kind!r}", _packed(members, kind), "refuse")
    for name, state in damaged_bytes(rng, members["weights.th"]):
        yield from made(f"weights: {name}", _packed({**members, "weights.th": state}))


def _good(folder: Path) -> dict[str, bytes]:
    vocabulary = Vocabulary()
    for word, label in (("koira", "N"), ("juoksee", "V")):
        vocabulary.add_token_to_namespace(word, "tokens")
        vocabulary.add_token_to_namespace(label, "labels")
    vocabulary.save_to_files(str(folder / "vocabulary"))
    model = Model.from_params(Params(json.loads(json.dumps(CONFIG["model"]))), vocab=vocabulary)
    state = io.BytesIO()
    torch.save(model.state_dict(), state)
    files = {
        f"vocabulary/{path.name}": path.read_bytes() for path in (folder / "vocabulary").iterdir()
    }
    return {"config.json": json.dumps(CONFIG).encode(), "weights.th": state.getvalue(), **files}


def _packed(members: dict[str, bytes], special: bytes = b"") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        if special:
            member = tarfile.TarInfo("special")
            member.type, member.linkname = special, "/etc/passwd"
            archive.addfile(member)
    return file.getvalue()


def _state(path: Path) -> Any:
    return {
        name: tuple(t.shape) for name, t in guarded.load_archive(path).model.state_dict().items()
    }


def _layer(path: Path) -> Any:
    folder = unpack_archive(path)
    try:
        model, _ = load_model(folder)
    except Exception as error:
        # It names the file in the folder that it was unpacked to.
        error.args = (f"{path.name}: {error}", *error.args[1:])
        if hasattr(error, "message"):
            error.message = f"{path.name}: {error.message}"
        raise
    return {name: tuple(t.shape) for name, t in model.state_dict().items()}


def _harmless(read: Callable[[], Any], harm: Path) -> Callable[[], Any]:
    def open_it() -> Any:
        try:
            return read()
        finally:
            if harm.exists():
                harm.unlink()
                raise AssertionError("harm was done")

    return open_it
