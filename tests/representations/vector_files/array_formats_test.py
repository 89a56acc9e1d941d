import json
import sys

import h5py
import numpy as np
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from safetensors.numpy import save_file
from safetensors.torch import save_file as save_torch_file

from linspector_allennlp.representations.vector_files.array_formats import (
    Hdf5Vectors,
    NumpyVectors,
    SafetensorsVectors,
)

MATRIX = np.arange(8, dtype="f4").reshape(4, 2) / 8


# NumPy

NUMPY_MATRIX = np.arange(12).reshape(4, 3) / 8


def saved_numpy(folder, matrix, words="a\nb\nc\nd\n"):
    np.save(folder / "v.npy", matrix)
    (folder / "v.words").write_text(words)
    return folder / "v.npy"


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4"])
@pytest.mark.parametrize("order", "CF")
def test_numpy_floats_of_any_size(tmp_path, dtype, order):
    vectors = NumpyVectors(saved_numpy(tmp_path, NUMPY_MATRIX.astype(dtype, order=order)))
    assert (vectors.dimension, vectors.num_rows) == (3, 4)
    chunks = list(vectors.chunks(3))
    assert [words for words, _ in chunks] == [[b"a", b"b", b"c"], [b"d"]]
    np.testing.assert_array_equal(np.concatenate([matrix for _, matrix in chunks]), NUMPY_MATRIX)


def test_numpy_the_matrix_is_not_loaded(tmp_path):
    assert isinstance(NumpyVectors(saved_numpy(tmp_path, NUMPY_MATRIX))._matrix, np.memmap)


def test_numpy_another_word_list(tmp_path):
    path = saved_numpy(tmp_path, NUMPY_MATRIX, "")
    (tmp_path / "list").write_text("e\nf\ng\nh\n")
    ((words, _),) = NumpyVectors(path, tmp_path / "list").chunks()
    assert words == [b"e", b"f", b"g", b"h"]
    with pytest.raises(ValueError, match="v.words: expected 4 words, .* row of .*v.npy; found 0"):
        NumpyVectors(path)


NUMPY_BROKEN = {
    "integers": (NUMPY_MATRIX.astype(int), "expected numbers of the type float16, .*; found int64"),
    "objects": (
        np.array([[None]]),
        "expected a whole NumPy array of numbers; .*Python objects in dtype. S",
    ),
    "flat": (NUMPY_MATRIX.ravel(), r"expected a matrix .*; found an array of the shape \(12,\)"),
    "empty": (NUMPY_MATRIX[:0], r"expected a matrix .*; found an array of the shape \(0, 3\)"),
}


@pytest.mark.parametrize("matrix, message", NUMPY_BROKEN.values(), ids=NUMPY_BROKEN.keys())
def test_numpy_other_arrays(tmp_path, matrix, message):
    with pytest.raises(ValueError, match=f"v.npy: {message}"):
        NumpyVectors(saved_numpy(tmp_path, matrix))


@pytest.mark.parametrize("kept", [7, 60, -8])
def test_numpy_a_truncated_file(tmp_path, kept):
    path = saved_numpy(tmp_path, NUMPY_MATRIX)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ValueError, match="v.npy: expected a whole NumPy array .*; found .* bytes"):
        NumpyVectors(path)


# HDF5


HDF5_WORDS = ["bär", "new york", "and/or", "1/2/3"]


def saved_hdf5(folder, **datasets):
    with h5py.File(folder / "v.h5", "w") as file:
        for name, content in datasets.items():
            file[name] = content
    return folder / "v.h5"


def read_hdf5(path, words=None, rows=3):
    chunks = list(Hdf5Vectors(path, words).chunks(rows))
    vectors = [vector for _, matrix in chunks for vector in matrix.tolist()]
    return dict(zip([word.decode() for words, _ in chunks for word in words], vectors))


HDF5_EXPECTED = dict(zip(HDF5_WORDS, MATRIX.tolist()))


def test_hdf5_a_dataset_for_each_word(tmp_path):
    path = saved_hdf5(tmp_path, **dict(zip(HDF5_WORDS, MATRIX)))
    assert read_hdf5(path) == HDF5_EXPECTED
    with pytest.raises(ConfigurationError, match="v.h5 has its own words"):
        Hdf5Vectors(path, "list")


@pytest.mark.parametrize("kind", [h5py.string_dtype(), "S12"])
@pytest.mark.parametrize("name", ["words", "a/group/labels"])
def test_hdf5_a_matrix_and_its_words(tmp_path, kind, name):
    words = np.array([word.encode() for word in HDF5_WORDS]).astype(kind)
    counts = np.arange(4)  # no vectors
    path = saved_hdf5(tmp_path, **{"vectors": MATRIX.astype("f8"), name: words, "counts": counts})
    assert read_hdf5(path) == HDF5_EXPECTED
    (tmp_path / "list").write_text("a\nb\nc\nd\n")
    assert list(read_hdf5(path, tmp_path / "list")) == ["a", "b", "c", "d"]


def test_hdf5_a_matrix_and_a_word_list(tmp_path):
    path = saved_hdf5(tmp_path, vectors=MATRIX)
    (tmp_path / "v.txt").write_text("\n".join(HDF5_WORDS), encoding="utf-8")
    assert read_hdf5(path) == HDF5_EXPECTED
    assert Hdf5Vectors(path).files == [str(path), str(tmp_path / "v.txt")]
    (tmp_path / "v.txt").unlink()
    with pytest.raises(ConfigurationError, match="v.h5 has vectors but no words"):
        Hdf5Vectors(path)


HDF5_BROKEN = {
    "two matrices": ({"a": MATRIX, "b": MATRIX}, "found 0 vectors, 2 matrices, 0 lists"),
    "both": ({"a": MATRIX, "b": MATRIX[0]}, "found 1 vectors, 1 matrices, 0 lists"),
    "integers": (
        {"a": MATRIX.astype(int)},
        "found 0 vectors, .* 1 other datasets. Save the vec",
    ),
    "nothing": ({}, "found 0 vectors, 0 matrices, 0 lists of words and 0 other"),
    "too few words": ({"m": MATRIX, "w": ["a"]}, "its words: expected 4 words, .*; found 1"),
    "other lengths": (
        {"a": MATRIX[0], "b": np.ones(3)},
        "word 'b': expected a vector of the sh",
    ),
    "not finite": (
        {"a": MATRIX[0] * np.nan},
        "row 1, word 'a': .* finite as float32; found nan",
    ),
    "empty": ({"m": MATRIX[:0]}, r"dataset 'm': expected a matrix .*shape \(0, 2\)"),
}


@pytest.mark.parametrize("datasets, message", HDF5_BROKEN.values(), ids=HDF5_BROKEN.keys())
def test_hdf5_other_contents(tmp_path, datasets, message):
    with pytest.raises(ValueError, match=f"v.h5.*{message}"):
        read_hdf5(saved_hdf5(tmp_path, **datasets))


def test_hdf5_a_truncated_file(tmp_path):
    path = saved_hdf5(tmp_path, vectors=MATRIX)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match="v.h5: expected a whole HDF5 file; .*truncated"):
        Hdf5Vectors(path)


# safetensors


TENSOR_WORDS = ["1/2", "bär", "new york", "z"]
TENSOR_EXPECTED = dict(zip(TENSOR_WORDS, MATRIX.tolist()))


def saved_tensors(folder, tensors, **metadata):
    save_file(tensors, str(folder / "v.safetensors"), metadata or None)
    return folder / "v.safetensors"


def read_tensors(path, words=None):
    chunks = list(SafetensorsVectors(path, words).chunks(3))
    vectors = [vector for _, matrix in chunks for vector in matrix.tolist()]
    return dict(zip([word.decode() for words, _ in chunks for word in words], vectors))


def test_safetensors_a_tensor_for_each_word(tmp_path):
    path = saved_tensors(tmp_path, dict(zip(TENSOR_WORDS, MATRIX)))
    assert read_tensors(path) == TENSOR_EXPECTED
    with pytest.raises(ConfigurationError, match="v.safetensors has its own words"):
        SafetensorsVectors(path, "list")


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_safetensors_a_matrix_with_its_words_in_the_metadata(tmp_path, dtype):
    path = saved_tensors(
        tmp_path, {"vectors": MATRIX.astype(dtype)}, words=json.dumps(TENSOR_WORDS)
    )
    assert read_tensors(path) == TENSOR_EXPECTED
    (tmp_path / "list").write_text("a\nb\nc\nd\n")
    assert list(read_tensors(path, tmp_path / "list")) == ["a", "b", "c", "d"]


def test_safetensors_a_matrix_and_a_word_list(tmp_path):
    path = saved_tensors(tmp_path, {"vectors": MATRIX})
    with pytest.raises(ConfigurationError, match="v.safetensors has vectors but no words"):
        SafetensorsVectors(path)
    (tmp_path / "v.txt").write_text("\n".join(TENSOR_WORDS), encoding="utf-8")
    assert read_tensors(path) == TENSOR_EXPECTED
    assert SafetensorsVectors(path).files == [str(path), str(tmp_path / "v.txt")]


TENSOR_BROKEN = {
    "two matrices": (
        {"a": MATRIX, "b": MATRIX},
        None,
        r"found 2 tensors .* \(4, 2\), \(4, 2\)",
    ),
    "nothing": ({}, None, "found 0 tensors"),
    "integers": (
        {"a": MATRIX.astype("i4")},
        None,
        "expected numbers .* float64; found I32. Save",
    ),
    "empty": (
        {"a": MATRIX[:0]},
        "[]",
        r"tensor 'a': expected a matrix .*shape \(0, 2\)",
    ),
    "other lengths": (
        {"a": MATRIX[0], "b": np.ones(3)},
        None,
        "word 'b': expected a vector",
    ),
    "no list": (
        {"a": MATRIX},
        "a b c d",
        "metadata: expected a JSON list of words .*'a b c d'",
    ),
    "no words": (
        {"a": MATRIX},
        "[1, 2, 3, 4]",
        "metadata: expected a JSON list of words",
    ),
    "too few words": (
        {"a": MATRIX},
        '["a"]',
        "metadata: expected 4 words, .*; found 1",
    ),
}


@pytest.mark.parametrize(
    "tensors, words, message", TENSOR_BROKEN.values(), ids=TENSOR_BROKEN.keys()
)
def test_safetensors_other_contents(tmp_path, tensors, words, message):
    metadata = {} if words is None else {"words": words}
    with pytest.raises(ValueError, match=f"v.safetensors.*{message}"):
        read_tensors(saved_tensors(tmp_path, tensors, **metadata))


def test_safetensors_bfloat16(tmp_path):
    save_torch_file({"a": torch.ones(2, dtype=torch.bfloat16)}, str(tmp_path / "v.safetensors"))
    with pytest.raises(ValueError, match="found BF16. Save them anew as float32"):
        SafetensorsVectors(tmp_path / "v.safetensors")


def test_safetensors_a_truncated_file(tmp_path):
    path = saved_tensors(tmp_path, {"vectors": MATRIX})
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(
        ValueError, match="v.safetensors: expected a whole safetensors file; .*trun"
    ):
        SafetensorsVectors(path)


def test_safetensors_without_the_package(tmp_path, monkeypatch):
    path = saved_tensors(tmp_path, {"vectors": MATRIX})
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(ConfigurationError, match="v.safetensors: .*pip install safetensors"):
        SafetensorsVectors(path)
