"""The analyses of tables of which something is missing: they say so, and never make it up."""

import math

import pandas
import pytest

from linspector_allennlp.analysis.complexity import task_and_control
from linspector_allennlp.analysis.correlation import correlations
from linspector_allennlp.analysis.correlation_words import limits_of_points
from linspector_allennlp.analysis.curves import curve
from linspector_allennlp.analysis.score_tables import score_table
from linspector_allennlp.analysis.study_findings import study_findings
from linspector_allennlp.analysis.tidy_scores import chosen_scores, seed_means
from linspector_allennlp.run_folders.results_file import read_results


@pytest.fixture(params=[True, False], ids=["typed", "as pandas reads it"])
def table(request, fixtures):
    path = fixtures / "study/results.csv"
    return read_results(path) if request.param else pandas.read_csv(path)


def found(table, topic):
    findings = study_findings(table)
    return " ".join(findings.loc[findings["topic"] == topic, "sentence"])


def one_layer(table):
    """The means of the tasks, of one layer of the model."""
    means = seed_means(chosen_scores(table))
    return means[(means["level"] == "type_level") & (means["layer"].fillna(2) == 2)]


def test_all_is_there(table):
    assert (
        len(score_table(table)) == 84
        and len(curve(table)) == 32
        and len(task_and_control(table)) == 64
    )
    assert found(table, "missing") == "" and "there is no score" not in found(table, "best")


def test_one_seed(table):
    one = table[table["seed"].fillna(1) == 1]
    assert score_table(one)["sd"].isna().all()
    assert found(one, "seeds").startswith("84 of 84 scores are of one seed")


def test_two_representations(table):
    two = table[table["representation"].isin(["bpe", "fasttext"])]
    result = correlations(one_layer(two))
    assert result["rho"].isna().all()
    assert limits_of_points(result) == ["12 pairs of fewer than 3 points: there is no correlation."]
    assert curve(two).empty


def test_scores_that_are_no_numbers(table):
    bad = table.assign(value=table["value"].where(table["representation"] != "bpe", math.nan))
    assert found(bad, "missing").startswith("52 runs have no number as a score")
    assert "there is no score in Case (bpe)" in found(bad, "best")
    result = correlations(one_layer(bad))
    assert (
        set(result["n"]) == {4}
        and score_table(bad).query("representation == 'bpe'")["place"].isna().all()
    )


def test_a_representation_that_one_task_does_not_have(table):
    less = table[~((table["representation"] == "bpe") & (table["task"] == "Case"))]
    assert "type_level, finnish: there is no score in Case (bpe)." in found(less, "best")
    result = correlations(one_layer(less))
    of_case = (result["row"] == "Case") | (result["column"] == "Case")
    assert set(result.loc[of_case, "n"]) == {4} and set(result.loc[of_case, "left_out"]) == {"bpe"}
    assert set(result.loc[~of_case, "n"]) == {5}


def test_a_missing_column(table):
    for name in ("language", "seed"):
        with pytest.raises(ValueError, match="a column is missing that tells them apart"):
            score_table(table.drop(columns=name))
    with pytest.raises(ValueError, match="there is no control"):
        task_and_control(table.drop(columns="control"))
    with pytest.raises(ValueError, match="there is no value"):
        study_findings(table.drop(columns="value"))


def test_no_rows(table):
    assert found(table[:0], "best") == "There is no score."
    assert curve(table[:0]).empty and score_table(table[:0]).empty
