import pandas
import pytest

from linspector_allennlp.analysis.correlation import correlations
from linspector_allennlp.analysis.correlation_words import limits_of_points, stated
from tests.analysis.correlation_test import DOWNSTREAM, PROBING, scores
from tests.analysis.paper_tables import linspector_scores


def test_how_little_five_points_can_show():
    first, second = limits_of_points(correlations(PROBING, DOWNSTREAM))
    assert first == (
        "4 pairs of 5 points: no exact p-value can be less than 0.017; p < 0.05 takes ρ = 1.00. The p-value of "
        "ρ = 0.90 is 0.083, by t 0.037."
    )
    assert second.startswith(
        "Of 4 correlations, chance alone would give about 0.2 with p < 0.05; corrected"
    )
    assert second.endswith("p < 0.05 remains for 2.")


def test_several_matrices_are_corrected_together():
    """Alone, an exact p of 2 / 120 of one matrix is below .05; beside 8 others, 9 × 2 / 120 = .15 is not."""
    one = correlations(scores({"Case": [1, 2, 3, 4, 5]}), scores({"NER": [1, 2, 3, 4, 5]}))
    assert one["p_bh"].tolist() == [pytest.approx(2 / 120)]
    other = correlations(
        scores({"Tense": [1, 2, 3, 4, 5]}), scores({name: [3, 1, 5, 2, 4] for name in "abcdefgh"})
    )
    both = pandas.concat([one, other], ignore_index=True)
    assert (both["p_bh"] < 0.05).sum() == 1
    assert limits_of_points(both)[1].endswith("p < 0.05 remains for 0.")


def test_few_and_flat_points():
    few = [PROBING, DOWNSTREAM]
    found = correlations(*(table[table["representation"].isin(list("ab"))] for table in few))
    assert limits_of_points(found) == ["4 pairs of fewer than 3 points: there is no correlation."]
    four = correlations(*(table[table["representation"] != "e"] for table in few))
    assert (
        "less than 0.083; none is below 0.05. The p-value of ρ = 1.00 is"
        in limits_of_points(four)[0]
    )
    flat = correlations(scores({"Case": [1, 1, 1, 1, 1]}), DOWNSTREAM)
    assert limits_of_points(flat) == ["2 pairs of 5 points: one side does not vary."]
    short = correlations(PROBING, DOWNSTREAM[DOWNSTREAM["representation"] != "b"])
    assert limits_of_points(short)[-1] == "Left out where one side has no score: b."


def test_a_statement():
    found = correlations(PROBING, scores({"tagging": [1, 2, 3, 4, 5], "other": [2, 3, 1, 4, 5]}))
    assert stated(found, ["tagging", "other"]) == [
        "tagging: 2 of 2 at p < 0.1.",
        "other: 0 of 2 at p < 0.1; not Case ρ 0.70, p 0.188; Number ρ 0.60, p 0.285.",
    ]
    assert stated(found, ["tagging"], but=["Number"], level=0.05, p="p_exact") == [
        "tagging: 1 of 1 at p < 0.05."
    ]


@pytest.mark.realdata
def test_the_statement_of_the_paper(real_data):
    """
    "All proposed tests, except from SameFeat, had a statistically significant correlation with POS, DEP, SRL,
    and NER for Finnish", at p = 0.1: it holds for POS and DEP, not for SRL and NER.
    """
    found = correlations(*linspector_scores(real_data))
    finnish = found[found["language"] == "Finnish"]
    pos, dep, srl, ner = stated(finnish, ["POS", "DEP", "SRL", "NER"], but=["SameFeat"])
    assert pos == "POS: 10 of 10 at p < 0.1." and dep == "DEP: 10 of 10 at p < 0.1."
    assert srl.startswith("SRL: 3 of 10 at p < 0.1; not Case ρ 0.70, p 0.188;")
    assert ner.startswith("NER: 3 of 10 at p < 0.1; not Case ρ 0.80, p 0.104;")
    exactly = stated(finnish, ["POS", "DEP", "SRL", "NER"], but=["SameFeat"], p="p_exact")
    assert [sentence.split(":")[1][:9] for sentence in exactly] == [
        " 10 of 10",
        " 10 of 10",
        " 3 of 10 ",
        " 3 of 10 ",
    ]
    assert "the p-value of" not in limits_of_points(found)[0]
