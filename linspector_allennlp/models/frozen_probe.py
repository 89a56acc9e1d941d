from collections.abc import Sequence
from typing import Any, ClassVar, Optional, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder, TokenEmbedder
from allennlp.nn import RegularizerApplicator
from allennlp.nn.util import combine_tensors, get_combined_dim

from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.modules import LayerMixHead
from linspector_allennlp.representations import WordFormIndexer
from linspector_allennlp.representations.word_embedder import (
    WordEmbedder,
    all_word_embedders,
    direct_word_embedders,
)

ProbedWord = tuple[TextField, int]
"""A text, and the place of a word in it."""


class FrozenProbe(Model):
    """
    The base of the probes: a frozen representation and a trained head on top of it.

    A probe has two halves. `represent` turns inputs into features, without gradient; `apply_head`
    turns features into answers and a loss. `forward` is the two in a row, so that a trained archive
    works from raw text; the trainer `frozen_probe` runs the first half once and trains on its result.
    All that is trained is in `head`.

    The features of an instance are rows: one for an item of its own, one for each probed word of a
    sentence. `_combination` says how the vectors x (and y) of a row's word (or two words) become one.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
        The representation to probe: any of AllenNLP's. It is frozen here, and always in
        evaluation mode. Where it gives layers to be mixed (`layer: "mix"`), the weights of the
        mix are trained as a part of the head.
    regularizer : `RegularizerApplicator`, optional
        A penalty on the weights of the head, as for any model of AllenNLP's.
    """

    _combination = "x"

    main_metric: ClassVar[str] = "accuracy"
    """What a table shows of a run."""

    scores_training: ClassVar[bool] = True
    """Whether the metrics are wanted of training epochs, too; some take longer than the epoch."""

    head: torch.nn.Module

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(vocab, regularizer, serialization_dir)  # type: ignore[arg-type]
        self.text_field_embedder = text_field_embedder.requires_grad_(False)
        self._mixed_layers = _mixed_layers(text_field_embedder)

    @property
    def feature_dim(self) -> int:
        """The size of a row's features, once layers are mixed: what a head takes."""
        word_dim = self.text_field_embedder.get_output_dim() // self._mixed_layers
        return get_combined_dim(self._combination, [word_dim, word_dim])

    def mixing(self, head: torch.nn.Module) -> torch.nn.Module:
        """The head, after a mix of layers where the representation gives several."""
        if self._mixed_layers == 1:
            return head
        return LayerMixHead(head, self._mixed_layers, self._combination)

    def probed_words(self, instance: Instance) -> list[tuple[ProbedWord, ...]]:
        """For each row of an instance the word that it asks of, or the two words of a pair."""
        raise NotImplementedError

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        """What `apply_head` needs besides features, by the names of its parameters."""
        raise NotImplementedError

    def represent_instances(self, instances: Sequence[Instance]) -> Optional[torch.Tensor]:
        """
        What `represent` gives, from the words themselves: many instances of a task ask of the same
        sentence, and making tensors of it each time takes longer than looking its vectors up.
        `None` if the representation is not one that takes words as they are.
        """
        embedders = direct_word_embedders(self.text_field_embedder)
        slots = list(zip(*(row for instance in instances for row in self.probed_words(instance))))
        if not embedders or not all(_has_words(slot[0][0], embedders) for slot in slots):
            return None
        words_of: dict[int, tuple[str, ...]] = {}
        vectors = []
        for slot in slots:
            for text, _ in slot:
                if id(text) not in words_of:
                    words_of[id(text)] = tuple([token.ensure_text() for token in text.tokens])
            sentences = [words_of[id(text)] for text, _ in slot]
            places = [place for _, place in slot]
            each = [embedder.embed_words(sentences, places) for embedder in embedders.values()]
            vectors.append(torch.cat(each, dim=-1))
        return self._combine(vectors)

    def _combine(self, vectors: list[torch.Tensor]) -> torch.Tensor:
        """The features of rows from the vectors x (and y); layers are mixed after that."""
        words = "x,y" if "y" in self._combination else "x"
        return combine_tensors(words if self._mixed_layers > 1 else self._combination, vectors)

    def represent(self, **inputs: Any) -> torch.Tensor:
        """The features of the probed items. Shape: (num_rows, feature_dim)"""
        raise NotImplementedError

    def apply_head(self, features: torch.Tensor, **targets: Any) -> dict[str, torch.Tensor]:
        """
        From features to answers. Where what is to be answered is given, also the `loss`, a mean, and
        the `count` of what it is the mean of; in evaluation, probes that give probabilities have the
        `nats` of the right answers, the sum of −ln p.
        """
        raise NotImplementedError

    def observe(
        self, outputs: Sequence[dict[str, torch.Tensor]], targets: Sequence[dict[str, torch.Tensor]]
    ) -> None:
        """Scores what `apply_head` gave for some batches with what was to be answered."""
        raise NotImplementedError

    def reset_metrics(self) -> None:
        """Forgets what was observed."""
        raise NotImplementedError

    def predictions(self, output: dict[str, Any]) -> list[dict[str, Any]]:
        """What `forward` gave, as records for the run folder: one for each scored item."""
        raise NotImplementedError

    def tables(self) -> dict[str, list[list[Any]]]:
        """By name what the metrics have to say in detail since their last reset; each has a header row."""
        raise NotImplementedError

    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % intervals of the metrics that have one, since their last reset."""
        raise NotImplementedError

    def layer_weights(self) -> Optional[list[float]]:
        """The learned share of each layer, where layers are mixed."""
        return self.head.layer_weights() if isinstance(self.head, LayerMixHead) else None

    def train(self, mode: bool = True) -> "FrozenProbe":
        super().train(mode)
        self.text_field_embedder.eval()
        return self


def text_of(instance: Instance, name: str = "tokens") -> TextField:
    return cast(TextField, instance[name])


def _mixed_layers(text_field_embedder: TextFieldEmbedder) -> int:
    """How many layers the vector of a word is, for the head to mix; 1 if there is no mix."""
    layers = max([e.mixed_layers for e in all_word_embedders(text_field_embedder)], default=1)
    if layers > 1 and sum(isinstance(m, TokenEmbedder) for m in text_field_embedder.modules()) > 1:
        raise ConfigurationError(
            'A representation with layer: "mix" must be the only one of a probe: its layers become '
            "one vector in the head. Name a layer, or leave the others out."
        )
    return layers


def _has_words(text: TextField, embedders: dict[str, WordEmbedder]) -> bool:
    """Whether the tensors of a text would bring these embedders its words, and no others."""
    indexers = text.token_indexers
    return indexers.keys() == embedders.keys() and all(
        type(indexer) is WordFormIndexer for indexer in indexers.values()
    )
