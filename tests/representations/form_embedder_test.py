import numpy
import pytest
import torch

from linspector_allennlp.representations import FormEmbedder
from linspector_allennlp.representations.words import encode_words

SENTENCES = [("a", "bb", "a"), ("ccc",), ("bb", "a")]


class LengthEmbedder(FormEmbedder):
    """The vector of a form is its length and the code of its first letter."""

    def __init__(self):
        super().__init__(2)
        self.asked = []

    def embed_forms(self, forms):
        self.asked.append(list(forms))
        return numpy.array([[len(form), ord(form[0])] for form in forms], dtype=numpy.float32)


def test_each_distinct_form_is_embedded_once_and_padding_is_zero():
    embedder = LengthEmbedder()
    vectors = embedder(encode_words(SENTENCES))
    assert embedder.asked == [["a", "bb", "ccc"]]
    a, bb, ccc, padding = [1, 97], [2, 98], [3, 99], [0, 0]
    assert vectors.tolist() == [[a, bb, a], [ccc, padding, padding], [bb, a, padding]]


def test_only_the_probed_word_is_embedded():
    embedder = LengthEmbedder()
    vectors = embedder(encode_words(SENTENCES), probed=torch.tensor([1, 0, 0]))
    assert vectors.tolist() == [[[2, 98]], [[3, 99]], [[2, 98]]]
    assert embedder.asked == [["bb", "ccc"]]


@pytest.mark.parametrize("places", [[0, 0, 0], [2, 0, 1]])
def test_words_give_what_their_tensors_give(places):
    expected = LengthEmbedder()(encode_words(SENTENCES), probed=torch.tensor(places)).squeeze(1)
    asked = [[place] for place in places]
    assert torch.equal(LengthEmbedder().embed_words(SENTENCES, asked), expected)


def test_several_words_of_a_sentence_or_none():
    found = LengthEmbedder().embed_words(SENTENCES, [[2, 1], [], [0, 0]])
    assert found.tolist() == [[1, 97], [2, 98], [2, 98], [2, 98]]


@pytest.mark.parametrize("lowercase, types", [(False, ["Äiti", "b"]), (True, ["äiti", "b"])])
def test_forms_are_looked_up_as_types(lowercase, types):
    assert FormEmbedder(dimension=2, lowercase=lowercase).types(("Äiti", "b")) == types
