import numpy
import pytest

from linspector_allennlp.analysis.confidence_curve import ConfidenceCurve
from linspector_allennlp.analysis.hierarchical_bootstrap import bootstrap_curve
from linspector_allennlp.analysis.item_bootstrap import ItemBootstrap
from linspector_allennlp.analysis.paired_clusters import PairedClusters


def rng(seed=1):
    return numpy.random.default_rng(seed)


def test_it_is_the_bootstrap_of_two_sides():
    draw = rng(3)
    item = draw.uniform(0.3, 0.9, 200)
    correct = (
        draw.uniform(size=(6, 200)) < item + numpy.array([0, 0.02, -0.02, 0.1, 0.12, 0.05])[:, None]
    )
    clusters = numpy.arange(200) // 3
    bootstrap = ItemBootstrap.draw(correct, clusters, rng(), 20_000)
    resampled = bootstrap.side([3, 4, 5], rng(2)) - bootstrap.side([0, 1, 2], rng(3))
    found = ConfidenceCurve.of_resamples(0.0, resampled).interval()
    expected = bootstrap_curve(
        PairedClusters.of_items(correct[:3], correct[3:], clusters), rng(4), 20_000
    ).interval()
    assert found == pytest.approx(expected, abs=0.004)


def test_clusters_are_drawn_whole():
    """Two clusters, one all right and one all wrong: accuracies are 0, ½ and 1, a quarter, a half, a quarter."""
    bootstrap = ItemBootstrap.draw(
        numpy.array([[1, 1, 1, 0, 0, 0]], bool), list("aaabbb"), rng(), 4_000
    )
    values, counts = numpy.unique(bootstrap.accuracies, return_counts=True)
    assert values.tolist() == [0, 0.5, 1]
    assert (counts / 4_000).tolist() == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_chunks_and_a_single_seed(monkeypatch):
    correct = rng().uniform(size=(2, 50)) < 0.5
    whole = ItemBootstrap.draw(correct, range(50), rng(), 500)
    assert whole.side([1], rng()) == pytest.approx(whole.accuracies[:, 1])
    monkeypatch.setattr("linspector_allennlp.analysis.item_bootstrap.CHUNK_CELLS", 50 * 7)
    assert ItemBootstrap.draw(correct, range(50), rng(), 500).accuracies == pytest.approx(
        whole.accuracies
    )
