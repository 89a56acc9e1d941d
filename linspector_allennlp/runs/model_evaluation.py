"""The evaluation of any AllenNLP model, from its `forward`."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from allennlp.common import Tqdm
from allennlp.common.util import lazy_groups_of, sanitize
from allennlp.data import Batch, Instance
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.nn.util import move_to_device
from allennlp.training.util import evaluate as evaluate_as_allennlp

from linspector_allennlp.fields import metadata_of
from linspector_allennlp.run_folders.predictions import place_of
from linspector_allennlp.training.split import Split

BATCH_SIZE = 32
SORTED_AT_A_TIME = 4096


class Answered(NamedTuple):
    """An instance, its rank in the file, and what the model makes readable of it."""

    rank: int
    instance: Instance
    output: dict[str, Any]


def evaluate_model(
    model: Model, split: Split, device: torch.device
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """
    The metrics of a model on a split, which are those of `allennlp train`, and its predictions, one for
    each instance, in the order of the file.
    """
    metrics = model_metrics(model, split, device)
    records = []
    for _, instance, output in answers(model, split, device):
        place = place_of(metadata_of(instance))
        # The names of the place first, and kept from the model's own.
        records.append({**place, **output, **place})
    return metrics, records


def model_metrics(model: Model, split: Split, device: torch.device) -> dict[str, Any]:
    """Those of `allennlp train`."""
    return evaluate_as_allennlp(model, split.loader, cuda_device=device)


@torch.no_grad()
def answers(model: Model, split: Split, device: torch.device) -> list[Answered]:
    """The readable output for each instance, in the order of the file."""
    model.eval()
    found: list[Answered] = []
    groups = Tqdm.tqdm(list(_like_lengths(split)), desc=f"predictions on {split.name}")
    for group in groups:
        instances = [instance for _, instance in group]
        batch = Batch(instances)
        batch.index_instances(model.vocab)
        output = model(**move_to_device(batch.as_tensor_dict(), device))
        readable = sanitize(model.make_output_human_readable(output))
        separable = {
            name: values
            for name, values in readable.items()
            if isinstance(values, list) and len(values) == len(group)
        }
        for number, (rank, instance) in enumerate(group):
            each = {name: values[number] for name, values in separable.items()}
            found.append(Answered(rank, instance, each))
    if found:
        model.get_metrics(reset=True)
    return sorted(found, key=lambda answered: answered.rank)


def _like_lengths(split: Split) -> Iterator[list[tuple[int, Instance]]]:
    """
    Batches of instances whose texts have the same lengths: a model may make words of padding, and its
    answer to an instance must not depend on its neighbours.
    """
    for some in lazy_groups_of(split.ranked_instances(), SORTED_AT_A_TIME):
        by_lengths: dict[tuple[int, ...], list[tuple[int, Instance]]] = {}
        for rank, instance in some:
            texts = [field for field in instance.fields.values() if isinstance(field, TextField)]
            by_lengths.setdefault(tuple(map(len, texts)), []).append((rank, instance))
        for group in by_lengths.values():
            yield from lazy_groups_of(group, BATCH_SIZE)
