import numpy as np
import pytest

from linspector_allennlp.representations.vector_files.numpy_vectors import NumpyVectors

MATRIX = np.arange(12).reshape(4, 3) / 8


def saved(folder, matrix, words="a\nb\nc\nd\n"):
    np.save(folder / "v.npy", matrix)
    (folder / "v.words").write_text(words)
    return folder / "v.npy"


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4"])
@pytest.mark.parametrize("order", "CF")
def test_floats_of_any_size(tmp_path, dtype, order):
    vectors = NumpyVectors(saved(tmp_path, MATRIX.astype(dtype, order=order)))
    assert (vectors.dimension, vectors.num_rows) == (3, 4)
    chunks = list(vectors.chunks(3))
    assert [words for words, _ in chunks] == [[b"a", b"b", b"c"], [b"d"]]
    np.testing.assert_array_equal(np.concatenate([matrix for _, matrix in chunks]), MATRIX)


def test_the_matrix_is_not_loaded(tmp_path):
    assert isinstance(NumpyVectors(saved(tmp_path, MATRIX))._matrix, np.memmap)


def test_another_word_list(tmp_path):
    path = saved(tmp_path, MATRIX, "")
    (tmp_path / "list").write_text("e\nf\ng\nh\n")
    ((words, _),) = NumpyVectors(path, tmp_path / "list").chunks()
    assert words == [b"e", b"f", b"g", b"h"]
    with pytest.raises(ValueError, match="v.words: expected 4 words, .* row of .*v.npy; found 0"):
        NumpyVectors(path)


BROKEN = {
    "integers": (MATRIX.astype(int), "expected numbers of the type float16, .*; found int64"),
    "objects": (
        np.array([[None]]),
        "expected a whole NumPy array of numbers; .*Python objects in dtype. S",
    ),
    "flat": (MATRIX.ravel(), r"expected a matrix .*; found an array of the shape \(12,\)"),
    "empty": (MATRIX[:0], r"expected a matrix .*; found an array of the shape \(0, 3\)"),
}


@pytest.mark.parametrize("matrix, message", BROKEN.values(), ids=BROKEN.keys())
def test_other_arrays(tmp_path, matrix, message):
    with pytest.raises(ValueError, match=f"v.npy: {message}"):
        NumpyVectors(saved(tmp_path, matrix))


@pytest.mark.parametrize("kept", [7, 60, -8])
def test_a_truncated_file(tmp_path, kept):
    path = saved(tmp_path, MATRIX)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ValueError, match="v.npy: expected a whole NumPy array .*; found .* bytes"):
        NumpyVectors(path)
