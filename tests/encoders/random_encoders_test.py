"""Those with random weights: what they compute, word by word, and the weights themselves."""

import numpy
import pytest
import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.encoders.random_esn import scaled_to
from tests.encoders.word_rows import build, made_sentences, rows_of_words, vector_of

SENTENCES = [*made_sentences(6, seed=2), ("a", "b", "c")]
DIM = 5


def close(found, expected):
    numpy.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("pooling, pool", [("max", numpy.max), ("mean", numpy.mean)])
def test_borep_word_by_word(pooling, pool):
    encoder = build("borep", DIM, pooling=pooling)
    weight = encoder._weight.numpy()
    expected = [
        pool([vector_of(word, DIM) @ weight for word in sentence], axis=0) for sentence in SENTENCES
    ]
    close(encoder(rows_of_words(SENTENCES, DIM)), expected)
    assert encoder.provenance() == {"dimension": 16, "seed": 1, "pooling": pooling}


def test_borep_of_words_whose_vectors_depend_on_the_sentence():
    encoder = build("borep", DIM)
    rows = rows_of_words([("a", "b", "a"), ("a", "a")], DIM)
    vectors = torch.randn(5, DIM)
    found = encoder(rows._replace(vectors=vectors))
    projected = vectors @ encoder._weight
    close(found, torch.stack([projected[:3].amax(0), projected[3:].amax(0)]))


def test_the_weights_of_borep():
    weight = build("borep", 100, dimension=400)._weight
    assert weight.shape == (100, 400) and 0.099 < weight.abs().max() <= 0.1
    assert abs(weight.mean()) < 0.002 and weight.std().item() == pytest.approx(
        0.2 / 12**0.5, rel=0.02
    )


def test_random_bilstm_sentence_by_sentence():
    encoder = build("random_bilstm", DIM)
    torch.manual_seed(1)
    lstm = torch.nn.LSTM(DIM, 5, bidirectional=True)
    with torch.no_grad():
        expected = [
            lstm(torch.from_numpy(numpy.stack([vector_of(w, DIM) for w in sentence])))[0].amax(0)
            for sentence in SENTENCES
        ]
    close(encoder(rows_of_words(SENTENCES, DIM)), torch.stack(expected))
    for weight in encoder._lstm.parameters():
        assert weight.abs().max() <= 5**-0.5 and not weight.requires_grad


@pytest.mark.parametrize("leak", [0.0, 0.3])
def test_random_esn_word_by_word(leak):
    encoder = build("random_esn", DIM, leak=leak, input_scale=0.7, spectral_radius=0.8)
    expected = []
    for sentence in SENTENCES:
        both = []
        for step, (inputs, recurrent) in zip((1, -1), encoder._directions):
            state, states = numpy.zeros(6), []
            for word in sentence[::step]:
                new = numpy.tanh(vector_of(word, DIM) @ inputs.numpy() + state @ recurrent.numpy())
                state = (1 - leak) * new + leak * state
                states.append(state)
            both.append(numpy.max(states, axis=0))
        expected.append(numpy.concatenate(both))
    close(encoder(rows_of_words(SENTENCES, DIM)), expected)


def test_the_weights_of_random_esn():
    encoder = build("random_esn", 20, dimension=240, sparsity=0.75, spectral_radius=0.6)
    (inputs, recurrent), (other_inputs, other_recurrent) = encoder._directions
    assert inputs.shape == (20, 120) and 0.099 < inputs.abs().max() <= 0.1
    for matrix in (recurrent, other_recurrent):
        assert (matrix == 0).float().mean().item() == pytest.approx(0.75, abs=0.02)
        assert numpy.abs(numpy.linalg.eigvals(matrix.numpy())).max() == pytest.approx(0.6, rel=1e-4)
    assert not torch.equal(inputs, other_inputs) and not torch.equal(recurrent, other_recurrent)
    assert encoder.provenance() == {
        "dimension": 240, "seed": 1, "spectral_radius": 0.6, "sparsity": 0.75, "leak": 0.0,
        "input_scale": 0.1,
    }  # fmt: skip
    with pytest.raises(ConfigurationError, match="weights are all zero"):
        scaled_to(torch.zeros(2, 2), 0.9)
