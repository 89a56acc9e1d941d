import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, precision_recall_fscore_support

from linspector_allennlp.metrics import LabelReport
from linspector_allennlp.metrics.label_report import MOST_IN_TABLE


def scores_for(predicted, num_labels):
    return torch.nn.functional.one_hot(torch.tensor(predicted), num_labels).float()


def test_by_hand():
    report = LabelReport(3)
    report(scores_for([0, 0, 1, 1, 0], 3), torch.tensor([0, 0, 0, 1, -1]))
    # Label 0: 2 of 3 predictions and 2 of 3 gold are right; label 1: 1 of 2, 1 of 1.
    assert report.get_metric() == {
        "accuracy": 3 / 5,
        "macro_f1": pytest.approx((2 / 3 + 2 / 3 + 0) / 3),  # 0, 1 and the unseen label
    }
    assert report.label_scores()[1] == (0.5, 1.0, pytest.approx(2 / 3), 1)
    assert report.label_scores()[2] == (0, 0, 0, 0)
    assert report.num_unseen == 1


@given(
    st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 4)), min_size=1),
    st.integers(1, 7),
)
def test_it_agrees_with_scikit_learn(pairs, batch_size):
    report = LabelReport(5)
    for start in range(0, len(pairs), batch_size):
        gold, predicted = zip(*pairs[start : start + batch_size])
        report(scores_for(predicted, 5), torch.tensor(gold))
    gold, predicted = zip(*pairs)
    *by_label, support = precision_recall_fscore_support(
        gold, predicted, labels=range(5), zero_division=0
    )
    macro = precision_recall_fscore_support(gold, predicted, average="macro", zero_division=0)[2]
    metrics = report.get_metric(reset=True)
    assert metrics["accuracy"] == pytest.approx(accuracy_score(gold, predicted))
    assert metrics["macro_f1"] == pytest.approx(macro)
    assert not report.confusion.any()
    report(scores_for(predicted, 5), torch.tensor(gold))
    for label, score in enumerate(report.label_scores()):
        assert score[:3] == pytest.approx([column[label] for column in by_label])
        assert score.support == support[label]
    expected = confusion_matrix(gold, predicted, labels=[0, 1, 2, 3, 4, -1])[:, :5]
    assert report.confusion.tolist() == expected.tolist()


@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 4)), min_size=1), st.integers(1, 7))
def test_of_many_labels_there_is_no_table_but_the_same_scores(pairs, batch_size):
    few, many = LabelReport(5), LabelReport(MOST_IN_TABLE + 1)
    for start in range(0, len(pairs), batch_size):
        gold, predicted = zip(*pairs[start : start + batch_size])
        for report, number in ((few, 5), (many, MOST_IN_TABLE + 1)):
            report(scores_for(predicted, number), torch.tensor(gold))
    assert many.label_scores()[:5] == few.label_scores() and many.num_unseen == few.num_unseen
    assert many.intervals() == few.intervals()
    assert list(many.tables()) == ["report"] and list(few.tables()) == ["report", "confusion"]
    assert many.get_metric(reset=True) == few.get_metric()
    assert many.num_unseen == 0 == sum(score.support for score in many.label_scores())


def test_masked_items_do_not_count():
    report = LabelReport(2)
    mask = torch.tensor([[True, False]])
    report(scores_for([[0, 0]], 2), torch.tensor([[0, 1]]), mask)
    assert report.get_metric()["accuracy"] == 1


def test_nothing_to_score():
    with pytest.raises(ValueError, match="label column missing"):
        LabelReport(2).get_metric()
