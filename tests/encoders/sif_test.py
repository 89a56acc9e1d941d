from collections import Counter

import numpy
import pytest
import torch

from tests.encoders.word_rows import build, made_sentences, rows_of, rows_of_words, vector_of


def plain_sif(training, sentences, dim, a):
    """Sentence by sentence, in NumPy."""
    counts = Counter(word for sentence in training for word in sentence)
    total = sum(counts.values())

    def mean(sentence):
        weighted = [a / (a + counts[word] / total) * vector_of(word, dim) for word in sentence]
        return numpy.sum(weighted, axis=0) / len(sentence)

    matrix = numpy.stack([mean(sentence) for sentence in training])
    first = numpy.linalg.svd(matrix.astype(numpy.float64), full_matrices=False)[2][0]
    return numpy.stack([mean(s) - first * (first @ mean(s)) for s in sentences])


@pytest.mark.parametrize("a", [1e-3, 0.1])
def test_it_is_what_plain_numpy_computes(a):
    training, others = made_sentences(60, seed=3), [("w1", "unseen", "w1"), ("other",)]
    encoder = build("sif", 9, a=a)
    encoder.fit([rows_of_words(training[:25], 9), rows_of_words(training[25:], 9)])
    for sentences in (training, others):
        expected = plain_sif(training, sentences, 9, a)
        numpy.testing.assert_allclose(encoder(rows_of_words(sentences, 9)), expected, atol=1e-5)


def test_three_words_by_hand():
    """With a = 1: a word of one half weighs 2/3, of a quarter 4/5, and an unseen one 1."""
    encoder = build("sif", 2, a=1.0)
    encoder.fit([rows_of([[[3, 0], [3, 0], [5, 0], [10, 0]]], [("a", "a", "b", "c")])])
    # The only training sentence is along the first axis, which is removed.
    found = encoder(rows_of([[[7, 3], [1, 5], [2, 6]]], [("a", "b", "new")]))
    expected = (3 * 2 / 3 + 5 * 4 / 5 + 6) / 3
    assert found[0].tolist() == pytest.approx([0, expected], abs=1e-6)


def test_fewer_sentences_than_dimensions():
    encoder = build("sif", 40)
    training = made_sentences(3)
    encoder.fit([rows_of_words(training, 40)])
    expected = plain_sif(training, training, 40, 1e-3)
    numpy.testing.assert_allclose(encoder(rows_of_words(training, 40)), expected, atol=1e-5)


def test_words_of_any_letters_come_back_from_an_archive():
    sentences = [("İstanbul'da", "öğle", "𐍈", "a b", "\ud800")]
    encoder, loaded = build("sif", 3), build("sif", 3)
    encoder.fit([rows_of_words([*sentences, sentences[0][:2]], 3)])
    loaded.load_state_dict(encoder.state_dict())
    assert loaded._weight_of_words() == encoder._weight_of_words()
    assert set(loaded._weight_of_words()) == set(sentences[0])
    assert loaded.counts.tolist() == [2, 2, 1, 1, 1]


def test_an_iterator_can_be_gone_through_only_once():
    with pytest.raises(TypeError, match="that can be gone through twice, found an iterator"):
        build("sif", 3).fit(iter([rows_of_words([("a",)], 3)]))


def test_a_state_of_another_dimension_is_refused():
    encoder = build("sif", 3)
    encoder.fit([rows_of_words([("a",)], 3)])
    with pytest.raises(RuntimeError, match="size mismatch for direction"):
        build("sif", 4).load_state_dict(encoder.state_dict())
    assert torch.linalg.norm(encoder.direction) == pytest.approx(1)
