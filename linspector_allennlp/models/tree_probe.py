import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Optional, cast

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.data import Instance, Vocabulary
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.fields import tensor_of
from linspector_allennlp.metrics import SentenceScores
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.metrics.item_flaws import FEW
from linspector_allennlp.metrics.sentence_scores import LENGTHS
from linspector_allennlp.models.probe import Asked, Probe, Scores, Targets
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.models.rows import WordsOfSentence
from linspector_allennlp.models.tree_geometry import Arrays, Geometry
from linspector_allennlp.modules import Projection
from linspector_allennlp.modules.padding import mask_of, padded, pair_mask
from linspector_allennlp.run_folders.predictions import place_of

BASELINE_BATCH = 64
NOT_RECORDED = ("sent_id", "distances", "gold_distances")


class TreeProbe(Probe):
    """
    The base of the structural probes: what is trained is one matrix B, and the geometry of the vectors
    B·h is compared with that of a dependency tree. A subclass says how a difference becomes a loss.

    # Parameters

    rank : `int`, optional
        Of B; by default the dimension of the vectors.
    dropout : `float`, optional (default = `0.0`)
        On the vectors.
    score_punctuation : `bool`, optional (default = `False`)
        Whether words with the UPOS `PUNCT` count in UUAS and root accuracy. They are in training and
        in the correlations in any case, as in the original.
    text_field_embedder, regularizer :
        See `Probe`.
    """

    default_predictor = "dependency_tree"
    rows = WordsOfSentence()
    asked_fields = ("heads",)
    scores_training = False
    has_control_task = False
    gives_probabilities = False

    geometry: Geometry
    """A subclass whose geometry has settings makes it before it calls this constructor."""

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        rank: Optional[int] = None,
        dropout: float = 0.0,
        score_punctuation: bool = False,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(
            vocab=vocab,
            text_field_embedder=text_field_embedder,
            regularizer=regularizer,
            serialization_dir=serialization_dir,
        )
        self.head = self.mixing(Projection(self.feature_dim, rank, dropout))
        self.main_metric = self.geometry.main_metric
        self.prediction_kind = self.geometry.prediction_kind
        self.columns = self.geometry.columns
        self.baseline_metrics = self.geometry.baseline_metrics
        self._score_punctuation = score_punctuation

    def length_warning(self, lengths: Sequence[int]) -> Optional[str]:
        least, most = LENGTHS
        correlated = sum(least <= length <= most for length in lengths)
        if correlated >= min(FEW, len(lengths)):
            return None
        return (
            f"only {correlated} of {len(lengths)} sentences have {least} to {most} words: correlations "
            "(DSpr, NSpr) are over these alone"
        )

    def losses(
        self,
        predicted: torch.Tensor,
        gold: torch.Tensor,
        heads: torch.Tensor,
        mask: torch.Tensor,
    ) -> torch.Tensor:
        """The loss of each sentence, from the geometry of its vectors and that of its tree."""
        raise NotImplementedError

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        for instance in instances:
            self._check_gold(instance.fields)
        targets = {}
        for name in ("heads", "punctuation", self.geometry.name):
            tensors = [tensor_of(instance, name).flatten() for instance in instances]
            targets[name] = Ragged(torch.cat(tensors), torch.tensor(list(map(len, tensors))))
        return targets

    def gold(self, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        if "heads" in tensors:
            self._check_gold(tensors)
        return tensors

    def _check_gold(self, names: Collection[str]) -> None:
        missing = [name for name in ("heads", self.geometry.name) if name not in names]
        if missing:
            raise ConfigurationError(
                f"{type(self).__name__} needs dependency trees; an instance has no "
                f"{', '.join(missing)}. (A control task has heads, but no trees: it is for "
                "edge_probe.)"
            )

    def apply_head(  # type: ignore[override]
        self,
        features: torch.Tensor,
        lengths: torch.Tensor,
        heads: Optional[torch.Tensor] = None,
        **others: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        """The geometry of each sentence, under its name; and the mean loss, if trees are given."""
        mask, name = mask_of(lengths), self.geometry.name
        predicted = self.geometry.of(self.head(features), mask).to(features.dtype)
        output = {name: predicted}
        if heads is not None:
            gold = padded(others[name], self._mask_for(mask))
            losses = self.losses(predicted, gold, padded(heads, mask), mask)
            output.update(loss=losses.mean(), count=torch.tensor(len(lengths)))
        return output

    def new_scores(self) -> SentenceScores:
        return SentenceScores(self.geometry.by_length)

    def observe(
        self,
        scores: Scores,
        outputs: Sequence[dict[str, torch.Tensor]],
        targets: Sequence[Targets],
    ) -> None:
        for output, target in zip(outputs, targets):
            gold = self._arrays(target)
            shares = self.geometry.shares(self._answers(output), gold)
            cast(SentenceScores, scores)(gold["mask"].sum(axis=1), shares)

    def baselines(
        self, train: Sequence[Item], test: Sequence[Item], instances: Iterable[Instance]
    ) -> dict[str, float]:
        """The metrics of the geometry's `positions` on these instances."""
        scores: dict[str, SentenceScores] = {}
        for group in lazy_groups_of(instances, BASELINE_BATCH):
            targets = {name: target.values for name, target in self.targets(group).items()}
            lengths = torch.tensor([self.rows.num_rows(instance) for instance in group])
            gold = self._arrays({**targets, "lengths": lengths})
            for name, answers in self.geometry.positions(gold["mask"]).items():
                of_name = scores.setdefault(name, self.new_scores())
                of_name(gold["mask"].sum(axis=1), self.geometry.shares(answers, gold))
        return {
            f"baseline_{name}_{metric}": value
            for name, of_name in scores.items()
            for metric, value in of_name.get_metric().items()
        }

    def worth(
        self,
        train: Asked,
        test: Asked,
        predictions: Sequence[dict[str, Any]],
        nats: Optional[float],
    ) -> dict[str, float]:
        return {}

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        records = self._records(output_dict)
        return {name: [record[name] for record in records] for name in records[0]}

    def predictions(self, output: dict[str, Any]) -> list[list[dict[str, Any]]]:
        """A record for each sentence, without its distances, which grow with the square of its length."""
        records = []
        for data, record in zip(output["metadata"], self._records(output)):
            kept = {name: value for name, value in record.items() if name not in NOT_RECORDED}
            records.append([{**place_of(data), **kept}])
        return records

    def _records(self, output: dict[str, Any]) -> list[dict[str, Any]]:
        """The answer for each sentence, in indices of its words."""
        target = output["target"]
        gold = self._arrays(target) if "heads" in target else None
        mask = mask_of(target["lengths"]).cpu().numpy()
        kept = self._kept_of_text(mask, output["metadata"]) if gold is None else gold["kept"]
        records = self.geometry.describe(self._answers(output), mask, kept, gold)
        return [
            {
                "input": data.get("input"),
                "sent_id": data.get("sent_id", ""),
                "forms": data.get("forms"),
                **record,
            }
            for record, data in zip(records, output["metadata"])
        ]

    def _answers(self, output: dict[str, torch.Tensor]) -> np.ndarray:
        return output[self.geometry.name].detach().cpu().numpy()

    def _arrays(self, target: Targets) -> Arrays:
        """The gold answers, the sentences beside each other."""
        mask = mask_of(target["lengths"])
        arrays = {"mask": mask}
        for name in ("heads", "punctuation"):
            arrays[name] = padded(target[name], mask)
        arrays[self.geometry.name] = padded(target[self.geometry.name], self._mask_for(mask))
        arrays["kept"] = mask if self._score_punctuation else mask & ~arrays["punctuation"]
        return {name: tensor.cpu().numpy() for name, tensor in arrays.items()}

    def _mask_for(self, mask: torch.Tensor) -> torch.Tensor:
        return pair_mask(mask) if self.geometry.of_pairs else mask

    def _kept_of_text(self, mask: np.ndarray, metadata: list[dict[str, Any]]) -> np.ndarray:
        """Without UPOS, punctuation is known by its characters. Shape: (batch, n)"""
        kept = mask.copy()
        for row, data in zip(kept, metadata):
            for number, form in enumerate(data.get("forms", ())):
                row[number] &= self._score_punctuation or not all(map(_is_punctuation, form))
        return kept


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")
