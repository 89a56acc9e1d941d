"""Studies of runs that take a tenth of a second, and what is compared of them."""

import copy
import json
import pickle
from concurrent.futures import Executor, Future
from pathlib import Path

from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import probe_config
from linspector_allennlp.suite.planned_run import PlannedRun
from linspector_allennlp.suite.train_study import Means, train_study

DATA = Path(__file__).resolve().parents[2] / "fixtures/type_level"

SEEDS = ("numpy_seed", "pytorch_seed", "random_seed")


class Here(Executor):
    """Does in this process, at once, what it is given; as a process would, it gets a copy."""

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        try:
            fn, args = pickle.loads(pickle.dumps((fn, args)))
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - as in a process
            future.set_exception(error)
        return future


def small_runs(tasks=("Number",), representations=("char_ngrams",), seeds=2, **changes):
    changes = {"trainer": {"num_epochs": 1}, **changes}
    runs = []
    for representation in representations:
        for task in tasks:
            base = probe_config(
                "single_form",
                DATA / task / "finnish",
                f"{representation}:dimension=8",
                head={"type": "mlp", "hidden_dims": [4], "dropout": 0.0},
                **changes,
            )
            for seed in range(seeds):
                settings = {**copy.deepcopy(base), **dict.fromkeys(SEEDS, seed)}
                columns = {
                    "level": "type",
                    "language": "finnish",
                    "task": task,
                    "representation": representation,
                    "probe": "mlp",
                    "control": False,
                    "seed": seed,
                }
                runs.append(PlannedRun(settings, columns))
    return runs


def with_changes(run, **changes):
    """The run with other settings at the top of its config."""
    return PlannedRun({**run.settings, **changes}, run.columns)


def trained(
    folder, runs, executor=None, wanted=None, archives="none", observe=print, suite=None, **means
):
    means = Means(executor or Here(), **means)
    study = StudyFolder(folder)
    wanted = runs if wanted is None else wanted
    return train_study(study, suite or {}, runs, wanted, means, archives, observe)


def outcomes(folder):
    """What a study found, by run: its scores, and what it answered to each item."""
    return {path.name: _outcome(path) for path in sorted(StudyFolder(folder).runs.iterdir())}


def _outcome(path):
    metrics = _rounded(json.loads((path / "metrics.json").read_text()))
    metrics.pop("training_duration")
    lines = (path / "test_predictions.jsonl").read_text().splitlines()
    assert len(lines) == 30
    return metrics, [_rounded(json.loads(line)) for line in lines]


def _rounded(value):
    """Without the noise of sums in another order: which runs are trained as one is not always the same."""
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return round(value, 4) if isinstance(value, float) else value
