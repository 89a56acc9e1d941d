import bz2
import gzip
import lzma
import pickle
import shlex
import struct
import tempfile
from pathlib import Path

import h5py
import numpy as np
import pytest
from allennlp.common.checks import ConfigurationError
from gensim.models import FastText, KeyedVectors
from gensim.models.fasttext import save_facebook_model
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from linspector_allennlp.representations.vector_files.vector_sources import (
    files_beside,
    kind_of,
    open_vectors,
)

WORDS = ["talo", "bär", "kala", "z"]
MATRIX = np.random.default_rng(0).normal(size=(4, 3)).astype("f4")


def keyed_vectors():
    vectors = KeyedVectors(3)
    vectors.add_vectors(WORDS, MATRIX)
    return vectors


def save_hdf5(path):
    with h5py.File(path, "w") as file:
        file.update({"vectors": MATRIX, "words": WORDS})


def save_numpy(path):
    with open(path, "wb") as file:
        np.save(file, MATRIX)
    Path(path).with_suffix(".words").write_text("\n".join(WORDS), encoding="utf-8")


def packed(save):
    def save_packed(path):
        save(path)
        Path(path).write_bytes(gzip.compress(Path(path).read_bytes()))

    return save_packed


def save_text(path):
    keyed_vectors().save_word2vec_format(path)


def save_binary(path):
    keyed_vectors().save_word2vec_format(path, binary=True)


SAVED = {
    "text": (save_text, "text"),
    "text.gz": (packed(save_text), "text"),
    "word2vec": (save_binary, "word2vec"),
    "word2vec.gz": (packed(save_binary), "word2vec"),
    "numpy": (save_numpy, "numpy"),
    "hdf5": (save_hdf5, "hdf5"),
    "safetensors": (lambda path: save_file(dict(zip(WORDS, MATRIX)), path), "safetensors"),
}


@pytest.mark.parametrize("save, kind", SAVED.values(), ids=SAVED.keys())
@pytest.mark.parametrize("name", ["vectors", "v.vec", "v.bin", "v.npy"])
def test_the_content_says_of_what_kind_a_file_is(tmp_path, save, kind, name):
    if kind == "text" and name == "v.npy":
        return
    path = tmp_path / name
    save(str(path))
    assert kind_of(path) == kind
    vectors = open_vectors(path)
    ((words, matrix),) = vectors.chunks()
    found = {word.decode(): vector.tolist() for word, vector in zip(words, matrix)}
    assert found == dict(zip(WORDS, MATRIX.tolist()))
    assert vectors.dimension == 3 and len(vectors.fingerprint or "") == 64


@given(st.data(), st.integers(1, 60), st.booleans())
def test_text_and_binary_files_of_word2vec(data, dimension, is_binary):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    vectors = KeyedVectors(dimension)
    vectors.add_vectors(list("äbcdefghij"), rng.normal(size=(10, dimension)).astype("f4"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "v")
        vectors.save_word2vec_format(str(path), binary=is_binary)
        assert kind_of(path) == ("word2vec" if is_binary else "text")


@pytest.mark.parametrize(
    "line", ["new york .1 .2 .3", "a 1 x 3", "a 1 2", "yö tä 1 x 3", "a\t1\t2\t3", "x" * 70000]
)
def test_text_stays_text_where_its_first_line_is_broken(tmp_path, line):
    (tmp_path / "v.vec").write_text(f"1 3\n{line}\n", encoding="utf-8")
    assert kind_of(tmp_path / "v.vec") == "text"


REFUSED = {
    "zip": (b"PK\x03\x04...", "found a zip archive. Unpack it; a matrix of an .npz is saved alone"),
    "bzip2": (bz2.compress(b"a 1 2\n"), "found a file compressed by bzip2. Unpack it"),
    "xz": (lzma.compress(b"a 1 2\n"), "found a file compressed by xz. Unpack it"),
    "fasttext": (struct.pack("<ii", 793712314, 12), "the representation fasttext"),
    "fasttext.gz": (gzip.compress(struct.pack("<i", 793712314)), "fasttext_vectors"),
    "npy.gz": (gzip.compress(b"\x93NUMPY\1\0"), "expected a plain numpy file; found it in gzip"),
    "unknown": (b"\1\2\3\0\4" * 9, "expected word vectors as text, .*; found something else. Is"),
    "dictionary": (pickle.dumps({"a": [1.0]}), "found a pickle, as gensim saves its KeyedVectors"),
    "array": (pickle.dumps(MATRIX, 4), "found a pickle, as gensim saves its KeyedVectors"),
}


@pytest.mark.parametrize("content, message", REFUSED.values(), ids=REFUSED.keys())
def test_other_files(tmp_path, content, message):
    (tmp_path / "v.bin").write_bytes(content)
    with pytest.raises(ValueError, match=f"v.bin: .*{message}"):
        open_vectors(tmp_path / "v.bin")


@pytest.mark.parametrize("ending", ["npy", "h5", "hdf5", "safetensors"])
def test_a_name_that_is_not_true(tmp_path, ending):
    (tmp_path / f"v.{ending}").write_text("<html>404</html>")
    with pytest.raises(ValueError, match=f"v.{ending}: expected .*; found something else. Is it a"):
        open_vectors(tmp_path / f"v.{ending}")


@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize("name", ["v.kv", "v"])
def test_the_files_of_gensim_are_to_be_converted(tmp_path, protocol, name):
    path = tmp_path / name
    keyed_vectors().save(str(path), separately=["vectors"], pickle_protocol=protocol)
    with pytest.raises(
        ValueError, match=f"{name}: expected .*; found a pickle, as gensim"
    ) as error:
        open_vectors(path)
    python, option, program = shlex.split(str(error.value).rpartition("convert it: ")[2])
    assert (python, option) == ("python", "-c")
    exec(program, {})
    ((words, matrix),) = open_vectors(tmp_path / f"{name}.bin").chunks()
    assert [word.decode() for word in words] == WORDS
    np.testing.assert_array_equal(matrix, MATRIX)


@pytest.mark.parametrize("name", ["a$(touch x).kv", "`touch x`.kv", "it's.kv", 'q".kv'])
def test_the_line_for_a_shell_runs_nothing_of_the_name(tmp_path, name):
    (tmp_path / name).write_bytes(b"<html>404</html>")
    with pytest.raises(ValueError, match="convert it: ") as error:
        open_vectors(tmp_path / name)
    *_, program = shlex.split(str(error.value).rpartition("convert it: ")[2])
    assert repr(str(tmp_path / name)) in program


@pytest.mark.parametrize("content", [b"<html>404</html>", b"\1\2\3\0\4"])
def test_another_file_with_the_name_of_gensims(tmp_path, content):
    (tmp_path / "v.kv").write_bytes(content)
    message = "v.kv: expected .*; found a file with its name, as gensim .*KeyedVectors.load"
    with pytest.raises(ValueError, match=message):
        files_beside(tmp_path / "v.kv")


def test_a_word2vec_file_may_have_any_name(tmp_path):
    save_binary(str(tmp_path / "v.kv"))
    assert kind_of(tmp_path / "v.kv") == "word2vec"


def test_a_real_fasttext_file(tmp_path):
    model = FastText([["talo", "kala"] * 5] * 5, vector_size=3, min_count=1, bucket=10)
    save_facebook_model(model, str(tmp_path / "v.bin"))
    with pytest.raises(ValueError, match="v.bin: .*fastText model.*representation fasttext"):
        open_vectors(tmp_path / "v.bin")


def test_a_folder(tmp_path):
    with pytest.raises(ValueError, match="expected a file with word vectors; found a folder"):
        open_vectors(tmp_path)


def test_an_empty_file(tmp_path):
    (tmp_path / "v.vec").touch()
    with pytest.raises(ValueError, match="v.vec: empty"):
        open_vectors(tmp_path / "v.vec")


@pytest.mark.parametrize("save", [save_text, save_binary])
def test_a_word_list_that_is_not_needed(tmp_path, save):
    save(str(tmp_path / "v"))
    with pytest.raises(
        ConfigurationError, match='has its own words; found list. Leave "words" out'
    ):
        open_vectors(tmp_path / "v", "list")


def test_files_beside(tmp_path):
    for name, save in (("v.vec", save_text), ("v.npy", save_numpy)):
        save(str(tmp_path / name))
    assert files_beside(tmp_path / "v.vec") == []
    assert files_beside(tmp_path / "v.npy") == [tmp_path / "v.words"]
    assert files_beside(tmp_path / "v.npy", tmp_path / "list") == [tmp_path / "list"]
