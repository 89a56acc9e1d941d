"""Which tasks there are for which languages (LINSPECTOR, Table 6)."""

import pandas

from linspector_allennlp.analysis.tidy_scores import need_columns, present


def task_matrix(table: pandas.DataFrame) -> pandas.DataFrame:
    """
    # Parameters

    table : `pandas.DataFrame`
        Any with the columns `task` and `language`, and perhaps `level`.

    # Returns

    `pandas.DataFrame`
        True and false, by task (of each level) and language, both by how many there are, most first.
    """
    need_columns(table, "task", "language")
    keys = [*present(table, ["level"]), "task"]
    pairs = table[[*keys, "language"]].drop_duplicates()
    matrix = pairs.assign(there=True).set_index([*keys, "language"])["there"].unstack("language")
    matrix = matrix.fillna(False).astype(bool)
    rows = matrix.sum(axis=1).sort_values(ascending=False, kind="stable").index
    columns = matrix.sum().sort_values(ascending=False, kind="stable").index
    return matrix.loc[rows, columns]
