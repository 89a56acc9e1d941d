"""What a table of correlations says, and what it cannot say, in sentences."""

from collections.abc import Collection, Sequence

import pandas

from linspector_allennlp.analysis.correlation import corrected
from linspector_allennlp.analysis.rank_correlation import EXACT_UP_TO, p_by_t, rank_p_values
from linspector_allennlp.analysis.tidy_scores import need_columns

LEVEL = 0.05


def limits_of_points(result: pandas.DataFrame, level: float = LEVEL) -> list[str]:
    """
    How little so few points can show; a sentence for each number of points. P-values are corrected for the number
    of all correlations here, of several matrices too.
    """
    need_columns(result, "n", "rho", "p_exact", "p_t")
    sentences = []
    for n, pairs in result.groupby("n"):
        tests = int(pairs["rho"].notna().sum())
        if n < 3:
            sentences.append(
                f"{_pairs(len(pairs))} of fewer than 3 points: there is no correlation."
            )
        elif tests and n <= EXACT_UP_TO:
            sentences.append(f"{_pairs(tests)} of {n} points: {_few_points(n, level)}")
        elif tests:
            sentences.append(
                f"{_pairs(tests)} of {n} points: too many for an exact p-value; that by t is good enough."
            )
        if n >= 3 and len(pairs) > tests:
            sentences.append(f"{_pairs(len(pairs) - tests)} of {n} points: one side does not vary.")
    tests = int(result["rho"].notna().sum())
    if tests > 1:
        kept = int((corrected(result["p_exact"].fillna(result["p_t"])) < level).sum())
        sentences.append(
            f"Of {tests} correlations, chance alone would give about {tests * level:.1f} with p < {level:g}; "
            f"corrected for their number (Benjamini-Hochberg), p < {level:g} remains for {kept}."
        )
    if left_out := sorted(
        {name for names in result["left_out"] if names for name in names.split("; ")}
    ):
        sentences.append(f"Left out where one side has no score: {'; '.join(left_out)}.")
    return sentences


def stated(
    result: pandas.DataFrame,
    columns: Sequence[str],
    but: Collection[str] = (),
    level: float = 0.1,
    p: str = "p_t",
) -> list[str]:
    """
    Whether "all but … correlate with …" holds, a sentence for each column: how many of the rows do, and which
    ones do not.

    # Parameters

    result : `pandas.DataFrame`
        Rows of `correlations`, of one language.
    but : `Collection[str]`, optional
        The rows of which it is not stated.
    p : `str`, optional (default = `"p_t"`)
        Or `p_exact`, or `p_bh`.
    """
    sentences = []
    for column in columns:
        of_column = result[(result["column"] == column) & ~result["row"].isin(but)]
        holds = of_column[p] < level
        sentence = f"{column}: {int(holds.sum())} of {len(of_column)} at p < {level:g}"
        if not holds.all():
            values = [
                f"{row} ρ {rho:.2f}, p {_p(value)}"
                for row, rho, value in of_column.loc[~holds, ["row", "rho", p]].itertuples(
                    index=False
                )
            ]
            sentence += f"; not {'; '.join(values)}"
        sentences.append(sentence + ".")
    return sentences


def _few_points(n: int, level: float) -> str:
    """By an exact p-value, and how far that by t is from it."""
    exact = rank_p_values(n)
    least = f"no exact p-value can be less than {_p(min(exact.values()))}"
    enough = [rho for rho, p in exact.items() if p < level]
    needed = f"none is below {level:g}"
    if enough:
        needed = f"p < {level:g} takes ρ = {min(enough):.2f}{' or more' if len(enough) > 1 else ''}"
    by_t = min((rho for rho in exact if p_by_t(rho, n) < level), default=1.0)
    if exact[by_t] < level:
        return f"{least}; {needed}."
    p = f"{_p(exact[by_t])}, by t {_p(p_by_t(by_t, n))}"
    return f"{least}; {needed}. The p-value of ρ = {by_t:.2f} is {p}."


def _pairs(number: int) -> str:
    return "1 pair" if number == 1 else f"{number} pairs"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.0005 else f"{value:.3f}"
