import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.bins import Bins
from linspector_allennlp.tasks.sentences.length_tasks import EOS_BINS, SENTLEN_BINS


def test_labels_by_hand():
    bins = Bins("1, 2-4, 8+")
    assert bins.labels == ["1", "2-4", "8+"]
    numbers = [0, 1, 2, 4, 5, 7, 8, 1000]
    assert [bins.label(n) for n in numbers] == [None, "1", "2-4", "2-4", None, None, "8+", "8+"]


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8, unique=True), st.integers(0, 70))
def test_a_number_is_in_the_bin_that_says_so(starts, number):
    starts.sort()
    ends = [*(start - 1 for start in starts[1:]), None]
    bins = Bins(",".join(f"{a}+" if b is None else f"{a}-{b}" for a, b in zip(starts, ends)))
    below = [start for start in starts if start <= number]
    label = bins.label(number)
    assert (label is None) == (not below)
    assert label is None or int(label.rstrip("+").split("-")[0]) == below[-1]


def test_named_bins():
    assert [len(Bins(text).labels) for text in SENTLEN_BINS.values()] == [10, 10, 6]
    assert [len(Bins(text).labels) for text in EOS_BINS.values()] == [8, 6]
    study = Bins(SENTLEN_BINS["study"])
    assert [study.label(n) for n in (4, 5, 25, 26, 33, 34, 55, 56)] == [
        "1-4", "5-8", "21-25", "26-29", "30-33", "34-55", "34-55", "56+",
    ]  # fmt: skip


@pytest.mark.parametrize("text, expected", [
    ("1-4,x", "eos_bins: expected bins as 1-4,5-8,9., found .x. in"),
    ("", "found ''"),
    ("4-1", "the bin 4-1 is upside down"),
    ("1-4,4-8", "found 1-4 before 4-8"),
    ("1+,2-3", "found 1\\+ before 2-3"),
])  # fmt: skip
def test_bins_that_make_no_sense(text, expected):
    with pytest.raises(ConfigurationError, match=expected):
        Bins(text, "eos_bins")
