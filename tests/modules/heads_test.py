import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.modules import LowRankHead, MlpHead, ProbeHead


def build(settings):
    lazy = Lazy(ProbeHead, Params(settings))
    return lazy.construct(input_dim=6, num_labels=4)


@pytest.mark.parametrize(
    "settings, num_weights",
    [
        ({"type": "linear"}, 6 * 4 + 4),
        ({"type": "low_rank", "rank": 2}, 6 * 2 + 2 * 4 + 4),
        ({"type": "mlp"}, 6 * 300 + 300 + 300 * 4 + 4),
        ({"type": "mlp", "hidden_dims": [5, 3]}, (6 * 5 + 5) + (5 * 3 + 3) + (3 * 4 + 4)),
        ({"type": "mlp", "hidden_dims": []}, 6 * 4 + 4),
    ],
)
def test_sizes_are_derived(settings, num_weights):
    head = build(settings)
    assert sum(p.numel() for p in head.parameters()) == num_weights
    assert head(torch.zeros(3, 6)).shape == (3, 4)


def test_the_default_is_linspectors_probe():
    layers = build({}).layers
    assert [type(layer).__name__ for layer in layers] == ["Linear", "ReLU", "Dropout", "Linear"]
    assert layers[0].out_features == 300 and layers[2].p == 0.5


def test_low_rank_is_low_rank():
    head = LowRankHead(50, 40, rank=3).eval()
    zero = head(torch.zeros(1, 50))
    weight = head(torch.eye(50)) - zero
    assert torch.linalg.matrix_rank(weight.detach(), tol=1e-5) == 3


def test_an_mlp_by_hand():
    head = MlpHead(2, 1, hidden_dims=[2]).eval()
    with torch.no_grad():
        head.layers[0].weight.copy_(torch.tensor([[1.0, 0.0], [0.0, -1.0]]))
        head.layers[0].bias.zero_()
        head.layers[3].weight.copy_(torch.tensor([[2.0, 3.0]]))
        head.layers[3].bias.fill_(0.5)
    assert head(torch.tensor([[4.0, 5.0]])).item() == 2 * 4 + 3 * 0 + 0.5


@pytest.mark.parametrize(
    "settings", [{"type": "low_rank", "rank": 0}, {"type": "linear", "hidden": 3}, {"type": "tree"}]
)
def test_broken_settings(settings):
    with pytest.raises(ConfigurationError):
        build(settings)
