from collections.abc import Sequence
from typing import Any

from allennlp.data import Instance

from linspector_allennlp.downstream.task import (
    DownstreamTask,
    Guess,
    Output,
    Record,
    Shares,
    tags_of,
    texts_of,
    word_places,
)
from linspector_allennlp.metrics.baselines import CHOOSERS, Chooser, Item


@DownstreamTask.register("pos")
class TaggingTask(DownstreamTask):
    """
    Part-of-speech tagging: a tag for each word, scored by accuracy. The output of a model has `tags`, as that
    of AllenNLP's `simple_tagger` and `crf_tagger`; instances have the field `tags`.

    The baselines are the most frequent tag, suffix back-off (a word is the longest ending of itself), and the
    most frequent tag of the word form.

    Registered as a `DownstreamTask` with name "pos".
    """

    main_metric = "accuracy"
    shown = {"accuracy": "accuracy"}

    def gold(self, instance: Instance) -> Output:
        return {"tags": tags_of(instance, "tags")}

    def records(self, instance: Instance, output: Output) -> list[Record]:
        words = zip(word_places(instance), output["tags"], self.gold(instance)["tags"], strict=True)
        return [
            {**word, "label": tag, "gold": gold, "correct": tag == gold}
            for word, tag, gold in words
        ]

    def shares(self, records: Sequence[Record]) -> Shares:
        return {"accuracy": (sum(record["correct"] for record in records), len(records))}

    def guesses(self, train: Sequence[Instance]) -> dict[str, Guess]:
        return word_guesses(self, train, "tags")


def word_guesses(task: DownstreamTask, train: Sequence[Instance], name: str) -> dict[str, Guess]:
    """The baselines of a task that has an answer for each word, where a model's output has this name."""
    items = [
        Item([word], answer)
        for instance in train
        for words in texts_of(instance)
        for word, answer in zip(words, task.gold(instance)[name])
    ]
    return {chooser: _answered_by(of(items), name) for chooser, of in CHOOSERS.items()}


def _answered_by(choose: Chooser, name: str) -> Guess:
    def guess(instance: Instance) -> dict[str, Any]:
        (words,) = texts_of(instance)
        return {name: [choose([word]) for word in words]}

    return guess
