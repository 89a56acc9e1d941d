import math
from collections.abc import Sequence
from typing import Any, Optional, cast

import numpy as np
import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.fields import UNSEEN_LABEL, ProbeLabelsField, tensor_of
from linspector_allennlp.metrics import SentenceScores
from linspector_allennlp.metrics.information import head_information
from linspector_allennlp.metrics.sentence_scores import sums_by_sentence
from linspector_allennlp.models.probe import Asked, Probe, Scores, Targets, registered_name
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.models.rows import WordsOfSentence
from linspector_allennlp.modules import EdgeHead, EdgeScorer, ProbeHead
from linspector_allennlp.modules.padding import mask_of, padded
from linspector_allennlp.run_folders.predictions import answer, words_of
from linspector_allennlp.trees import ROOT

NO_HEAD = -100
"""Cross-entropy leaves it out."""


@Model.register("edge_probe")
class EdgeProbe(Probe):
    """
    Predicts the head of each word but the root: which word of the sentence it is (Hewitt & Liang 2019).
    Every word of the sentence is a candidate, the word itself among them.

    Registered as a `Model` with name "edge_probe". It takes what `DependencyTreeReader` reads, or a
    control task of that.

    # Parameters

    scorer : `Lazy[EdgeScorer]`, optional (default = `BilinearScorer`)
    relation_head : `Lazy[ProbeHead]`, optional
        If given, the relation of a word to its head is predicted, too, from the two vectors side by
        side; in training and scoring from those of the gold head.
    text_field_embedder, regularizer :
        See `Probe`.
    """

    default_predictor = "dependency_tree"
    rows = WordsOfSentence()
    asked_fields = ("heads",)
    cluster_key = "sentence"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        scorer: Optional[Lazy[EdgeScorer]] = None,
        relation_head: Optional[Lazy[ProbeHead]] = None,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(
            vocab=vocab,
            text_field_embedder=text_field_embedder,
            regularizer=regularizer,
            serialization_dir=serialization_dir,
        )
        self.relation_names: list[str] = []
        dim = self.feature_dim
        relations: Optional[ProbeHead] = None
        if relation_head is not None:
            # A vocabulary that is asked for what it does not have makes a place for it.
            names = vocab.get_index_to_token_vocabulary("relation_labels")
            self.relation_names = list(names.values())
            if len(self.relation_names) < 2:
                raise ConfigurationError(
                    "relation_head: expected at least two relations in the training data, found "
                    f"{len(self.relation_names)}. (A control task has none.)"
                )
            relations = relation_head.construct(
                input_dim=2 * dim, num_labels=len(self.relation_names)
            )
        built = (scorer or Lazy(EdgeScorer.by_name("bilinear"))).construct(input_dim=dim)
        self.head_name = registered_name(EdgeScorer, built)
        self.head = self.mixing(EdgeHead(built, relations))

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        if any("heads" not in instance.fields for instance in instances):
            raise ConfigurationError("edge_probe needs heads; an instance has none.")
        heads = [tensor_of(instance, "heads") for instance in instances]
        targets = {"heads": Ragged(torch.cat(heads), torch.tensor(list(map(len, heads))))}
        if self.relation_names:
            relations = [cast(ProbeLabelsField, instance["relations"]) for instance in instances]
            for field in relations:
                field.index(self.vocab)
            targets["relations"] = Ragged.of([field.label_ids for field in relations])
        return targets

    def apply_head(  # type: ignore[override]
        self,
        features: torch.Tensor,
        lengths: torch.Tensor,
        heads: Optional[torch.Tensor] = None,
        relations: Optional[torch.Tensor] = None,
        **others: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        """
        `logits` of the words of its sentence as the head of each word, `relation_logits` of the
        relations to the gold head, or where there is none, to the predicted one.
        """
        mask = mask_of(lengths)
        gold = None if heads is None else padded(heads, mask)
        # Shape: (batch, n, n), (batch, n, num_relations)
        scores, of_relations = self.head(features, mask, gold)
        # Shape: (num_words, n)
        logits = scores.masked_fill(~mask.unsqueeze(1), -math.inf)[mask]
        output = {"logits": logits}
        if of_relations is not None:
            output["relation_logits"] = of_relations[mask]
        if heads is not None:
            is_scored = heads != ROOT
            count = is_scored.sum()
            total = _total_loss(logits, heads.masked_fill(~is_scored, NO_HEAD))
            output["nats"] = total.detach()
            if of_relations is not None and relations is not None:
                unscored = ~is_scored | (relations == UNSEEN_LABEL)
                total = total + _total_loss(
                    output["relation_logits"], relations.masked_fill(unscored, NO_HEAD)
                )
            output.update(loss=total / count.clamp(min=1), count=count)
        return output

    def new_scores(self) -> SentenceScores:
        return SentenceScores()

    def observe(
        self,
        scores: Scores,
        outputs: Sequence[dict[str, torch.Tensor]],
        targets: Sequence[Targets],
    ) -> None:
        for output, target in zip(outputs, targets):
            lengths, heads = target["lengths"], target["heads"]
            is_scored = heads != ROOT
            right = (output["logits"].argmax(dim=1) == heads) & is_scored
            achieved = {"accuracy": right}
            if "relation_logits" in output and "relations" in target:
                named = output["relation_logits"].argmax(dim=1) == target["relations"]
                achieved["relation_accuracy"] = named & is_scored
                achieved["labelled_accuracy"] = named & right
            possible = sums_by_sentence(is_scored, lengths).cpu().numpy()
            shares = {
                name: (sums_by_sentence(words, lengths).cpu().numpy(), possible)
                for name, words in achieved.items()
            }
            cast(SentenceScores, scores)(lengths.cpu().numpy(), shares)

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        """
        For each sentence its `forms`, the index of the head of each, and the gold ones, if known: −1
        is that of the root.
        """
        target, metadata = output_dict["target"], output_dict["metadata"]
        lengths = target["lengths"].tolist()
        heads = output_dict["logits"].argmax(dim=1).split(lengths)
        readable = {
            "input": [data.get("input") for data in metadata],
            "sent_id": [data.get("sent_id", "") for data in metadata],
            "forms": [data.get("forms") for data in metadata],
            "heads": [each.tolist() for each in heads],
        }
        if "heads" in target:
            readable["gold_heads"] = [each.tolist() for each in target["heads"].split(lengths)]
        if "relation_logits" in output_dict:
            best = output_dict["relation_logits"].argmax(dim=1).split(lengths)
            readable["relations"] = [
                [self.relation_names[number] for number in each.tolist()] for each in best
            ]
        return readable

    def predictions(self, output: dict[str, Any]) -> list[list[dict[str, Any]]]:
        """A record for each word but the root."""
        lengths = output["target"]["lengths"].tolist()
        probabilities = torch.softmax(output["logits"].detach(), dim=1).split(lengths)
        golds = output["target"]["heads"].split(lengths)
        records = []
        for data, rows, heads in zip(output["metadata"], probabilities, golds):
            words = zip(words_of(data), heads.tolist(), rows.tolist(), strict=True)
            records.append(
                [
                    {**word, **answer(row.index(max(row)), max(row), gold, row[gold])}
                    for word, gold, row in words
                    if gold != ROOT
                ]
            )
        return records

    def information(self, train: Asked, test: Asked, nats: float) -> dict[str, float]:
        heads = [_by_sentence(asked.targets["heads"]) for asked in (train, test)]
        return head_information(heads[0], heads[1], nats)

    def uniform_bits(self, **targets: torch.Tensor) -> float:
        lengths = targets["lengths"].repeat_interleave(targets["lengths"])
        return float(lengths[targets["heads"] != ROOT].double().log2().sum())


def _by_sentence(heads: Ragged) -> list[np.ndarray]:
    return [each.cpu().numpy() for each in heads.values.split(heads.lengths.tolist())]


def _total_loss(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(logits, target, ignore_index=NO_HEAD, reduction="sum")
