from collections.abc import Sequence
from typing import Any, Optional, cast

import torch
from allennlp.data import Instance
from allennlp.models import Model

from linspector_allennlp.fields import ProbeLabelsField
from linspector_allennlp.models.label_probe import LabelProbe
from linspector_allennlp.models.probe import Targets
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.models.rows import WordsOfSentence


@Model.register("tagging_probe")
class TaggingProbe(LabelProbe):
    """
    Predicts the label of every probed word of a sentence from the vector of that word there: many
    `token_in_context_probe`s at once, without an instance for each word.

    Registered as a `Model` with name "tagging_probe". It takes what `TokenTagsReader` reads.
    Parameters: see `LabelProbe`.
    """

    default_predictor = "tagging_probe"
    rows = WordsOfSentence()
    cluster_key = "sentence"

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        labels = [cast(ProbeLabelsField, instance["labels"]) for instance in instances]
        for field in labels:
            field.index(self.vocab)
        return {"label": Ragged.of([field.label_ids for field in labels])}

    def gold(self, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {"label": tensors["labels"]} if "labels" in tensors else {}

    def _sentence_lengths(self, targets: Sequence[Targets]) -> Optional[torch.Tensor]:
        return None if self.training else torch.cat([target["lengths"] for target in targets])

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        """For each sentence its `words`, their `tags` and the `probabilities` of these; and `gold`."""
        readable: dict[str, list] = {"input": [], "words": [], "tags": [], "probabilities": []}
        for rows, data in zip(_by_sentence(output_dict), output_dict["metadata"]):
            best = rows.max(dim=-1)
            readable["input"].append(data.get("input"))
            readable["words"].append(data.get("forms"))
            readable["tags"].append([self.label_names[label] for label in best.indices.tolist()])
            readable["probabilities"].append(best.values.tolist())
        gold = self._gold_names(output_dict)
        if gold:
            readable["gold"] = gold
        return readable

    def predictions(self, output: dict[str, Any]) -> list[list[dict[str, Any]]]:
        """A record for each word; of the probabilities those of the answer and of the gold label."""
        index = {label: number for number, label in enumerate(self.label_names)}
        sentences = zip(_by_sentence(output), output["metadata"], self._gold_names(output))
        return [
            [
                {
                    "line": line,
                    "sentence": data["line"],
                    "word": word,
                    "label": self.label_names[row.index(max(row))],
                    "probability": max(row),
                    "gold": gold,
                    "gold_probability": row[index[gold]] if gold in index else 0.0,
                }
                for line, word, gold, row in zip(data["lines"], data["forms"], golds, rows.tolist())
            ]
            for rows, data, golds in sentences
        ]


def _by_sentence(output: dict[str, Any]) -> tuple[torch.Tensor, ...]:
    return output["probabilities"].split(output["target"]["lengths"].tolist())
