from collections.abc import Mapping
from functools import cached_property
from typing import Any

import torch
from allennlp.data import Instance
from allennlp.models import Model

from linspector_allennlp.downstream.scores import (
    baseline_key,
    baseline_scores,
    scored_records,
    task_scores,
)
from linspector_allennlp.downstream.task import DownstreamTask
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.run_folders.run_record import Column
from linspector_allennlp.runs.data_facts import known_words
from linspector_allennlp.runs.model_evaluation import answers, model_metrics
from linspector_allennlp.training.split import Split

LEVEL = "downstream"

TOLERANCE = 1e-4
"""Batches of other lengths may change the last digits of a model, and with them an answer."""


class DownstreamRun:
    """
    What a `recorded_run` of a downstream task adds to its model: what a probe says of itself.

    # Parameters

    task : `DownstreamTask`
    model : `Model`
    splits : `Mapping[str, Split]`
        By their names.
    """

    def __init__(self, task: DownstreamTask, model: Model, splits: Mapping[str, Split]) -> None:
        self._task = task
        self._model = model
        self._splits = splits
        self.warnings: list[str] = []

    @property
    def task_of_record(self) -> dict[str, str]:
        """The question, as a reader of ours says it of its probes."""
        return {"level": LEVEL, "downstream": self._task.name}

    def sizes(self) -> dict[str, dict[str, int]]:
        """The scored items of each split, and its sentences, where these are several items."""
        sizes = {}
        for name, split in self._splits.items():
            items = sum(
                len(scored_records(self._task, each, self._task.gold(each)))
                for each in split.instances()
            )
            sizes[name] = {"items": items}
            if self._task.cluster_key == "sentence":
                sizes[name]["sentences"] = len(self._sentences(name))
        return sizes

    def of_record(self) -> dict[str, Any]:
        """The fields of the record that the task decides."""
        task, main = self._task, self._task.main_metric
        baselines = self._baselines
        columns = [Column(f"test {task.shown[main]}", f"test_{main}")]
        columns.append(Column("95 % interval", f"test_{main}", "interval"))
        columns += [
            Column(title, f"test_{name}") for name, title in task.shown.items() if name != main
        ]
        of_main = [key for key in baselines if key in self._main_keys]
        columns += [Column(key.removeprefix("baseline_"), key) for key in of_main]
        columns += [Column("OOV", "oov_test"), Column("unseen in training", "unseen_words_test")]
        return {
            "main_metric": main,
            "columns": columns,
            "baselines": of_main,
            "predictions": {"kind": task.prediction_kind, "cluster": task.cluster_key},
        }

    @cached_property
    def _baselines(self) -> dict[str, float]:
        if "test" not in self._splits:
            return {}
        train, test = (list(self._splits[name].instances()) for name in ("train", "test"))
        return baseline_scores(self._task, train, test)

    @property
    def _main_keys(self) -> set[str]:
        names = {key.removeprefix("baseline_").split("_")[0] for key in self._baselines}
        return {baseline_key(self._task, name, self._task.main_metric) for name in names}

    def facts(self) -> dict[str, Any]:
        """The entries of `metrics.json` that do not depend on training."""
        facts: dict[str, Any] = {}
        sizes = self.sizes()
        seen = set(self._words("train"))
        for name, split in self._splits.items():
            words = self._words(name)
            facts[f"num_{name}"] = sizes[name]["items"]
            if "sentences" in sizes[name]:
                facts[f"num_{name}_sentences"] = sizes[name]["sentences"]
            known = known_words(words, self._model, split.indexers)
            facts[f"oov_{name}"] = None if known is None else 1 - int(known.sum()) / len(known)
            if name != "train":
                unseen = sum(word not in seen for word in words)
                facts[f"unseen_words_{name}"] = unseen / len(words)
        return {**facts, **self._baselines}

    def _words(self, name: str) -> list[str]:
        return [word for each in self._sentences(name) for word in self._task.words(each)]

    def _sentences(self, name: str) -> list[Instance]:
        """The instances of a split; of those of one sentence, as of each of its predicates, the first."""
        instances = list(self._splits[name].instances())
        if self._task.cluster_key != "sentence":
            return instances
        first: dict[Any, Instance] = {}
        for number, each in enumerate(instances):
            facts = metadata_of(each)
            place = facts.get("sentence")
            one = f"instance {number}" if place is None else place
            first.setdefault((facts.get("one_of_files"), one), each)
        return list(first.values())

    def evaluate(
        self, split: Split, device: torch.device
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """
        The metrics of the model on a split, the scores of the task among them with their intervals, and its
        predictions, a record for each item, in the order of the file.
        """
        metrics = model_metrics(self._model, split, device)
        of_instances = [
            [{"sentence": rank, **each} for each in self._task.records(instance, output)]
            for rank, instance, output in answers(self._model, split, device)
        ]
        scores = task_scores(self._task, of_instances)
        # There is no precision where nothing was predicted; a model may call it 0.
        for name in metrics.keys() & scores.keys() & self._task.shown.keys():
            if abs(metrics[name] - scores[name]) > TOLERANCE:
                self.warnings.append(
                    f"the {name} on the {split.name} data is {scores[name]:.4f} by the predictions, and "
                    f"{metrics[name]:.4f} by the model's own metric; the first is recorded"
                )
        return {**metrics, **scores}, [record for records in of_instances for record in records]
