import math
from collections.abc import Sequence
from typing import Any, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary
from allennlp.data.fields import Field
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.dataset_readers.probe_label_field import UNSEEN_LABEL, ProbeLabelField
from linspector_allennlp.dataset_readers.probing_reader import metadata_of
from linspector_allennlp.metrics import LabelReport
from linspector_allennlp.metrics.interval import bootstrap_interval
from linspector_allennlp.metrics.label_report import LabelScore
from linspector_allennlp.models.frozen_probe import FrozenProbe
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.modules import ProbeHead

UNSEEN_ROW = "(label unseen in training)"


class LabelProbe(FrozenProbe):
    """
    The base of the probes that give each item one of the labels that training has seen.

    # Parameters

    head : `Lazy[ProbeHead]`, optional (default = `MlpHead`)
    text_field_embedder, regularizer :
        See `FrozenProbe`.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        head: Optional[Lazy[ProbeHead]] = None,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(vocab, text_field_embedder, regularizer, serialization_dir)
        self.label_names: list[str] = list(vocab.get_index_to_token_vocabulary("labels").values())
        if len(self.label_names) < 2:
            raise ConfigurationError(
                "A probe needs at least two labels to tell apart; the training data have "
                f"{len(self.label_names)}: {', '.join(self.label_names) or 'no label column'}."
            )
        self.head = self.mixing(
            (head or Lazy(ProbeHead.by_name("mlp"))).construct(
                input_dim=self.feature_dim, num_labels=len(self.label_names)
            )
        )
        self.label_report = LabelReport(len(self.label_names))

    def uniform_bits(self, **targets: torch.Tensor) -> float:
        """What it costs to say the labels of some items without any knowledge."""
        return len(targets["label"]) * math.log2(len(self.label_names))

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        for instance in instances:
            if "label" not in instance.fields:
                raise ConfigurationError(
                    f"A probe cannot be trained on items without a label: {metadata_of(instance)}"
                )
            instance["label"].index(self.vocab)
        # One tensor for all, because one for each would take longer than the lookup of its vector.
        labels = torch.tensor([_label_id(i["label"]) for i in instances])
        return {"label": Ragged(labels, torch.ones_like(labels))}

    def apply_head(  # type: ignore[override]
        self, features: torch.Tensor, label: Optional[torch.Tensor] = None
    ) -> dict[str, torch.Tensor]:
        """
        The `logits` of the labels and, where labels are given, the `loss`: mean cross-entropy over
        the items whose label is known to training.
        """
        # Shape: (num_rows, num_labels)
        logits = self.head(features)
        if label is None:
            return {"logits": logits}
        loss = torch.nn.functional.cross_entropy(logits, label, ignore_index=UNSEEN_LABEL)
        if self.training:
            return {"logits": logits, "loss": loss, "count": torch.tensor(len(label))}
        count = (label != UNSEEN_LABEL).sum()
        if not count:
            # A batch in which training has seen no label: the mean of no losses.
            loss = torch.zeros_like(loss)
        return {"logits": logits, "loss": loss, "count": count, "nats": loss * count}

    def observe(
        self, outputs: Sequence[dict[str, torch.Tensor]], targets: Sequence[dict[str, torch.Tensor]]
    ) -> None:
        logits = torch.cat([output["logits"] for output in outputs])
        self.label_report(logits, torch.cat([target["label"] for target in targets]))

    def _probe(
        self,
        features: torch.Tensor,
        label: Optional[torch.Tensor],
        metadata: Optional[list[dict[str, Any]]],
    ) -> dict[str, Any]:
        """`apply_head`, with what AllenNLP's commands expect of a `forward` around it."""
        output: dict[str, Any] = self.apply_head(features, label)
        if label is not None:
            self.observe([{"logits": output["logits"].detach()}], [{"label": label}])
        output["probabilities"] = torch.softmax(output["logits"], dim=-1)
        output["metadata"] = metadata or [{} for _ in features]
        return output

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        """For each item its `input`, `label` and `probabilities`, and the `gold` label if known."""
        probabilities = output_dict["probabilities"].tolist()
        metadata = output_dict["metadata"]
        readable: dict[str, Any] = {
            "input": [data.get("input") for data in metadata],
            "label": [self.label_names[row.index(max(row))] for row in probabilities],
            "probabilities": [dict(zip(self.label_names, row)) for row in probabilities],
        }
        if any(data.get("label") is not None for data in metadata):
            readable["gold"] = [data.get("label") for data in metadata]
        return readable

    def predictions(self, output: dict[str, Any]) -> list[dict[str, Any]]:
        readable = self.make_output_human_readable(output)
        return [
            {"line": data.get("line"), **dict(zip(readable, values))}
            for data, *values in zip(output["metadata"], *readable.values())
        ]

    def tables(self) -> dict[str, list[list[Any]]]:
        """`report`: the scores of each label; `confusion`: rows are gold labels, columns answers."""
        report, labels = self.label_report, list(self.label_names)
        scores = report.label_scores()
        if report.num_unseen:
            labels.append(UNSEEN_ROW)
            scores.append(LabelScore(0.0, 0.0, 0.0, report.num_unseen))
        rows = [
            [label, *(f"{value:.4f}" for value in score[:3]), score.support]
            for label, score in zip(labels, scores)
        ]
        counts = zip(labels, report.confusion.tolist())
        return {
            "report": [["label", "precision", "recall", "f1", "support"], *rows],
            "confusion": [
                ["gold \\ predicted", *self.label_names],
                *([label, *row] for label, row in counts),
            ],
        }

    def intervals(self) -> dict[str, tuple[float, float]]:
        confusion = self.label_report.confusion
        right, total = int(confusion.diagonal().sum()), int(confusion.sum())
        return {"accuracy": bootstrap_interval(right, total)}

    def reset_metrics(self) -> None:
        self.label_report.reset()

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return self.label_report.get_metric(reset)


def _label_id(field: Field) -> int:
    return field.label_id if isinstance(field, ProbeLabelField) else int(field.as_tensor({}))
