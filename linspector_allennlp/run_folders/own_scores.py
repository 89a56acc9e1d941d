"""The scores that a diagnosed model had itself while it was trained, as the suite of a study has them."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Optional

KEY = "own_scores"


class OwnScores(NamedTuple):
    """
    # Parameters

    model : `str`
        What the suite calls it.
    metric : `str`
        As the model's own files call it.
    split : `str`
        The data that it is of, as `validation`.
    by_epoch : `Dict[int, float]`
    """

    model: str
    metric: str
    split: str
    by_epoch: dict[int, float]

    @property
    def title(self) -> str:
        return f"{self.model} itself, {self.split} {self.metric}"

    @property
    def is_share(self) -> bool:
        """Whether it can be drawn beside the scores of probes, which are shares."""
        return all(0 <= value <= 1 for value in self.by_epoch.values())

    def settings(self) -> dict[str, Any]:
        """As a suite has it: names of numbers are text in JSON."""
        epochs = {str(epoch): value for epoch, value in self.by_epoch.items()}
        return {**self._asdict(), "by_epoch": epochs}


def own_scores_of(suite: Mapping[str, Any]) -> Optional[OwnScores]:
    """Those in the settings of a suite; nothing if there are none, and an error if they are something else."""
    given = suite.get(KEY)
    if given is None:
        return None
    try:
        by_epoch = {int(epoch): float(value) for epoch, value in given["by_epoch"].items()}
        texts = [given[name] for name in ("model", "metric", "split")]
        if not by_epoch or not all(isinstance(text, str) for text in texts):
            raise ValueError("there is nothing")
        if not all(map(math.isfinite, by_epoch.values())):
            raise ValueError("there is no number")
    except (TypeError, KeyError, ValueError, AttributeError, OverflowError) as error:
        raise ValueError(
            f"{KEY}: expected model, metric, split, and by_epoch numbers by epoch, found {given!r:.200}."
        ) from error
    model, metric, split = texts
    return OwnScores(model, metric, split, dict(sorted(by_epoch.items())))
