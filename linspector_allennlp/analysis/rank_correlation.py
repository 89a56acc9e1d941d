"""Correlations of a few points, and how probable they would be by chance."""

import math
from functools import cache, lru_cache
from itertools import permutations
from typing import Literal, NamedTuple

import numpy
from scipy.stats import rankdata
from scipy.stats import t as student

EXACT_UP_TO = 8
"""So many points can be put in all their orders: 40,320."""

METHODS = ("spearman", "spearman_min", "pearson")


class Correlation(NamedTuple):
    """
    # Parameters

    rho : `float`
        Not a number of fewer than three points, or where one side does not vary.
    p_t : `float`
        Two-sided, by Student's t with n - 2 degrees of freedom. Of few points it is too small.
    p_exact : `float`
        The share of all orders of the points whose correlation is as large, of either sign; not a number of
        more than `EXACT_UP_TO` points.
    n : `int`
        The number of points.
    """

    rho: float
    p_t: float
    p_exact: float
    n: int


def correlate(x: numpy.ndarray, y: numpy.ndarray, method: str = METHODS[0]) -> Correlation:
    """
    The correlation of two rows of numbers, all of which are there.

    # Parameters

    method : `str`, optional (default = `"spearman"`)
        `spearman` gives ties the mean of their ranks. `spearman_min` gives them the best of their ranks and
        takes 1 - 6 Σd² / (n (n² - 1)), which is made for ranks without ties: as some studies do. `pearson`.
    """
    n = len(x)
    if n < 3 or numpy.ptp(x) == 0 or numpy.ptp(y) == 0:
        return Correlation(math.nan, math.nan, math.nan, n)
    a, b = _places(x, method), _places(y, method)
    if method == "pearson":
        return _of_places(a, b, method)
    # Of hundreds of tasks most have the ranks of others, in another order of the points.
    order = numpy.lexsort((b, a))
    return _of_ranks(a[order].tobytes(), b[order].tobytes(), method)


@lru_cache(maxsize=10_000)
def _of_ranks(a: bytes, b: bytes, method: str) -> Correlation:
    return _of_places(numpy.frombuffer(a), numpy.frombuffer(b), method)


def _of_places(a: numpy.ndarray, b: numpy.ndarray, method: str) -> Correlation:
    n = len(a)
    offset, factor = _from_products(a, b, method)
    rho = round(float(numpy.clip(offset + factor * (a @ b), -1, 1)), 12)
    p_exact = math.nan
    if n <= EXACT_UP_TO:
        others = offset + factor * (b[_orders(n)] @ a)
        # What is equal differs by rounding.
        p_exact = float((abs(others) >= abs(rho) - 1e-9).mean())
    return Correlation(rho, p_by_t(rho, n), p_exact, n)


@lru_cache(maxsize=10_000)
def p_by_t(rho: float, n: int) -> float:
    """The two-sided p-value of a correlation of n points by Student's t."""
    if abs(rho) > 1 - 1e-12:
        return 0.0
    return float(2 * student.sf(abs(rho) * math.sqrt((n - 2) / (1 - rho**2)), n - 2))


def rank_p_values(n: int) -> dict[float, float]:
    """
    The exact p-values of all rank correlations, from 0 on, that n points without ties can have; `n` is at most
    `EXACT_UP_TO`.
    """
    ranks = numpy.arange(n, dtype=float)
    offset, factor = _from_products(ranks, ranks, METHODS[0])
    rhos, counts = numpy.unique(
        abs(offset + factor * (ranks[_orders(n)] @ ranks)).round(9), return_counts=True
    )
    at_least = counts[::-1].cumsum()[::-1] / counts.sum()
    return dict(zip(rhos.tolist(), at_least.tolist()))


def _places(values: numpy.ndarray, method: str) -> numpy.ndarray:
    if method == "spearman":
        return _ranks(values.astype(float).tobytes(), "average")
    if method == "spearman_min":
        return _ranks((-values).astype(float).tobytes(), "min")
    if method == "pearson":
        # The same correlation, without losing digits.
        centred = values - values.mean()
        return centred / abs(centred).max()
    raise ValueError(f"Expected one of {', '.join(METHODS)}, found {method}.")


@lru_cache(maxsize=1000)
def _ranks(values: bytes, method: Literal["average", "min"]) -> numpy.ndarray:
    """One task is compared with all others."""
    return rankdata(numpy.frombuffer(values), method=method).astype(float)


def _from_products(a: numpy.ndarray, b: numpy.ndarray, method: str) -> tuple[float, float]:
    """The correlation as a linear function of Σab, so that a change of order changes nothing else."""
    n = len(a)
    if method == "spearman_min":
        scale = 6 / (n * (n**2 - 1))
        return 1 - scale * (a @ a + b @ b), 2 * scale
    spread = n * a.std() * b.std()
    return -n * a.mean() * b.mean() / spread, 1 / spread


@cache
def _orders(n: int) -> numpy.ndarray:
    """All orders of n points. Shape: (n!, n)"""
    return numpy.array(list(permutations(range(n))))
