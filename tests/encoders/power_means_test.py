import math

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.encoders.power_means import EPSILON, power_mean
from tests.encoders.word_rows import build, rows_of

ROWS = rows_of([[[1, -2], [4, 0], [-2, 5]], [[-3, 0.5]]])


def test_three_words_by_hand():
    found = build("power_means", 2)(ROWS)
    of_zero = (2 * EPSILON * 5) ** (1 / 3)  # of 2, 0 and 5
    expected = [
        [-2, -2, 2, of_zero, 1, 1, 7**0.5, (29 / 3) ** 0.5, 4, 5],
        [-3, 0.5, 3, 0.5, -3, 0.5, 3, 0.5, -3, 0.5],
    ]
    numpy.testing.assert_allclose(found, expected, rtol=1e-4)


@pytest.mark.parametrize(
    "p, expected",
    [
        (3, [[(57 / 3) ** (1 / 3), (117 / 3) ** (1 / 3)], [-3, 0.5]]),
        (4, [[(273 / 3) ** 0.25, (641 / 3) ** 0.25], [3, 0.5]]),
        (0.5, [[((3 - 2**0.5) / 3) ** 2, ((5**0.5 - 2**0.5) / 3) ** 2], [-3, 0.5]]),
        (-1, [[3 / (1 + 1 / 4 + 1 / 2), 3 * EPSILON], [3, 0.5]]),
    ],
)
def test_other_powers_by_hand(p, expected):
    numpy.testing.assert_allclose(build("power_means", 2, p=[p])(ROWS), expected, rtol=1e-4)


def test_odd_roots_keep_the_sign():
    rows = rows_of([[[-2.0], [1.0]]])
    assert build("power_means", 1, p=[3])(rows).item() == pytest.approx(-(3.5 ** (1 / 3)))


def test_each_word_of_length_1():
    found = build("power_means", 2, p=[1], normalize=True)(rows_of([[[3, 4], [0, -7]], [[0, 0]]]))
    numpy.testing.assert_allclose(found, [[0.3, -0.1], [0, 0]], atol=1e-6)


def test_the_powers_as_a_config_has_them():
    encoder = build("power_means", 2, p=["inf", 2, "-inf", "+inf"][:3])
    assert encoder(ROWS)[0].tolist() == pytest.approx([4, 5, 7**0.5, (29 / 3) ** 0.5, -2, -2])
    assert encoder.provenance() == {"p": ["inf", 2.0, "-inf"], "normalize": False}


@settings(max_examples=40)
@given(
    values=st.lists(st.floats(0.0625, 1024, width=32), min_size=1, max_size=6),
    powers=st.lists(st.integers(-100, 100).map(lambda n: n / 4), min_size=2, max_size=2),
)
def test_a_larger_power_never_has_a_smaller_mean(values, powers):
    """The inequality of power means, of positive numbers; nothing is too large for the type."""
    column, lengths = torch.tensor(values).unsqueeze(1), torch.tensor([len(values)])
    means = [power_mean(column, lengths, p) for p in (-math.inf, *sorted(powers), math.inf)]
    for lower, upper in zip(means, means[1:]):
        assert lower.item() <= upper.item() * (1 + 1e-3) + 2 * EPSILON
