import math
from collections.abc import Sequence
from typing import Any, Optional, cast

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary
from allennlp.data.fields import Field
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.fields import UNSEEN_LABEL, ProbeLabelField, metadata_of
from linspector_allennlp.metrics import LabelReport
from linspector_allennlp.metrics.information import label_information
from linspector_allennlp.metrics.label_report import UNSEEN_ROW
from linspector_allennlp.models.probe import Asked, Probe, Scores, Targets, registered_name
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.modules import FittedHead, LayeredHead, ProbeHead
from linspector_allennlp.run_folders.predictions import answer, place_of


class LabelProbe(Probe):
    """
    The base of the probes that give each item one of the labels that training has seen.

    # Parameters

    head : `Lazy[ProbeHead]`, optional (default = `MlpHead`)
    text_field_embedder, regularizer :
        See `Probe`.
    """

    asked_fields = ("label",)

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        head: Optional[Lazy[ProbeHead]] = None,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(
            vocab=vocab,
            text_field_embedder=text_field_embedder,
            regularizer=regularizer,
            serialization_dir=serialization_dir,
        )
        self.label_names = list(vocab.get_index_to_token_vocabulary("labels").values())
        if len(self.label_names) < 2:
            raise ConfigurationError(
                "A probe needs at least two labels to tell apart; the training data have "
                f"{len(self.label_names)}: {', '.join(self.label_names) or 'no label column'}."
            )
        built = (head or Lazy(ProbeHead.by_name("mlp"))).construct(
            input_dim=self.feature_dim, num_labels=len(self.label_names)
        )
        self.head_name = registered_name(ProbeHead, built)
        self.head = self.mixing(built)
        if isinstance(built, FittedHead):
            self.gives_probabilities = built.gives_probabilities  # type: ignore[misc]

    @property
    def plain_layers(self) -> Optional[torch.nn.Sequential]:
        if not isinstance(self.head, LayeredHead) or self._regularizer is not None:
            return None
        return self.head.layers if type(self).apply_head is LabelProbe.apply_head else None

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

    def gold(self, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {"label": tensors["label"]} if "label" in tensors else {}

    def apply_head(  # type: ignore[override]
        self,
        features: torch.Tensor,
        label: Optional[torch.Tensor] = None,
        lengths: Optional[torch.Tensor] = None,
    ) -> dict[str, torch.Tensor]:
        """
        The `logits` of the labels, in evaluation their `probabilities`, and, where labels are given,
        the `loss`: mean cross-entropy over the items whose label is known to training. A classifier that
        gives no probabilities has the share of errors for its loss.
        """
        # Shape: (num_rows, num_labels)
        output = {"logits": self.head(features)}
        if not self.training:
            output["probabilities"] = torch.softmax(output["logits"].detach(), dim=-1)
        if label is None:
            return output
        if not self.gives_probabilities:
            wrong = output["logits"].argmax(dim=-1) != label
            return {**output, "loss": wrong.double().mean(), "count": torch.tensor(len(label))}
        loss = torch.nn.functional.cross_entropy(output["logits"], label, ignore_index=UNSEEN_LABEL)
        if self.training:
            return {**output, "loss": loss, "count": torch.tensor(len(label))}
        count = (label != UNSEEN_LABEL).sum()
        if not count:
            # A batch in which training has seen no label: the mean of no losses.
            loss = torch.zeros_like(loss)
        return {**output, "loss": loss, "count": count, "nats": loss * count}

    def new_scores(self) -> LabelReport:
        return LabelReport(len(self.label_names), list(self.label_names))

    def observe(
        self,
        scores: Scores,
        outputs: Sequence[dict[str, torch.Tensor]],
        targets: Sequence[Targets],
    ) -> None:
        logits = torch.cat([output["logits"] for output in outputs])
        labels = torch.cat([target["label"] for target in targets])
        cast(LabelReport, scores)(logits, labels, lengths=self._sentence_lengths(targets))

    def _sentence_lengths(self, targets: Sequence[Targets]) -> Optional[torch.Tensor]:
        """The number of items of each sentence, if these are not independent."""
        return None

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        """
        For each item its `input`, the `label` with its `probability`, the `probabilities` of all
        labels (both where the head gives any), and the `gold` label if known.
        """
        rows = output_dict["probabilities"].tolist()
        readable: dict[str, Any] = {
            "input": [data.get("input") for data in output_dict["metadata"]],
            "label": [self.label_names[row.index(max(row))] for row in rows],
        }
        if self.gives_probabilities:
            readable["probability"] = list(map(max, rows))
            readable["probabilities"] = [dict(zip(self.label_names, row)) for row in rows]
        gold = self._gold_names(output_dict)
        if gold:
            readable["gold"] = [label for labels in gold for label in labels]
        return readable

    def as_probability(self, value: float) -> Optional[float]:
        """The value, where the head gives probabilities: those of other heads are none."""
        return value if self.gives_probabilities else None

    def predictions(self, output: dict[str, Any]) -> list[list[dict[str, Any]]]:
        readable = self.make_output_human_readable(output)
        records = []
        for data, *values in zip(output["metadata"], *readable.values()):
            of_item = dict(zip(readable, values))
            probabilities, gold = of_item.get("probabilities"), of_item["gold"]
            of_gold = None if probabilities is None else probabilities.get(gold, 0.0)
            record = {
                **place_of(data),
                **_probed(data),
                **answer(of_item["label"], of_item.get("probability"), gold, of_gold),
                "probabilities": probabilities,
            }
            records.append([record])
        return records

    def _gold_names(self, output: dict[str, Any]) -> list[list[str]]:
        """The gold labels of each instance; nothing if they are not known."""
        if "gold" in output:
            return output["gold"]
        if "label" not in output["target"]:
            return []
        # The index of a label unseen in training is −1: the last name.
        names = [*self.label_names, UNSEEN_ROW]
        ids = output["target"]["label"].split(output["target"]["lengths"].tolist())
        return [[names[number] for number in each.tolist()] for each in ids]

    def information(self, train: Asked, test: Asked, nats: float) -> dict[str, float]:
        return label_information(train.items, test.items, nats)

    def uniform_bits(self, **targets: torch.Tensor) -> float:
        return len(targets["label"]) * math.log2(len(self.label_names))


def _probed(metadata: dict[str, Any]) -> dict[str, Any]:
    """The `input` of an item, and its parts as they are called in all records."""
    given, words = metadata["input"], metadata["words"]
    # Sentences are told by their numbers.
    named = {name: value for name, value in given.items() if not name.startswith("sentence")}
    if "group" in metadata:
        named.update({key: metadata[key] for key in ("topic", "group") if key in metadata})
    elif len(words) == 1:
        named["form"] = words[0]
    elif "sentence1" in given:
        named["form1"], named["form2"] = words
    return {"input": given, **named}


def _label_id(field: Field) -> int:
    return field.label_id if isinstance(field, ProbeLabelField) else int(field.as_tensor({}))
