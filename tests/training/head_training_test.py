import copy

import pytest
import torch
from allennlp.common import Lazy
from allennlp.data import Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.training.optimizers import Optimizer

from linspector_allennlp.models import SingleFormProbe
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.representations import CharNgramsEmbedder
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.head_training import (
    Checkpoint,
    HeadTraining,
    Progress,
    TrainingSettings,
    head_weights,
)

SEED, BATCH_SIZE = 21, 8


@pytest.fixture
def model():
    torch.manual_seed(0)
    vocab = Vocabulary(counter={"labels": {"X": 2, "Y": 1}})
    embedder = BasicTextFieldEmbedder({"words": CharNgramsEmbedder(dimension=3)})
    return SingleFormProbe(vocab, embedder)


def features(size, seed=1):
    values = torch.randn(size, 3, generator=torch.Generator().manual_seed(seed))
    ones = torch.ones(size, dtype=torch.long)
    return Features(
        Ragged(values, ones), {"label": Ragged((values[:, 0] > values[:, 1]).long(), ones)}
    )


def training(model, seed=SEED, shuffle=True, **changes):
    optimizer = changes.pop("lr", 0.05)
    settings = {
        "optimizer": Lazy(Optimizer.by_name("adam"), constructor_extras={"lr": optimizer}),
        "learning_rate_scheduler": None,
        "num_epochs": 4,
        "patience": None,
        "validation_metric": "+accuracy",
        "grad_norm": None,
        "grad_clipping": None,
        "max_steps": None,
    }
    loader = SimpleDataLoader([], BATCH_SIZE, shuffle=shuffle)
    return HeadTraining(model, loader, TrainingSettings(**{**settings, **changes}), seed)


def run(head_training, train, validation):
    """The number of epochs that it takes."""
    while not head_training.finished:
        head_training.run_epoch(train, validation)
    return head_training.progress.epochs_completed


def test_an_epoch_spelled_out(model):
    """Order and dropout are drawn from the seed and the number of the epoch."""
    train = features(20)
    reference = copy.deepcopy(model)
    run(training(model, num_epochs=2), train, None)
    optimizer = torch.optim.Adam(reference.head.parameters(), lr=0.05)
    reference.train()
    for epoch in range(2):
        torch.manual_seed((SEED * 1_000_003 + epoch) % 2**63)
        for rows in torch.randperm(20).split(BATCH_SIZE):
            loss = torch.nn.functional.cross_entropy(
                reference.head(train.values.values[rows]), train.targets["label"].values[rows]
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    for name, tensor in head_weights(reference).items():
        assert torch.equal(tensor, head_weights(model)[name]), name


def test_it_starts_from_the_weights_that_the_head_has_and_only_these(model):
    start, train = head_weights(model), features(30)
    run(training(model), train, train)
    first = head_weights(model)
    model.head.load_state_dict(start)
    torch.manual_seed(999)  # what others have drawn does not matter
    run(training(model), train, train)
    second = head_weights(model)
    model.head.load_state_dict(start)
    run(training(model, seed=22), train, train)
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert any(not torch.equal(first[name], head_weights(model)[name]) for name in first)


def test_it_ends_after_so_many_epochs_steps_or_epochs_without_a_better_one(model):
    train = features(20)
    assert run(training(model, num_epochs=3), train, None) == 3
    limited = training(model, num_epochs=9, max_steps=7)
    assert run(limited, train, None) == 3 and limited.steps.taken == 7
    # Nothing is learned: the first epoch stays the best, and three without a better one are the last.
    assert run(training(model, num_epochs=50, patience=3, lr=0.0), train, train) == 4


def test_the_best_epoch_comes_back(model):
    """Validated on labels that are all wrong: every step away from the start makes it worse."""
    train = features(40)
    wrong = Features(
        train.values, {"label": Ragged(1 - train.targets["label"].values, train.values.lengths)}
    )
    head_training = training(model, validation_metric="-loss", num_epochs=5)
    head_training.run_epoch(train, wrong)
    after_first = head_weights(model)
    run(head_training, train, wrong)
    metrics = head_training.progress.metrics
    assert metrics["best_epoch"] == 0 and head_training.progress.epochs_completed == 5
    assert metrics["best_validation_loss"] < metrics["validation_loss"]
    last = head_weights(model)
    assert any(not torch.equal(last[name], tensor) for name, tensor in after_first.items())
    head_training.restore_best()
    for name, tensor in head_weights(model).items():
        assert torch.equal(tensor, after_first[name])


def test_without_validation_data_the_last_epoch_stays(model):
    head_training = training(model)
    run(head_training, features(20), None)
    last = head_weights(model)
    head_training.restore_best()
    assert all(torch.equal(last[name], tensor) for name, tensor in head_weights(model).items())
    assert set(head_training.progress.metrics) == {
        "training_accuracy", "training_macro_f1", "training_loss"
    }  # fmt: skip


def test_weights_are_a_copy(model):
    weights = head_weights(model)
    before = {name: tensor.clone() for name, tensor in weights.items()}
    run(training(model, num_epochs=1), features(20), None)
    assert all(torch.equal(weights[name], before[name]) for name in weights)
    assert not any(tensor.requires_grad for tensor in weights.values())


def test_the_time_is_taken(model):
    head_training = training(model, num_epochs=2)
    run(head_training, features(20), None)
    assert 0 < head_training.progress.seconds < 60


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
