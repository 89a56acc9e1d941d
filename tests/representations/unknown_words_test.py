from types import SimpleNamespace

import numpy
import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.hashing import hashed_vectors
from linspector_allennlp.representations.unknown_words import UnknownWords, check_policy

STATISTICS = SimpleNamespace(dimension=3, mean=numpy.array([1, 2, 3], "f4"), scale=0.25)


def vectors(policy, words, statistics=STATISTICS, seed=13):
    found = UnknownWords(policy, "v.vec", seed).vectors(words, statistics)
    assert found.dtype == numpy.float32 and found.shape == (len(words), 3)
    return found


def test_the_mean_and_zeros():
    assert vectors("mean", ["auto", "vene"]).tolist() == [[1, 2, 3], [1, 2, 3]]
    assert vectors("zeros", ["auto", "vene"]).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_a_mean_can_be_written_to():
    found = vectors("mean", ["auto", "vene"])
    found[0] = 0
    assert found[1].tolist() == STATISTICS.mean.tolist() == [1, 2, 3]


def test_random_vectors_are_a_function_of_word_and_seed():
    both, one = vectors("random", ["auto", "vene"]), vectors("random", ["vene"])
    assert both[1].tolist() == one[0].tolist() == (hashed_vectors(["vene"], 3, 13) / 4)[0].tolist()
    assert (vectors("random", ["vene"], seed=14) != one).any()


def test_an_error_names_file_number_and_a_word():
    with pytest.raises(
        ValueError, match='v.vec has no vector for 2 words, such as .auto.; set "un'
    ):
        vectors("error", ["auto", "vene"])


@pytest.mark.parametrize("policy", ["mean", "zeros", "random", "shared_random", "error", "skip"])
def test_without_unknown_words_nothing_is_computed(policy):
    assert vectors(policy, [], SimpleNamespace(dimension=3)).tolist() == []


def test_other_policies():
    with pytest.raises(
        ConfigurationError, match="mean, zeros, random, shared_random, error, skip, found 'median'"
    ):
        UnknownWords("median", "v.vec", 13)
    check_policy("subwords", "subwords")
    with pytest.raises(
        ConfigurationError, match="of subwords, mean, .*, error, skip, found 'median'"
    ):
        check_policy("median", "subwords")


def test_one_random_vector_for_all_words():
    both, one = vectors("shared_random", ["auto", "vene"]), vectors("shared_random", ["x"])
    assert both[0].tolist() == both[1].tolist() == one[0].tolist()
    assert one.tolist() == (hashed_vectors([""], 3, 13) / 4).tolist()
    assert (vectors("shared_random", ["x"], seed=14) != one).any()


def test_items_of_such_words_have_left():
    with pytest.raises(
        ValueError, match="v.vec has no vector for the word 'auto', and .unk. is .sk"
    ):
        vectors("skip", ["auto", "vene"])
