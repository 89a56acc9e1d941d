import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.io.hashing import checksums, hashed_vectors


def splitmix64(state):
    """The generator as it is usually written down, in plain integers."""
    mask = 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def test_it_is_splitmix64_from_the_hash_of_the_key():
    from hashlib import blake2b

    start = int.from_bytes(
        blake2b("yö".encode(), digest_size=8, salt=(7).to_bytes(8, "little")).digest(), "little"
    )
    stream = splitmix64(start)
    expected = [((next(stream) >> 40) / 2**24 - 0.5) * 12**0.5 for _ in range(5)]
    assert hashed_vectors(["yö"], 5, seed=7)[0] == pytest.approx(expected, abs=1e-6)


def test_mean_variance_and_independence():
    vectors = hashed_vectors([str(number) for number in range(2000)], 100, seed=1)
    assert vectors.dtype == numpy.float32
    assert vectors.mean() == pytest.approx(0, abs=0.01)
    assert vectors.var() == pytest.approx(1, abs=0.01)
    correlations = numpy.corrcoef(vectors[:50]) - numpy.eye(50)
    assert abs(correlations).max() < 0.5


def test_a_fixed_function_of_seed_and_key():
    assert (hashed_vectors(["a", "b"], 8, 1)[1] == hashed_vectors(["b"], 8, 1)[0]).all()
    assert (hashed_vectors(["a"], 8, 1) != hashed_vectors(["a"], 8, 2)).any()


def splitmix(state):
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ (state >> shift)) * factor % 2**64
    return state ^ (state >> 31)


@given(st.lists(st.floats(width=16), min_size=1, max_size=9), st.sampled_from(["<f2", "<f4"]))
def test_checksums_by_hand(row, dtype):
    array = numpy.array([row, row], dtype)
    expected = 0x9E3779B97F4A7C15
    for i, number in enumerate(array[0]):
        expected += int.from_bytes(number.tobytes(), "little") * (splitmix(i + 1) | 1)
    assert checksums(array[:, :]).tolist() == [expected % 2**64] * 2
    assert checksums(numpy.repeat(array, 2, axis=1)[:, ::2]).tolist() == [expected % 2**64] * 2
