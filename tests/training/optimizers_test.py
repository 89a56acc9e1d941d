import copy

import pytest
import torch
from allennlp.common import Params
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.optimizers import Optimizer

from linspector_allennlp.training import HalveOnPlateau, optimizers


def weights_after(optimizer_type, steps=20, **settings):
    torch.manual_seed(0)
    model = torch.nn.Linear(5, 3)
    x, y = torch.randn(30, 5), torch.randint(0, 3, (30,))
    optimizer = Optimizer.from_params(
        Params({"type": optimizer_type, "lr": 0.05, **copy.deepcopy(settings)}),
        model_parameters=list(model.named_parameters()),
    )
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return model.weight.detach(), optimizer


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"weight_decay": 0.1, "betas": [0.8, 0.9], "eps": 1e-4},
        {"parameter_groups": [[["bias"], {"lr": 0.5}]]},
    ],
)
@pytest.mark.parametrize("can_fuse", [True, False])
def test_it_is_adam(settings, can_fuse, monkeypatch):
    if not can_fuse:
        monkeypatch.setattr(optimizers, "_can_fuse", lambda parameter: False)
    expected, _ = weights_after("adam", **settings)
    weights, optimizer = weights_after("fused_adam", **settings)
    assert torch.allclose(weights, expected, atol=1e-5)
    if not can_fuse:
        assert not optimizer.param_groups[0].get("fused")


def test_where_torch_cannot_fuse(monkeypatch):
    class OldAdam:
        def __init__(self, parameters):
            pass

    parameter = torch.nn.Parameter(torch.zeros(1))
    monkeypatch.setattr(torch.optim, "Adam", OldAdam)
    assert not optimizers._can_fuse(parameter)


@pytest.fixture
def optimizer():
    return torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))], lr=0.8)


def test_each_epoch_without_a_new_best_halves(optimizer):
    scheduler = LearningRateScheduler.from_params(
        Params({"type": "halve_on_plateau"}), optimizer=optimizer
    )
    rates = []
    for metric in (-3.0, -2.0, -2.0, -2.5, -1.0, -1.5):
        scheduler.step(metric)
        rates.append(optimizer.param_groups[0]["lr"])
    assert rates == [0.8, 0.8, 0.4, 0.2, 0.2, 0.1]


def test_the_best_is_remembered(optimizer):
    scheduler = HalveOnPlateau(optimizer, factor=0.1)
    scheduler.step(5.0)
    other = HalveOnPlateau(optimizer, factor=0.1)
    other.load_state_dict(scheduler.state_dict())
    other.step(4.0)
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.08)


def test_no_validation_data(optimizer):
    with pytest.raises(ValueError, match="needs validation data"):
        HalveOnPlateau(optimizer).step(None)
