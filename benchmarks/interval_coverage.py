"""
How often the 95 % intervals of sentence scores hold the true value, beside those of resampling, which
came before: sentences are drawn from English EWT, whose score as a whole is known.

    python benchmarks/interval_coverage.py DATA [--repetitions 1000]

where DATA is the folder of real data (`ud/` in it). The population are the distinct sentences of the
dev and test files, of 2 to 50 words, with two answers: the order of words (`order`), and the gold
distances and depths with noise that differs from sentence to sentence (`noise`). The true value is

- of UUAS, root accuracy and word accuracy, that of the whole population;
- of DSpr and NSpr, `these`: the mean over the lengths that the drawn sentences have of the
  population's mean of that length, what more sentences of these lengths would give. `all` is the
  mean over all lengths from 5 to 50. A few sentences do not have all of them, and long sentences have
  other scores: that is a bias of the score, which no interval knows of.

Word accuracy is simulated: each sentence has its own probability of a right word.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Optional

import numpy as np

from linspector_allennlp.metrics.interval import Interval, length_mean_interval, share_interval
from linspector_allennlp.metrics.sentence_scores import LENGTHS
from linspector_allennlp.metrics.tree_shares import depth_shares, distance_shares, edge_shares
from linspector_allennlp.treebanks import read_treebank
from linspector_allennlp.trees import ROOT, path_lengths

SIZES = (5, 10, 50, 400)
BOOTSTRAP_SAMPLES = 1000
BY_LENGTH = ("dspr", "dspr_pfw", "nspr")


class Population(NamedTuple):
    """The sentences that can be drawn; of those whose length does not count there are none."""

    lengths: np.ndarray
    achieved: np.ndarray
    possible: np.ndarray


Method = Callable[[Population, np.random.Generator], Optional[Interval]]


def populations(data: Path, rng: np.random.Generator) -> dict[str, Population]:
    paths = [data / "ud" / f"en_ewt-ud-{part}.conllu" for part in ("dev", "test")]
    sentences = {tuple(word.form for word in s.words): s for s in read_treebank(paths)}
    shares: dict[str, list[tuple[float, float, float]]] = {}
    for words, sentence in sentences.items():
        n = len(words)
        if not 2 <= n <= 50:
            continue
        heads = np.array([[int(word.head or 0) - 1 for word in sentence.words]])
        kept = np.array([[word.upos != "PUNCT" for word in sentence.words]])
        for name, (achieved, possible) in _answers(heads, kept, rng).items():
            shares.setdefault(name, []).append((n, float(achieved[0]), float(possible[0])))
        probability = 1 / (1 + np.exp(-rng.normal(3.2, 1)))
        shares.setdefault("words accuracy", []).append((n, rng.binomial(n, probability), n))
    columns = {name: np.array(rows).T for name, rows in shares.items()}
    return {
        name: Population(*column[:, column[2] > 0])
        for name, column in columns.items()
        if "pfw" not in name
    }


def _answers(heads: np.ndarray, kept: np.ndarray, rng: np.random.Generator) -> dict:
    """The scores of both answers for one sentence."""
    n, mask = heads.shape[1], np.ones_like(kept)
    gold = path_lengths(heads, mask).astype(float)
    depths = gold[:, np.flatnonzero(heads[0] == ROOT)[0]]
    places, size = np.arange(n, dtype=float), rng.gamma(2)
    noise = rng.normal(size=(1, n, n)) * size
    noisy = np.maximum(0, gold + (noise + noise.transpose(0, 2, 1)) / 2) * (1 - np.eye(n))
    answers = {
        "order": (np.abs(places[:, None] - places)[None], places[None]),
        "noise": (noisy, depths + rng.normal(size=(1, n)) * size),
    }
    return {
        f"{name} {metric}": share
        for name, (distances, depth) in answers.items()
        for metric, share in {
            **distance_shares(distances, gold, mask),
            **edge_shares(distances, heads, kept),
            **depth_shares(depth, depths, heads, mask, kept),
        }.items()
    }


def length_means(lengths: np.ndarray, values: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The mean over lengths, of several samples. Shape: (num_samples, num_sentences) → (num_samples,)"""
    of_length = (lengths[:, None] == np.arange(LENGTHS[0], LENGTHS[1] + 1)).astype(float)
    with np.errstate(invalid="ignore"):
        return np.nanmean((drawn * values) @ of_length / (drawn @ of_length), axis=1)


def within_lengths(sample: Population, rng: np.random.Generator) -> Interval:
    """The former method for correlations: sentences are drawn among those of their length."""
    drawn = np.empty((BOOTSTRAP_SAMPLES, len(sample.lengths)))
    for length in np.unique(sample.lengths):
        group = np.flatnonzero(sample.lengths == length)
        shares = np.full(len(group), 1 / len(group))
        drawn[:, group] = rng.multinomial(len(group), shares, size=BOOTSTRAP_SAMPLES)
    return _percentiles(length_means(sample.lengths, sample.achieved / sample.possible, drawn))


def among_all(sample: Population, rng: np.random.Generator) -> Interval:
    """Correlations, with sentences drawn among all; a length that is not drawn does not count."""
    drawn = _draw(sample, rng)
    return _percentiles(length_means(sample.lengths, sample.achieved / sample.possible, drawn))


def resampled_share(sample: Population, rng: np.random.Generator) -> Optional[Interval]:
    """The former method for shares."""
    if sample.achieved.sum() in (0, sample.possible.sum()):
        return share_interval(sample.achieved, sample.possible)
    drawn = _draw(sample, rng)
    return _percentiles(drawn @ sample.achieved / (drawn @ sample.possible))


def _draw(sample: Population, rng: np.random.Generator) -> np.ndarray:
    n = len(sample.lengths)
    return rng.multinomial(n, np.full(n, 1 / n), size=BOOTSTRAP_SAMPLES).astype(float)


def _percentiles(scores: np.ndarray) -> Interval:
    low, high = np.percentile(scores, [2.5, 97.5])
    return float(low), float(high)


MEAN_METHODS: dict[str, Method] = {
    "resampled within lengths (before)": within_lengths,
    "resampled among all": among_all,
    "jackknife (now)": lambda s, _: length_mean_interval(s.achieved, s.possible, s.lengths),
}
SHARE_METHODS: dict[str, Method] = {
    "resampled (before)": resampled_share,
    "jackknife and Wilson (now)": lambda s, _: share_interval(s.achieved, s.possible),
}


def coverage(name: str, population: Population, size: int, repetitions: int) -> None:
    """Prints a line for each method."""
    by_length = name.split()[1] in BY_LENGTH
    lengths, achieved, possible = population
    mean_of = np.full(LENGTHS[1] + 1, np.nan)
    for length in np.unique(lengths).astype(int):
        here = lengths == length
        mean_of[length] = achieved[here].sum() / possible[here].sum()
    whole = np.nanmean(mean_of) if by_length else achieved.sum() / possible.sum()
    rng = np.random.default_rng(size)
    methods = MEAN_METHODS if by_length else SHARE_METHODS
    found: dict[str, list[tuple[bool, bool, float]]] = {method: [] for method in methods}
    for _ in range(repetitions):
        sample = Population(*np.stack(population)[:, rng.integers(0, len(lengths), size)])
        these = mean_of[np.unique(sample.lengths).astype(int)].mean() if by_length else whole
        for method, interval_of in methods.items():
            interval = interval_of(sample, rng)
            if interval is not None:
                low, high = interval
                held = low <= these <= high, low <= whole <= high
                found[method].append((*held, high - low))
    for method, rows in found.items():
        held_these, held_all, width = np.mean(rows, axis=0)
        without = f"  none: {repetitions - len(rows)}" if len(rows) < repetitions else ""
        of_all = f"  all {100 * held_all:5.1f}" if by_length else " " * 11
        print(
            f"  {size:4d} sentences  {method:34}{100 * held_these:5.1f} %{of_all}  "
            f"width {width:.3f}{without}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("--repetitions", type=int, default=1000)
    args = parser.parse_args()
    for name, population in populations(args.data, np.random.default_rng(1)).items():
        print(f"{name}, {len(population.lengths)} sentences")
        for size in SIZES:
            coverage(name, population, size, args.repetitions)


if __name__ == "__main__":
    main()
