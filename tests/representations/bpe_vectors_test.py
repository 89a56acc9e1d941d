import builtins
import copy
import logging
from hashlib import sha256
from pathlib import Path

import numpy
import pytest
import sentencepiece
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.io.hashing import hashed_vectors
from linspector_allennlp.representations.bpe_vectors import BpeVectorsEmbedder
from tests.conftest import ROOT
from tests.representations.fasttext_models import finnish_sentences


def write_vectors(path, vectors):
    lines = [f"{piece} {' '.join(map(str, row))}\n" for piece, row in vectors.items()]
    path.write_text(f"{len(lines)} 2\n" + "".join(lines), encoding="utf-8")
    return str(path)


class Files:
    """A SentencePiece model of Finnish words, and for its i-th piece the vector (i, -i * i)."""

    def __init__(self, folder):
        self.model = str(folder / "small.model")
        words = [word.lower() for row in finnish_sentences(ROOT / "fixtures") for word in row]
        with open(self.model, "wb") as writer:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter([*words, "1 0 0 0"]), model_writer=writer, vocab_size=100,
                model_type="bpe", character_coverage=1.0, minloglevel=2,
            )  # fmt: skip
        self.processor = sentencepiece.SentencePieceProcessor(model_file=self.model)
        pieces = [self.processor.id_to_piece(i) for i in range(3, 100)]  # not <unk> <s> </s>
        self.vectors_of = {piece: [float(i), float(-i * i)] for i, piece in enumerate(pieces)}
        self.vectors = write_vectors(folder / "small.vec", self.vectors_of)

    def pieces(self, word):
        return self.processor.encode(word, out_type=str)

    def mean(self, pieces):
        return numpy.mean([self.vectors_of[piece] for piece in pieces], axis=0)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINSPECTOR_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return Files(tmp_path_factory.mktemp("bpe"))


@pytest.fixture(scope="module")
def embedder(files):
    return BpeVectorsEmbedder(files.model, files.vectors)


def test_from_params(files):
    params = {"type": "bpe_vectors", "model": files.model, "vectors": files.vectors}
    embedder = TokenEmbedder.from_params(Params(params))
    assert isinstance(embedder, BpeVectorsEmbedder)
    assert embedder.get_output_dim() == 2
    assert list(embedder.parameters()) == []
    code_points = torch.tensor([[[ord(c) for c in "talo"], [0] * 4]])
    (word, padding), = embedder(code_points).tolist()  # fmt: skip
    assert word == pytest.approx(files.mean(files.pieces("talo")), rel=1e-6)
    assert padding == [0, 0]


def test_a_word_is_the_mean_of_its_pieces(files, embedder):
    words = ["suomalaista", "ystävä", "talossa", "minä"]
    assert max(len(files.pieces(word)) for word in words) > 2
    vectors = embedder.embed_forms(words)
    assert vectors.dtype == numpy.float32
    for word, vector in zip(words, vectors):
        assert files.pieces(word)[0].startswith("▁")
        assert vector == pytest.approx(files.mean(files.pieces(word)), rel=1e-5)
    assert embedder.knows(words).all()


def test_vectors_as_bpemb_has_them(files, embedder, tmp_path):
    vectors = KeyedVectors(2)
    vectors.add_vectors(list(files.vectors_of), list(files.vectors_of.values()))
    path = str(tmp_path / "small.w2v.bin")
    vectors.save_word2vec_format(path, binary=True)
    words = ["suomalaista", "TALO", "日本"]
    expected = embedder.embed_forms(words)
    assert (BpeVectorsEmbedder(files.model, path).embed_forms(words) == expected).all()


def test_pieces_without_a_vector_are_left_out(files, embedder):
    assert files.pieces("talo語") == [*files.pieces("talo"), "語"]
    expected = embedder.embed_forms(["talo"])
    assert (embedder.embed_forms(["talo語"]) == expected).all()
    assert embedder.knows(["talo", "talo語"]).tolist() == [True, False]


def test_the_bare_mark_does_not_make_a_word_known(files, embedder):
    assert files.pieces("日本") == ["▁", "日本"]
    assert files.pieces("\u200b") == []
    assert embedder.knows(["日本", "\u200b", "talo"]).tolist() == [False, False, True]
    mean = numpy.mean(list(files.vectors_of.values()), axis=0)
    assert embedder.embed_forms(["\u200b", "日本"]) == pytest.approx(numpy.array([mean, mean]))


def test_other_policies(files):
    words = ["日本", "talo"]
    talo = pytest.approx(files.mean(files.pieces("talo")), rel=1e-6)
    zeros = BpeVectorsEmbedder(files.model, files.vectors, unk="zeros").embed_forms(words)
    assert zeros[0].tolist() == [0, 0] and zeros[1] == talo
    random = BpeVectorsEmbedder(files.model, files.vectors, unk="random", seed=3)
    scale = numpy.sqrt(numpy.mean(numpy.square(list(files.vectors_of.values()))))
    expected = scale * hashed_vectors(["日本"], 2, 3)[0]
    assert random.embed_forms(words)[0] == pytest.approx(expected, rel=1e-6)
    error = BpeVectorsEmbedder(files.model, files.vectors, unk="error")
    assert error.embed_forms(["talo語"])[0] == talo
    with pytest.raises(ValueError, match="small.vec has no vector for 1 words, such as '日本'"):
        error.embed_forms(words)


@given(st.lists(st.text(alphabet="taloksiäöTALO 019日語▁\u0308", min_size=1, max_size=8)))
def test_any_words(files, embedder, words):
    vectors, known = embedder.embed_forms(words), embedder.knows(words)
    mean = numpy.mean(list(files.vectors_of.values()), axis=0)
    for word, vector, is_known in zip(words, vectors, known):
        prepared = "".join("0" if letter.isdigit() else letter for letter in word.lower())
        pieces = files.pieces(prepared)
        found = [piece for piece in pieces if piece in files.vectors_of]
        expected = files.mean(found) if set(found) - {"▁"} else mean
        assert vector == pytest.approx(expected, rel=1e-5)
        assert is_known == (len(found) == len(pieces) and bool(set(found) - {"▁"}))


def test_lower_case_and_digits_are_settings(files, embedder):
    plain = BpeVectorsEmbedder(
        files.model, files.vectors, lowercase=False, digits_to_zero=False, unk="zeros"
    )
    assert (embedder.embed_forms(["TALO"]) == embedder.embed_forms(["talo"])).all()
    assert embedder.knows(["TALO"]).all() and not plain.knows(["TALO"]).any()
    assert (embedder.embed_forms(["1٣9"]) == plain.embed_forms(["000"])).all()
    assert embedder.knows(["199"]).all() and not plain.knows(["199"]).any()
    # The model has seen a 1.
    assert (embedder.embed_forms(["1"]) != plain.embed_forms(["1"])).any()


def test_files_that_do_not_belong_together(files, tmp_path, caplog):
    none = write_vectors(tmp_path / "none.vec", {"日": [1, 2]})
    with pytest.raises(
        ConfigurationError, match="none.vec has a vector for none of the 100 pieces"
    ):
        BpeVectorsEmbedder(files.model, none)
    some = dict(list(files.vectors_of.items())[:40])
    with caplog.at_level(logging.WARNING):
        BpeVectorsEmbedder(files.model, write_vectors(tmp_path / "some.vec", some))
    assert "some.vec has vectors for only 40 % of the 100 pieces" in caplog.text


def test_no_warning_where_they_do(files, caplog):
    with caplog.at_level(logging.WARNING):
        BpeVectorsEmbedder(files.model, files.vectors)
    assert "belong together" not in caplog.text


def test_provenance(files, embedder):
    assert embedder.provenance() == {
        "model": files.model,
        "model_sha256": sha256(Path(files.model).read_bytes()).hexdigest(),
        "path": files.vectors,
        "sha256": sha256(Path(files.vectors).read_bytes()).hexdigest(),
        "pieces": 97,
        "dimension": 2,
        "unk": "mean",
        "lowercase": True,
        "digits_to_zero": True,
    }


def test_the_archive_notices_other_files(files, embedder, tmp_path):
    state = embedder.state_dict()
    BpeVectorsEmbedder(files.model, files.vectors).load_state_dict(state)
    changed = {**files.vectors_of, "▁": [0.5, 0.5]}
    other = BpeVectorsEmbedder(files.model, write_vectors(tmp_path / "other.vec", changed))
    with pytest.raises(ConfigurationError, match=r"other.vec is not what .*words\.vectors"):
        other.load_state_dict(state)
    other = tmp_path / "other.model"
    with open(other, "wb") as writer:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["talossa kalassa"]), model_writer=writer, vocab_size=15,
            model_type="bpe", minloglevel=2,
        )  # fmt: skip
    with pytest.raises(ConfigurationError, match=r"other.model is not what .*words\.model"):
        BpeVectorsEmbedder(str(other), files.vectors).load_state_dict(state)


@pytest.mark.parametrize("content", [b"", b"2 2\ntalo 1 2\nkala 3 4\n"])
def test_what_is_no_sentencepiece_model(files, tmp_path, content):
    path = tmp_path / "wrong.model"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="wrong.model: expected a SentencePiece model"):
        BpeVectorsEmbedder(str(path), files.vectors)


def test_missing_files(files):
    with pytest.raises(FileNotFoundError, match="no/such.model: there is no such file.*-o "):
        BpeVectorsEmbedder("no/such.model", files.vectors)
    with pytest.raises(FileNotFoundError, match="no/such.vec: there is no such file.*-o "):
        BpeVectorsEmbedder(files.model, "no/such.vec")


def test_an_unknown_policy(files):
    with pytest.raises(
        ConfigurationError,
        match="mean, zeros, random, shared_random, error, skip, found 'subwords'",
    ):
        BpeVectorsEmbedder(files.model, files.vectors, unk="subwords")


def test_without_sentencepiece(files, monkeypatch):
    really_import = builtins.__import__

    def no_sentencepiece(name, *args, **kwargs):
        if name == "sentencepiece":
            raise ImportError(name)
        return really_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_sentencepiece)
    with pytest.raises(ConfigurationError, match="pip install 'sentencepiece>=0.1.96'"):
        BpeVectorsEmbedder(files.model, files.vectors)


def test_it_can_be_copied(embedder):
    twin = copy.deepcopy(embedder)
    assert (twin.embed_forms(["talo"]) == embedder.embed_forms(["talo"])).all()


def test_what_is_skipped_has_no_piece_with_a_vector(files):
    """A word of which one piece is known has a vector, though it is not wholly known."""
    embedder = BpeVectorsEmbedder(files.model, files.vectors, unk="skip")
    words = ("talo", "talo語", "日本")
    assert embedder.skips and embedder.knows(words).tolist() == [True, False, False]
    assert embedder.has_vectors(words, [0, 1, 2]).tolist() == [True, True, False]
    assert len(embedder.embed_forms(words[:2])) == 2
    with pytest.raises(ValueError, match="no vector for the word '日本'"):
        embedder.embed_forms(words)
