import re
from typing import Any, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.models.frozen_probe import ProbedWord, text_of
from linspector_allennlp.models.label_probe import LabelProbe
from linspector_allennlp.modules import ProbeHead

PART = r"[xy]([-+*/][xy])?"
COMBINATION = rf"{PART}(,{PART})*"


@Model.register("paired_forms_probe")
class PairedFormsProbe(LabelProbe):
    """
    Predicts the label of a pair of word forms from their two vectors (OddFeat, SameFeat).

    Registered as a `Model` with name "paired_forms_probe". It takes what `PairedFormsReader`
    reads.

    # Parameters

    combination : `str`, optional (default = `"x,y"`)
        How the vectors x and y of the two forms become one: `"x,y"` puts them side by side,
        `"x-y"` is their difference, `"x*y"` their product by component; parts between commas
        are put side by side, as in `"x,y,x-y,x*y"`. (AllenNLP's `combine_tensors`.)

    The others: see `LabelProbe`.
    """

    default_predictor = "paired_forms_probe"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        combination: str = "x,y",
        head: Optional[Lazy[ProbeHead]] = None,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        if not re.fullmatch(COMBINATION, combination):
            raise ConfigurationError(
                "combination: expected parts like x, y, x-y, x*y or x+y, with commas between "
                f"them, found {combination!r}."
            )
        self._combination = combination
        super().__init__(vocab, text_field_embedder, head, regularizer, serialization_dir)

    def probed_words(self, instance: Instance) -> list[tuple[ProbedWord, ...]]:
        return [tuple((text_of(instance, name), 0) for name in ("form1", "form2"))]

    @torch.no_grad()
    def represent(  # type: ignore[override]
        self, form1: TextFieldTensors, form2: TextFieldTensors
    ) -> torch.Tensor:
        # Shape, both: (batch, 1, form_dim) → (batch, form_dim)
        x = self.text_field_embedder(form1).squeeze(1)
        y = self.text_field_embedder(form2).squeeze(1)
        # Shape: (batch, feature_dim)
        return self._combine([x, y])

    def forward(  # type: ignore[override]
        self,
        form1: TextFieldTensors,
        form2: TextFieldTensors,
        label: Optional[torch.Tensor] = None,
        metadata: Optional[list[dict[str, Any]]] = None,
    ) -> dict[str, Any]:
        return self._probe(self.represent(form1, form2), label, metadata)
