"""
How often the 95 % intervals of `probe-compare` hold the true difference of two sides with several seeds.

    python benchmarks/compare_coverage.py [--repetitions 1000]

Simulated: each item has a difficulty that both sides share, one of its own for each side, and one for each
seed; so seeds have other items right. Seeds are better or worse, too: by `none`, by about one point (`some`)
or four (`much`), on both sides, on `one` side only, or `together`, the same seed in the same direction. The
items of a sentence have a part in common. All parts are normal, so that the true accuracies are known.

Compared are:

- items: the randomisation test of the mean over seeds, as if these were all seeds that there are;
- bootstrap: the hierarchical paired bootstrap, whose seeds are drawn together, as they have the same names;
- ours: the randomisation test with the error of the seeds.

For each, how often a difference is found where there is none (5 % is right), how often the interval holds a
true difference of about 5 points (95 % is right), how often that is found, and the median width of its
interval in points.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from linspector_allennlp.analysis.confidence_curve import ConfidenceCurve
from linspector_allennlp.analysis.hierarchical_bootstrap import bootstrap_curve
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.significance import randomisation_curve

NUM_SAMPLES = 500
SEEDS, ITEMS = (1, 2, 3, 5, 10), (100, 1000)
SHIFT = 0.2
"""Of side B, which makes about 5 points."""

# The standard deviations of what an item is made of.
DIFFICULTY, OF_SIDE, OF_SEED = 1.0, 0.5, 0.5


class SeedEffect(NamedTuple):
    """
    # Parameters

    of_a, of_b : `float`
        The standard deviations of how much better or worse seeds are.
    together : `bool`
    """

    of_a: float
    of_b: float
    together: bool = False


EFFECTS = {
    "none": SeedEffect(0, 0),
    "some": SeedEffect(0.04, 0.04),
    "much": SeedEffect(0.15, 0.15),
    "one": SeedEffect(0, 0.15),
    "together": SeedEffect(0.04, 0.04, True),
}


def draw(
    num_seeds: int,
    num_items: int,
    size: int,
    effect: SeedEffect,
    shift: float,
    rng: np.random.Generator,
) -> PairedClusters:
    """Both sides, with clusters of `size` items."""
    clusters = np.arange(num_items) // size

    def items(*shape: int) -> np.ndarray:
        """Half of the variance is of the cluster, where there are any."""
        own = rng.normal(size=(*shape, num_items))
        if size == 1:
            return own
        shared = rng.normal(size=(*shape, num_items // size)).repeat(size, axis=-1)
        return (own + shared) / np.sqrt(2)

    difficulty, of_seeds = DIFFICULTY * items(), rng.normal(size=(num_seeds, 1))
    sides = []
    for mean, spread in ((0.5, effect.of_a), (0.5 + shift, effect.of_b)):
        seeds = of_seeds if effect.together else rng.normal(size=(num_seeds, 1))
        of_items = difficulty + OF_SIDE * items() + OF_SEED * items(num_seeds)
        sides.append(of_items + mean + spread * seeds > 0)
    return PairedClusters.of_items(*sides, clusters)


def true_difference(effect: SeedEffect, shift: float) -> float:
    of_items = DIFFICULTY**2 + OF_SIDE**2 + OF_SEED**2
    a, b = (np.sqrt(of_items + spread**2) for spread in effect[:2])
    return float(ndtr((0.5 + shift) / b) - ndtr(0.5 / a))


def curves(scores: PairedClusters, seed: int) -> Iterator[tuple[str, ConfidenceCurve]]:
    """By each method."""
    totals = PairedClusters(*(side.sum(axis=0)[None] for side in scores[:2]), scores.sizes)
    # The mean of n seeds is that of one run which has n times as many items.
    repeated = totals._replace(sizes=scores.sizes * len(scores.right_a))
    yield "items", randomisation_curve(repeated, np.random.default_rng(seed), NUM_SAMPLES)
    if len(scores.right_a) > 1:
        rng = np.random.default_rng(seed)
        yield "bootstrap", bootstrap_curve(scores, rng, NUM_SAMPLES, same_seeds=True)
        yield "ours", randomisation_curve(scores, np.random.default_rng(seed), NUM_SAMPLES)


def simulate(num_seeds: int, num_items: int, size: int, name: str, repetitions: int) -> None:
    """Prints a line."""
    rng = np.random.default_rng(num_seeds)
    effect = EFFECTS[name]
    found: dict[str, list[tuple[float, ...]]] = {}
    for number in range(repetitions):
        for shift in (0.0, SHIFT):
            truth = true_difference(effect, shift)
            for method, curve in curves(
                draw(num_seeds, num_items, size, effect, shift, rng), number
            ):
                low, high = curve.interval()
                row = (low <= truth <= high, low > 0 or high < 0, high - low)
                found.setdefault(f"{method} {shift}", []).append(row)
    cells = []
    for method in dict.fromkeys(key.split()[0] for key in found):
        null, shifted = (np.array(found[f"{method} {shift}"]) for shift in (0.0, SHIFT))
        cells.append(
            f"{method}: false {100 * (1 - null[:, 0].mean()):4.1f} %, "
            f"held {100 * shifted[:, 0].mean():5.1f} %, found {100 * shifted[:, 1].mean():5.1f} %, "
            f"width {100 * np.median(shifted[:, 2]):5.1f}"
        )
    sentences = f"in {num_items // size} sentences" if size > 1 else "alone"
    print(f"  {num_seeds:2d} seeds, seeds differ: {name:8} {num_items:4d} items {sentences}")
    print("\n".join(f"      {cell}" for cell in cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    args = parser.parse_args()
    for num_seeds in args.seeds:
        for name in EFFECTS if num_seeds > 1 else ("none", "some", "much"):
            for num_items in ITEMS:
                for size in (1, 10):
                    simulate(num_seeds, num_items, size, name, args.repetitions)


if __name__ == "__main__":
    main()
