import sys

import h5py
import numpy as np
import pytest
from allennlp.common.checks import ConfigurationError
from safetensors.numpy import save_file

from linspector_allennlp.io.arrays import (
    HDF5,
    NPY,
    ONLY,
    SAFETENSORS,
    array_kind,
    find_array,
    first_array,
    open_arrays,
    open_hdf5,
    open_npy,
    open_safetensors,
    reading_arrays,
)

MATRIX = np.arange(600, dtype="f4").reshape(3, 200)


@pytest.fixture(params=[HDF5, NPY, SAFETENSORS])
def kind(request):
    return request.param


@pytest.fixture
def path(kind, tmp_path):
    """A file without an ending, as a downloaded one has none."""
    path = tmp_path / "file"
    if kind == HDF5:
        with h5py.File(path, "w") as file:
            file["a"] = MATRIX
    elif kind == NPY:
        with open(path, "wb") as file:
            np.save(file, MATRIX)
    else:
        save_file({"a": MATRIX}, path)
    return path


OPENERS = {HDF5: open_hdf5, NPY: open_npy, SAFETENSORS: open_safetensors}


def test_the_content_says_of_what_kind_a_file_is(path, kind):
    assert array_kind(path.read_bytes()) == array_kind(path.read_bytes()[:9]) == kind
    arrays = open_arrays(path)
    key = ONLY if kind == NPY else "a"
    for array in (find_array(arrays, key), first_array(arrays)):
        np.testing.assert_array_equal(np.asarray(array[:, :2]), MATRIX[:, :2])
    assert find_array(arrays, "b") is None


def test_what_is_in_it(path, kind):
    opened = OPENERS[kind](path)
    if kind == NPY:
        assert isinstance(opened, np.memmap)
        found = opened
    else:
        found = opened["a"][()] if kind == HDF5 else opened.get_tensor("a")
    np.testing.assert_array_equal(found, MATRIX)


def test_the_slices_of_a_safetensors_file_know_bfloat16(tmp_path):
    torch = pytest.importorskip("torch")
    save = pytest.importorskip("safetensors.torch").save_file
    save({"a": torch.ones(2, dtype=torch.bfloat16)}, tmp_path / "half")
    assert open_safetensors(tmp_path / "half", "pt").get_slice("a")[:].tolist() == [1, 1]


def test_a_truncated_file(path, kind):
    path.write_bytes(path.read_bytes()[:-300])
    message = r"file: expected a whole .*; found what cannot be read \(\d+ bytes\): .*truncated"
    with pytest.raises(ValueError, match=message):
        OPENERS[kind](path)


def test_damage_that_is_found_while_reading(path):
    with pytest.raises(ValueError, match="file: expected a whole HDF5 file; .*: a broken block. S"):
        with reading_arrays(path, HDF5):
            raise OSError("a broken block.")


def test_hdf5_after_a_block_of_the_users_own(tmp_path):
    with h5py.File(tmp_path / "x.mat", "w", userblock_size=512) as file:
        file["a"] = MATRIX
    assert list(open_arrays(tmp_path / "x.mat")) == ["a"]


@pytest.mark.parametrize("start", [b"", b"a 1 2\n", b"\xff" * 8 + b"{"])
def test_other_files(tmp_path, start):
    (tmp_path / "x").write_bytes(start)
    assert array_kind(start) is None
    with pytest.raises(
        ValueError, match="x: expected an HDF5, .npy or safetensors file, found one"
    ):
        open_arrays(tmp_path / "x")


def test_python_objects_are_not_loaded(tmp_path):
    np.save(tmp_path / "x.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises(ValueError, match="x.npy: expected a whole NumPy array .*Python objects"):
        open_npy(tmp_path / "x.npy")


def test_without_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(ConfigurationError, match="x: .*pip install safetensors"):
        open_safetensors(tmp_path / "x")
