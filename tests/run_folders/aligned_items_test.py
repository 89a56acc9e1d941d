import numpy as np
import pytest

from linspector_allennlp.run_folders.aligned_items import align_items
from linspector_allennlp.run_folders.scored_items import score_predictions
from tests.commands.written_runs import words


def scored(predictions, cluster="line"):
    return score_predictions(predictions, "predictions", "label", cluster)


def test_items_that_all_runs_have_in_one_order():
    first, second, third = words([1, 0, 1, 1]), words([0, 0, 1, 1]), words([1, 1, 0, 0])
    same = align_items([scored(each) for each in (first, second, third)])
    assert same.correct.tolist() == [[1, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0]]
    assert same.clusters == ["1", "2", "3", "4"] and same.left_out == [0, 0, 0]
    # In other orders, and with items of their own.
    found = align_items([scored(first), scored(second[::-1]), scored([*third[2:], third[1]])])
    assert found.correct.tolist() == [[0, 1, 1], [0, 1, 1], [1, 0, 0]]
    assert found.clusters == ["2", "3", "4"] and found.left_out == [1, 1, 0]
    assert found.correct.dtype == np.bool_


def test_order_does_not_depend_on_which_way_is_taken():
    """Files in one order, which is not that of the lines, and files in several."""
    shuffled = [words([1, 0, 1])[place] for place in (2, 0, 1)]
    same = align_items([scored(shuffled), scored(shuffled)])
    assert same.clusters == align_items([scored(shuffled), scored(words([0, 0, 0]))]).clusters


def test_no_item_in_common():
    nothing = align_items([scored(words([1])), scored(words([1], first=7))])
    assert nothing.clusters == [] and nothing.correct.shape == (2, 0)


def test_other_sentences():
    one, other = words([1, 0], sentence=1), words([1, 0], sentence=2)
    with pytest.raises(
        ValueError, match="do not agree of which sentence .* 1 in one, 2 in another"
    ):
        align_items([scored(one, "sentence"), scored(other, "sentence")])
