"""The saved state of a training, damaged."""

import random
from collections.abc import Iterator
from pathlib import Path

import torch

from linspector_allennlp.training.head_training import Checkpoint, Progress
from tests.hostile.case import Case
from tests.hostile.mutations import damages


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    def checkpoint(path: Path) -> Checkpoint:
        return Checkpoint(str(path), head=torch.nn.Linear(3, 2), progress=Progress())

    checkpoint(folder / "good").save()
    good = (folder / "good").read_bytes()
    for number, (what, content) in enumerate(damages(rng, good, 20)):
        path = folder / f"state-{number}"
        path.write_bytes(content)
        yield Case(
            what, path, lambda path=path: checkpoint(path).restore(torch.device("cpu")), "either"
        )
