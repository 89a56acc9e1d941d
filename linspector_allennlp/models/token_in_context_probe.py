from typing import Any, Optional

import torch
from allennlp.data import TextFieldTensors
from allennlp.models import Model
from allennlp.modules import TokenEmbedder

from linspector_allennlp.models.frozen_probe import FrozenProbe
from linspector_allennlp.representations import FormEmbedder


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
        index = index.flatten()
        items = torch.arange(len(index), device=index.device)
        if self._ignores_context():
            # The other words of the sentence need no vectors, and may have none.
            probed = {
                name: {key: tensor[items, index].unsqueeze(1) for key, tensor in tensors.items()}
                for name, tensors in tokens.items()
            }
            # Shape: (batch, 1, feature_dim) → (batch, feature_dim)
            return self.text_field_embedder(probed).squeeze(1)
        # Shape: (batch, num_tokens, feature_dim) → (batch, feature_dim)
        return self.text_field_embedder(tokens)[items, index]

    def _ignores_context(self) -> bool:
        modules = self.text_field_embedder.modules()
        embedders = [module for module in modules if isinstance(module, TokenEmbedder)]
        return bool(embedders) and all(isinstance(e, FormEmbedder) for e in embedders)

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        index: torch.Tensor,
        label: Optional[torch.Tensor] = None,
        metadata: Optional[list[dict[str, Any]]] = None,
    ) -> dict[str, Any]:
        return self._probe(self.represent(tokens, index), label, metadata)
