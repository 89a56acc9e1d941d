"""Made sentences with vectors, and encoders that are ready for them."""

from collections.abc import Sequence

import numpy
import torch
from allennlp.common import Params

from linspector_allennlp.encoders import SentenceEncoder, WordRows

SETTINGS = {
    "average": {},
    "max": {},
    "power_means": {},
    "sif": {},
    "gem": {"window": 2, "num_directions": 4, "num_removed": 2},
    "hierarchical_pooling": {"window": 3},
    "borep": {"dimension": 16, "seed": 1},
    "random_bilstm": {"dimension": 10, "seed": 1},
    "random_esn": {"dimension": 12, "seed": 1},
    "sentence_vector": {},
}
ORDER_BLIND = ("average", "max", "power_means", "sif", "borep")
SEEDED = ("borep", "random_bilstm", "random_esn")
FITTED = ("sif", "gem")


def build(name: str, word_dim: int, **settings: object) -> SentenceEncoder:
    """As a model builds it from a config."""
    params = Params({"type": name, **SETTINGS[name], **settings})
    return SentenceEncoder.from_params(params, word_dim=word_dim)


def rows_of(sentences: Sequence[Sequence[Sequence[float]]], words: object = None) -> WordRows:
    """Of vectors that are written out; words are called by their numbers unless they are given."""
    if words is None:
        words = [tuple(f"{s}.{i}" for i in range(len(each))) for s, each in enumerate(sentences)]
    vectors = numpy.concatenate([numpy.array(each, numpy.float32) for each in sentences])
    return WordRows(torch.from_numpy(vectors), torch.tensor(list(map(len, sentences))), words)


def vector_of(word: str, dim: int) -> numpy.ndarray:
    seed = [ord(character) for character in word]
    return numpy.random.default_rng(seed).normal(size=dim).astype(numpy.float32) + 0.3


def rows_of_words(sentences: Sequence[Sequence[str]], dim: int) -> WordRows:
    """Each word has the same vector wherever it is."""
    vectors = [vector_of(word, dim) for sentence in sentences for word in sentence]
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    return WordRows(torch.from_numpy(numpy.stack(vectors)), lengths, list(map(tuple, sentences)))


def made_sentences(number: int, seed: int = 0, longest: int = 12) -> list[tuple[str, ...]]:
    """Of few words, so that some come twice in a sentence."""
    rng = numpy.random.default_rng(seed)
    words = numpy.array([f"w{i}" for i in range(25)])
    shares = 1 / numpy.arange(1, 26)
    return [
        tuple(
            rng.choice(words, size=rng.integers(1, longest + 1), p=shares / shares.sum()).tolist()
        )
        for _ in range(number)
    ]


def ready(name: str, word_dim: int, **settings: object) -> SentenceEncoder:
    """Fitted, if it has to be."""
    encoder = build(name, word_dim, **settings)
    encoder.fit([rows_of_words(made_sentences(20, seed), word_dim) for seed in (1, 2)])
    return encoder
