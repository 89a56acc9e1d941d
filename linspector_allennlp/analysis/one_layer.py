"""One layer of each model, where the points of an analysis are representations."""

import pandas

from linspector_allennlp.analysis.tidy_scores import present


def one_layer(scores: pandas.DataFrame) -> pandas.DataFrame:
    """
    Of a model with several layers, the scores of the one with the highest mean in its level and language: layers
    of a model are no independent points.
    """
    keys = present(scores, ["level", "language", "representation", "encoder"])
    if not present(scores, ["layer"]):
        return scores
    means = scores.groupby([*keys, "layer"], dropna=False)["value"].mean().reset_index()
    if not means.duplicated(keys).any():
        return scores
    best = means.sort_values("value", kind="stable").drop_duplicates(keys, keep="last")
    return scores.merge(best[[*keys, "layer"]], on=[*keys, "layer"])
