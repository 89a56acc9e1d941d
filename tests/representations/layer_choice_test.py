import pytest
import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.layer_choice import LayerChoice

# Two words, three layers of two dimensions.
LAYERS = torch.tensor([[[1.0, 2], [3, 4], [5, 9]], [[0, 0], [-1, 1], [4, 2]]])


@pytest.mark.parametrize(
    "setting, layers, dimension, joined",
    [
        (0, [0], 2, [[1, 2], [0, 0]]),
        (-1, [2], 2, [[5, 9], [4, 2]]),
        (-3, [0], 2, [[1, 2], [0, 0]]),
        ([1], [1], 2, [[3, 4], [-1, 1]]),
        ([2, 0, -1], [2, 0, 2], 6, [[5, 9, 1, 2, 5, 9], [4, 2, 0, 0, 4, 2]]),
        ("average", [0, 1, 2], 2, [[3, 5], [1, 1]]),
        ("mix", [0, 1, 2], 6, [[1, 2, 3, 4, 5, 9], [0, 0, -1, 1, 4, 2]]),
    ],
)
def test_by_hand(setting, layers, dimension, joined):
    choice = LayerChoice(setting, 3)
    assert choice.setting == setting and choice.layers == layers
    assert choice.dimension(2) == dimension
    assert choice.join(LAYERS[:, layers]).tolist() == joined
    assert choice.join(LAYERS[:0, layers]).shape == (0, dimension)
    assert choice.mixed_layers == (3 if setting == "mix" else 1)


def test_a_mix_of_one_layer_is_that_layer():
    choice = LayerChoice("mix", 1)
    assert choice.mixed_layers == 1 and choice.dimension(2) == 2


@pytest.mark.parametrize("setting", [3, -4, [], [0, 3], [-4], "", "all", "0", "Mix"])
def test_what_is_no_layer(setting):
    with pytest.raises(
        ConfigurationError,
        match=r'layer: expected a number from 0 \(the embedding layer\) to 2, a list .* "mix", found',
    ):
        LayerChoice(setting, 3)
