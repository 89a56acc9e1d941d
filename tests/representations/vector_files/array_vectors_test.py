import hashlib

import numpy as np
import pytest

from linspector_allennlp.representations.vector_files.array_vectors import (
    ArrayVectors,
    finite,
    stacked,
)


class TwoFiles(ArrayVectors):
    dimension, num_rows = 2, 3

    def blocks(self, rows):
        yield [b"a", b"b"], np.array([[1, 2], [3, 4]], "f8")
        yield [b"c"], np.array([[5, 6]], ">f2")


def test_all_files_are_in_the_fingerprint(tmp_path):
    digests = []
    for name in "vw":
        (tmp_path / name).write_text(name)
        digests.append(hashlib.sha256(name.encode()).hexdigest())
    vectors = TwoFiles(tmp_path / "v")
    assert vectors.fingerprint is None
    chunks = list(vectors.chunks())
    assert vectors.fingerprint == digests[0]
    assert [matrix.dtype for _, matrix in chunks] == [np.dtype("f4")] * 2
    assert [matrix.tolist() for _, matrix in chunks] == [[[1, 2], [3, 4]], [[5, 6]]]
    vectors.files.append(str(tmp_path / "w"))
    list(vectors.chunks())
    assert vectors.fingerprint == hashlib.sha256("".join(digests).encode()).hexdigest()


@pytest.mark.parametrize("number, shown", [(np.nan, "nan"), (-np.inf, "-inf"), (1e39, "1e\\+39")])
def test_numbers_that_are_not_finite(number, shown):
    with pytest.raises(ValueError, match=f"v, row 12, word 'bä': .* as float32; found {shown}. Re"):
        finite("v", [b"a", "bä".encode()], np.array([[1, 2], [3, number]]), 10)


def test_vectors_of_words_must_be_as_long():
    table = {b"a": np.ones(2), b"b": np.ones(2), b"c": np.ones(3)}
    with pytest.raises(ValueError, match=r"v, word 'c': .*shape \(2,\) as the first.*\(3,\)"):
        list(stacked("v", list(table), table.__getitem__, 2))
    with pytest.raises(ValueError, match=r"v: expected a matrix .* found .* shape \(1, 0\)"):
        list(stacked("v", [b"a"], lambda word: np.ones(0), 2))
