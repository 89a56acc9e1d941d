from collections.abc import Sequence
from typing import Any, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder, TokenEmbedder
from allennlp.nn import RegularizerApplicator
from allennlp.nn.util import combine_tensors, get_combined_dim

from linspector_allennlp.dataset_readers.probe_label_field import UNSEEN_LABEL
from linspector_allennlp.metrics import LabelReport
from linspector_allennlp.modules import LayerMixHead, ProbeHead
from linspector_allennlp.representations import WordFormIndexer
from linspector_allennlp.representations.word_embedder import (
    WordEmbedder,
    embedders_of_words,
    word_embedders,
)


class FrozenProbe(Model):
    """
    The base of the probes: a frozen representation and a trained head on top of it.

    A probe has two halves. `represent` turns inputs into features, without gradient; `classify`
    turns features into scores. `forward` is the two in a row, so that a trained archive works
    from raw text; the trainer `frozen_probe` runs the first half once and trains on its result.
    All that is trained is in `head`.

    `_combination` says how the vectors x (and y) of an item's word (or two words) become one.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
        The representation to probe: any of AllenNLP's. It is frozen here, and always in
        evaluation mode. Where it gives layers to be mixed (`layer: "mix"`), the weights of the
        mix are trained as a part of the head.
    head : `Lazy[ProbeHead]`, optional (default = `MlpHead`)
    regularizer : `RegularizerApplicator`, optional
        A penalty on the weights of the head, as for any model of AllenNLP's.
    """

    _combination = "x"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        head: Optional[Lazy[ProbeHead]] = None,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(vocab, regularizer, serialization_dir)  # type: ignore[arg-type]
        self.label_names: list[str] = list(vocab.get_index_to_token_vocabulary("labels").values())
        if len(self.label_names) < 2:
            raise ConfigurationError(
                "A probe needs at least two labels to tell apart; the training data have "
                f"{len(self.label_names)}: {', '.join(self.label_names) or 'no label column'}."
            )
        self.text_field_embedder = text_field_embedder.requires_grad_(False)
        self._mixed_layers = _mixed_layers(text_field_embedder)
        word_dim = text_field_embedder.get_output_dim() // self._mixed_layers
        self.head: ProbeHead = (head or Lazy(ProbeHead.by_name("mlp"))).construct(
            input_dim=get_combined_dim(self._combination, [word_dim, word_dim]),
            num_labels=len(self.label_names),
        )
        if self._mixed_layers > 1:
            self.head = LayerMixHead(self.head, self._mixed_layers, self._combination)
        self.label_report = LabelReport(len(self.label_names))

    def probed_words(self, instance: Instance) -> list[tuple[TextField, int]]:
        """The words that an instance asks of: the text that each is in, and its place there."""
        raise NotImplementedError

    def represent_instances(self, instances: Sequence[Instance]) -> Optional[torch.Tensor]:
        """
        What `represent` gives, from the words themselves: many instances of a task ask of the same
        sentence, and making tensors of it each time takes longer than looking its vectors up.
        `None` if the representation is not one that takes words as they are.
        """
        embedders = embedders_of_words(self.text_field_embedder)
        slots = list(zip(*map(self.probed_words, instances)))
        if not embedders or not all(_has_words(slot[0][0], embedders) for slot in slots):
            return None
        vectors = []
        for slot in slots:
            sentences = [tuple([token.ensure_text() for token in text.tokens]) for text, _ in slot]
            places = [place for _, place in slot]
            each = [embedder.embed_words(sentences, places) for embedder in embedders.values()]
            vectors.append(torch.cat(each, dim=-1))
        return self._combine(vectors)

    def _combine(self, vectors: list[torch.Tensor]) -> torch.Tensor:
        """The features of items from the vectors x (and y); layers are mixed before that."""
        words = "x,y" if "y" in self._combination else "x"
        return combine_tensors(words if self._mixed_layers > 1 else self._combination, vectors)

    def represent(self, **inputs: Any) -> torch.Tensor:
        """The features of the probed items. Shape: (batch, feature_dim)"""
        raise NotImplementedError

    def classify(
        self, features: torch.Tensor, label: Optional[torch.Tensor] = None
    ) -> dict[str, torch.Tensor]:
        """
        Scores (`logits`) from features and, where labels are given, the `loss`: mean
        cross-entropy over the items whose label is known to training.
        """
        # Shape: (batch, num_labels)
        logits = self.head(features)
        if label is None:
            return {"logits": logits}
        loss = torch.nn.functional.cross_entropy(logits, label, ignore_index=UNSEEN_LABEL)
        if not self.training and bool((label == UNSEEN_LABEL).all()):
            # A batch in which training has seen no label: the mean of no losses.
            loss = torch.zeros_like(loss)
        return {"logits": logits, "loss": loss}

    def _probe(
        self,
        features: torch.Tensor,
        label: Optional[torch.Tensor],
        metadata: Optional[list[dict[str, Any]]],
    ) -> dict[str, Any]:
        """`classify`, with what AllenNLP's commands expect of a `forward` around it."""
        output: dict[str, Any] = self.classify(features, label)
        if label is not None:
            self.label_report(output["logits"].detach(), label)
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

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return self.label_report.get_metric(reset)

    def layer_weights(self) -> Optional[list[float]]:
        """The learned share of each layer, where layers are mixed."""
        return self.head.layer_weights() if isinstance(self.head, LayerMixHead) else None

    def train(self, mode: bool = True) -> "FrozenProbe":
        super().train(mode)
        self.text_field_embedder.eval()
        return self


def _mixed_layers(text_field_embedder: TextFieldEmbedder) -> int:
    """How many layers the vector of a word is, for the head to mix; 1 if there is no mix."""
    layers = max([e.mixed_layers for e in word_embedders(text_field_embedder)], default=1)
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
