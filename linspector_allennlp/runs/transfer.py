"""Runs that are tested in another language or domain than they are trained in."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from linspector_allennlp.formats import NamedTask, task_of
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.representations import TransferEmbedder
from linspector_allennlp.training.split import Split

TEST_MAJORITY = "baseline_test_majority"


def transfer_of(
    task: Optional[Mapping[str, Any]], splits: Mapping[str, Split]
) -> Optional[dict[str, Any]]:
    """
    The `task` and the `language` of the test data, if they are others than those of the training data, or
    if texts of theirs have a representation of their own.

    # Parameters

    task : `Mapping[str, Any]`, optional
        The question, as the reader says it; nothing of a reader that is not ours.
    """
    train, test = splits["train"], splits.get("test")
    if test is None:
        return None
    of_train, of_test = (_named(task, split.path) for split in (train, test))
    if _is_same(of_train, of_test) and train.indexers == test.indexers:
        return None
    return of_test._asdict()


def check_transfer(model: Model, splits: Mapping[str, Split]) -> None:
    """Refuses validation data that are taken for those of the test language."""
    of_training = {splits[name].indexers for name in ("train", "validation") if name in splits}
    if len(of_training) > 1 and any(isinstance(m, TransferEmbedder) for m in model.modules()):
        raise ConfigurationError(
            "validation_dataset_reader: expected transfer: true beside it, at the top of the config, so that it "
            "reads the test data alone; it would read the validation data, too."
        )


def transfer_facts(train: Sequence[Item], test: Sequence[Item]) -> dict[str, float]:
    """
    The entries of `metrics.json` for labels of another language or domain. What comes from the training
    data says little of them; so beside it stands the share of the most frequent label among them.
    """
    labels, seen = Counter(item.label for item in test), {item.label for item in train}
    unseen = sum(count for label, count in labels.items() if label not in seen)
    ((_, most),) = labels.most_common(1)
    return {TEST_MAJORITY: most / len(test), "unseen_labels_test": unseen / len(test)}


def _named(task: Optional[Mapping[str, Any]], path: str) -> NamedTask:
    return NamedTask(None, None) if not task else task_of(path, is_treebank="target" in task)


def _is_same(first: NamedTask, second: NamedTask) -> bool:
    """Of a large treebank a part of the training file may be named, as `de_hdt-ud-train-a`."""
    names = sorted((first.task or "", second.task or ""), key=len)
    return first.language == second.language and (
        names[0] == names[1] or names[1].startswith(f"{names[0]}-train")
    )
