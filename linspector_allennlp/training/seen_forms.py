from collections.abc import Sequence

from linspector_allennlp.metrics.baselines import Item


def accuracy_by_form(
    train: Sequence[Item], test: Sequence[Item], right: Sequence[bool]
) -> dict[str, float]:
    """
    The accuracy on the test items whose words training has seen, and on the others: what may have
    been learned by heart, and what was not. Where there are no such items, there is no such number.
    """
    seen_words = {tuple(item.words) for item in train}
    seen = [tuple(item.words) in seen_words for item in test]
    metrics = {}
    for name, wanted in (("seen", True), ("unseen", False)):
        chosen = [
            is_right for is_right, is_seen in zip(right, seen, strict=True) if is_seen is wanted
        ]
        if chosen:
            metrics[f"accuracy_{name}_forms"] = sum(chosen) / len(chosen)
    return metrics
