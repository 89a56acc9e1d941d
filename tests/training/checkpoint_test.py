import pytest
import torch

from linspector_allennlp.training.checkpoint import Checkpoint, Progress


class Unsavable:
    def state_dict(self):
        raise RuntimeError("killed while saving")


def test_all_parts_come_back(tmp_path):
    path = str(tmp_path / "state.th")
    head = torch.nn.Linear(2, 2)
    progress = Progress(
        3, 1.5, {"accuracy": 0.5, "training_duration": "0:00:01"}, head.state_dict()
    )
    Checkpoint(path, head=head, progress=progress).save()
    new_head, new_progress = torch.nn.Linear(2, 2), Progress()
    assert Checkpoint(path, head=new_head, progress=new_progress).restore(torch.device("cpu"))
    assert torch.equal(new_head.weight, head.weight)
    assert (new_progress.epochs_completed, new_progress.metrics) == (3, progress.metrics)
    assert torch.equal(new_progress.best_head["bias"], head.bias)


def test_a_failed_save_keeps_the_last_state(tmp_path):
    path = str(tmp_path / "state.th")
    Checkpoint(path, progress=Progress(1)).save()
    with pytest.raises(RuntimeError):
        Checkpoint(path, progress=Unsavable()).save()
    progress = Progress()
    Checkpoint(path, progress=progress).restore(torch.device("cpu"))
    assert progress.epochs_completed == 1
    assert [file.name for file in tmp_path.iterdir()] == ["state.th"]


def test_nothing_to_restore(tmp_path):
    assert not Checkpoint(str(tmp_path / "state.th")).restore(torch.device("cpu"))
