from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Optional, Protocol

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.fields import Record, names_of_indexers
from linspector_allennlp.metrics.baselines import (
    ITEM_BASELINES,
    Item,
    accuracy_by_form,
    item_baselines,
)
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.models.rows import Rows
from linspector_allennlp.modules import FittedHead, LayerMixHead, PieceAttentionHead
from linspector_allennlp.representations.transfer_embedder import embedder_of
from linspector_allennlp.representations.word_embedder import hand_over_layers, hand_over_pieces
from linspector_allennlp.run_folders.run_record import Column

Targets = dict[str, torch.Tensor]

ACCURACY_COLUMNS = (
    Column("test accuracy", "test_accuracy"),
    Column("95 % interval", "test_accuracy", "interval"),
    Column("majority", "baseline_majority"),
    Column("suffix", "baseline_suffix"),
    Column("form", "baseline_form"),
    Column("macro-F1", "test_macro_f1"),
    Column("unknown words", "oov_test"),
)


class Asked(NamedTuple):
    """The questions of a split: its items, and the targets of its instances."""

    items: Sequence[Item]
    targets: dict[str, Ragged]


class Scores(Protocol):
    """The metric of a probe: it is shown outputs, and says how good they were."""

    def get_metric(self, reset: bool = False) -> dict[str, float]: ...

    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % intervals of the metrics that have one."""

    def tables(self) -> dict[str, list[list[Any]]]:
        """The details by the name of a table; each has a header row."""

    def details(self) -> dict[str, Any]:
        """Further numbers of a finished evaluation."""


class Probe(Model):
    """
    The base of the probes: a frozen representation and a trained head on top of it.

    A probe is made of two answers. Its `rows` say which words it asks of. The class itself says what
    it answers: the targets, the loss (`apply_head`), the scores and the predictions. `represent` turns
    inputs into features, without gradient; `apply_head` turns features into answers. `forward` is the
    two in a row, so that a trained archive works from raw text. The trainer `frozen_probe` runs the
    first half once and trains on its result. Everything that is trained is in `head`.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
        The representation to probe: any of AllenNLP's. It is frozen here, and always in
        evaluation mode. Where it gives layers to be mixed (`layer: "mix"`), or pieces to be weighed
        (`pool: "attention"`), the weights of that are trained as a part of the head.
    regularizer : `RegularizerApplicator`, optional
        A penalty on the weights of the head, as for any model of AllenNLP's.
    """

    rows: Rows
    """A subclass whose rows have settings makes them before it calls this constructor."""

    main_metric: str = "accuracy"
    columns: tuple[Column, ...] = ACCURACY_COLUMNS
    """The columns of a table of runs."""
    baseline_metrics: tuple[str, ...] = ITEM_BASELINES
    """The baselines of the main metric, by their keys in `metrics.json`."""

    prediction_kind: str = "label"
    cluster_key: str = "line"
    """How the predictions are scored item by item, and by which of their keys some belong together."""

    gives_probabilities: ClassVar[bool] = True
    """Whether `apply_head` gives the `nats` of the right answers, so that there is a code."""

    has_control_task: ClassVar[bool] = True

    scores_training: ClassVar[bool] = True
    """Whether the metrics are wanted of training epochs, too; some take longer than the epoch."""

    asked_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of an instance that have the gold answers."""

    head_name: Optional[str] = None
    """The registered name of its head, where there are several to choose from."""

    label_names: Sequence[str] = ()
    """The labels that it chooses among, if these are what the data name."""

    head: torch.nn.Module

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(
            vocab=vocab,
            regularizer=regularizer,  # type: ignore[arg-type]
            serialization_dir=serialization_dir,
        )
        self.text_field_embedder = text_field_embedder.requires_grad_(False)
        self._mixed_layers = hand_over_layers(text_field_embedder)
        self._max_pieces = hand_over_pieces(text_field_embedder)
        # How many vectors stand for a word until the head makes one of them.
        self._parts = max(self._mixed_layers, self._max_pieces)

    def check_fields(self, found: Collection[str], with_gold: bool) -> None:
        """Refuses instances that have not what this probe asks of, or not the answers."""
        expected = [*self.rows.inputs, *(self.asked_fields if with_gold else ())]
        if not set(expected) <= set(found):
            raise ConfigurationError(
                f"{type(self).__name__}: expected instances with the fields {', '.join(expected)}, "
                f"found {', '.join(found)}. Is the dataset_reader for another kind of task?"
            )

    # The frozen half

    @property
    def feature_dim(self) -> int:
        """The size of a row's features, once there is one vector for a word: what a head takes."""
        return self.rows.feature_dim(self._word_dim)

    @property
    def _word_dim(self) -> int:
        size = self.text_field_embedder.get_output_dim()
        # Behind pieces is their number, which the division loses.
        return size // self._parts

    @torch.no_grad()
    def represent(self, *inputs: Any, **named: Any) -> torch.Tensor:
        """The features of rows, from the tensors of `rows.inputs`. Shape: (num_rows, feature_dim)"""
        text = inputs[0] if inputs else named[self.rows.inputs[0]]
        embedder = embedder_of(self.text_field_embedder, text)
        vectors = self.rows.represent(embedder, *inputs, **named)
        return self.rows.features(vectors, self._parts)

    def represent_instances(self, instances: Sequence[Instance]) -> Optional[torch.Tensor]:
        """
        The features of `represent`, from the words themselves: many instances of a task ask of the
        same sentence, and making tensors of it each time takes longer than looking its vectors up.
        `None` if the representation is not one that takes words as they are.
        """
        embedder = embedder_of(self.text_field_embedder, names_of_indexers(instances[0]))
        vectors = self.rows.represent_words(embedder, instances)
        return None if vectors is None else self.rows.features(vectors, self._parts)

    def encoder_provenance(self) -> Optional[dict[str, Any]]:
        """The encoder of sentences and its settings, where there is one."""
        return None

    # The trained half

    def mixing(self, head: torch.nn.Module) -> torch.nn.Module:
        """
        The head, after a mix of layers where the representation gives several, or after attention where
        it gives the pieces of words.
        """
        if self._parts == 1:
            return head
        if isinstance(head, FittedHead):
            what, which = ("A mix of layers is", "`layer`")
            if self._max_pieces:
                what, which = ("Attention over pieces is", "`pool`")
            raise ConfigurationError(
                f"{what} trained by gradients, and this head is not: name a {which}."
            )
        if self._max_pieces:
            return PieceAttentionHead(head, self._word_dim, self._max_pieces, self.rows.combination)
        return LayerMixHead(head, self._mixed_layers, self.rows.combination)

    @property
    def plain_layers(self) -> Optional[torch.nn.Sequential]:
        """
        The layers of the head, if nothing but these is trained, by the mean cross-entropy of the `label` of
        each row: many such probes can be trained as one.
        """
        return None

    def layer_weights(self) -> Optional[list[float]]:
        """The learned share of each layer, where layers are mixed."""
        return self.head.layer_weights() if isinstance(self.head, LayerMixHead) else None

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        """The gold answers that `apply_head` takes, by the names of its parameters."""
        raise NotImplementedError

    def gold(self, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """The same names, of the tensors that `forward` is given besides its inputs."""
        return tensors

    def apply_head(
        self, features: torch.Tensor, lengths: Optional[torch.Tensor] = None, **gold: Any
    ) -> dict[str, torch.Tensor]:
        """
        From the features of instances with so many rows each to answers. Where the gold answers are
        given, also the `loss`, a mean, and the `count` of what it is the mean of; in evaluation,
        probes that give probabilities have the `nats` of the right answers, the sum of −ln p.
        """
        raise NotImplementedError

    def forward(  # type: ignore[override]
        self, metadata: Optional[list[dict[str, Any]]] = None, **tensors: Any
    ) -> dict[str, Any]:
        self.check_fields(tensors, with_gold=self.training)
        inputs = [tensors.pop(name) for name in self.rows.inputs]
        target = {n: self.rows.flat(gold, *inputs) for n, gold in self.gold(tensors).items()}
        target["lengths"] = self.rows.lengths(*inputs)
        output: dict[str, Any] = self.apply_head(self.represent(*inputs), **target)
        if "loss" in output and (self.scores_training or not self.training):
            self.observe(self.scores, [output], [target])
        output["target"] = target
        output["metadata"] = metadata or [{} for _ in target["lengths"]]
        return output

    # The scores

    def new_scores(self) -> Scores:
        raise NotImplementedError

    @property
    def scores(self) -> Scores:
        """Those of what `forward` has seen since the last reset."""
        if not hasattr(self, "_scores"):
            self._scores = self.new_scores()
        return self._scores

    def observe(
        self,
        scores: Scores,
        outputs: Sequence[dict[str, torch.Tensor]],
        targets: Sequence[Targets],
    ) -> None:
        """Shows the scores what `apply_head` gave for some batches, and the gold answers."""
        raise NotImplementedError

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return self.scores.get_metric(reset)

    def predictions(self, output: dict[str, Any]) -> list[list[dict[str, Any]]]:
        """
        The records of a run folder (see `run_folders.predictions`) but for their numbers, for each
        instance one for each scored item, or one for the sentence. `output` is what
        `forward` gives: that of `apply_head`, with the `target` and the `metadata`; if it has the
        `gold` labels of each instance, they are named even where training has not seen them.
        """
        raise NotImplementedError

    # The worth of a score

    def baselines(
        self, train: Sequence[Item], test: Sequence[Item], instances: Iterable[Instance]
    ) -> dict[str, float]:
        """Scores that need no representation, from items, or from the instances of the test data."""
        return item_baselines(train, test)

    def fold_baselines(
        self, folds: Sequence[tuple[Sequence[Item], Sequence[Item]]]
    ) -> dict[str, float]:
        """The baselines over the training and test items of all folds: each test item counts as much."""
        scores = [self.baselines(train, test, ()) for train, test in folds]
        sizes = [len(test) for _, test in folds]
        return {
            name: sum(score[name] * size for score, size in zip(scores, sizes)) / sum(sizes)
            for name in scores[0]
        }

    def worth(
        self,
        train: Asked,
        test: Asked,
        predictions: Sequence[dict[str, Any]],
        nats: Optional[float],
    ) -> dict[str, float]:
        """The worth of a score on the test data: accuracy by form and, where `nats` are known, bits."""
        right = [record["label"] == record["gold"] for record in predictions]
        forms = accuracy_by_form(train.items, test.items, right)
        return forms if nats is None else {**forms, **self.information(train, test, nats)}

    def interval(self, predictions: Sequence[dict[str, Any]]) -> dict[str, Optional[float]]:
        """The ends of the main metric's interval, where only predictions tell which items go together."""
        return {}

    def information(self, train: Asked, test: Asked, nats: float) -> dict[str, float]:
        """The bits that the representation spares; `nats` is the sum of −ln p of the right answers."""
        raise NotImplementedError

    def uniform_bits(self, **targets: torch.Tensor) -> float:
        """The cost of the right answers without any knowledge."""
        raise NotImplementedError

    def facts(self, records: Sequence[Record], names: Collection[str]) -> dict[str, float]:
        """
        Further numbers of the items of a split, whose indexers have these names; by a name to which that of
        the split is added.
        """
        return {}

    def data_warnings(self, path: str, items: Sequence[Item]) -> Iterable[str]:
        """Sentences about what the study that a probe comes from found of such data, or of its head."""
        return ()

    def result_warnings(self, path: str, metrics: Mapping[str, Any]) -> Iterable[str]:
        """Sentences about what makes the scores of a run worth less than they look."""
        return ()

    def length_warning(self, lengths: Sequence[int]) -> Optional[str]:
        """A sentence if the lengths of the test sentences leave little to score."""
        return None

    def training_warning(self, validation_metric: Any) -> Optional[str]:
        """A sentence if the best epoch by this metric may be none."""
        return None

    def train(self, mode: bool = True) -> "Probe":
        super().train(mode)
        self.text_field_embedder.eval()
        return self


def as_probe(model: Model, complaint: str) -> Probe:
    """The model, if it is a probe; else the complaint, with the name of its class for {}."""
    if not isinstance(model, Probe):
        raise ConfigurationError(complaint.format(type(model).__name__))
    return model


def registered_name(base: type[Registrable], built: Any) -> Optional[str]:
    """The name by which a config chooses the class of an object among those of its base."""
    names = (name for name in base.list_available() if base.by_name(name) is type(built))
    return next(names, None)
