"""The comparison of two runs as text for a terminal."""

from typing import Any

from linspector_allennlp.commands.tables import percent, table

# Below some 30 clusters, tests that resample them find differences where there are none
# (Cameron, Gelbach & Miller 2008).
FEW_CLUSTERS = 30


def describe(numbers: dict[str, Any]) -> str:
    """The comparison as text for a terminal; scores are in percent."""
    items, clusters, bootstrap = numbers["items"], numbers["clusters"], numbers["bootstrap"]
    header = ["run", "", "task", "representation", numbers["measure"], "items", "clusters"]
    rows = [
        [name.upper(), run["path"], run["task"], run["representation"], percent(run["score"])]
        + [str(items), str(clusters)]
        for name, run in ((name, numbers[name]) for name in "ab")
    ]
    unit = "sentences" if clusters < items else "items"
    difference = (
        f"B − A: {_signed(bootstrap['difference'])} points, 95 % interval "
        f"[{_signed(bootstrap['low'])}, {_signed(bootstrap['high'])}], "
        f"{_p(bootstrap['p_value'])} (paired bootstrap over {clusters} {unit}, "
        f"{bootstrap['samples']} samples, seed {bootstrap['seed']})."
    )
    exact = numbers["mcnemar"]
    counts = [
        ["items", "B right", "B wrong"],
        ["A right", str(exact["both"]), str(exact["only_a"])],
        ["A wrong", str(exact["only_b"]), str(exact["neither"])],
    ]
    test = [table(counts), f"McNemar's exact test: {_p(exact['p_value'])}."]
    if clusters < items:
        test.append(
            "It takes items as independent, and those of one sentence are not: trust the "
            "bootstrap over sentences."
        )
    parts = [table([header, *rows], left=(0, 1, 2, 3)), difference, "\n".join(test)]
    return "\n\n".join(filter(None, [*parts, "\n".join(numbers["notes"]), verdict(numbers)]))


def verdict(numbers: dict[str, Any]) -> str:
    """
    The closing sentence. Its p-value is that of the test to trust: the exact one if items are
    independent, the bootstrap if they are not.
    """
    bootstrap, clusters = numbers["bootstrap"], numbers["clusters"]
    clustered = clusters < numbers["items"]
    p_value = (bootstrap if clustered else numbers["mcnemar"])["p_value"]
    low, high = bootstrap["low"], bootstrap["high"]
    found = (
        f"The difference of {_signed(bootstrap['difference'])} points "
        f"[{_signed(low)}, {_signed(high)}]"
    )
    if clustered and clusters < FEW_CLUSTERS:
        return f"{found} tells little: {clusters} sentences are too few to resample."
    if p_value >= 0.05:
        return f"{found} is within what chance would give; {_p(p_value)}."
    if low <= 0 <= high:
        return f"{found} is at the edge of what chance would give; {_p(p_value)}."
    better, worse, ends = ("B", "A", (low, high)) if low > 0 else ("A", "B", (-high, -low))
    return (
        f"{better} is better than {worse} by {percent(abs(bootstrap['difference']))} points "
        f"[{percent(ends[0])}, {percent(ends[1])}]; {_p(p_value)}."
    )


def _signed(fraction: float) -> str:
    """In percent points. Adding 0 makes −0 a 0."""
    return f"{round(100 * fraction, 1) + 0:+.1f}"


def _p(value: float) -> str:
    return f"p = {value:.4f}" if value >= 0.0001 else "p < 0.0001"
