"""What is to be compared, and how."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

from linspector_allennlp.analysis.pair_comparison import METHODS
from linspector_allennlp.io.files import PathLike


class ComparedSide(NamedTuple):
    """A name, and the folders of the runs."""

    name: str
    paths: Sequence[PathLike]


class Match(NamedTuple):
    """
    # Parameters

    setting : `Dict[str, Any]`
        What the table calls it, by column: its task and more.
    a, b : `ComparedSide`
    """

    setting: dict[str, Any]
    a: ComparedSide
    b: ComparedSide


class ComparisonOptions(NamedTuple):
    """
    # Parameters

    split : `str`, optional (default = `"test"`)
    common : `bool`, optional (default = `False`)
        Whether only the items that all runs of a comparison have are compared.
    samples : `int`, optional
        By default enough for the number of comparisons.
    seed : `int`, optional (default = `13`)
        Of the samples.
    method : `str`, optional (default = `"randomisation"`)
        Or `bootstrap`.
    """

    split: str = "test"
    common: bool = False
    samples: Optional[int] = None
    seed: int = 13
    method: str = METHODS[0]
