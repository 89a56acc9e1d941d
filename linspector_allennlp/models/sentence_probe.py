from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional

from allennlp.common import Lazy
from allennlp.data import Instance, Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.encoders import AverageEncoder, SentenceEncoder, SentenceSpaces
from linspector_allennlp.fields import Record
from linspector_allennlp.metrics.baselines import Item, form_accuracy
from linspector_allennlp.metrics.interval import accuracy_interval
from linspector_allennlp.metrics.sentence_baselines import (
    PREDICTIONS,
    scores,
    sentence_baselines,
)
from linspector_allennlp.metrics.sentence_flaws import (
    classifier_flaws,
    few_items_flaws,
    short_cut_flaws,
    uneven_label_flaws,
)
from linspector_allennlp.models.label_probe import LabelProbe
from linspector_allennlp.models.probe import Asked
from linspector_allennlp.models.rows import WholeSentence
from linspector_allennlp.modules import ProbeHead, SklearnHead
from linspector_allennlp.run_folders.run_record import Column


@Model.register("sentence_probe")
class SentenceProbe(LabelProbe):
    """
    Predicts the label of a sentence from its vector, which an encoder makes of the vectors of its words.

    Registered as a `Model` with name "sentence_probe". It takes what `SentenceLabelReader` reads.

    # Parameters

    encoder : `Lazy[SentenceEncoder]`, optional (default = `AverageEncoder`)
    unk, unknown_sentences : `str`, optional
        See `SentenceSpaces`.
    with_topic : `bool`, optional (default = `False`)
        Whether the probe is given the topic of the sentence, too: its vector stands beside that of the
        sentence.

    The others: see `LabelProbe`.
    """

    default_predictor = "sentence_probe"
    cluster_key = "group"
    rows: WholeSentence
    baseline_metrics = tuple(PREDICTIONS)
    columns = (
        Column("test accuracy", "test_accuracy"),
        Column("95 % interval", "test_accuracy", "interval"),
        Column("majority", "baseline_majority"),
        Column("length", "baseline_length"),
        Column("unigram", "baseline_unigram"),
        Column("macro-F1", "test_macro_f1"),
        Column("of unigram", "baseline_unigram_macro_f1"),
        Column("unknown words", "oov_test"),
    )

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Optional[Lazy[SentenceEncoder]] = None,
        unk: str = "skip",
        unknown_sentences: Optional[str] = None,
        with_topic: bool = False,
        head: Optional[Lazy[ProbeHead]] = None,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        spaces = SentenceSpaces(
            text_field_embedder, encoder or Lazy(AverageEncoder), unk, unknown_sentences
        )
        self.rows = WholeSentence(spaces, with_topic)
        super().__init__(
            vocab=vocab,
            text_field_embedder=text_field_embedder,
            head=head,
            regularizer=regularizer,
            serialization_dir=serialization_dir,
        )
        self.spaces = spaces

    def encoder_provenance(self) -> dict[str, Any]:
        return self.spaces.provenance()

    def facts(self, records: Sequence[Record], names: Collection[str]) -> dict[str, float]:
        """The share of sentences of which the representation knows no word."""
        sentences = [tuple(record.metadata["words"]) for record in records]
        return {"unknown_sentences": self.spaces.num_unknown(sentences, names) / len(sentences)}

    def baselines(
        self, train: Sequence[Item], test: Sequence[Item], instances: Iterable[Instance]
    ) -> dict[str, float]:
        return {**sentence_baselines(train, test), "baseline_form": form_accuracy(train, test)}

    def fold_baselines(
        self, folds: Sequence[tuple[Sequence[Item], Sequence[Item]]]
    ) -> dict[str, float]:
        """
        Of the answers to the test items of all folds, pooled as those of the probe are: it knows the labels
        of all data, so that one that the training data of a fold lack is no class of its own.
        """
        gold = [item.label for _, test in folds for item in test]
        metrics = {}
        for name, predictions in PREDICTIONS.items():
            answers = [label for train, test in folds for label in predictions(train, test)]
            found = scores(gold, answers)
            metrics.update({name: found["accuracy"], f"{name}_macro_f1": found["macro_f1"]})
        right = sum(form_accuracy(train, test) * len(test) for train, test in folds)
        return {**metrics, "baseline_form": right / len(gold)}

    def data_warnings(self, path: str, items: Sequence[Item]) -> Iterator[str]:
        yield from few_items_flaws(path, len(items))
        yield from uneven_label_flaws(path, Counter(item.label for item in items))
        if isinstance(self.head, SklearnHead):
            yield from classifier_flaws(self.head.classifier)

    def result_warnings(self, path: str, metrics: Mapping[str, Any]) -> Iterator[str]:
        yield from short_cut_flaws(path, metrics)

    def worth(
        self,
        train: Asked,
        test: Asked,
        predictions: Sequence[dict[str, Any]],
        nats: Optional[float],
    ) -> dict[str, float]:
        """The bits alone: no test sentence should be one that training has seen."""
        return {} if nats is None else self.information(train, test, nats)

    def interval(self, predictions: Sequence[dict[str, Any]]) -> dict[str, Optional[float]]:
        """Over groups: the variants of a sentence are not independent."""
        groups = [record["group"] for record in predictions]
        return accuracy_interval(groups, [record["correct"] for record in predictions])
