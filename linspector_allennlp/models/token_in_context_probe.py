from typing import Any, Optional

import torch
from allennlp.data import TextFieldTensors
from allennlp.models import Model
from allennlp.modules import TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from linspector_allennlp.models.frozen_probe import FrozenProbe
from linspector_allennlp.representations.word_embedder import WordEmbedder


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
        if self._embeds_single_words():
            # Shape: (batch, 1, feature_dim) → (batch, feature_dim)
            return self.text_field_embedder(tokens, probed=index).squeeze(1)
        items = torch.arange(len(index), device=index.device)
        # Shape: (batch, num_tokens, feature_dim) → (batch, feature_dim)
        return self.text_field_embedder(tokens)[items, index]

    def _embeds_single_words(self) -> bool:
        """Whether the representation can be asked for the probed word alone."""
        modules = list(self.text_field_embedder.modules())
        embedders = [module for module in modules if isinstance(module, TokenEmbedder)]
        return isinstance(modules[0], BasicTextFieldEmbedder) and all(
            isinstance(embedder, WordEmbedder) for embedder in embedders
        )

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        index: torch.Tensor,
        label: Optional[torch.Tensor] = None,
        metadata: Optional[list[dict[str, Any]]] = None,
    ) -> dict[str, Any]:
        return self._probe(self.represent(tokens, index), label, metadata)
