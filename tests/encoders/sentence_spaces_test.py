"""The way from words to sentence vectors: which words count, and what becomes of unknown ones."""

import numpy as np
import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TextFieldEmbedder

from linspector_allennlp.encoders import SentenceEncoder, SentenceSpaces
from linspector_allennlp.representations import TransferEmbedder, WordVectorsEmbedder
from linspector_allennlp.representations.words import encode_words

VECTORS = {"yksi": [1.0, 0.0], "kaksi": [0.0, 2.0], "kolme": [3.0, 3.0]}


@pytest.fixture
def vector_file(tmp_path):
    lines = [f"{word} {' '.join(map(str, vector))}" for word, vector in VECTORS.items()]
    (tmp_path / "v.vec").write_text(f"3 2\n{chr(10).join(lines)}\n", encoding="utf-8")
    return str(tmp_path / "v.vec")


def embedder(**parts):
    params = {"type": "basic", "token_embedders": parts}
    return TextFieldEmbedder.from_params(Params(params))


def spaces(embedder, encoder="average", **settings):
    return SentenceSpaces(embedder, Lazy(SentenceEncoder, Params({"type": encoder})), **settings)


def test_unknown_words_are_skipped(vector_file):
    made = spaces(embedder(words={"type": "word_vectors", "file": vector_file}))
    encoded = made.encode([("yksi", "tuntematon", "kaksi"), ("kolme",), ("ei", "mitään")])
    assert encoded.tolist() == [[0.5, 1.0], [3.0, 3.0], [0.0, 0.0]]
    assert made.num_unknown([("yksi", "x"), ("x",), ("y", "z")]) == 2


def test_or_are_as_the_representation_has_them(vector_file):
    vectors = {"type": "word_vectors", "file": vector_file, "unk": "mean"}
    made = spaces(embedder(words=vectors), unk="representation")
    mean = np.mean(list(VECTORS.values()), axis=0)
    encoded = made.encode([("yksi", "tuntematon"), ("ei",)])
    assert np.allclose(encoded[0], (np.array([1.0, 0.0]) + mean) / 2)
    assert np.allclose(encoded[1], mean)
    assert made.num_unknown([("ei",)]) == 0


@pytest.mark.parametrize(
    "of_vectors, settings",
    [({}, {"unknown_sentences": "error"}), ({"unk": "error"}, {})],
)
def test_a_sentence_of_unknown_words_may_be_an_error(vector_file, of_vectors, settings):
    vectors = {"type": "word_vectors", "file": vector_file, **of_vectors}
    made = spaces(embedder(words=vectors), **settings)
    assert made.encode([("yksi", "ei")]).tolist() == [[1.0, 0.0]]
    with pytest.raises(ValueError, match=r"v\.vec knows no word of the sentence 'ei mitään'"):
        made.encode([("yksi",), ("ei", "mitään")])


def test_words_in_their_sentence_are_never_skipped():
    """A representation that composes words has a vector for each."""
    made = spaces(embedder(words={"type": "char_ngrams", "dimension": 4}))
    alone = made.encode([("abc",)])
    assert made.num_unknown([("abc",)]) == 0 and alone.abs().sum() > 0


def test_several_spaces_stand_side_by_side_each_with_its_own_words(vector_file, tmp_path):
    (tmp_path / "w.vec").write_text("1 3\nei 1 2 3\n", encoding="utf-8")
    both = embedder(
        a={"type": "word_vectors", "file": vector_file},
        b={"type": "word_vectors", "file": str(tmp_path / "w.vec")},
    )
    made = spaces(both)
    assert made.output_dim == 5
    assert made.encode([("yksi", "ei")]).tolist() == [[1.0, 0.0, 1.0, 2.0, 3.0]]
    assert made.num_unknown([("yksi", "ei"), ("yksi",)]) == 1


def test_tensors_give_the_same(vector_file):
    whole = embedder(words={"type": "word_vectors", "file": vector_file})
    sentences = [("yksi", "kaksi", "x"), ("kolme",)]
    made = spaces(whole)
    tokens = {"words": {"code_points": encode_words(sentences)}}
    assert torch.equal(made.encode_tensors(whole, tokens), made.encode(sentences))


def test_any_embedder_of_allennlps_serves():
    whole = embedder(tokens={"type": "embedding", "num_embeddings": 5, "embedding_dim": 3})
    made = spaces(whole)
    ids = torch.tensor([[1, 2, 0], [3, 0, 0]])
    encoded = made.encode_tensors(whole, {"tokens": {"tokens": ids}})
    weight = whole.token_embedder_tokens.weight
    assert torch.allclose(encoded[0], weight[[1, 2]].mean(dim=0))
    assert torch.allclose(encoded[1], weight[3])
    with pytest.raises(ConfigurationError, match="fitted on words"):
        made.fit([("yksi",)])


def test_provenance(vector_file):
    made = spaces(embedder(words={"type": "word_vectors", "file": vector_file}))
    assert made.provenance() == {
        "type": "average",
        "unk": "skip",
        "unknown_sentences": "zeros",
        "dimension": 2,
    }


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"unk": "zeros"}, "unk: expected skip or representation, found 'zeros'"),
        ({"unknown_sentences": "skip"}, "unknown_sentences: expected zeros or error"),
    ],
)
def test_wrong_settings(vector_file, settings, message):
    with pytest.raises(ConfigurationError, match=message):
        spaces(embedder(words={"type": "word_vectors", "file": vector_file}), **settings)


def test_word_vectors_are_the_example(vector_file):
    """Of what the tests above compute by hand."""
    assert WordVectorsEmbedder(vector_file).embed_forms(["kolme"]).tolist() == [[3.0, 3.0]]


def test_sentences_of_another_language_are_encoded_by_its_vectors(vector_file, tmp_path):
    other = {"bir": [1.0, 0.0], "yksi": [0.0, 2.0], "üç": [3.0, 3.0]}  # yksi is two here
    lines = [f"{word} {' '.join(map(str, vector))}\n" for word, vector in other.items()]
    (tmp_path / "other.vec").write_text("".join(lines), encoding="utf-8")
    sides = {
        name: embedder(**{words: {"type": "word_vectors", "file": str(file)}})
        for name, words, file in (
            ("train", "words", vector_file),
            ("test", "test_words", tmp_path / "other.vec"),
        )
    }
    made = spaces(TransferEmbedder(**sides))
    sentences = [("yksi", "kolme"), ("kolme",), ("bir", "yksi")]
    assert made.encode(sentences).tolist() == [[2.0, 1.5], [3.0, 3.0], [1.0, 0.0]]
    of_other = made.encode(sentences, ["test_words"])
    assert of_other.tolist() == [[0.0, 2.0], [0.0, 0.0], [0.5, 1.0]]
    assert made.num_unknown(sentences) == 0 and made.num_unknown(sentences, ["test_words"]) == 1
    tokens = {"test_words": {"code_points": encode_words(sentences)}}
    assert torch.equal(made.encode_tensors(sides["test"], tokens), of_other)
