"""The order in which runs are sent, by workers that only say what they were given."""

from concurrent.futures import BrokenExecutor, Executor, Future

import pytest

from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import worker
from linspector_allennlp.suite.execution import Execution
from linspector_allennlp.suite.executors import Workers
from linspector_allennlp.suite.planned_run import PlannedRun
from linspector_allennlp.suite.study_progress import StudyProgress


def of_epoch(epoch, seed):
    words = {"type": "transformer_layer", "model": f"epoch{epoch}", "layer": 0}
    model = {"text_field_embedder": {"token_embedders": {"words": words}}}
    columns = {"task": "Case", "representation": "tagger", "epoch": epoch, "seed": seed}
    return PlannedRun({"model": model, "pytorch_seed": seed, "train_data_path": "x"}, columns)


class Told(Executor):
    """Does nothing but note it; the first preparing of `dies` ends with its process."""

    def __init__(self, dies=None):
        self.dies, self.prepared, self.trained = dies, [], []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        if fn is worker.prepare:
            (settings, *_) = args[1]
            embedders = settings["model"]["text_field_embedder"]["token_embedders"]
            name = embedders["words"]["model"]
            assert not self.trained, "a run was sent before all epochs were there"
            self.prepared.append(name)
            if name == self.dies:
                future.set_exception(BrokenExecutor("killed"))
            else:
                future.set_result(None)
            return future
        names = [run.row.name for run in args[2]]
        self.trained += names
        future.set_result([worker.Ended(name, seconds=1.0) for name in names])
        return future


@pytest.mark.parametrize("dies", [None, "epoch1", "epoch3"])
def test_all_epochs_are_prepared_before_any_is_trained(tmp_path, dies):
    runs = [of_epoch(epoch, seed) for epoch in (1, 2, 3) for seed in range(4)]
    executor, progress = Told(dies), StudyProgress(len(runs))
    Execution(
        StudyFolder(tmp_path), runs, Workers(executor, lambda: 2), worker.Surroundings("."), False,
        progress, lambda progress: None,
    ).run()  # fmt: skip
    assert sorted(set(executor.prepared)) == ["epoch1", "epoch2", "epoch3"]
    assert sorted(executor.trained) == sorted(run.name for run in runs), "each once"
    assert progress.done == 12 and not progress.failed and progress.seconds_left == 0
