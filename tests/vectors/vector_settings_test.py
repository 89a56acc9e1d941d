import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.vectors.vector_settings import VectorSettings


def test_the_defaults_are_those_of_the_study():
    settings = VectorSettings().checked()
    assert not settings.skip_gram
    assert (settings.dimension, settings.window, settings.min_count) == (300, 10, 5)
    assert (settings.algorithm, settings.workers) == ("word2vec", 1)


@pytest.mark.parametrize(
    "given, rate, subsampling",
    [
        ({}, 0.05, 0.001),
        ({"skip_gram": True}, 0.025, 0.001),
        ({"algorithm": "fasttext", "skip_gram": True}, 0.05, 0.0001),
        ({"learning_rate": 0.1, "subsampling": 0.01}, 0.1, 0.01),
    ],
)
def test_what_is_left_out_is_as_the_tools_have_it(given, rate, subsampling):
    settings = VectorSettings(**given).checked()
    assert (settings.learning_rate, settings.subsampling) == (rate, subsampling)


def test_only_those_of_the_algorithm_are_recorded():
    assert "buckets" not in VectorSettings().as_recorded()
    recorded = VectorSettings(algorithm="fasttext").as_recorded()
    assert (recorded["shortest"], recorded["longest"], recorded["buckets"]) == (3, 6, 200_000)


@pytest.mark.parametrize(
    "given, message",
    [
        ({"algorithm": "glove"}, "algorithm: expected word2vec or fasttext, found 'glove'"),
        ({"dimension": 0}, "dimension: expected 1 or more, found 0"),
        ({"seed": -1}, "seed: expected 0 or more, found -1"),
        ({"seed": 2**32}, "seed: expected 4294967295 or less, found 4294967296"),
        ({"window": 2**31}, "window: expected 10000 or less"),
        ({"negative": 2**31}, "negative: expected 10000 or less"),
        ({"shortest": 5, "longest": 4}, "n-grams: expected .* found 5 and 4"),
        ({"learning_rate": 0.0}, "learning_rate: expected a number between 0 and 1, found 0.0"),
        ({"subsampling": float("nan")}, "subsampling: .* found nan"),
    ],
)
def test_settings_that_make_no_sense(given, message):
    with pytest.raises(ConfigurationError, match=message):
        VectorSettings(**given).checked()
