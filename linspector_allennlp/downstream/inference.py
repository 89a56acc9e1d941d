from collections.abc import Sequence

from allennlp.data import Instance
from allennlp.data.fields import LabelField

from linspector_allennlp.downstream.task import (
    DownstreamTask,
    Guess,
    Output,
    Record,
    Shares,
    texts_of,
)
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.metrics.baselines import Item, majority_chooser
from linspector_allennlp.metrics.sentence_baselines import unigram_chooser
from linspector_allennlp.run_folders.predictions import place_of


@DownstreamTask.register("nli")
class InferenceTask(DownstreamTask):
    """
    Natural language inference: whether a premise entails a hypothesis, contradicts it, or neither, scored by
    accuracy. The output of a model has `label`, as that of `esim` of allennlp-models; instances have the
    fields `premise`, `hypothesis` and `label`.

    The baselines are the most frequent label, and a bag of the words of the hypothesis alone (`unigram`):
    what a model can have that never looks at the premise.

    Registered as a `DownstreamTask` with name "nli".
    """

    main_metric = "accuracy"
    shown = {"accuracy": "accuracy"}
    cluster_key = "line"

    def gold(self, instance: Instance) -> Output:
        label = instance.fields.get("label")
        if not isinstance(label, LabelField):
            raise ValueError(
                f"expected instances with a label; found {', '.join(instance.fields)}. Is the "
                "dataset_reader nli?"
            )
        return {"label": str(label.label)}

    def records(self, instance: Instance, output: Output) -> list[Record]:
        metadata, gold = metadata_of(instance), self.gold(instance)["label"]
        answer = {"label": output["label"], "gold": gold, "correct": output["label"] == gold}
        return [{**place_of(metadata), "input": metadata.get("input"), **answer}]

    def shares(self, records: Sequence[Record]) -> Shares:
        return {"accuracy": (sum(record["correct"] for record in records), len(records))}

    def guesses(self, train: Sequence[Instance]) -> dict[str, Guess]:
        items = [Item(_hypothesis(each), self.gold(each)["label"]) for each in train]
        majority, unigram = majority_chooser(items), unigram_chooser(items)
        return {
            "majority": lambda instance: {"label": majority([])},
            "unigram": lambda instance: {"label": unigram([_hypothesis(instance)])[0]},
        }


def _hypothesis(instance: Instance) -> list[str]:
    *_, hypothesis = texts_of(instance)
    return hypothesis
