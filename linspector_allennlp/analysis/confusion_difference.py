"""What two probes take for what, over several seeds (Hewitt & Liang 2019, section 3.6)."""

from collections.abc import Collection

import pandas

from linspector_allennlp.analysis.tidy_scores import need_columns


def confusion_difference(
    predictions: pandas.DataFrame, runs_a: Collection[str], runs_b: Collection[str]
) -> pandas.DataFrame:
    """
    The confusion matrices of two sides, each summed over its runs, and their difference.

    # Parameters

    predictions : `pandas.DataFrame`
        Those of a study, of one split.
    runs_a, runs_b : `Collection[str]`
        The runs of a side, which differ in their seeds; all are of the same test items.

    # Returns

    `pandas.DataFrame`
        A row for each gold label that was taken for a label: `gold`, `label`, the counts `a` and `b`, and
        `difference`, B minus A in items of one run. Largest differences first.
    """
    need_columns(predictions, "run", "gold", "label")
    counts, labels = [], []
    for runs in (runs_a, runs_b):
        of_side = predictions[predictions["run"].isin(runs)]
        if missing := sorted(set(runs) - set(of_side["run"])):
            raise ValueError(
                f"Expected predictions of every run, found none of {', '.join(missing)}."
            )
        counts.append(of_side.groupby(["gold", "label"]).size())
        labels += [of_run.value_counts().to_dict() for _, of_run in of_side.groupby("run")["gold"]]
    if any(each != labels[0] for each in labels):
        raise ValueError(
            "Expected runs on the same test items: their gold labels are not the same."
        )
    found = pandas.concat(counts, axis=1, keys=["a", "b"]).fillna(0).astype(int)
    found["difference"] = found["b"] / len(set(runs_b)) - found["a"] / len(set(runs_a))
    order = found["difference"].abs().sort_values(ascending=False, kind="stable").index
    return found.loc[order].reset_index()
