import pandas
import pytest

from linspector_allennlp.analysis.task_matrix import task_matrix


def test_task_matrix():
    pairs = [("Case", "finnish"), ("Case", "turkish"), ("Pseudo", "turkish"), ("Case", "turkish")]
    table = pandas.DataFrame(pairs, columns=["task", "language"])
    found = task_matrix(table)
    assert list(found.columns) == ["turkish", "finnish"] and list(found.index) == ["Case", "Pseudo"]
    assert found.loc["Pseudo"].tolist() == [True, False]
    assert task_matrix(table.assign(level="type_level")).index.names == ["level", "task"]
    with pytest.raises(ValueError, match="there is no language"):
        task_matrix(table[["task"]])
