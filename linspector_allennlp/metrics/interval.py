from scipy.stats import binom


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
