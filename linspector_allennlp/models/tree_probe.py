import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Any, ClassVar, Optional, cast

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.data import Instance, Vocabulary
from allennlp.data.fields import TensorField
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.metrics import SentenceScores
from linspector_allennlp.metrics.sentence_scores import Shares
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.models.syntax_probe import SyntaxProbe
from linspector_allennlp.modules import Projection
from linspector_allennlp.modules.padding import mask_of, padded, pair_mask

Arrays = dict[str, np.ndarray]
BASELINE_BATCH = 64
MATRICES = ("distances", "gold_distances")


class TreeProbe(SyntaxProbe):
    """
    The base of the structural probes: what is trained is one matrix B, and the geometry of the vectors
    B·h is compared with a dependency tree.

    # Parameters

    rank : `int`, optional
        Of B; by default the dimension of the vectors.
    dropout : `float`, optional (default = `0.0`)
        On the vectors.
    score_punctuation : `bool`, optional (default = `False`)
        Whether words with the UPOS `PUNCT` count in UUAS and root accuracy. They are in training and
        in the correlations in any case, as in the original.
    text_field_embedder, regularizer :
        See `FrozenProbe`.
    """

    scores_training = False

    gold_fields: ClassVar[tuple[str, ...]]
    """The fields of an instance, besides its heads, that the probe is trained or scored on."""

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
        super().__init__(vocab, text_field_embedder, regularizer, serialization_dir)
        self.head = self.mixing(Projection(self.feature_dim, rank, dropout))
        self._score_punctuation = score_punctuation

    def shares(self, answers: np.ndarray, gold: Arrays) -> Shares:
        """How far the answers agree with the trees; `gold` has what `gold_fields` and `heads` name."""
        raise NotImplementedError

    def positions(self, mask: np.ndarray) -> dict[str, np.ndarray]:
        """Answers that know nothing but the order of the words, by a name of each: the baselines."""
        raise NotImplementedError

    def baselines(self, instances: Iterable[Instance]) -> dict[str, float]:
        """The metrics of `positions` on these instances."""
        scores: dict[str, SentenceScores] = {}
        for group in lazy_groups_of(instances, BASELINE_BATCH):
            targets = self.targets(group)
            gold = self._arrays({name: target.values for name, target in targets.items()})
            for name, answers in self.positions(gold["mask"]).items():
                of_name = scores.setdefault(name, SentenceScores(self.by_length))
                of_name(gold["mask"].sum(axis=1), self.shares(answers, gold))
        return {
            f"{name}_{metric}": value
            for name, of_name in scores.items()
            for metric, value in of_name.get_metric().items()
        }

    def answers_of(self, output: dict[str, torch.Tensor]) -> torch.Tensor:
        """What is compared with the gold tree, for each sentence beside each other."""
        raise NotImplementedError

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        for instance in instances:
            self.check_gold(instance.fields)
        lengths = torch.tensor([len(_tensor(i, "heads")) for i in instances])
        targets = {"lengths": Ragged(lengths, torch.ones_like(lengths))}
        for name in ("heads", "punctuation", *self.gold_fields):
            tensors = [_tensor(instance, name).flatten() for instance in instances]
            targets[name] = Ragged(torch.cat(tensors), torch.tensor(list(map(len, tensors))))
        return targets

    def check_gold(self, names: Collection[str]) -> None:
        missing = [name for name in ("heads", *self.gold_fields) if name not in names]
        if missing:
            raise ConfigurationError(
                f"{type(self).__name__} needs dependency trees; an instance has no "
                f"{', '.join(missing)}. (A control task has heads, but no trees: it is for "
                "edge_probe.)"
            )

    def observe(
        self, outputs: Sequence[dict[str, torch.Tensor]], targets: Sequence[dict[str, torch.Tensor]]
    ) -> None:
        for output, target in zip(outputs, targets):
            gold = self._arrays(target)
            answers = self.answers_of(output).detach().cpu().numpy()
            self.sentence_scores(gold["mask"].sum(axis=1), self.shares(answers, gold))

    def _arrays(self, target: dict[str, torch.Tensor]) -> Arrays:
        """What was to be answered, the sentences beside each other."""
        mask = mask_of(target["lengths"])
        pairs = pair_mask(mask)
        arrays = {"mask": mask}
        for name in ("heads", "punctuation", *self.gold_fields):
            arrays[name] = padded(target[name], pairs if name == "distances" else mask)
        arrays["kept"] = mask if self._score_punctuation else mask & ~arrays["punctuation"]
        return {name: tensor.cpu().numpy() for name, tensor in arrays.items()}

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        records = self._records(output_dict)
        return {name: [record[name] for record in records] for name in records[0]}

    def predictions(self, output: dict[str, Any]) -> list[dict[str, Any]]:
        """A record for each sentence, without its matrices, which grow with the square of its length."""
        records = []
        for data, record in zip(output["metadata"], self._records(output)):
            kept = {name: value for name, value in record.items() if name not in MATRICES}
            records.append({"line": data.get("line"), **kept})
        return records

    def _records(self, output: dict[str, Any]) -> list[dict[str, Any]]:
        """What there is to say of each sentence, in the numbers of CoNLL-U."""
        target, answers = output["target"], self.answers_of(output).detach().cpu().numpy()
        gold = self._arrays(target) if "heads" in target else None
        mask = mask_of(target["lengths"]).cpu().numpy()
        kept = self._kept_of_text(mask, output["metadata"]) if gold is None else gold["kept"]
        records = self.describe(answers, mask, kept, gold)
        for record, data in zip(records, output["metadata"]):
            record.update(sent_id=data.get("sent_id", ""), words=data.get("forms"))
        return records

    def _kept_of_text(self, mask: np.ndarray, metadata: list[dict[str, Any]]) -> np.ndarray:
        """Without UPOS, punctuation is known by its characters. Shape: (batch, n)"""
        kept = mask.copy()
        for row, data in zip(kept, metadata):
            for number, form in enumerate(data.get("forms", ())):
                row[number] &= self._score_punctuation or not all(map(_is_punctuation, form))
        return kept

    def describe(
        self, answers: np.ndarray, mask: np.ndarray, kept: np.ndarray, gold: Optional[Arrays]
    ) -> list[dict[str, Any]]:
        """For each sentence the answer, and with it the gold tree where there is one."""
        raise NotImplementedError


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


def _tensor(instance: Instance, name: str) -> torch.Tensor:
    return cast(TensorField, instance[name]).tensor
