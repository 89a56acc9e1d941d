import builtins
import os
import pickle

import numpy as np
import pytest
from allennlp.common.checks import ConfigurationError
from gensim.models.fasttext import load_facebook_vectors
from gensim.test.utils import datapath
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.vector_files import fasttext_model
from linspector_allennlp.representations.vector_files.fasttext_model import FastTextModel, row_means
from tests.conftest import ROOT
from tests.representations.fasttext_models import fasttext_bytes, train_fasttext

ODD_WORDS = [
    "日本語", "ä", "x", "hyppytyynytyydytys" * 200, "e\u0301e\u0301", "👩‍👩‍👧", "<", ">", "a b", "\u200b",
    "ＡＢ", "ß",
]  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = train_fasttext(tmp_path_factory.mktemp("models") / "small.bin", ROOT / "fixtures")
    return FastTextModel(path), load_facebook_vectors(path)


@pytest.fixture
def by_hand(tmp_path):
    """All n-grams share the last row."""
    entries = [("yö".encode(), 0), (b"__label__a", 1), (b"talo", 0)]
    path = tmp_path / "small.bin"
    path.write_bytes(fasttext_bytes(entries, [[1, 2], [3, 6], [5, -10]]))
    return FastTextModel(path)


def test_vectors_by_hand(by_hand):
    assert len(by_hand) == 2
    assert by_hand.rows(["talo", "auto", "yö", "__label__a"]).tolist() == [1, -1, 0, -1]
    # <yö yö>; <ta tal alo lo>; <au aut
    assert by_hand.ngram_rows("yö") == [2, 2]
    vectors = by_hand.vectors(["yö", "talo", "auto"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[11 / 3, -6], [23 / 5, -34 / 5], [5, -10]]))


def test_mean_and_scale_by_hand(by_hand):
    assert by_hand.mean == pytest.approx([(11 / 3 + 23 / 5) / 2, (-6 - 34 / 5) / 2])
    squares = (11 / 3) ** 2 + 6**2 + (23 / 5) ** 2 + (34 / 5) ** 2
    assert by_hand.scale == pytest.approx((squares / 4) ** 0.5)


def test_mean_of_a_sample(trained, monkeypatch):
    model, reference = trained
    assert model.mean == pytest.approx(reference.vectors.mean(axis=0), abs=1e-6)
    monkeypatch.setattr(fasttext_model, "_SAMPLE", 3)
    sampled = FastTextModel(model.path)
    chosen = [0, (len(model) - 1) // 2, len(model) - 1]
    assert sampled.mean == pytest.approx(reference.vectors[chosen].mean(axis=0), abs=1e-6)


def test_the_vocabulary_is_gensims(trained):
    model, reference = trained
    words = list(reference.key_to_index)
    assert len(model) == len(words) > 50
    assert model.rows(words).tolist() == list(range(len(words)))
    assert abs(model.vectors(words) - reference[words]).max() < 1e-6


def test_unseen_words_are_composed_as_gensim_does_it(trained):
    model, reference = trained
    assert (model.rows(ODD_WORDS) == -1).all()
    for word, vector in zip(ODD_WORDS, model.vectors(ODD_WORDS)):
        assert abs(vector - reference[word]).max() < 1e-6, word


@given(st.lists(st.text(min_size=1)))
def test_any_words_as_gensim_does_it(trained, words):
    model, reference = trained
    vectors = model.vectors(words)
    assert vectors.shape == (len(words), 8)
    for word, vector in zip(words, vectors):
        assert abs(vector - reference[word]).max() < 1e-6


@pytest.mark.parametrize("lengths", [(1, 2), (2, 4), (5, 5), (0, 3)])
def test_n_grams_of_all_lengths(tmp_path, fixtures, lengths):
    path = train_fasttext(
        tmp_path / "small.bin", fixtures, min_n=lengths[0], max_n=lengths[1], bucket=70
    )
    model, reference = FastTextModel(path), load_facebook_vectors(path)
    words = [*reference.key_to_index, *ODD_WORDS]
    expected = np.array([reference[word] for word in words])
    assert abs(model.vectors(words) - expected).max() < 1e-6


@pytest.mark.parametrize(
    "name", ["lee_fasttext", "lee_fasttext_new", "crime-and-punishment", "toy-model-pretrained"]
)
def test_models_by_fasttext_itself(name):
    """Those that gensim's own tests use: before 2017, version 11, version 12."""
    path = datapath(f"{name}.bin")
    if not os.path.exists(path):
        pytest.skip("this gensim comes without its test data")
    model, reference = FastTextModel(path), load_facebook_vectors(path)
    words = [*reference.key_to_index, *ODD_WORDS]
    expected = np.array([reference[word] for word in words])
    assert abs(model.vectors(words) - expected).max() < 1e-6


def test_without_subwords(tmp_path):
    path = tmp_path / "small.bin"
    path.write_bytes(fasttext_bytes([(b"talo", 0)], [[1, 2]], buckets=0))
    model = FastTextModel(path)
    assert not model.has_subwords
    assert model.vectors(["talo", "auto"]).tolist() == [[1, 2], [0, 0]]


def test_more_words_than_a_block(by_hand, monkeypatch):
    words = ["yö", "talo", "auto", "vene", "kala"]
    whole = by_hand.vectors(words)
    monkeypatch.setattr(fasttext_model, "_BLOCK", 2)
    assert (by_hand.vectors(words) == whole).all()
    assert by_hand.vectors([]).shape == (0, 2)


def test_equal_hashes_are_told_apart(by_hand, monkeypatch):
    monkeypatch.setattr(fasttext_model, "hash", lambda word: 5, raising=False)
    clashing = FastTextModel(by_hand.path)
    assert clashing.rows(["talo", "auto", "yö"]).tolist() == [1, -1, 0]


def test_the_last_row_of_a_repeated_word_counts(tmp_path):
    path = tmp_path / "small.bin"
    path.write_bytes(fasttext_bytes([(b"a", 0), (b"b", 0), (b"a", 0)], [[1], [2], [3], [4]]))
    assert FastTextModel(path).rows(["a", "b"]).tolist() == [2, 1]


def test_numbers_that_are_none(tmp_path):
    path = tmp_path / "small.bin"
    path.write_bytes(fasttext_bytes([(b"a", 0), (b"b", 0)], [[1], [np.nan], [4]]))
    model = FastTextModel(path)
    assert model.vectors(["a"]).tolist() == [[2.5]]
    with pytest.raises(ValueError, match="small.bin: expected finite numbers; .* vector of 'b'"):
        model.vectors(["a", "b"])


def test_it_can_be_sent_to_another_process(by_hand):
    again = pickle.loads(pickle.dumps(by_hand))
    assert (again.vectors(["yö", "auto"]) == by_hand.vectors(["yö", "auto"])).all()


def test_an_empty_file(tmp_path):
    path = tmp_path / "empty.bin"
    path.touch()
    with pytest.raises(ValueError, match="empty.bin: expected a fastText model .* found no bytes"):
        FastTextModel(path)


def test_without_gensim(by_hand, monkeypatch):
    really_import = builtins.__import__

    def no_gensim(name, *args, **kwargs):
        if name.startswith("gensim"):
            raise ImportError(name)
        return really_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_gensim)
    with pytest.raises(ConfigurationError, match="pip install 'gensim>=4.3'"):
        FastTextModel(by_hand.path)


# Means of rows

ROWS = np.array([[1, 2], [3, 4], [-5, 0]], dtype=np.float32)


def test_means_by_hand():
    means = row_means([[0, 1], [], [2, 2, 1]], ROWS.__getitem__, 2)
    assert means.dtype == np.float32
    assert means == pytest.approx(np.array([[2, 3], [0, 0], [-7 / 3, 4 / 3]]))


def test_nothing_is_read_where_there_is_nothing_to_read():
    assert row_means([[], []], ROWS.__getitem__, 2).tolist() == [[0, 0], [0, 0]]
    assert row_means([], ROWS.__getitem__, 2).shape == (0, 2)


@given(st.lists(st.lists(st.integers(0, 2))))
def test_each_row_is_read_once(chosen):
    asked = []

    def read(rows):
        asked.append(rows.tolist())
        return ROWS[rows]

    means = row_means(chosen, read, 2)
    assert asked in ([], [sorted({row for rows in chosen for row in rows})])
    for rows, mean in zip(chosen, means):
        assert mean == pytest.approx(ROWS[rows].mean(axis=0) if rows else [0, 0], abs=1e-6)
