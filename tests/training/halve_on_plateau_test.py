import pytest
import torch
from allennlp.common import Params
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from linspector_allennlp.training import HalveOnPlateau


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
