import math

import numpy
import pytest
import torch

from tests.encoders.word_rows import build, made_sentences, rows_of, rows_of_words, vector_of


def plain_gem(training, sentences, dim, window, most, removed, power):
    """Word by word, with NumPy's QR and SVD."""
    coarse = []
    for sentence in training:
        words = numpy.stack([vector_of(word, dim) for word in sentence], axis=1).astype(float)
        left, sigma, _ = numpy.linalg.svd(words, full_matrices=False)
        signs = numpy.where(left.T @ words.sum(axis=1) < 0, -1, 1)
        coarse.append(left @ (signs * sigma**power))
    directions, sigma, _ = numpy.linalg.svd(numpy.stack(coarse, axis=1), full_matrices=False)
    directions, sigma = directions[:, :most], sigma[:most]
    result = []
    for sentence in sentences:
        words = [vector_of(word, dim).astype(float) for word in sentence]
        lengths = [numpy.linalg.norm([word @ d for word in words]) for d in directions.T]
        order = numpy.argsort(-sigma * lengths)[:removed]
        total = numpy.zeros(dim)
        for i, word in enumerate(words):
            others = words[max(0, i - window) : i] + words[i + 1 : i + 1 + window]
            matrix = numpy.stack([*others, word], axis=1)
            q, r = numpy.linalg.qr(matrix)
            last, direction = abs(r[-1, -1]), q[:, -1]
            if numpy.linalg.matrix_rank(matrix[:, :-1], tol=1e-5) == numpy.linalg.matrix_rank(
                matrix, tol=1e-5
            ):
                last, direction = 0, numpy.zeros(dim)
            elif numpy.linalg.matrix_rank(matrix, tol=1e-5) < matrix.shape[1]:
                # Its neighbours are not independent, so that QR's last column is any direction.
                basis = numpy.linalg.svd(matrix[:, :-1], full_matrices=False)
                basis = basis[0][:, basis[1] > 1e-5]
                rest = word - basis @ (basis.T @ word)
                last, direction = numpy.linalg.norm(rest), rest / numpy.linalg.norm(rest)
            novelty = math.exp(last / numpy.linalg.norm(r[:, -1]))
            significance = last / (2 * window + 1)
            common = sigma[order] * (direction @ directions[:, order])
            uniqueness = math.exp(-numpy.linalg.norm(common) / removed)
            total += (novelty + significance + uniqueness) * word
        chosen = directions[:, order]
        result.append(total - chosen @ (chosen.T @ total))
    return numpy.stack(result)


@pytest.mark.parametrize(
    "dim, window, most, removed, power",
    [(30, 7, 10, 4, 3.0), (30, 2, 30, 17, 3.0), (16, 3, 5, 5, 1.0), (40, 1, 3, 1, 2.0)],
)
def test_it_is_what_plain_numpy_computes(dim, window, most, removed, power):
    training = made_sentences(70, seed=4, longest=20)
    others = [*made_sentences(20, seed=8, longest=25), ("unseen", "w1"), ("one",)]
    assert any(len(set(sentence)) < len(sentence) for sentence in others)
    encoder = build(
        "gem", dim, window=window, num_directions=most, num_removed=removed, sigma_power=power
    )
    encoder.fit([rows_of_words(training[:30], dim), rows_of_words(training[30:], dim)])
    expected = plain_gem(training, others, dim, window, most, removed, power)
    numpy.testing.assert_allclose(encoder(rows_of_words(others, dim)), expected, atol=2e-4)


def test_three_words_by_hand():
    """Trained on the first axis alone, which is then the only direction, and removed."""
    encoder = build("gem", 3, window=1, num_directions=2, num_removed=1)
    encoder.fit([rows_of([[[2, 0, 0]]])])
    assert encoder.singular_values.tolist() == pytest.approx([8, 0])
    words = [[0, 3, 0], [1, 1, 0], [0, 0, 2]]
    # The first and the second are at 45 degrees, the third is orthogonal to both.
    half = 0.5**0.5
    weights = [
        math.exp(half) + 3 * half / 3 + math.exp(-8 * half),
        math.exp(half) + 1 / 3 + math.exp(-8),
        math.exp(1) + 2 / 3 + math.exp(0),
    ]
    expected = [0, 3 * weights[0] + weights[1], 2 * weights[2]]
    assert encoder(rows_of([words]))[0].tolist() == pytest.approx(expected, abs=1e-5)


def test_a_word_that_comes_twice_has_no_direction_of_its_own():
    encoder = build("gem", 3, window=7, num_directions=1, num_removed=1)
    encoder.fit([rows_of([[[0, 0, 5]]])])
    (found,) = encoder(rows_of([[[3, 4, 0], [3, 4, 0]]])).tolist()
    assert found == pytest.approx([3 * 4, 4 * 4, 0])  # each weighs exp(0) + 0 + exp(0)
    zeros = encoder(rows_of([[[0, 0, 0], [3, 4, 0], [0, 0, 0]]]))[0]
    alone = encoder(rows_of([[[3, 4, 0]]]))[0]
    assert torch.allclose(zeros, alone)


def test_many_equal_words_and_vectors_of_all_sizes():
    encoder = build("gem", 5, window=7, num_directions=3, num_removed=2)
    sentences = [("w",) * 20, ("w", "v") * 9]
    rows = rows_of_words(sentences, 5)
    encoder.fit([rows])
    for scale in (1e-6, 1.0, 1e6):
        assert encoder(rows._replace(vectors=rows.vectors * scale)).isfinite().all()


def test_fewer_directions_than_are_asked_for():
    encoder = build("gem", 4, num_directions=9, num_removed=6)
    encoder.fit([rows_of_words([("a", "b"), ("a",)], 4)])
    assert (encoder.singular_values > 0).sum() == 2
    (found,) = encoder(rows_of_words([("c", "d")], 4))
    assert (encoder.directions[:2] @ found).abs().max() < 1e-5
