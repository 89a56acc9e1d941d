"""
95 % intervals of scores. Those of items are in closed form; those of sentences, whose words are not
independent, come from the jackknife, the scores that are left without each of the sentences.

Coverage, and why nothing here is resampled: `benchmarks/interval_coverage.py`.
"""

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np
from scipy.stats import binom, t

Interval = tuple[float, float]


def bootstrap_interval(num_correct: int, num_items: int, confidence: float = 0.95) -> Interval:
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


def accuracy_interval(
    clusters: Sequence[Any], correct: Sequence[bool]
) -> dict[str, Optional[float]]:
    """
    The ends of the interval of an accuracy over what the items belong to, such as sentences, by their
    names in `metrics.json`; nothing where there is none.
    """
    _, cluster = np.unique(clusters, return_inverse=True)
    ends = share_interval(np.bincount(cluster, correct), np.bincount(cluster)) or (None, None)
    return {f"accuracy_{end}": value for end, value in zip(("low", "high"), ends)}


def share_interval(
    achieved: np.ndarray, possible: np.ndarray, confidence: float = 0.95
) -> Optional[Interval]:
    """
    The interval of a share, such as UUAS or accuracy, over sentences: the score interval of Wilson
    (1927) with as many items as independent ones would have to be to vary as these sentences do, and
    the quantile of Student's t for the number of sentences. It stays between 0 and 1, and covers
    where the normal one and resampling do not: few sentences, shares near 1. Where all is right,
    or all wrong, it is the exact one of the sentences.

    # Parameters

    achieved, possible : `numpy.ndarray`
        Of each sentence. Those with nothing to score do not count. Shape: (num_sentences,)

    # Returns

    `Optional[Tuple[float, float]]`
        Nothing where sentences do not vary, or where there is only one.
    """
    achieved, possible = achieved[possible > 0], possible[possible > 0]
    num_sentences, total = len(possible), possible.sum()
    if achieved.sum() in (0, total):
        return bootstrap_interval(num_sentences if achieved.any() else 0, num_sentences, confidence)
    if num_sentences < 2:
        return None
    error = jackknife_error((achieved.sum() - achieved) / (total - possible))
    if error == 0:
        return None
    share = float(achieved.sum() / total)
    reach = t.ppf((1 + confidence) / 2, num_sentences - 1)
    # What a share varies by is share (1 − share) / number: the number of independent items.
    spread = reach**2 * error**2 / (share * (1 - share))
    centre = (share + spread / 2) / (1 + spread)
    width = reach * np.hypot(error, reach * error**2 / (2 * share * (1 - share))) / (1 + spread)
    return float(centre - width), float(centre + width)


def length_mean_interval(
    achieved: np.ndarray, possible: np.ndarray, lengths: np.ndarray, confidence: float = 0.95
) -> Optional[Interval]:
    """
    The interval of a mean over lengths of the mean over the sentences of a length, such as DSpr: the
    score, plus and minus its jackknife error times a quantile of Student's t. It is about other
    sentences of the lengths that these have.

    Most lengths have few sentences, often one. So sentences cannot be drawn within lengths (one
    that is alone would never change), nor can the variance within each length be taken. Left out, a
    sentence that is alone takes its length with it, and tells by that how far lengths are apart;
    any other one tells how far the sentences of its length are apart.

    The degrees of freedom are those of Welch and Satterthwaite: lengths weigh equally, so that one with
    two sentences may give most of the variance. The sentences that are alone are one group.

    # Parameters

    achieved, possible : `numpy.ndarray`
        Sums of correlations, each between −1 and 1, and how many. Sentences without any do not count.
        Shape: (num_sentences,)

    # Returns

    `Optional[Tuple[float, float]]`
        Nothing where sentences do not vary, or where there is only one.
    """
    scored = possible > 0
    achieved, possible = achieved[scored], possible[scored]
    distinct, length = np.unique(lengths[scored], return_inverse=True)
    num_sentences, num_lengths = len(length), len(distinct)
    if num_sentences < 2:
        return None
    sums, counts = np.bincount(length, achieved), np.bincount(length, possible)
    means, alone = sums / counts, np.bincount(length)[length] == 1
    # The mean of its length without each sentence. Shape: (num_sentences,)
    others = (sums[length] - achieved) / np.where(alone, 1, counts[length] - possible)
    total = means.sum()
    without = np.where(
        alone,
        (total - means[length]) / max(1, num_lengths - 1),
        (total - means[length] + others) / num_lengths,
    )
    error = jackknife_error(without)
    if error == 0:
        return None
    squares = (without - without.mean()) ** 2
    group = np.where(alone, num_lengths, length)
    parts, sizes = np.bincount(group, squares), np.bincount(group)
    parts, sizes = parts[sizes > 0], sizes[sizes > 0]
    freedom = parts.sum() ** 2 / (parts**2 / np.maximum(1, sizes - 1)).sum()
    reach = t.ppf((1 + confidence) / 2, freedom) * error
    mean = total / num_lengths
    return float(max(-1, mean - reach)), float(min(1, mean + reach))


def jackknife_error(without: np.ndarray) -> float:
    """
    The standard error of a score by the jackknife (Tukey 1958), from what the score is without each
    of the sentences; 0 if that is the same but for rounding. Shape: (num_sentences,)
    """
    n = len(without)
    if np.ptp(without) < 1e-12:
        return 0.0
    return float(np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum()))
