"""What the charts of files share: numbers and texts as matplotlib takes them."""

import math
from collections.abc import Sequence
from typing import Any, Optional

from linspector_allennlp.report.figures import literal

GRID = "#DDDDDD"


def numbers(values: Sequence[Optional[float]], percent: bool) -> list[float]:
    return [math.nan if value is None else value * (100 if percent else 1) for value in values]


def text(text: Any) -> str:
    """Without mark-up of mathematics."""
    return literal(str(text)).replace("$", r"\$")
