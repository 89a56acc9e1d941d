"""What holds for every encoder."""

import copy

import numpy
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.encoders import SentenceEncoder
from tests.encoders.word_rows import (
    FITTED,
    ORDER_BLIND,
    SEEDED,
    SETTINGS,
    build,
    made_sentences,
    ready,
    rows_of,
    rows_of_words,
)

DIM = 7
SENTENCES = made_sentences(9, seed=5)


@pytest.fixture(scope="module")
def encoders():
    return {name: ready(name, DIM) for name in SETTINGS}


def test_none_is_missing_here():
    assert set(SentenceEncoder.list_available()) == set(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_shapes_and_names(encoders, name):
    encoder = encoders[name]
    found = encoder(rows_of_words(SENTENCES, DIM))
    assert found.shape == (9, encoder.output_dim) and found.dtype == torch.float32
    assert found.isfinite().all() and encoder.registered_name == name
    assert not list(encoder.parameters())


@pytest.mark.parametrize(
    "name, dimension",
    [("average", 300), ("max", 300), ("power_means", 1500), ("sif", 300), ("gem", 300),
     ("hierarchical_pooling", 300), ("borep", 4096), ("random_bilstm", 8192), ("random_esn", 4096),
     ("sentence_vector", 300)],
)  # fmt: skip
def test_the_dimensions_of_300(name, dimension):
    encoder = SentenceEncoder.by_name(name)(word_dim=300)
    assert encoder.output_dim == dimension
    rows = rows_of_words([("a", "b", "c"), ("a",)], 300)
    if name == "random_esn":  # whose eigenvalues take seconds
        return
    encoder.fit([rows])
    assert encoder(rows).shape == (2, dimension)


@pytest.mark.parametrize("name", SETTINGS)
def test_whether_the_order_of_words_matters(encoders, name):
    sentences = [tuple(f"v{i}" for i in range(12)), ("v3", "v1", "v3", "v9", "v0", "v5")]
    rng = numpy.random.default_rng(0)
    other = [tuple(rng.permutation(sentence).tolist()) for sentence in sentences]
    first = encoders[name](rows_of_words(sentences, DIM))
    second = encoders[name](rows_of_words(other, DIM))
    same = torch.allclose(first, second, atol=1e-5)
    assert same == (name in ORDER_BLIND)


words = st.sampled_from([f"w{i}" for i in range(30)])
batches = st.lists(st.lists(words, min_size=1, max_size=15), min_size=1, max_size=8)


@settings(max_examples=20)
@given(sentences=batches, size=st.integers(1, 4))
@pytest.mark.parametrize("name", SETTINGS)
def test_batches_do_not_matter(encoders, name, sentences, size):
    encoder = encoders[name]
    whole = encoder(rows_of_words(sentences, DIM))
    parts = [
        encoder(rows_of_words(sentences[start : start + size], DIM))
        for start in range(0, len(sentences), size)
    ]
    torch.testing.assert_close(torch.cat(parts), whole, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("name", ["gem", "random_bilstm", "random_esn"])
def test_nor_do_the_groups_of_a_large_batch(encoders, name, monkeypatch):
    rows = rows_of_words(SENTENCES, DIM)
    expected = encoders[name](rows)
    monkeypatch.setattr(f"linspector_allennlp.encoders.{name}.MOST_WORDS", 5)
    torch.testing.assert_close(encoders[name](rows), expected, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("name", SETTINGS)
def test_linear_ones_are_linear(encoders, name):
    encoder = encoders[name]
    first, second = rows_of_words(SENTENCES, DIM), rows_of_words(SENTENCES, DIM)
    second = second._replace(vectors=second.vectors.flip(1) ** 2)
    sums = encoder(first._replace(vectors=0.3 * first.vectors + 0.7 * second.vectors))
    if encoder.is_linear:
        torch.testing.assert_close(sums, 0.3 * encoder(first) + 0.7 * encoder(second))


@pytest.mark.parametrize("name", SETTINGS)
def test_an_archive_has_all_that_it_needs(encoders, name):
    trained = encoders[name]
    rows = rows_of_words([*SENTENCES, ("w1", "unseen")], DIM)
    state = copy.deepcopy(trained.state_dict())
    assert sum(tensor.numel() for tensor in state.values()) < 200, "no random weights"
    torch.manual_seed(99)
    settings = {"seed": None} if name in SEEDED else {}
    loaded = build(name, DIM, **settings)
    if name in FITTED:
        with pytest.raises(ConfigurationError, match=f"{name}: it must be fitted .*probe_run"):
            loaded(rows)
    elif name in SEEDED:
        assert not torch.allclose(loaded(rows), trained(rows))
    loaded.load_state_dict(state)
    assert torch.equal(loaded(rows), trained(rows))
    assert loaded.provenance() == trained.provenance()
    other = ready(name, DIM) if name not in SEEDED else build(name, DIM, seed=None)
    other.fit([rows_of_words(SENTENCES, DIM)])
    other.load_state_dict(state)
    assert torch.equal(other(rows), trained(rows))


@pytest.mark.parametrize("name", FITTED)
def test_fitting_anew_forgets_what_was_before(name):
    rows = rows_of_words(SENTENCES, DIM)
    once, twice = build(name, DIM), ready(name, DIM)
    assert not torch.allclose(ready(name, DIM)(rows), twice.fit([rows]) or twice(rows))
    once.fit([rows])
    assert torch.equal(once(rows), twice(rows))
    assert once.needs_fitting and int(once.num_fitted) == 9
    with pytest.raises(ValueError, match=f"{name}: expected training sentences with words"):
        twice.fit([])


@pytest.mark.parametrize("name", SEEDED)
def test_seeds(name):
    rows = rows_of_words(SENTENCES, DIM)
    before = torch.get_rng_state()
    first = build(name, DIM, seed=3)(rows)
    assert torch.equal(before, torch.get_rng_state()), "a run must not depend on it"
    assert torch.equal(first, build(name, DIM, seed=3)(rows))
    assert not torch.allclose(first, build(name, DIM, seed=4)(rows))
    torch.manual_seed(3)
    of_the_run = build(name, DIM, seed=None)
    assert torch.equal(first, of_the_run(rows))
    assert of_the_run.provenance()["seed"] == 3
    assert list(of_the_run.state_dict()) == ["seed"]
    with pytest.raises(ConfigurationError, match=f"{name}: .* the seed 3, found seed 4"):
        build(name, DIM, seed=4).load_state_dict(of_the_run.state_dict())
    with pytest.raises(RuntimeError, match="Missing key"):
        build(name, DIM).load_state_dict({})


def test_a_sentence_of_one_word():
    rows = rows_of([[[1.0, -2.0]], [[0.0, 0.0]]])
    for name in ("average", "max", "hierarchical_pooling", "sentence_vector"):
        assert build(name, 2)(rows).tolist() == [[1, -2], [0, 0]]


def test_three_words_by_hand():
    rows = rows_of([[[1, -2], [4, 0], [-2, 5]], [[7, 8]]])
    expected = {
        "average": [[1, 1], [7, 8]],
        "max": [[4, 5], [7, 8]],
        "sentence_vector": [[1, -2], [7, 8]],
    }
    for name, vectors in expected.items():
        assert build(name, 2)(rows).tolist() == vectors, name


@pytest.mark.parametrize(
    "name, settings, message",
    [
        ("power_means", {"p": []}, "different numbers, \"-inf\" or \"inf\", one or more, found \\[\\]"),
        ("power_means", {"p": [1, "one"]}, "found \\[1, 'one'\\]"),
        ("power_means", {"p": [1, 1.0]}, "different numbers"),
        ("power_means", {"p": ["nan"]}, "different numbers"),
        ("sif", {"a": 0}, "`a` greater than 0, found 0"),
        ("gem", {"window": 0}, "a window of 1 or more words, found 0"),
        ("gem", {"num_removed": 9}, "num_removed <= num_directions, found 9 and 4"),
        ("gem", {"sigma_power": 0}, "sigma_power of 1 or more, found 0"),
        ("hierarchical_pooling", {"window": 0}, "a window of 1 or more words, found 0"),
        ("borep", {"dimension": 0}, "a dimension of 1 or more, found 0"),
        ("borep", {"pooling": "min"}, "a pooling max or mean, found 'min'"),
        ("random_bilstm", {"dimension": 7}, "an even dimension, .* found 7"),
        ("random_esn", {"dimension": 7}, "an even dimension, .* found 7"),
        ("random_esn", {"sparsity": 1}, "a sparsity from 0 to less than 1, found 1"),
        ("random_esn", {"leak": -1}, "a leak from 0 to less than 1, found -1"),
        ("random_esn", {"spectral_radius": 0}, "a spectral_radius greater than 0, found 0"),
        ("average", {"wnidow": 3}, "Extra parameters"),
    ],
)  # fmt: skip
def test_settings_that_make_no_sense(name, settings, message):
    with pytest.raises(ConfigurationError, match=message):
        build(name, DIM, **settings)
