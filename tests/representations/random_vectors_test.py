import numpy
import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.io.hashing import hashed_vectors
from linspector_allennlp.representations.random_vectors import RandomVectorsEmbedder


def test_from_params_with_the_defaults():
    embedder = TokenEmbedder.from_params(Params({"type": "random_vectors"}))
    assert isinstance(embedder, RandomVectorsEmbedder)
    assert embedder.get_output_dim() == 300
    assert embedder.provenance() == {"dimension": 300, "lowercase": False, "seed": 13}
    assert list(embedder.parameters()) == []


def test_a_vector_for_each_type_from_the_hash():
    embedder = RandomVectorsEmbedder(dimension=4, seed=7)
    vectors = embedder.embed_forms(["talo", "yö", "talo"])
    assert vectors.dtype == numpy.float32
    assert (vectors == hashed_vectors(["talo", "yö", "talo"], 4, 7)).all()
    assert (vectors[0] == vectors[2]).all()
    assert (RandomVectorsEmbedder(dimension=4, seed=8).embed_forms(["talo"]) != vectors[0]).any()


def test_spelling_says_nothing():
    a, b = RandomVectorsEmbedder(dimension=2000).embed_forms(["talossa", "talosta"])
    # The standard deviation of a correlation of 2,000 independent pairs is 0.022.
    assert abs(numpy.corrcoef(a, b)[0, 1]) < 0.1


def test_lower_case_is_a_setting():
    cased, uncased = RandomVectorsEmbedder(5), RandomVectorsEmbedder(5, lowercase=True)
    assert (cased.embed_forms(["Talo"]) != cased.embed_forms(["talo"])).any()
    assert (uncased.embed_forms(["Talo"]) == cased.embed_forms(["talo"])).all()


def test_it_knows_every_word():
    assert RandomVectorsEmbedder(2).knows(["talo", "日本"]).tolist() == [True, True]


def test_a_dimension_that_makes_no_sense():
    with pytest.raises(ConfigurationError, match="1 or more, found 0"):
        RandomVectorsEmbedder(dimension=0)
