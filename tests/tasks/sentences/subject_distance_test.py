import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sentences.subject_distance import subject_distance
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.annotated_sentences import analysed, given, labels


def at_distance(distance, upos="VERB", subject="nsubj"):
    between = " ".join(f"x//ADV//{distance + 1}/advmod" for _ in range(distance - 1))
    return analysed(f"cat//NOUN//{distance + 1}/{subject} {between} sat//{upos}//0/root")


DISTANCES = [1, 2, 4, 5, 7, 8, 12, 13, 40]


@pytest.mark.parametrize(
    "bins,expected",
    [
        (None, "1 2-4 2-4 5-7 5-7 8-12 8-12 13+ 13+"),
        ("five", "1 2-4 2-4 5-7 5-7 8-12 8-12 13+ 13+"),
        ("two", "1 2-4 2-4"),
        ("1-4, 8+", "1-4 1-4 1-4 8+ 8+ 8+ 8+"),
        ("2, 13", "2 13"),
    ],
)
def test_bins(bins, expected):
    made = subject_distance(list(map(at_distance, DISTANCES)), given(svdist_bins=bins))
    assert labels(made) == expected.split()


@pytest.mark.parametrize("bins", ["three", "1,1-4", "2-1", "1+,2", "1,,3"])
def test_bins_that_are_none(bins):
    with pytest.raises(ConfigurationError, match=r"svdist_bins: .* \(Or one of five, two\.\)"):
        subject_distance([at_distance(1)], given(svdist_bins=bins))


def test_which_subject():
    """The first one of the root; not one of another verb, nor of a passive; before or behind."""
    behind = analysed("sat//VERB//0/root x//ADV//1/advmod cat//NOUN//1/nsubj dog//NOUN//1/nsubj")
    other = analysed("cat//NOUN//2/nsubj sat//VERB//3/ccomp know//VERB//0/root")
    left_out = [at_distance(1, "NOUN"), at_distance(1, subject="nsubj:pass"), other]
    assert labels(subject_distance([behind, *left_out], given())) == ["2-4"]


def test_no_trees():
    with pytest.raises(TooLittleData, match="no trees"):
        subject_distance([analysed("cat//NOUN sat//VERB")], given())
