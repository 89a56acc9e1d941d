from collections.abc import Callable
from typing import Optional

import numpy as np
from scipy.stats import binom

NUM_SAMPLES = 2000
SAMPLES_AT_A_TIME = 100
SEED = 13


def bootstrap_interval(
    num_correct: int, num_items: int, confidence: float = 0.95
) -> tuple[float, float]:
    """
    The percentile bootstrap interval of an accuracy over items.

    Drawing n items with replacement from n items of which k are right gives a binomial number of
    right ones, with n trials of probability k/n. So the percentiles that resampling approaches
    are those of this distribution, and no random numbers are needed.

    Where all items are right, or none, resampling would say that it is certain; there it is the
    exact interval of Clopper & Pearson (1934).
    """
    tail = (1 - confidence) / 2
    if num_correct in (0, num_items):
        reach = 1 - tail ** (1 / num_items)
        return (1 - reach, 1.0) if num_correct else (0.0, reach)
    share = num_correct / num_items
    low, high = binom.ppf([tail, 1 - tail], num_items, share) / num_items
    return float(low), float(high)


def resampled_interval(
    statistic: Callable[[np.ndarray, np.ndarray], np.ndarray],
    achieved: np.ndarray,
    possible: np.ndarray,
    strata: Optional[np.ndarray] = None,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """
    The percentile bootstrap interval of a score of sentences, which are drawn with replacement; the
    same numbers are drawn on every machine.

    # Parameters

    statistic : `Callable[[numpy.ndarray, numpy.ndarray], numpy.ndarray]`
        The score of several samples, from what the sentences of each achieved and of how much,
        times how often they were drawn. Shape: (num_samples, num_sentences) → (num_samples,)
    achieved, possible : `numpy.ndarray`
        Shape: (num_sentences,)
    strata : `numpy.ndarray`, optional
        Sentences are drawn among those of the same number here, so that none of the numbers gets
        lost; by default among all. Shape: (num_sentences,)
    """
    rng = np.random.default_rng(SEED)
    strata = np.zeros(len(achieved)) if strata is None else strata
    groups = [np.flatnonzero(strata == number) for number in np.unique(strata)]
    drawn = np.empty((SAMPLES_AT_A_TIME, len(achieved)))
    scores = []
    for _ in range(NUM_SAMPLES // SAMPLES_AT_A_TIME):
        for group in groups:
            n = len(group)
            drawn[:, group] = rng.multinomial(n, np.full(n, 1 / n), size=SAMPLES_AT_A_TIME)
        scores.append(statistic(drawn * achieved, drawn * possible))
    tail = 100 * (1 - confidence) / 2
    low, high = np.nanpercentile(np.concatenate(scores), [tail, 100 - tail])
    return float(low), float(high)
