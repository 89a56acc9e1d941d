from typing import Any, Optional, cast

import torch
from allennlp.data import Instance, TextFieldTensors
from allennlp.data.fields import IndexField
from allennlp.models import Model

from linspector_allennlp.models.frozen_probe import ProbedWord, text_of
from linspector_allennlp.models.label_probe import LabelProbe
from linspector_allennlp.representations.word_embedder import direct_word_embedders


@Model.register("token_in_context_probe")
class TokenInContextProbe(LabelProbe):
    """
    Predicts the label of one token of a sentence from the vector of that token there.

    Registered as a `Model` with name "token_in_context_probe". It takes what
    `TokenInContextReader` reads. Parameters: see `LabelProbe`.
    """

    default_predictor = "token_in_context_probe"

    def probed_words(self, instance: Instance) -> list[tuple[ProbedWord, ...]]:
        index = cast(IndexField, instance["index"]).sequence_index
        return [((text_of(instance), index),)]

    @torch.no_grad()
    def represent(  # type: ignore[override]
        self, tokens: TextFieldTensors, index: torch.Tensor
    ) -> torch.Tensor:
        index = index.flatten()
        if direct_word_embedders(self.text_field_embedder):
            # Shape: (batch, 1, feature_dim) → (batch, feature_dim)
            return self.text_field_embedder(tokens, probed=index).squeeze(1)
        items = torch.arange(len(index), device=index.device)
        # Shape: (batch, num_tokens, feature_dim) → (batch, feature_dim)
        return self.text_field_embedder(tokens)[items, index]

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        index: torch.Tensor,
        label: Optional[torch.Tensor] = None,
        metadata: Optional[list[dict[str, Any]]] = None,
    ) -> dict[str, Any]:
        return self._probe(self.represent(tokens, index), label, metadata)
