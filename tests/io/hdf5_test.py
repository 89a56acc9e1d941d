import h5py
import numpy as np
import pytest

from linspector_allennlp.io.arrays import find_array, first_array, open_hdf5
from linspector_allennlp.io.hdf5 import check_dataset, find_item


@pytest.fixture
def file(tmp_path):
    """Good datasets, and all ways to take numbers from elsewhere."""
    (tmp_path / "raw").write_bytes(np.ones(6, "f4").tobytes())
    with h5py.File(tmp_path / "secret.h5", "w") as other:
        other["group/m"] = np.ones((2, 3), "f4")
    with h5py.File(tmp_path / "x.h5", "w") as new:
        new["a/b"] = np.arange(6, dtype="f4")
        new["soft"] = h5py.SoftLink("/a")
        new["loop"] = h5py.SoftLink("/loop")
        new["dangling"] = h5py.SoftLink("/missing")
        new["other"] = h5py.ExternalLink("secret.h5", "/group")
        new["behind"] = h5py.SoftLink("/other/m")
        new.create_dataset("external", (2, 3), "f4", external=[(str(tmp_path / "raw"), 0, 24)])
        layout = h5py.VirtualLayout((2, 3), "f4")
        layout[:] = h5py.VirtualSource(str(tmp_path / "secret.h5"), "group/m", (2, 3))
        new.create_virtual_dataset("virtual", layout)
        new.create_dataset("sparse", (10**9, 2), "f4")
        new.create_dataset("never written", (2,), "f4")
        new.create_dataset("nothing", (0, 2), "f4")
        packed = new.create_dataset("packed", (10**6, 300), "f4", chunks=(100, 300), compression=9)
        packed[:100] = 0
        new.create_dataset("small", data=np.zeros(10_000, "f4"), compression=9)
    with h5py.File(tmp_path / "x.h5") as opened:
        yield opened


def test_what_is_in_the_file_is_found(file):
    for key in ("a/b", "/a/b", "soft/b", "a/./b"):
        np.testing.assert_array_equal(find_array(file, key), np.arange(6))
    for key in ("c", "a/c", "a/b/c", "dangling", "", "a/b/"):
        assert find_item(file, key) is None or key in ("", "a/b/")
    assert find_array(file, "a") is None and find_item(file, "a").name == "/a"
    assert find_array(file, "nothing").shape == (0, 2)
    assert find_array(file, "small").shape == (10_000,)
    assert first_array(file["a"]).shape == (6,)


@pytest.mark.parametrize(
    "key, message",
    [
        ("other/m", "'other/m': expected an array in this file; found a link to 'secret.h5'"),
        ("behind", "'/other/m': expected an array in this file; found a link to 'secret.h5'"),
        ("loop", "found links without an end"),
        ("external", "found one in another file .*raw"),
        ("virtual", "found one that is put together from other files"),
        ("sparse", "found one of 8,000,000,000 bytes of which the file has 0"),
        ("never written", "found one of 8 bytes of which the file has 0"),
        ("packed", "found one of 1,200,000,000 bytes of which the file has"),
    ],
)
def test_what_is_not_is_named(file, key, message):
    with pytest.raises(ValueError, match=f"x.h5.*{message}"):
        find_array(file, key)


def test_its_own_readers_would_follow(file):
    """Or these tests would show nothing."""
    assert file["other/m"].shape == (2, 3) and file["external"][0, 0] == file["virtual"][0, 0] == 1
    check_dataset(file["a/b"])


def test_what_is_damaged_names_the_file(tmp_path):
    (tmp_path / "x.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(99))
    with pytest.raises(ValueError, match="x.h5: expected a whole HDF5 file"):
        open_hdf5(tmp_path / "x.h5")
