"""The saved state of a training, damaged: nothing of it is taken, or all of it as it was."""

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import torch

from linspector_allennlp.training.head_training import Checkpoint, Progress
from tests.hostile.case import Case
from tests.hostile.mutations import damages


def restored(path: Path) -> tuple[list, list]:
    head = torch.nn.Linear(3, 2)
    Checkpoint(str(path), head=head, progress=Progress()).restore(torch.device("cpu"))
    return head.weight.tolist(), head.bias.tolist()


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    good = folder / "good"
    Checkpoint(str(good), head=torch.nn.Linear(3, 2), progress=Progress()).save()
    right = restored(good).__eq__
    for number, (what, content) in enumerate(damages(rng, good.read_bytes(), 20)):
        path = folder / f"state-{number}"
        path.write_bytes(content)
        yield Case(what, path, partial(restored, path), "either", right)
