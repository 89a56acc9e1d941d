import math

import numpy
import pytest
import torch

from linspector_allennlp.representations import ContextEmbedder
from linspector_allennlp.representations.layer_choice import LayerChoice
from linspector_allennlp.representations.words import encode_words

TEXT = [("a", "bb"), ("cc",), ("a", "d", "bb")]


class PlacesEmbedder(ContextEmbedder):
    """
    A vector is (length of the sentence, place in it, code point of the word's first letter), times
    the number of the layer, from 1.
    """

    def __init__(self, layer=0, alone=False):
        super().__init__(LayerChoice(layer, 2), 3, alone)
        self.asked = []

    def embed_tokens(self, sentences, sentence_of, word_of):
        self.asked.append(list(sentences))
        rows = [
            [len(sentences[i]), j, ord(sentences[i][j][0])]
            for i, j in zip(sentence_of.tolist(), word_of.tolist())
        ]
        vectors = torch.tensor(rows, dtype=torch.float32).reshape(-1, 1, 3)
        return vectors * torch.tensor([layer + 1 for layer in self._choice.layers]).reshape(
            1, -1, 1
        )


def test_words_and_padding():
    embedder = PlacesEmbedder()
    assert embedder.get_output_dim() == 3
    vectors = embedder(encode_words(TEXT))
    zeros = [0, 0, 0]
    assert vectors.dtype == torch.float32
    assert vectors.tolist() == [
        [[2, 0, 97], [2, 1, 98], zeros],
        [[1, 0, 99], zeros, zeros],
        [[3, 0, 97], [3, 1, 100], [3, 2, 98]],
    ]
    assert embedder.asked == [TEXT]


def test_the_probed_words():
    vectors = PlacesEmbedder()(encode_words(TEXT), probed=torch.tensor([1, 0, 1]))
    assert vectors.tolist() == [[[2, 1, 98]], [[1, 0, 99]], [[3, 1, 100]]]


def test_words_alone():
    embedder = PlacesEmbedder(alone=True)
    assert embedder.ignores_context and not PlacesEmbedder().ignores_context
    zeros = [0, 0, 0]
    assert embedder(encode_words(TEXT[:2])).tolist() == [
        [[1, 0, 97], [1, 0, 98]],
        [[1, 0, 99], zeros],
    ]
    probed = embedder(encode_words(TEXT), probed=torch.tensor([1, 0, 2]))
    assert probed.tolist() == [[[1, 0, 98]], [[1, 0, 99]], [[1, 0, 98]]]
    assert embedder.asked == [[("a",), ("bb",), ("cc",)], [("bb",), ("cc",), ("bb",)]]


@pytest.mark.parametrize(
    "layer, vector",
    [(1, [2, 0, 198]), ([1, 0], [2, 0, 198, 1, 0, 99]), ("average", [1.5, 0, 148.5]),
     ("mix", [1, 0, 99, 2, 0, 198])],
)  # fmt: skip
def test_layers(layer, vector):
    embedder = PlacesEmbedder(layer)
    assert embedder.hand_over_layers() == embedder.mixed_layers == (2 if layer == "mix" else 1)
    assert embedder.get_output_dim() == len(vector) and not list(embedder.parameters())
    assert embedder(encode_words([("cc",)])).tolist() == [[vector]]


def test_a_mix_in_a_model_that_is_no_probe():
    """The embedder learns it itself: the size is that of a layer, and the weights get gradients."""
    mixing = PlacesEmbedder("mix")
    assert (mixing.get_output_dim(), mixing.mixed_layers) == (3, 1)
    mixing.load_state_dict({"mix.scalar_parameters.0": torch.tensor([math.log(3)])}, strict=False)
    words = encode_words([("cc",), ("a", "cc")])
    vectors = mixing(words)
    # 3 / 4 of [1, 0, 99] and 1 / 4 of [2, 0, 198]
    assert vectors[0].tolist() == [pytest.approx([1.25, 0, 123.75]), [0, 0, 0]]
    vectors[0, 0, 2].backward()
    assert mixing.mix.gamma.grad.tolist() == [pytest.approx(123.75)]
    assert {name for name, _ in mixing.named_parameters()} == {
        "mix.gamma", "mix.scalar_parameters.0", "mix.scalar_parameters.1",
    }  # fmt: skip


@pytest.mark.parametrize("alone", [False, True])
def test_nothing_but_padding(alone):
    vectors = PlacesEmbedder("mix", alone)(torch.zeros(2, 3, 4, dtype=torch.int32))
    assert torch.equal(vectors, torch.zeros(2, 3, 3))
    code_points = torch.cat([torch.zeros(1, 1, 1, dtype=torch.int32), encode_words([("c",)])])
    assert PlacesEmbedder(0, alone)(code_points).tolist() == [[[0, 0, 0]], [[1, 0, 99]]]


@pytest.mark.parametrize("alone", [False, True])
def test_an_empty_word_is_refused(alone):
    """Or the words after it would get the vectors of their neighbours."""
    for words in (["a", "", "b"], ["", "b"], ["a", "\0", "b"]):
        with pytest.raises(ValueError, match="expected words, found an empty one"):
            PlacesEmbedder(0, alone)(encode_words([words]))


@pytest.mark.parametrize("alone", [False, True])
def test_padding_cannot_be_probed(alone):
    with pytest.raises(ValueError, match="expected words, found an empty one"):
        PlacesEmbedder(0, alone)(encode_words(TEXT), probed=torch.tensor([1, 1, 1]))


def test_a_subclass_says_how():
    with pytest.raises(NotImplementedError):
        ContextEmbedder(LayerChoice(0, 1), 3).embed_tokens([], numpy.array([]), numpy.array([]))
