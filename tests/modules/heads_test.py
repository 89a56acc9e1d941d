import numpy as np
import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.modules import LayerMixHead, LinearHead, LowRankHead, MlpHead, ProbeHead


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


def test_the_default_has_no_dropout_that_nobody_asked_for():
    """LINSPECTOR's 0.5 is in its configs; the study of control tasks has none."""
    for settings, size in [({}, 300), ({"type": "mlp", "hidden_dims": [10]}, 10)]:
        layers = build(settings).layers
        assert [type(layer).__name__ for layer in layers] == ["Linear", "ReLU", "Dropout", "Linear"]
        assert layers[0].out_features == size and layers[2].p == 0


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


# Layers that are mixed


class Unchanged(ProbeHead):
    """Shows what a head is given."""

    def forward(self, features):
        return features


def mix_of(combination, scalars, gamma=1.0):
    head = LayerMixHead(Unchanged(), len(scalars), combination)
    with torch.no_grad():
        head.mix.gamma.fill_(gamma)
        for parameter, value in zip(head.mix.scalar_parameters, scalars):
            parameter.fill_(value)
    return head


LOG_3 = float(np.log(3))


def test_one_word_by_hand():
    head = mix_of("x", [0.0, LOG_3], gamma=2.0)  # shares of 1/4 and 3/4
    assert head.layer_weights() == pytest.approx([0.25, 0.75])
    # Two items; each has layer 0, then layer 1, both of 3 dimensions.
    features = torch.tensor([[4.0, 8, 0, 4, 0, 8], [1.0, 1, 1, 1, 1, 1]])
    expected = np.array([[2 * 4.0, 2 * 2.0, 2 * 6.0], [2.0, 2.0, 2.0]])
    assert head(features).detach().numpy() == pytest.approx(expected)


@pytest.mark.parametrize(
    "combination, expected",
    [
        ("x,y", [4.0, 2.0, 10.0, 20.0]),
        ("x*y", [40.0, 40.0]),
        ("x-y", [-6.0, -18.0]),
        ("x,y,x-y,x*y", [4.0, 2.0, 10.0, 20.0, -6.0, -18.0, 40.0, 40.0]),
        ("y", [10.0, 20.0]),
    ],
)
def test_pairs_are_combined_after_the_mix(combination, expected):
    """Or "x*y" would be a mix of the products of layers."""
    head = mix_of(combination, [0.0, LOG_3])
    x_layers, y_layers = [[4.0, 8.0], [4.0, 0.0]], [[4.0, 8.0], [12.0, 24.0]]
    features = torch.tensor([x_layers, y_layers]).view(1, -1)
    assert head(features)[0].tolist() == pytest.approx(expected, abs=1e-5)


def test_all_layers_begin_alike_and_the_shares_are_learned():
    torch.manual_seed(0)
    head = LayerMixHead(LinearHead(2, 2), 4, "x")
    assert head.layer_weights() == pytest.approx([0.25] * 4)
    assert {name.split(".")[0] for name, _ in head.named_parameters()} == {"mix", "head"}
    # Only layer 2 knows the label.
    labels = torch.arange(64) % 2
    features = torch.randn(64, 4, 2)
    features[:, 2] = torch.stack([labels, 1 - labels], dim=1) * 2.0 - 1
    optimizer = torch.optim.Adam(head.parameters(), lr=0.1)
    for _ in range(60):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(head(features.flatten(1)), labels).backward()
        optimizer.step()
    weights = head.layer_weights()
    assert sum(weights) == pytest.approx(1) and np.argmax(weights) == 2 and weights[2] > 0.6
