"""
The comparison of two runs as text for a terminal.

Difference, interval, p-value and verdict are of one test, and are shown with as many digits as it
takes to see that they agree: the verdict names a better run exactly where the interval that is shown
excludes 0, and where the p-value that is shown is below 0.05.
"""

from typing import Any

from linspector_allennlp.analysis.confidence_curve import LEVEL
from linspector_allennlp.commands.tables import percent, table

FEWEST_CLUSTERS = 6
"""Fewer coins than this fall on one side more often than one time in twenty."""


def describe(numbers: dict[str, Any]) -> str:
    """The comparison as text for a terminal; scores are in percent."""
    items, clusters, found = numbers["items"], numbers["clusters"], numbers["difference"]
    header = ["run", "", "task", "representation", numbers["measure"], "items", "clusters"]
    rows = [
        [name.upper(), run["path"], run["task"], run["representation"], percent(run["score"])]
        + [str(items), str(clusters)]
        for name, run in ((name, numbers[name]) for name in "ab")
    ]
    middle, low, high = signed_points(found)
    difference = (
        f"B − A: {middle} points, 95 % interval [{low}, {high}], {shown_p(found['p_value'])} "
        f"(randomisation test over {clusters} {_unit(numbers)}, {found['samples']} samples, "
        f"seed {found['seed']})."
    )
    exact = numbers["mcnemar"]
    counts = [
        ["items", "B right", "B wrong"],
        ["A right", str(exact["both"]), str(exact["only_a"])],
        ["A wrong", str(exact["only_b"]), str(exact["neither"])],
    ]
    parts = [table([header, *rows], left=(0, 1, 2, 3)), difference]
    parts.append("\n".join([table(counts), *_mcnemar(numbers)]))
    return "\n\n".join(filter(None, [*parts, "\n".join(numbers["notes"]), verdict(numbers)]))


def verdict(numbers: dict[str, Any]) -> str:
    """The closing sentence."""
    found, unit = numbers["difference"], _unit(numbers)
    middle, low, high = signed_points(found)
    if found["p_value"] < LEVEL:
        better, worse = ("B", "A") if found["difference"] > 0 else ("A", "B")
        ends = sorted((low.lstrip("+-"), high.lstrip("+-")), key=float)
        return (
            f"{better} is better than {worse} by {middle.lstrip('+-')} points "
            f"[{ends[0]}, {ends[1]}]; {shown_p(found['p_value'])}."
        )
    difference = f"The difference of {middle} points [{low}, {high}]"
    if numbers["clusters"] < FEWEST_CLUSTERS:
        return f"{difference} tells little: fewer than {FEWEST_CLUSTERS} {unit} cannot show any."
    return f"{difference} is within what chance would give; {shown_p(found['p_value'])}."


def signed_points(found: dict[str, Any]) -> tuple[str, str, str]:
    """
    The difference and the ends of its interval in percent points, with one decimal, or with as many as
    it takes for an end that is not 0 not to look like it.
    """
    ends, digits = (found["low"], found["high"]), 1
    while any(end and not round(100 * end, digits) for end in ends):
        digits += 1
    # Adding 0 makes −0 a 0.
    shown = [
        f"{round(100 * value, digits) + 0:+.{digits}f}" for value in (found["difference"], *ends)
    ]
    return shown[0], shown[1], shown[2]


def _mcnemar(numbers: dict[str, Any]) -> list[str]:
    """The test that many know, beside the one that decides."""
    exact, found = numbers["mcnemar"]["p_value"], numbers["difference"]["p_value"]
    lines = [f"McNemar's exact test: {shown_p(exact)}."]
    if numbers["clusters"] < numbers["items"]:
        lines.append(
            "It takes items as independent, and those of one sentence are not: the verdict goes by "
            "the test over sentences."
        )
    elif (exact < LEVEL) != (found < LEVEL):
        lines.append(
            f"It is the same test without samples. At {LEVEL} the verdict, which goes by the samples, "
            "is a toss-up; --samples makes them more."
        )
    return lines


def _unit(numbers: dict[str, Any]) -> str:
    return "sentences" if numbers["clusters"] < numbers["items"] else "items"


def shown_p(value: float) -> str:
    """With four decimals, or with as many as it takes to see on which side of 0.05 it is."""
    if value < 0.0001:
        return "p < 0.0001"
    digits = 4
    while (round(value, digits) < LEVEL) != (value < LEVEL):
        digits += 1
    return f"p = {value:.{digits}f}"
