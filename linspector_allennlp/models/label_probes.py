"""The registered probes that choose a label: `LabelProbe` with other rows."""

from collections.abc import Sequence
from typing import Any, Optional, cast

import torch
from allennlp.common import Lazy
from allennlp.data import Instance, Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.fields import ProbeLabelsField
from linspector_allennlp.metrics.interval import accuracy_interval
from linspector_allennlp.models.label_probe import LabelProbe
from linspector_allennlp.models.probe import Targets
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.models.rows import (
    OneForm,
    TokenAtIndex,
    TwoForms,
    TwoTokens,
    WordsOfSentence,
)
from linspector_allennlp.modules import ProbeHead
from linspector_allennlp.run_folders.predictions import answer, words_of


@Model.register("single_form_probe")
class SingleFormProbe(LabelProbe):
    """
    Predicts the label of a word form from the form's vector (Case, Number, TagCount, …).

    Registered as a `Model` with name "single_form_probe". It takes what `SingleFormReader`
    reads. Parameters: see `LabelProbe`.
    """

    default_predictor = "single_form_probe"
    rows = OneForm()


@Model.register("token_in_context_probe")
class TokenInContextProbe(LabelProbe):
    """
    Predicts the label of one token of a sentence from the vector of that token there.

    Registered as a `Model` with name "token_in_context_probe". It takes what
    `TokenInContextReader` reads. Parameters: see `LabelProbe`.
    """

    default_predictor = "token_in_context_probe"
    rows = TokenAtIndex()
    cluster_key = "sentence"

    def interval(self, predictions: Sequence[dict[str, Any]]) -> dict[str, Optional[float]]:
        """Over sentences: tokens of one are not independent."""
        places = [prediction.get("sentence", prediction["line"]) for prediction in predictions]
        return accuracy_interval(places, [prediction["correct"] for prediction in predictions])


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
        self.rows = TwoForms(combination)
        super().__init__(
            vocab=vocab,
            text_field_embedder=text_field_embedder,
            head=head,
            regularizer=regularizer,
            serialization_dir=serialization_dir,
        )


@Model.register("paired_tokens_probe")
class PairedTokensProbe(LabelProbe):
    """
    Predicts the label of a pair of tokens of two sentences from their two vectors there (token-level
    OddFeat, SameFeat).

    Registered as a `Model` with name "paired_tokens_probe". It takes what `PairedTokensReader`
    reads. Parameters: see `PairedFormsProbe`.
    """

    default_predictor = "paired_tokens_probe"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        combination: str = "x,y",
        head: Optional[Lazy[ProbeHead]] = None,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        self.rows = TwoTokens(combination)
        super().__init__(
            vocab=vocab,
            text_field_embedder=text_field_embedder,
            head=head,
            regularizer=regularizer,
            serialization_dir=serialization_dir,
        )


@Model.register("tagging_probe")
class TaggingProbe(LabelProbe):
    """
    Predicts the label of every probed word of a sentence from the vector of that word there: many
    `token_in_context_probe`s at once, without an instance for each word.

    Registered as a `Model` with name "tagging_probe". It takes what `TokenTagsReader` reads.
    Parameters: see `LabelProbe`.
    """

    default_predictor = "tagging_probe"
    rows = WordsOfSentence()
    asked_fields = ("labels",)
    cluster_key = "sentence"

    def targets(self, instances: Sequence[Instance]) -> dict[str, Ragged]:
        labels = [cast(ProbeLabelsField, instance["labels"]) for instance in instances]
        for field in labels:
            field.index(self.vocab)
        return {"label": Ragged.of([field.label_ids for field in labels])}

    def gold(self, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {"label": tensors["labels"]} if "labels" in tensors else {}

    def _sentence_lengths(self, targets: Sequence[Targets]) -> Optional[torch.Tensor]:
        return None if self.training else torch.cat([target["lengths"] for target in targets])

    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        """For each sentence its `forms`, their `labels` and the `probabilities` of these; and `gold`."""
        readable: dict[str, list] = {"input": [], "forms": [], "labels": [], "probabilities": []}
        for rows, data in zip(_by_sentence(output_dict), output_dict["metadata"]):
            best = rows.max(dim=-1)
            readable["input"].append(data.get("input"))
            readable["forms"].append(data.get("forms"))
            readable["labels"].append([self.label_names[label] for label in best.indices.tolist()])
            readable["probabilities"].append(list(map(self.as_probability, best.values.tolist())))
        gold = self._gold_names(output_dict)
        if gold:
            readable["gold"] = gold
        return readable

    def predictions(self, output: dict[str, Any]) -> list[list[dict[str, Any]]]:
        """A record for each word; of the probabilities those of the answer and of the gold label."""
        number_of = {label: number for number, label in enumerate(self.label_names)}
        records = []
        for rows, data, golds in zip(
            _by_sentence(output), output["metadata"], self._gold_names(output)
        ):
            of_sentence = []
            for word, row, gold in zip(words_of(data), rows.tolist(), golds, strict=True):
                label = self.label_names[row.index(max(row))]
                of_gold = row[number_of[gold]] if gold in number_of else 0.0
                shown = answer(
                    label, self.as_probability(max(row)), gold, self.as_probability(of_gold)
                )
                of_sentence.append({**word, **shown})
            records.append(of_sentence)
        return records


def _by_sentence(output: dict[str, Any]) -> tuple[torch.Tensor, ...]:
    return output["probabilities"].split(output["target"]["lengths"].tolist())
