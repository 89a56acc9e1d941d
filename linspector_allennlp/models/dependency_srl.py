from typing import Any, Optional

import torch
from allennlp.common import Lazy
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn.util import get_text_field_mask

from linspector_allennlp.dataset_readers.semantic_roles import NO_ROLE
from linspector_allennlp.fields import UNSEEN_LABEL
from linspector_allennlp.metrics.semantic_dependencies import SemanticDependencies
from linspector_allennlp.propositions import NOTHING, Proposition


def make_orthogonal(module: torch.nn.Module) -> None:
    """Gives all matrices of a module orthogonal rows or columns, as the study did."""
    for parameter in module.parameters():
        if parameter.dim() > 1:
            torch.nn.init.orthogonal_(parameter)


class RoleTagger(Model):
    """
    The base of models that tag the words of a sentence with their semantic roles for one predicate, which is
    given: word vectors with a flag for the predicate, an encoder, and a softmax over the roles. A
    subclass says what the word vectors are (`vectors`).

    All matrices are orthogonal at first. The loss is the sum over the words of a sentence, as in the study's
    code: with their mean, a learning rate of 1 would be a small one.

    # Parameters

    vector_dim : `int`
        Of the word vectors.
    encoder : `Lazy[Seq2SeqEncoder]`
        Its `input_size` is found out.
    dropout : `float`, optional (default = `0.0`)
        On what the encoder gives.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        vector_dim: int,
        encoder: Lazy[Seq2SeqEncoder],
        dropout: float = 0.0,
    ) -> None:
        super().__init__(vocab)
        self.encoder = encoder.construct(input_size=vector_dim + 1)
        self.dropout = torch.nn.Dropout(dropout)
        num_roles = vocab.get_vocab_size("labels")
        self.projection = torch.nn.Linear(self.encoder.get_output_dim(), num_roles)
        torch.nn.init.zeros_(self.projection.bias)
        make_orthogonal(self.encoder)
        make_orthogonal(self.projection)
        self._scores = SemanticDependencies()

    def vectors(self, tokens: TextFieldTensors) -> torch.Tensor:
        """Shape: (batch, num_words, vector_dim)"""
        raise NotImplementedError

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        predicate_flags: torch.Tensor,
        labels: Optional[torch.Tensor] = None,
        metadata: Optional[list[dict[str, Any]]] = None,
    ) -> dict[str, Any]:
        """
        # Parameters

        tokens : `TextFieldTensors`
        predicate_flags : `torch.Tensor`
            Shape: (batch, num_words)
        labels : `torch.Tensor`, optional
            Shape: (batch, num_words)
        metadata : `List[Dict[str, Any]]`, optional

        # Returns

        `logits`, `roles` (the best of each word, as text), `mask` and, with labels, `loss`.
        """
        mask = get_text_field_mask(tokens)
        # Shape: (batch, num_words, vector_dim + 1)
        flagged = torch.cat([self.vectors(tokens), predicate_flags.unsqueeze(-1)], dim=-1)
        # Shape: (batch, num_words, num_roles)
        logits = self.projection(self.dropout(self.encoder(flagged, mask)))
        roles = self._as_text(logits.argmax(dim=-1), mask)
        output: dict[str, Any] = {"logits": logits, "mask": mask, "roles": roles}
        if metadata is not None:
            output["metadata"] = metadata
        if labels is not None:
            output["loss"] = torch.nn.functional.cross_entropy(
                logits[mask], labels[mask], ignore_index=UNSEEN_LABEL, reduction="sum"
            ) / len(mask)
            if metadata is not None:
                self._observe(roles, metadata)
        return output

    def _as_text(self, best: torch.Tensor, mask: torch.Tensor) -> list[list[str]]:
        names = self.vocab.get_index_to_token_vocabulary("labels")
        return [
            [names[role] for role in row[:length]]
            for row, length in zip(best.tolist(), mask.sum(dim=1).tolist())
        ]

    def _observe(self, roles: list[list[str]], metadata: list[dict[str, Any]]) -> None:
        gold, predicted = [], []
        for answer, facts in zip(roles, metadata):
            place = facts["predicate"]
            answered = [NOTHING[0] if role == NO_ROLE else role for role in answer]
            gold.append([Proposition(place, None, facts["roles"])])
            predicted.append([Proposition(place, None, answered)])
        self._scores(gold, predicted)

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return self._scores.get_metric(reset)

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        """The words, the predicate's place, the roles, and the right ones where they are known."""
        readable: dict[str, Any] = {"roles": output_dict["roles"]}
        for facts in output_dict.get("metadata", ()):
            readable.setdefault("forms", []).append(facts["words"])
            readable.setdefault("predicate", []).append(facts["predicate"])
            if "roles" in facts:
                gold = [NO_ROLE if role in NOTHING else role for role in facts["roles"]]
                readable.setdefault("gold_roles", []).append(gold)
        return readable


@Model.register("dependency_srl")
class DependencySrl(RoleTagger):
    """
    Semantic roles of words, from any word vectors: the model of LINSPECTOR's downstream task (Şahin et al.
    2020), after Şahin & Steedman (2018).

    Registered as a `Model` with name "dependency_srl".

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
    encoder, dropout :
        See `RoleTagger`.
    """

    default_predictor = "semantic_roles"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        dropout: float = 0.0,
    ) -> None:
        super().__init__(
            vocab=vocab,
            vector_dim=text_field_embedder.get_output_dim(),
            encoder=encoder,
            dropout=dropout,
        )
        self.text_field_embedder = text_field_embedder

    def vectors(self, tokens: TextFieldTensors) -> torch.Tensor:
        return self.text_field_embedder(tokens)
