import json
import sys

import numpy as np
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from safetensors.numpy import save_file
from safetensors.torch import save_file as save_torch_file

from linspector_allennlp.representations.vector_files.safetensors_vectors import SafetensorsVectors

MATRIX = np.arange(8, dtype="f4").reshape(4, 2) / 8
WORDS = ["1/2", "bär", "new york", "z"]
EXPECTED = dict(zip(WORDS, MATRIX.tolist()))


def saved(folder, tensors, **metadata):
    save_file(tensors, str(folder / "v.safetensors"), metadata or None)
    return folder / "v.safetensors"


def read(path, words=None):
    chunks = list(SafetensorsVectors(path, words).chunks(3))
    vectors = [vector for _, matrix in chunks for vector in matrix.tolist()]
    return dict(zip([word.decode() for words, _ in chunks for word in words], vectors))


def test_a_tensor_for_each_word(tmp_path):
    path = saved(tmp_path, dict(zip(WORDS, MATRIX)))
    assert read(path) == EXPECTED
    with pytest.raises(ConfigurationError, match="v.safetensors has its own words"):
        SafetensorsVectors(path, "list")


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_a_matrix_with_its_words_in_the_metadata(tmp_path, dtype):
    path = saved(tmp_path, {"vectors": MATRIX.astype(dtype)}, words=json.dumps(WORDS))
    assert read(path) == EXPECTED
    (tmp_path / "list").write_text("a\nb\nc\nd\n")
    assert list(read(path, tmp_path / "list")) == ["a", "b", "c", "d"]


def test_a_matrix_and_a_word_list(tmp_path):
    path = saved(tmp_path, {"vectors": MATRIX})
    with pytest.raises(ConfigurationError, match="v.safetensors has vectors but no words"):
        SafetensorsVectors(path)
    (tmp_path / "v.txt").write_text("\n".join(WORDS), encoding="utf-8")
    assert read(path) == EXPECTED
    assert SafetensorsVectors(path).files == [str(path), str(tmp_path / "v.txt")]


BROKEN = {
    "two matrices": ({"a": MATRIX, "b": MATRIX}, None, r"found 2 tensors .* \(4, 2\), \(4, 2\)"),
    "nothing": ({}, None, "found 0 tensors"),
    "integers": ({"a": MATRIX.astype("i4")}, None, "expected numbers .* float64; found I32. Save"),
    "empty": ({"a": MATRIX[:0]}, "[]", r"tensor 'a': expected a matrix .*shape \(0, 2\)"),
    "other lengths": ({"a": MATRIX[0], "b": np.ones(3)}, None, "word 'b': expected a vector"),
    "no list": ({"a": MATRIX}, "a b c d", "metadata: expected a JSON list of words .*'a b c d'"),
    "no words": ({"a": MATRIX}, "[1, 2, 3, 4]", "metadata: expected a JSON list of words"),
    "too few words": ({"a": MATRIX}, '["a"]', "metadata: expected 4 words, .*; found 1"),
}


@pytest.mark.parametrize("tensors, words, message", BROKEN.values(), ids=BROKEN.keys())
def test_other_contents(tmp_path, tensors, words, message):
    metadata = {} if words is None else {"words": words}
    with pytest.raises(ValueError, match=f"v.safetensors.*{message}"):
        read(saved(tmp_path, tensors, **metadata))


def test_bfloat16(tmp_path):
    save_torch_file({"a": torch.ones(2, dtype=torch.bfloat16)}, str(tmp_path / "v.safetensors"))
    with pytest.raises(ValueError, match="found BF16. Save them anew as float32"):
        SafetensorsVectors(tmp_path / "v.safetensors")


def test_a_truncated_file(tmp_path):
    path = saved(tmp_path, {"vectors": MATRIX})
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(
        ValueError, match="v.safetensors: expected a whole safetensors file; .*trun"
    ):
        SafetensorsVectors(path)


def test_without_the_package(tmp_path, monkeypatch):
    path = saved(tmp_path, {"vectors": MATRIX})
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(ConfigurationError, match="v.safetensors: .*pip install safetensors"):
        SafetensorsVectors(path)
