import copy
import logging
from hashlib import sha256
from pathlib import Path

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from gensim.models.fasttext import load_facebook_vectors

from linspector_allennlp.io.hashing import hashed_vectors
from linspector_allennlp.representations.fasttext_vectors import FastTextVectorsEmbedder
from tests.representations.fasttext_models import fasttext_bytes, train_fasttext


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINSPECTOR_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def file(tmp_path):
    """All n-grams share the last row; `talo` is (1 + 4 * 6) / 5, (2 - 4 * 3) / 5."""
    path = tmp_path / "small.bin"
    entries = [(b"talo", 0), (b"kala", 0)]
    path.write_bytes(fasttext_bytes(entries, [[1, 2], [-4, 12], [6, -3]]))
    return str(path)


TALO, KALA, OTHER = [5, -2], [4, 0], [6, -3]


def test_from_params(file):
    embedder = TokenEmbedder.from_params(Params({"type": "fasttext_vectors", "file": file}))
    assert isinstance(embedder, FastTextVectorsEmbedder)
    assert embedder.get_output_dim() == 2
    assert list(embedder.parameters()) == []
    code_points = torch.tensor([[[ord(c) for c in "talo"], [0] * 4, [ord(c) for c in "auto"]]])
    assert embedder(code_points).tolist() == [[TALO, [0, 0], OTHER]]


def test_unseen_words_are_composed_but_not_known(file):
    embedder = FastTextVectorsEmbedder(file)
    assert embedder.embed_forms(["kala", "auto", "talo"]).tolist() == [KALA, OTHER, TALO]
    assert embedder.knows(["kala", "auto", "Talo"]).tolist() == [True, False, False]


def test_as_gensim_does_it(tmp_path, fixtures):
    path = train_fasttext(tmp_path / "trained.bin", fixtures)
    reference = load_facebook_vectors(path)
    words = [*list(reference.key_to_index)[:20], "epäjärjestelmällinen", "ö", "🦊"]
    expected = numpy.array([reference[word] for word in words])
    assert abs(FastTextVectorsEmbedder(path).embed_forms(words) - expected).max() < 1e-6


@pytest.mark.parametrize("unk, expected", [("mean", [4.5, -1]), ("zeros", [0, 0])])
def test_unknown_words(file, unk, expected):
    embedder = FastTextVectorsEmbedder(file, unk=unk)
    assert embedder.embed_forms(["auto", "talo", "vene"]).tolist() == [expected, TALO, expected]


def test_random_vectors_of_unknown_words(file):
    embedder = FastTextVectorsEmbedder(file, unk="random", seed=5, lowercase=True)
    scale = ((5**2 + 2**2 + 4**2) / 4) ** 0.5
    vectors = embedder.embed_forms(["Auto", "Kala"])
    assert vectors[0] == pytest.approx(scale * hashed_vectors(["auto"], 2, 5)[0], rel=1e-6)
    assert vectors[1].tolist() == KALA


def test_unknown_words_can_be_an_error(file):
    embedder = FastTextVectorsEmbedder(file, unk="error")
    assert embedder.embed_forms(["talo"]).tolist() == [TALO]
    with pytest.raises(ValueError, match="no vector for 2 words, such as 'auto'"):
        embedder.embed_forms(["auto", "talo", "vene"])


def test_lower_case_is_a_setting(file):
    embedder = FastTextVectorsEmbedder(file, lowercase=True)
    assert embedder.knows(["TALO"]).all()
    assert embedder.embed_forms(["TALO"]).tolist() == [TALO]


def test_words_that_are_too_short_have_zeros_and_a_warning(tmp_path, caplog):
    path = tmp_path / "long.bin"
    path.write_bytes(fasttext_bytes([(b"a", 0)], [[1, 2], [6, -3]], lengths=(5, 5)))
    embedder = FastTextVectorsEmbedder(str(path))
    with caplog.at_level(logging.WARNING):
        # The word of the vocabulary has its own row and no n-gram either.
        assert embedder.embed_forms(["a", "auto", "yö"]).tolist() == [[1, 2], [6, -3], [0, 0]]
    assert "1 words are too short for its n-grams and have zeros, such as 'yö'" in caplog.text


def test_a_model_without_subwords_needs_another_policy(tmp_path):
    path = tmp_path / "plain.bin"
    path.write_bytes(fasttext_bytes([(b"talo", 0)], [[1, 2]], buckets=0))
    with pytest.raises(ConfigurationError, match='plain.bin has no subwords, .* "unk"'):
        FastTextVectorsEmbedder(str(path))
    embedder = FastTextVectorsEmbedder(str(path), unk="zeros")
    assert embedder.embed_forms(["talo", "auto"]).tolist() == [[1, 2], [0, 0]]


def test_an_unknown_policy(file):
    expected = "subwords, mean, zeros, random, shared_random, error, skip, found 'median'"
    with pytest.raises(ConfigurationError, match=expected):
        FastTextVectorsEmbedder(file, unk="median")


def test_provenance(file):
    assert FastTextVectorsEmbedder(file, lowercase=True).provenance() == {
        "path": file,
        "sha256": sha256(Path(file).read_bytes()).hexdigest(),
        "words": 2,
        "dimension": 2,
        "unk": "subwords",
        "lowercase": True,
    }


def test_the_archive_notices_another_file(file, tmp_path):
    state = FastTextVectorsEmbedder(file).state_dict()
    FastTextVectorsEmbedder(file).load_state_dict(state)
    other = tmp_path / "other.bin"
    other.write_bytes(fasttext_bytes([(b"talo", 0), (b"kala", 0)], [[1, 2], [-4, 12], [6, -4]]))
    with pytest.raises(ConfigurationError, match=r"other.bin is not what .*words\.file"):
        FastTextVectorsEmbedder(str(other)).load_state_dict(state)


def test_a_missing_file_says_how_to_name_another():
    with pytest.raises(FileNotFoundError, match="no/such.bin: there is no such file.*-o "):
        FastTextVectorsEmbedder("no/such.bin")


def test_a_text_file_is_sent_to_word_vectors(fixtures):
    with pytest.raises(ValueError, match='finnish.vec: .* "word_vectors"'):
        FastTextVectorsEmbedder(str(fixtures / "vectors" / "finnish.vec"))


def test_it_can_be_copied(file):
    twin = copy.deepcopy(FastTextVectorsEmbedder(file))
    assert twin.embed_forms(["talo"]).tolist() == [TALO]


def test_words_outside_the_vocabulary_can_be_skipped_or_share_a_vector(file):
    embedder = FastTextVectorsEmbedder(file, unk="skip")
    assert embedder.skips and not embedder.composes_unknown_words
    assert embedder.has_vectors(("kala", "auto"), [1, 0]).tolist() == [False, True]
    shared = FastTextVectorsEmbedder(file, unk="shared_random").embed_forms(["auto", "kala", "x"])
    assert (shared[0] == shared[2]).all() and shared[1].tolist() == KALA
