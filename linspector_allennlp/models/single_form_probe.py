from typing import Any, Optional

import torch
from allennlp.data import Instance, TextFieldTensors
from allennlp.models import Model

from linspector_allennlp.models.frozen_probe import ProbedWord, text_of
from linspector_allennlp.models.label_probe import LabelProbe


@Model.register("single_form_probe")
class SingleFormProbe(LabelProbe):
    """
    Predicts the label of a word form from the form's vector (Case, Number, TagCount, …).

    Registered as a `Model` with name "single_form_probe". It takes what `SingleFormReader`
    reads. Parameters: see `LabelProbe`.
    """

    default_predictor = "single_form_probe"

    def probed_words(self, instance: Instance) -> list[tuple[ProbedWord, ...]]:
        return [((text_of(instance), 0),)]

    @torch.no_grad()
    def represent(self, tokens: TextFieldTensors) -> torch.Tensor:  # type: ignore[override]
        # Shape: (batch, 1, feature_dim) → (batch, feature_dim)
        return self.text_field_embedder(tokens).squeeze(1)

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        label: Optional[torch.Tensor] = None,
        metadata: Optional[list[dict[str, Any]]] = None,
    ) -> dict[str, Any]:
        return self._probe(self.represent(tokens), label, metadata)
