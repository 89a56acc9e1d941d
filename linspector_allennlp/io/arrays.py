"""Files of arrays, HDF5, `.npy` and safetensors: known by their first bytes, opened but not read."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tokenize import TokenError
from typing import Any, Optional

import h5py
import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.hdf5 import check_dataset, find_item
from linspector_allennlp.io.regular import PathLike, open_regular, regular

HDF5, NPY, SAFETENSORS = "hdf5", "numpy", "safetensors"
ONLY = ""  # the key of the one array of a `.npy` file

Arrays = Mapping[str, Any]
"""By key; `find_array` and `first_array` know what in it is an array."""

_NAMES = {HDF5: "HDF5 file", NPY: "NumPy array of numbers", SAFETENSORS: "safetensors file"}
_LARGEST_HEADER = 10**8  # bytes of JSON in a safetensors file; its library allows no more


def array_kind(start: bytes) -> Optional[str]:
    """The kind of a file that begins with these bytes; `None` if it is none of arrays."""
    if start.startswith(b"\x93NUMPY"):
        return NPY
    if start.startswith(b"\x89HDF\r\n\x1a\n"):
        return HDF5
    if start[8:9] == b"{" and int.from_bytes(start[:8], "little") < _LARGEST_HEADER:
        return SAFETENSORS
    return None


def open_arrays(path: PathLike) -> Arrays:
    """The arrays of a file, whose kind is known by its content: a downloaded file has no ending."""
    with open_regular(path) as file:
        start = file.read(9)
    kind = array_kind(start)
    if kind == NPY:
        return {ONLY: open_npy(path)}
    if kind == HDF5 or h5py.is_hdf5(path):  # it may begin with a block of the user's own
        return open_hdf5(path)
    if kind == SAFETENSORS:
        tensors = open_safetensors(path, "pt")
        with reading_arrays(path, SAFETENSORS):
            return {key: tensors.get_slice(key) for key in tensors.keys()}
    raise ValueError(
        f"{path}: expected an HDF5, .npy or safetensors file, found one that begins with {start!r}."
    )


def find_array(arrays: Arrays, key: str) -> Optional[Any]:
    """The array of a key. HDF5 takes a key with "/" in it as a path, in reading as in writing."""
    found = find_item(arrays, key) if isinstance(arrays, h5py.Group) else arrays.get(key)
    return None if isinstance(found, h5py.Group) else found


def first_array(arrays: Arrays) -> Optional[Any]:
    """Some array, to see what they are like, if there is any."""
    if isinstance(arrays, h5py.Group):  # this walk does not follow links
        found = arrays.visititems(lambda _, item: None if isinstance(item, h5py.Group) else item)
        if isinstance(found, h5py.Dataset):
            check_dataset(found)
        return found
    return next(iter(arrays.values()), None)


def open_npy(path: PathLike) -> np.ndarray:
    """The array of a `.npy` file, mapped into memory."""
    regular(path)
    with reading_arrays(path, NPY):
        return np.load(path, mmap_mode="r", allow_pickle=False)


def open_hdf5(path: PathLike) -> h5py.File:
    """An HDF5 file, to be closed or used in a `with` statement."""
    regular(path)
    with reading_arrays(path, HDF5):
        return h5py.File(path, "r")


def open_safetensors(path: PathLike, framework: str = "np") -> Any:
    """
    A safetensors file, to be used as it is or in a `with` statement.

    # Parameters

    path : `PathLike`
    framework : `str`, optional (default = `"np"`)
        Whose arrays it gives. Those of torch ("pt") may be bfloat16, which NumPy does not know.
    """
    try:
        from safetensors import safe_open
    except ImportError as error:
        raise ConfigurationError(
            f"{path}: reading safetensors needs a package: pip install safetensors"
        ) from error
    regular(path)
    with reading_arrays(path, SAFETENSORS):
        return safe_open(path, framework)


@contextmanager
def reading_arrays(path: PathLike, kind: str) -> Iterator[None]:
    """A context for opening and reading a file: what is broken in it is an error that names it."""
    try:
        yield
    except _damages(kind) as error:
        if isinstance(error, ValueError) and str(error).startswith(os.fspath(path)):
            raise  # a sentence of ours
        raise ValueError(
            f"{path}: expected a whole {_NAMES[kind]}; found what cannot be read "
            f"({os.path.getsize(path)} bytes): {str(error).rstrip('.')}. Save or fetch it again; it "
            "may be a truncated download."
        ) from error


def _damages(kind: str) -> tuple[type[Exception], ...]:
    if kind == SAFETENSORS:
        from safetensors import SafetensorError

        return (SafetensorError,)
    # h5py has all of these for damaged files, and AttributeError for types that it does not know.
    return (
        (OSError, RuntimeError, KeyError, TypeError, AttributeError, ValueError)
        if kind == HDF5
        else (OSError, ValueError, SyntaxError, TokenError)
    )
