import math

import pandas
import pytest

from linspector_allennlp.analysis.correlation import correlations
from linspector_allennlp.analysis.correlation_marks import (
    alike_groups,
    alike_tasks,
    best_p_value,
    marked_from,
    marks_of,
)
from tests.analysis.correlation_test import scores
from tests.analysis.paper_tables import linspector_scores

TASKS = scores(
    {
        "CharacterBin": [1, 2, 3, 4, 5],
        "TagCount": [2, 4, 6, 8, 10],
        "Case": [1, 2, 3, 5, 4],
        "Pseudo": [3, 1, 5, 2, 4],
        "Odd": [5, 4, 3, 2, 1],
    }
)


def test_marks():
    assert marks_of([0.05, 0.1, 0.2]) == "●○·" and marks_of([math.nan, 0.199]) == "–○"
    assert marks_of([0.04, 0.06], levels=(0.05, 0.1)) == "●○"


def test_which_correlations_get_one():
    """Of five points ρ .7 has p .19 by t, and .23 exactly."""
    (sentence,) = marked_from(correlations(TASKS))
    assert sentence == (
        "Of 5 points without ties, p < 0.1 takes |ρ| of 0.90 by t and |ρ| of 0.90 exactly; p < 0.2 takes |ρ| of "
        "0.70 by t and |ρ| of 0.80 exactly."
    )
    three = correlations(TASKS[TASKS["representation"] < "d"])
    assert "p < 0.2 takes |ρ| of 1.00 by t and more than |ρ| = 1 exactly" in marked_from(three)[0]


def test_redundant_tasks():
    found = correlations(TASKS)
    assert alike_groups(found) == [["CharacterBin", "TagCount", "Case"]]
    first, second = alike_tasks(found, "finnish")
    # Of 10 pairs, 5 of 120 orders have ρ of 0.9 or more: 1 with 1, 4 with 0.9.
    assert first == (
        "finnish: of 10 pairs of tasks 3 have ρ of 0.9 or more. Alike in every pair: CharacterBin ~ TagCount ~ "
        "Case. Tasks that have nothing in common would give 0.4 such pairs by chance."
    )
    assert second == (
        "finnish: the other way round are CharacterBin and Odd -1.00; TagCount and Odd -1.00; Case and Odd -0.90."
    )


def test_every_two_of_a_group_are_alike():
    """A and C are not, though both are like B, and though the mean of A with B and C is above .9."""
    found = pandas.DataFrame(
        {"row": ["A", "A", "B"], "column": ["B", "C", "C"], "rho": [0.96, 0.85, 0.97]}
    )
    assert alike_groups(found) == [["B", "C"]]


def test_a_task_that_does_not_vary_is_in_no_group():
    flat = pandas.concat([TASKS, scores({"Flat": [1, 1, 1, 1, 1]})])
    assert alike_groups(correlations(flat)) == [["CharacterBin", "TagCount", "Case"]]
    assert alike_tasks(correlations(scores({"A": [1] * 5, "B": [1, 2, 3, 4, 5]})), "x") == []


def test_many_points_have_no_exact_p_value():
    many = pandas.DataFrame(
        [
            {
                "language": "fi",
                "task": task,
                "representation": f"r{n}",
                "value": n + (task == "B") * (n % 2),
            }
            for task in "AB"
            for n in range(12)
        ]
    )
    found = correlations(many)
    assert best_p_value(found).tolist() == found["p_t"].tolist() and marked_from(found) == []
    assert "by chance" not in alike_tasks(found, "fi")[0]


@pytest.mark.realdata
def test_redundant_tasks_of_the_paper(real_data):
    """In Turkish CharacterBin orders the embeddings as TagCount does."""
    probing, _ = linspector_scores(real_data)
    turkish = correlations(probing[probing["language"] == "Turkish"])
    first, second = alike_groups(turkish)
    assert {"CharacterBin", "TagCount"} < set(first) and second == ["OddFeat", "SameFeat"]
