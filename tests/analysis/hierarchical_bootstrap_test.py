import itertools

import numpy
import pytest

from linspector_allennlp.analysis import hierarchical_bootstrap
from linspector_allennlp.analysis.hierarchical_bootstrap import bootstrap_curve
from linspector_allennlp.analysis.paired_clusters import PairedClusters

A = numpy.array([[1, 0, 0, 1, 0, 0], [1, 1, 0, 0, 0, 1]])
B = numpy.array([[1, 1, 0, 1, 0, 1], [0, 1, 1, 1, 1, 1]])
CLUSTERS = ["s", "s", "t", "u", "u", "u"]


def rng(seed=1):
    return numpy.random.default_rng(seed)


def all_resamples(same_seeds):
    """The differences of all draws of two seeds of each side, and of three sentences."""
    items = {name: [n for n, c in enumerate(CLUSTERS) if c == name] for name in "stu"}
    for seeds in itertools.product(range(2), repeat=2 if same_seeds else 4):
        of_a, of_b = list(seeds[:2]), list(seeds[-2:])
        for drawn in itertools.product("stu", repeat=3):
            places = [place for name in drawn for place in items[name]]
            yield B[of_b][:, places].mean() - A[of_a][:, places].mean()


@pytest.mark.parametrize("same_seeds", [True, False])
def test_it_comes_near_to_all_resamples(same_seeds):
    scores = PairedClusters.of_items(A, B, CLUSTERS)
    found = bootstrap_curve(scores, rng(), 100_000, same_seeds)
    exact = numpy.sort(list(all_resamples(same_seeds)))
    assert found.difference == pytest.approx(B.mean() - A.mean())
    beyond = min((exact <= 1e-12).mean(), (exact >= -1e-12).mean())
    assert float(found.p_value) == pytest.approx(2 * beyond, abs=0.01)
    low, high = found.interval()
    assert (exact < low - 1e-9).mean() <= 0.025 <= (exact <= low + 1e-9).mean() + 0.001
    assert (exact > high + 1e-9).mean() <= 0.025 <= (exact >= high - 1e-9).mean() + 0.001


def test_of_one_seed_it_is_the_bootstrap_of_items():
    """20 of 100 items are gained, 5 lost: the normal interval of a mean."""
    a = numpy.repeat([0, 1, 1], [20, 5, 75])
    b = numpy.repeat([1, 0, 1], [20, 5, 75])
    low, high = bootstrap_curve(PairedClusters.of_items(a, b, range(100)), rng(), 20_000).interval()
    half = 1.96 * numpy.std(b - a) / 10
    assert (low, high) == (
        pytest.approx(0.15 - half, abs=0.01),
        pytest.approx(0.15 + half, abs=0.01),
    )


@pytest.mark.parametrize("cells", [1, 100])
def test_chunks_change_nothing(monkeypatch, cells):
    scores = PairedClusters.of_items(A, B, CLUSTERS)
    whole = bootstrap_curve(scores, rng(), 300)
    monkeypatch.setattr(hierarchical_bootstrap, "CHUNK_CELLS", cells)
    chunked = bootstrap_curve(scores, rng(), 300)
    assert chunked.p_value == whole.p_value and chunked.interval() == whole.interval()


def test_seeds_that_cannot_be_the_same():
    scores = PairedClusters.of_items(A[:1], B, CLUSTERS)
    with pytest.raises(ValueError, match="found 1 and 2"):
        bootstrap_curve(scores, rng(), 100, same_seeds=True)
