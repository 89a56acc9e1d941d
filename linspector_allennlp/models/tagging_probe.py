from collections.abc import Sequence
from typing import Any, Optional, cast

import torch
from allennlp.common import Lazy
from allennlp.data import Instance, TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.dataset_readers.probe_labels_field import ProbeLabelsField
from linspector_allennlp.metrics import SentenceScores
from linspector_allennlp.models.label_probe import LabelProbe
from linspector_allennlp.models.ragged import Ragged, sums_by_sentence
from linspector_allennlp.models.sentence_probe import SentenceProbe
from linspector_allennlp.modules import ProbeHead


@Model.register("tagging_probe")
class TaggingProbe(SentenceProbe, LabelProbe):
    """
    Predicts the label of every probed word of a sentence from the vector of that word there. What
    `token_in_context_probe` is for one word at a time, without an instance for each word.

    Registered as a `Model` with name "tagging_probe". It takes what `TokenTagsReader` reads.
    Parameters: see `LabelProbe`.
    """

    default_predictor = "tagging_probe"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        head: Optional[Lazy[ProbeHead]] = None,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        LabelProbe.__init__(self, vocab, text_field_embedder, head, regularizer, serialization_dir)
        self.sentence_scores = SentenceScores()

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        labels = [cast(ProbeLabelsField, instance["labels"]) for instance in instances]
        for field in labels:
            field.index(self.vocab)
        lengths = torch.tensor(list(map(len, labels)))
        return {
            "label": Ragged.of([field.label_ids for field in labels]),
            "lengths": Ragged(lengths, torch.ones_like(lengths)),
        }

    def apply_head(  # type: ignore[override]
        self,
        features: torch.Tensor,
        label: Optional[torch.Tensor] = None,
        lengths: Optional[torch.Tensor] = None,
    ) -> dict[str, torch.Tensor]:
        return super().apply_head(features, label)

    def observe(
        self, outputs: Sequence[dict[str, torch.Tensor]], targets: Sequence[dict[str, torch.Tensor]]
    ) -> None:
        super().observe(outputs, targets)
        if self.training:
            return
        for output, target in zip(outputs, targets):
            right = output["logits"].argmax(dim=-1) == target["label"]
            lengths = target["lengths"].cpu().numpy()
            sums = sums_by_sentence(right, target["lengths"]).cpu().numpy()
            self.sentence_scores(lengths, {"accuracy": (sums, lengths)})

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        places: torch.Tensor,
        labels: Optional[torch.Tensor] = None,
        metadata: Optional[list[dict[str, Any]]] = None,
    ) -> dict[str, Any]:
        mask = places >= 0
        lengths = mask.sum(dim=1)
        label = None if labels is None else labels[mask]
        output: dict[str, Any] = self.apply_head(self.represent(tokens, places), label)
        if label is not None:
            self.observe([output], [{"label": label, "lengths": lengths}])
        # Shape: (num_words, num_labels)
        output["probabilities"] = torch.softmax(output["logits"].detach(), dim=-1)
        output["lengths"] = lengths
        output["metadata"] = metadata or [{} for _ in lengths]
        return output

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        """For each sentence its `words`, their `tags` and the `probabilities` of these; and `gold`."""
        readable: dict[str, list] = {"input": [], "words": [], "tags": [], "probabilities": []}
        metadata = output_dict["metadata"]
        for rows, data in zip(self._by_sentence(output_dict), metadata):
            best = rows.max(dim=-1)
            readable["input"].append(data.get("input"))
            readable["words"].append(data.get("forms"))
            readable["tags"].append([self.label_names[label] for label in best.indices.tolist()])
            readable["probabilities"].append(best.values.tolist())
        if any("labels" in data for data in metadata):
            readable["gold"] = [data.get("labels") for data in metadata]
        return readable

    def predictions(self, output: dict[str, Any]) -> list[dict[str, Any]]:
        """A record for each word; of the probabilities those of the answer and of the gold label."""
        records = []
        index = {label: number for number, label in enumerate(self.label_names)}
        for rows, data in zip(self._by_sentence(output), output["metadata"]):
            words = zip(data["lines"], data["forms"], data["labels"], rows.tolist())
            for line, word, gold, row in words:
                best = max(row)
                records.append(
                    {
                        "line": line,
                        "sentence": data["line"],
                        "word": word,
                        "label": self.label_names[row.index(best)],
                        "probability": best,
                        "gold": gold,
                        "gold_probability": row[index[gold]] if gold in index else 0.0,
                    }
                )
        return records

    def intervals(self) -> dict[str, tuple[float, float]]:
        return self.sentence_scores.intervals()

    def reset_metrics(self) -> None:
        super().reset_metrics()
        self.sentence_scores.reset()

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        metrics = super().get_metrics(reset)
        if reset:
            self.reset_metrics()
        return metrics

    def _by_sentence(self, output: dict[str, Any]) -> tuple[torch.Tensor, ...]:
        return output["probabilities"].split(output["lengths"].tolist())
