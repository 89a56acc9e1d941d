from typing import Any, cast

import torch
from allennlp.data import Instance, TextFieldTensors
from allennlp.data.fields import TensorField

from linspector_allennlp.models.frozen_probe import FrozenProbe, ProbedWord, text_of


class SentenceProbe(FrozenProbe):
    """
    The base of the probes whose instances are sentences, with a row for each probed word. They take
    what a `TreebankReader` reads.
    """

    def probed_words(self, instance: Instance) -> list[tuple[ProbedWord, ...]]:
        text = text_of(instance)
        return [((text, place),) for place in cast(TensorField, instance["places"]).tensor.tolist()]

    @torch.no_grad()
    def represent(  # type: ignore[override]
        self, tokens: TextFieldTensors, places: torch.Tensor, **others: Any
    ) -> torch.Tensor:
        # Shape: (batch, num_tokens, feature_dim)
        embedded = self.text_field_embedder(tokens)
        sentence, word = (places >= 0).nonzero(as_tuple=True)
        # Shape: (num_words, feature_dim)
        return embedded[sentence, places[sentence, word]]
