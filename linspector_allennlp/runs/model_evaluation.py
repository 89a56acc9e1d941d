"""The evaluation of any AllenNLP model, from its `forward`."""

from typing import Any

import torch
from allennlp.common import Tqdm
from allennlp.common.util import lazy_groups_of, sanitize
from allennlp.data import Batch
from allennlp.models import Model
from allennlp.nn.util import move_to_device

from linspector_allennlp.fields import metadata_of
from linspector_allennlp.training.split import Split


@torch.no_grad()
def evaluate_model(
    model: Model, split: Split, device: torch.device, batch_size: int = 32
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """
    The metrics of any model on a split, and for each instance what the model makes readable of it, with
    the line that it comes from.
    """
    model.eval()
    records: list[dict[str, Any]] = []
    losses: list[float] = []
    groups = lazy_groups_of(split.instances(), batch_size)
    for group in Tqdm.tqdm(groups, desc=f"evaluating on {split.name}"):
        batch = Batch(group)
        batch.index_instances(model.vocab)
        output = model(**move_to_device(batch.as_tensor_dict(), device))
        if "loss" in output:
            losses.append(float(output.pop("loss")))
        readable = sanitize(model.make_output_human_readable(output))
        separable = {
            name: values
            for name, values in readable.items()
            if isinstance(values, list) and len(values) == len(group)
        }
        for number, instance in enumerate(group):
            line = metadata_of(instance).get("line", len(records) + 1)
            each = {name: values[number] for name, values in separable.items()}
            records.append({"line": line, **each})
    metrics = dict(model.get_metrics(reset=True))
    if losses:
        metrics["loss"] = sum(losses) / len(losses)
    return metrics, records
