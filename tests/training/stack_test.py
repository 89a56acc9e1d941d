"""Probes that are trained as one, against each by itself."""

import copy

import pytest
import torch
from allennlp.common import Lazy
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.optimizers import Optimizer

from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.modules import MlpHead
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.head_training import head_weights
from linspector_allennlp.training.stack import Stack, mean_losses, stack_size
from linspector_allennlp.training.stacked_probe import StackedProbe, stack_key
from tests.training.head_training_test import features, model, run, training  # noqa: F401

FUSED = Optimizer.by_name("fused_adam")
HALVING = Lazy(LearningRateScheduler.by_name("halve_on_plateau"))

# What is different from probe to probe; the probes are those of all numbers below 24.
WAYS = [
    {"num_epochs": 5},
    {"num_epochs": 9, "patience": 2},
    {"num_epochs": 6, "max_steps": 9},
    {"num_epochs": 8, "learning_rate_scheduler": HALVING, "validation_metric": "-loss"},
    {"num_epochs": 4, "grad_norm": 0.1},
    {"num_epochs": 7, "grad_clipping": 0.01, "patience": 3},
]
SIZES = [20, 33, 40, 8, 5]


def prepared(model, number, **changes):  # noqa: F811
    """A probe with a head, a seed, data and settings of its own."""
    probe = copy.deepcopy(model)
    torch.manual_seed(number)
    probe.head = MlpHead(3, 2, hidden_dims=[6], dropout=(0.5, 0.0, 0.3)[number % 3])
    rule = {"lr": 0.05 if number % 2 else 0.01, "weight_decay": 0.1 * (number % 5 == 0)}
    settings = {"optimizer": Lazy(FUSED, constructor_extras=rule), **WAYS[number % 6], **changes}
    train = features(SIZES[number % 5], seed=number)
    trained = training(probe, number, **settings)
    return trained, train, features(30, seed=100 + number)


def alone(model, number):  # noqa: F811
    trained, train, validation = prepared(model, number)
    run(trained, train, validation)
    trained.restore_best()
    return trained


@pytest.mark.parametrize("size", [0, 1, 5, 24])
def test_24_probes_are_what_they_are_alone(model, size):  # noqa: F811
    """Places that are left are taken by others, and all that is drawn is the probe's own."""
    everything = [prepared(model, number) for number in range(24)]
    probes = [StackedProbe(*each) for each in everything]
    assert len({stack_key(trained, train) for trained, train, _ in everything}) == 1
    state = torch.get_rng_state()
    Stack(probes, size).train()
    assert torch.equal(state, torch.get_rng_state())
    test = torch.randn(200, 3, generator=torch.Generator().manual_seed(0))
    for number, (trained, _, _) in enumerate(everything):
        assert probes[number].error is None
        trained.restore_best()
        expected = alone(model, number)
        ours, theirs = head_weights(trained.model), head_weights(expected.model)
        assert all(torch.allclose(ours[name], theirs[name], atol=1e-6) for name in theirs)
        answers = (each.model.head.eval()(test).argmax(dim=1) for each in (trained, expected))
        assert torch.equal(*answers)
        found, wanted = trained.progress.metrics, expected.progress.metrics
        assert found.keys() == wanted.keys()
        assert found == {name: pytest.approx(value, abs=1e-6) for name, value in wanted.items()}
        assert found["best_epoch"] == wanted["best_epoch"]
        for name in ("epochs_completed", "least_loss"):
            values = getattr(trained.progress, name), getattr(expected.progress, name)
            assert values[0] == pytest.approx(values[1], abs=1e-6)
        assert trained.steps.taken == expected.steps.taken
        assert trained.progress.seconds > 0


def test_the_weights_of_many_steps_to_the_bit(model):  # noqa: F811
    """In the shape of a real probe: float noise would be another probe after some epochs."""
    torch.manual_seed(3)
    trained = []
    for number in (1, 2, 3):
        probe = copy.deepcopy(model)
        probe.head = MlpHead(64, 16, hidden_dims=[32], dropout=0.5)
        values = torch.randn(300, 64)
        ones = torch.ones(300, dtype=torch.long)
        data = Features(Ragged(values, ones), {"label": Ragged(values[:, :16].argmax(dim=1), ones)})
        probe.label_names = list(map(str, range(16)))
        twin = copy.deepcopy(probe)
        how = {"optimizer": Lazy(FUSED), "num_epochs": 3, "grad_clipping": 5.0}
        trained.append([training(each, number, **how) for each in (probe, twin)] + [data])
    Stack([StackedProbe(ours, data, data) for ours, _, data in trained]).train()
    for ours, theirs, data in trained:
        run(theirs, data, data)
        weights = head_weights(theirs.model)
        assert all(torch.equal(weights[n], w) for n, w in head_weights(ours.model).items())


def test_one_that_diverges_leaves_the_others_alone(model):  # noqa: F811
    everything = [prepared(model, number, num_epochs=3) for number in (0, 6, 12)]
    everything[1][1].values.values[0] = float("nan")
    probes = [StackedProbe(*each) for each in everything]
    Stack(probes).train()
    assert "lower learning rate" in str(probes[1].error)
    assert probes[0].error is None and probes[2].error is None
    assert everything[0][0].progress.epochs_completed == 3


def test_the_loss_and_its_gradient_are_those_of_cross_entropy():
    torch.manual_seed(0)
    logits = torch.randn(4, 7, 5, requires_grad=True)
    labels = torch.randint(0, 5, (4, 7))
    expected = [torch.nn.functional.cross_entropy(*pair) for pair in zip(logits, labels)]
    sum(expected).backward()
    losses, gradient = mean_losses(logits.detach(), labels)
    assert torch.allclose(losses, torch.stack(expected))
    assert torch.equal(gradient, logits.grad)


def test_what_is_trained_by_itself(model):  # noqa: F811
    trained, train, _ = prepared(model, 0)
    assert stack_key(trained, train) is not None
    other = stack_key(*prepared(model, 1)[:2])
    assert stack_key(trained, train) == other
    adam, _, _ = prepared(model, 0, optimizer=Lazy(Optimizer.by_name("adam")))
    assert stack_key(adam, train) is None
    sentences = Ragged(train.values.values, torch.tensor([2] * 10))
    assert stack_key(trained, Features(sentences, train.targets)) is None
    unseen = {"label": Ragged(-torch.ones(20, dtype=torch.long), train.values.lengths)}
    assert stack_key(trained, Features(train.values, unseen)) is None
    trained.model._regularizer = object()
    assert stack_key(trained, train) is None


def test_large_probes_share_a_stack_with_few(model):  # noqa: F811
    probe = StackedProbe(*prepared(model, 0))
    assert stack_size(probe) == 48
    probe.layers[1] = torch.nn.Linear(1, 3000)
    probe.layers[0] = torch.nn.Linear(1000, 1000)
    assert stack_size(probe) == 2
