"""What a score is worth: accuracy by form, bits, and the description length of the labels."""

import os
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from allennlp.common.checks import ConfigurationError
from allennlp.data.fields import TensorField
from allennlp.training import Trainer

from linspector_allennlp.models import EdgeProbe, FrozenProbe, LabelProbe, TreeProbe
from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer
from linspector_allennlp.training.information import head_information, label_information
from linspector_allennlp.training.outcome import Outcome, write_tsv
from linspector_allennlp.training.seen_forms import accuracy_by_form
from linspector_allennlp.training.split import Split


def what_it_is_worth(
    model: FrozenProbe, train: Split, test: Split, outcome: Outcome
) -> dict[str, float]:
    """What there is to say of the test data beyond accuracy, of probes that choose among answers."""
    if isinstance(model, TreeProbe):
        return {}
    right = [record["label"] == record["gold"] for record in outcome.predictions]
    worth = accuracy_by_form(train.items, test.items, right)
    if isinstance(model, EdgeProbe):
        return {**worth, **head_information(_heads(train), _heads(test), outcome.nats)}
    return {**worth, **label_information(train.items, test.items, outcome.nats)}


def check_mdl(model: FrozenProbe, trainer: Trainer) -> None:
    """Refuses `mdl` where there is no code, before anything is trained."""
    if not isinstance(model, (LabelProbe, EdgeProbe)):
        raise ConfigurationError(
            f"mdl: a {type(model).__name__} gives no probabilities, so that there is no code. It is "
            "for probes that choose a label or a head."
        )
    if not isinstance(trainer, FrozenProbeTrainer):
        raise ConfigurationError("mdl: expected the trainer frozen_probe, which trains on blocks.")


def write_online_code(folder: str, trainer: Trainer) -> dict[str, Any]:
    """Writes `mdl.tsv`, a row a block, into the run folder, and gives the entries of `metrics.json`."""
    blocks, uniform = cast(FrozenProbeTrainer, trainer).code_training_data()
    rows = [[block.first, block.end, f"{block.bits:.3f}"] for block in blocks]
    write_tsv(os.path.join(folder, "mdl.tsv"), [["first", "end", "bits"], *rows])
    online = sum(block.bits for block in blocks)
    return {
        "mdl_bits": online,
        "mdl_uniform_bits": uniform,
        "mdl_compression": uniform / online,
    }


def _heads(split: Split) -> Iterator[np.ndarray]:
    for instance in split.loader.iter_instances():
        yield cast(TensorField, instance["heads"]).tensor.numpy()
