import h5py
import numpy as np
import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.vector_files.hdf5_vectors import Hdf5Vectors

MATRIX = np.arange(8, dtype="f4").reshape(4, 2) / 8
WORDS = ["bär", "new york", "and/or", "1/2/3"]


def saved(folder, **datasets):
    with h5py.File(folder / "v.h5", "w") as file:
        for name, content in datasets.items():
            file[name] = content
    return folder / "v.h5"


def read(path, words=None, rows=3):
    chunks = list(Hdf5Vectors(path, words).chunks(rows))
    vectors = [vector for _, matrix in chunks for vector in matrix.tolist()]
    return dict(zip([word.decode() for words, _ in chunks for word in words], vectors))


EXPECTED = dict(zip(WORDS, MATRIX.tolist()))


def test_a_dataset_for_each_word(tmp_path):
    path = saved(tmp_path, **dict(zip(WORDS, MATRIX)))
    assert read(path) == EXPECTED
    with pytest.raises(ConfigurationError, match="v.h5 has its own words"):
        Hdf5Vectors(path, "list")


@pytest.mark.parametrize("kind", [h5py.string_dtype(), "S12"])
@pytest.mark.parametrize("name", ["words", "a/group/labels"])
def test_a_matrix_and_its_words(tmp_path, kind, name):
    words = np.array([word.encode() for word in WORDS]).astype(kind)
    counts = np.arange(4)  # no vectors
    path = saved(tmp_path, **{"vectors": MATRIX.astype("f8"), name: words, "counts": counts})
    assert read(path) == EXPECTED
    (tmp_path / "list").write_text("a\nb\nc\nd\n")
    assert list(read(path, tmp_path / "list")) == ["a", "b", "c", "d"]


def test_a_matrix_and_a_word_list(tmp_path):
    path = saved(tmp_path, vectors=MATRIX)
    (tmp_path / "v.txt").write_text("\n".join(WORDS), encoding="utf-8")
    assert read(path) == EXPECTED
    assert Hdf5Vectors(path).files == [str(path), str(tmp_path / "v.txt")]
    (tmp_path / "v.txt").unlink()
    with pytest.raises(ConfigurationError, match="v.h5 has vectors but no words"):
        Hdf5Vectors(path)


BROKEN = {
    "two matrices": ({"a": MATRIX, "b": MATRIX}, "found 0 vectors, 2 matrices, 0 lists"),
    "both": ({"a": MATRIX, "b": MATRIX[0]}, "found 1 vectors, 1 matrices, 0 lists"),
    "integers": ({"a": MATRIX.astype(int)}, "found 0 vectors, .* 1 other datasets. Save the vec"),
    "nothing": ({}, "found 0 vectors, 0 matrices, 0 lists of words and 0 other"),
    "too few words": ({"m": MATRIX, "w": ["a"]}, "its words: expected 4 words, .*; found 1"),
    "other lengths": ({"a": MATRIX[0], "b": np.ones(3)}, "word 'b': expected a vector of the sh"),
    "not finite": ({"a": MATRIX[0] * np.nan}, "row 1, word 'a': .* finite as float32; found nan"),
    "empty": ({"m": MATRIX[:0]}, r"dataset 'm': expected a matrix .*shape \(0, 2\)"),
}


@pytest.mark.parametrize("datasets, message", BROKEN.values(), ids=BROKEN.keys())
def test_other_contents(tmp_path, datasets, message):
    with pytest.raises(ValueError, match=f"v.h5.*{message}"):
        read(saved(tmp_path, **datasets))


def test_a_truncated_file(tmp_path):
    path = saved(tmp_path, vectors=MATRIX)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match="v.h5: expected a whole HDF5 file; .*truncated"):
        Hdf5Vectors(path)
