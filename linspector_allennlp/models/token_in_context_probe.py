from typing import Any, Optional

import torch
from allennlp.data import TextFieldTensors
from allennlp.models import Model

from linspector_allennlp.models.frozen_probe import FrozenProbe


@Model.register("token_in_context_probe")
class TokenInContextProbe(FrozenProbe):
    """
    Predicts the label of one token of a sentence from the vector of that token there.

    Registered as a `Model` with name "token_in_context_probe". It takes what
    `TokenInContextReader` reads. Parameters: see `FrozenProbe`.
    """

    default_predictor = "token_in_context_probe"

    @torch.no_grad()
    def represent(  # type: ignore[override]
        self, tokens: TextFieldTensors, index: torch.Tensor
    ) -> torch.Tensor:
        # Shape: (batch, num_tokens, feature_dim)
        embedded = self.text_field_embedder(tokens)
        items = torch.arange(embedded.size(0), device=embedded.device)
        # Shape: (batch, feature_dim)
        return embedded[items, index.flatten()]

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        index: torch.Tensor,
        label: Optional[torch.Tensor] = None,
        metadata: Optional[list[dict[str, Any]]] = None,
    ) -> dict[str, Any]:
        return self._probe(self.represent(tokens, index), label, metadata)
