import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.metrics.information import head_information, label_information


def items(labels):
    return [Item([f"w{number}"], label) for number, label in enumerate(labels)]


def test_labels_by_hand():
    """Training: half are A, a quarter B, a quarter C, so that they take 1, 2 and 2 bits."""
    train, test = items("AABC"), items("ABBC")
    # The probe gives the right labels 1/2, 1/4, 1/8 and 1/2: 1 + 2 + 3 + 1 bits.
    nats = -math.log(1 / 2 * 1 / 4 * 1 / 8 * 1 / 2)
    found = label_information(train, test, nats)
    assert found == pytest.approx({"bits": 7 / 4, "label_bits": 7 / 4, "usable_bits": 0})
    found = label_information(train, test, 4 * math.log(2))
    assert found == pytest.approx({"bits": 1, "label_bits": 7 / 4, "usable_bits": 3 / 4})
    assert label_information(train, test, 0.0)["usable_bits"] == pytest.approx(7 / 4)
    assert label_information(train, test, 70.0)["usable_bits"] < 0


def test_unseen_labels_are_left_out():
    known = label_information(items("AABC"), items("ABBC"), 3.5)
    assert label_information(items("AABC"), items("AXBBYC"), 3.5) == known
    assert label_information(items("AABC"), items("XYZ"), 0.0) == {}
    assert label_information(items("AABC"), [], 0.0) == {}


labels = st.lists(st.sampled_from("ABCD"), min_size=1, max_size=30)


@given(labels, labels, st.floats(0, 100))
def test_the_drop_of_cross_entropy(train, test, nats):
    shares = {label: count / len(train) for label, count in Counter(train).items()}
    known = [label for label in test if label in shares]
    found = label_information(items(train), items(test), nats)
    if not known:
        assert found == {}
        return
    without_input = -sum(math.log(shares[label]) for label in known) / len(known)
    assert found["label_bits"] == pytest.approx(without_input / math.log(2), abs=1e-9)
    assert found["bits"] == pytest.approx(nats / len(known) / math.log(2), abs=1e-9)
    drop = (without_input - nats / len(known)) / math.log(2)
    assert found["usable_bits"] == pytest.approx(drop, abs=1e-9)


def test_heads_of_three_words_by_hand():
    """
    Training has two sentences: in a b c the words a and c hang on b, which is the root; in d e, d hangs
    on e. So a head stands one place after its word twice and one place before it once; every offset
    from −3 to 3 counts once more.
    """
    train = [np.array([1, -1, 1]), np.array([1, -1])]
    times = {-2: 1, -1: 2, 0: 1, 1: 3, 2: 1}
    # Of the test sentence, word 0 is the root; word 1 hangs on word 2, word 2 on word 0.
    test = [np.array([-1, 2, 0])]
    first = times[1] / (times[-1] + times[0] + times[1])
    second = times[-2] / (times[-2] + times[-1] + times[0])
    assert (first, second) == (3 / 6, 1 / 4)
    found = head_information(train, test, nats=3 * math.log(2))
    assert found == pytest.approx({"bits": 1.5, "label_bits": 1.5, "usable_bits": 0})


def test_heads_without_training_are_uniform_over_the_sentence():
    nothing = [np.array([-1])]
    test = [np.array([1, 2, 3, -1]), np.array([-1, 0])]
    found = head_information(nothing, test, nats=0.0)
    assert found["label_bits"] == pytest.approx((3 * 2 + 1) / 4)
    assert head_information(nothing, nothing, 0.0) == {}


def test_test_sentences_may_be_longer_than_any_in_training():
    train, test = [np.array([-1, 0])], [np.array([-1, *range(9)])]
    # Every word hangs on the one before; of the ten candidates that one counts twice.
    expected = -math.log2(2 / 11)
    assert head_information(train, test, 0.0)["label_bits"] == pytest.approx(expected)


@given(st.lists(st.lists(st.integers(-1, 5), min_size=1, max_size=6), min_size=1, max_size=6))
def test_heads_against_plain_counting(sentences):
    sentences = [[min(head, len(s) - 1) for head in s] for s in sentences]
    train, test = sentences[: len(sentences) // 2 + 1], sentences
    counts = Counter(h - w for s in train for w, h in enumerate(s) if h >= 0)
    bits = []
    for sentence in test:
        for word, head in enumerate(sentence):
            if head >= 0:
                weights = [counts[other - word] + 1 for other in range(len(sentence))]
                bits.append(-math.log2(weights[head] / sum(weights)))
    found = head_information(map(np.array, train), map(np.array, test), nats=1.0)
    if not bits:
        assert found == {}
    else:
        assert found["label_bits"] == pytest.approx(sum(bits) / len(bits))
        assert found["bits"] == pytest.approx(1 / math.log(2) / len(bits))
