import os
import pickle

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Word2Vec
from gensim.models.keyedvectors import Vocab

from linspector_allennlp.representations.vector_files.keyed_vectors_file import KeyedVectorsFile

WORDS = ["talo", "bär", "new york", "z"]
MATRIX = np.arange(8, dtype="f4").reshape(4, 2) / 8
SENTENCES = [["talo", "kala", "auto"] * 5] * 5


@pytest.fixture
def path(tmp_path):
    return tmp_path / "v.kv"


def keyed_vectors(matrix=MATRIX, dtype=np.float32):
    vectors = KeyedVectors(2, dtype=dtype)
    vectors.add_vectors(WORDS, matrix)
    return vectors


def read(path, rows=3):
    chunks = list(KeyedVectorsFile(path).chunks(rows))
    words = [word.decode() for words, _ in chunks for word in words]
    return words, np.concatenate([matrix for _, matrix in chunks])


@pytest.mark.parametrize("separately", [[], ["vectors"]])
@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_it_reads_what_gensim_saves_and_loads(path, separately, protocol, dtype):
    vectors = keyed_vectors(MATRIX.astype(dtype), dtype)
    vectors.save(str(path), separately=separately, pickle_protocol=protocol)
    theirs = KeyedVectors.load(str(path))
    words, matrix = read(path)
    assert words == theirs.index_to_key == WORDS
    np.testing.assert_array_equal(matrix, theirs.vectors)
    np.testing.assert_array_equal(matrix, MATRIX)
    assert len(KeyedVectorsFile(path).files) == 1 + len(separately)


def test_the_vectors_of_a_trained_model(path):
    model = Word2Vec(SENTENCES, vector_size=5, min_count=1, seed=1)
    model.wv.fill_norms()
    model.wv.save(str(path))
    words, matrix = read(path)
    assert words == model.wv.index_to_key
    np.testing.assert_array_equal(matrix, model.wv.vectors)


@pytest.mark.parametrize("vectors, words", [("vectors", "index2word"), ("syn0", "index2entity")])
@pytest.mark.parametrize("separately", [False, True])
def test_what_older_versions_saved(path, vectors, words, separately):
    old = KeyedVectors.__new__(KeyedVectors)
    vocabulary = {word: Vocab(index=i, count=9 - i) for i, word in enumerate(WORDS)}
    old.__dict__.update({vectors: np.asfortranarray(MATRIX), words: WORDS, "vocab": vocabulary})
    old.save(str(path), separately=[vectors] if separately else [], pickle_protocol=2)
    content = path.read_bytes().replace(b"KeyedVectors\n", b"Word2VecKeyedVectors\n")
    path.write_bytes(content)
    assert b"cgensim.models.keyedvectors\nWord2VecKeyedVectors" in content
    found, matrix = read(path)
    assert found == WORDS
    np.testing.assert_array_equal(matrix, MATRIX)


def test_vectors_as_python_2_pickled_them(path):
    """Bytes (`U` and their number) are there what Python 3 reads as text."""
    numbers = MATRIX.astype("<f4").tobytes()
    dtype = b"cnumpy\ndtype\nU\2f4K\0K\1\x87R(K\3U\1<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"
    array = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\1b\x87R"
    array += b"(K\1K\4K\2\x86" + dtype + b"\x89U" + bytes([len(numbers)]) + numbers + b"tb"
    words = b"](" + b"".join(b"V%s\n" % word.encode("latin1") for word in WORDS) + b"e"
    attributes = b"}(U\4syn0" + array + b"U\nindex2word" + words + b"u"
    path.write_bytes(b"\x80\2cgensim.models.keyedvectors\nKeyedVectors\n)\x81" + attributes + b"b.")
    found, matrix = read(path)
    assert found == WORDS
    np.testing.assert_array_equal(matrix, MATRIX)


def test_a_program_is_refused(path, tmp_path):
    class Malicious:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "evidence"),)

    vectors = keyed_vectors()
    vectors.comment = Malicious()
    vectors.save(str(path))
    with pytest.raises(
        ValueError, match=r"v.kv: expected .*; found a pickle with \w+.mkdir, which"
    ):
        KeyedVectorsFile(path)
    assert not (tmp_path / "evidence").exists()


def test_a_whole_model(path):
    Word2Vec(SENTENCES, vector_size=5, min_count=1).save(str(path))
    with pytest.raises(
        ValueError, match="with gensim.models.word2vec.Word2Vec, .*model.wv.save_wo"
    ):
        KeyedVectorsFile(path)


def test_the_vectors_of_fasttext(path):
    FastText(SENTENCES, vector_size=5, min_count=1, bucket=10).wv.save(str(path))
    with pytest.raises(ValueError, match="v.kv: .*n-grams.*the representation fasttext"):
        KeyedVectorsFile(path)


BROKEN = {
    "words": ({"index_to_key": WORDS[:3]}, "its keys: expected 4 words, .*; found 3"),
    "numbers as keys": ({"index_to_key": [0, 1, 2, 3]}, "found the key 0, which is not a word"),
    "integers": ({"vectors": MATRIX.astype(int)}, "expected numbers .* float64; found int64"),
    "objects": ({"vectors": MATRIX.astype(object)}, "expected numbers .* float64; found object"),
    "flat": ({"vectors": MATRIX[0]}, r"expected a matrix .* \(2,\)"),
    "no array": ({"vectors": "none"}, "found vectors that are no array"),
    "not finite": ({"vectors": MATRIX * np.nan}, "row 1, word 'talo': .* finite .*; found nan"),
}


@pytest.mark.parametrize("attributes, message", BROKEN.values(), ids=BROKEN.keys())
def test_other_contents(path, attributes, message):
    vectors = keyed_vectors()
    vectors.__dict__.update(attributes)
    vectors.save(str(path))
    with pytest.raises(ValueError, match=f"v.kv.*{message}"):
        read(path)


def test_other_pickles(path):
    path.write_bytes(pickle.dumps({"talo": [1.0, 2.0]}))
    with pytest.raises(
        ValueError, match="v.kv: expected the KeyedVectors of gensim; found a pickled d"
    ):
        KeyedVectorsFile(path)
    vectors = keyed_vectors()
    del vectors.vectors
    path.write_bytes(pickle.dumps(vectors))
    with pytest.raises(ValueError, match="v.kv: expected .*; found no vectors"):
        KeyedVectorsFile(path)


def test_a_truncated_file(path):
    keyed_vectors().save(str(path))
    whole = path.read_bytes()
    for end in range(2, len(whole) - 1, 7):
        path.write_bytes(whole[:end])
        with pytest.raises(ValueError, match="v.kv: expected the KeyedVectors of gensim; found"):
            KeyedVectorsFile(path)


def test_a_missing_matrix(path):
    keyed_vectors().save(str(path), separately=["vectors"])
    path.with_name("v.kv.vectors.npy").unlink()
    with pytest.raises(FileNotFoundError, match="v.kv.vectors.npy: no such file; .*Copy it from"):
        KeyedVectorsFile(path)
