"""
The minimum description length of labels given a representation: the online code of Voita & Titov
(2020). The labels are sent block by block, each with a probe that was trained on all before it.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, Optional

import torch
from allennlp.common import Tqdm

from linspector_allennlp.models import Probe
from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.features import Features

PERCENT = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.25, 12.5, 25, 50, 100)
"""Of the training instances: where the blocks end."""


class Block(NamedTuple):
    """Instances that are sent together, and what that takes."""

    first: int
    end: int
    bits: float


def block_ends(num_instances: int) -> list[int]:
    """Where the blocks end; of few instances there are fewer blocks, none of them empty."""
    ends = (max(1, math.ceil(percent / 100 * num_instances)) for percent in PERCENT)
    return sorted(set(ends))


def online_code(
    model: Probe, train: Features, fit: Callable[[torch.Tensor], None], seed: int
) -> list[Block]:
    """
    The blocks of the training instances, in an order that is drawn from the seed.

    # Parameters

    fit : `Callable[[torch.Tensor], None]`
        Trains the model from the start on these training instances.
    """
    order = torch.randperm(train.num_instances, generator=torch.Generator().manual_seed(seed))
    ends = block_ends(train.num_instances)
    # The first block is sent without a probe: all answers are equally likely.
    blocks = [Block(0, ends[0], uniform_code(model, train, order[: ends[0]]))]
    for start, end in zip(ends, Tqdm.tqdm(ends[1:], desc="online code")):
        fit(order[:start])
        blocks.append(Block(start, end, evaluate(model, train, order[start:end]).bits))
    return blocks


def uniform_code(model: Probe, train: Features, instances: Optional[torch.Tensor] = None) -> float:
    """The bits that the labels of all instances, or of these, take without a probe."""
    instances = torch.arange(train.num_instances) if instances is None else instances
    targets = {name: target.take(instances).values for name, target in train.targets.items()}
    return model.uniform_bits(**targets, lengths=train.values.lengths[instances])
