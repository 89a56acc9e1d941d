"""A probe's accuracy beside that on its control task (Hewitt & Liang 2019)."""

from typing import Any, Optional

import numpy as np

from linspector_allennlp.analysis.significance import paired_difference
from linspector_allennlp.run_folders.scored_items import ScoredItems

SEED = 13
BASELINES = (
    "baseline_majority", "baseline_suffix", "baseline_form", "baseline_length", "baseline_unigram",
)  # fmt: skip
"""Those that a task may have; no task has all of them."""


LEAST_OVERLAP = 0.1
"""Of test items with a word type of the training data; released type-level tasks have up to 0.02."""


def can_be_learned(metrics: dict[str, Any]) -> bool:
    """
    Whether the control task can be told from training at all: a label that depends on the word type
    alone says nothing of other types. In type-level tasks (nearly) no test form is in the training
    data, and in tasks of sentences no test sentence.
    """
    return metrics["overlap_test"] >= LEAST_OVERLAP


def control_ceiling(metrics: dict[str, Any], behaviours: Optional[int]) -> float:
    """
    The accuracy on a control task of one who has memorised all of the training data, and answers
    with the most frequent label where the word type is new; of control edges, with any of the
    behaviours of words.
    """
    if behaviours is None:
        return metrics["baseline_form"]
    return metrics["overlap_test"] + (1 - metrics["overlap_test"]) / behaviours


def selectivity(
    task: dict[str, Any],
    control: dict[str, Any],
    task_items: ScoredItems,
    control_items: ScoredItems,
    behaviours: Optional[int] = None,
    per_item: bool = False,
) -> dict[str, Any]:
    """
    All numbers of a task and its control, from the metrics and the scored test items of the two runs.

    Selectivity is the difference of the two accuracies; its interval is that of a paired test over
    sentences (or items). Where the control task cannot be learned, there is none:
    then `memorisation` is the accuracy of the control probe on its own training data, on which it
    was validated; with folds, that of the probe of all data. Labels of items never can be.
    """
    learnable = can_be_learned(task) and not per_item
    numbers: dict[str, Any] = {
        "task_accuracy": task["test_accuracy"],
        "task_accuracy_low": task.get("test_accuracy_low"),
        "task_accuracy_high": task.get("test_accuracy_high"),
        "control_accuracy": control["test_accuracy"],
        "control_accuracy_low": control.get("test_accuracy_low"),
        "control_accuracy_high": control.get("test_accuracy_high"),
        **{name: task[name] for name in BASELINES if name in task},
        "control_majority": control["baseline_majority"],
        "control_ceiling": control["baseline_majority"]
        if per_item
        else control_ceiling(control, behaviours),
        "type_overlap": task["overlap_test"],
        "control_can_be_learned": learnable,
        "selectivity": None,
        "memorisation": None,
    }
    if not learnable:
        with_folds = "num_folds" in control
        numbers["memorisation"] = control[
            "training_accuracy" if with_folds else "best_validation_accuracy"
        ]
        return numbers
    places = [(key.line, key.text) for key in task_items.keys]
    if places != [(key.line, key.text) for key in control_items.keys]:
        raise ValueError("The task and its control were not scored on the same items.")
    difference = paired_difference(
        control_items.correct, task_items.correct, task_items.clusters, np.random.default_rng(SEED)
    )
    numbers["selectivity"] = difference.difference
    numbers["selectivity_low"] = difference.low
    numbers["selectivity_high"] = difference.high
    return numbers
