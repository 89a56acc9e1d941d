"""Files of arrays, HDF5, `.npy` and safetensors: known by their first bytes, opened but not read."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Optional

import h5py
import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike

HDF5, NPY, SAFETENSORS = "hdf5", "numpy", "safetensors"

_NAMES = {HDF5: "HDF5 file", NPY: "NumPy array of numbers", SAFETENSORS: "safetensors file"}
_LARGEST_HEADER = 10**8  # bytes of JSON in a safetensors file; its library allows no more


def array_kind(start: bytes) -> Optional[str]:
    """Which kind of file begins with these bytes; `None` if it is none of arrays."""
    if start.startswith(b"\x93NUMPY"):
        return NPY
    if start.startswith(b"\x89HDF\r\n\x1a\n"):
        return HDF5
    if start[8:9] == b"{" and int.from_bytes(start[:8], "little") < _LARGEST_HEADER:
        return SAFETENSORS
    return None


def kind_of_arrays(path: PathLike) -> str:
    """Which kind of arrays a file has; other files are an error."""
    with open(path, "rb") as file:
        start = file.read(9)
    kind = array_kind(start)
    if kind is None and h5py.is_hdf5(path):  # it may begin with a block of the user's own
        kind = HDF5
    if kind is None:
        raise ValueError(
            f"{path}: expected an HDF5, .npy or safetensors file, found one that begins with "
            f"{start!r}."
        )
    return kind


def open_npy(path: PathLike) -> np.ndarray:
    """The array of a `.npy` file, mapped into memory."""
    with reading_arrays(path, NPY):
        return np.load(path, mmap_mode="r", allow_pickle=False)


def open_hdf5(path: PathLike) -> h5py.File:
    """An HDF5 file, to be closed or used in a `with` statement."""
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
    with reading_arrays(path, SAFETENSORS):
        return safe_open(path, framework)


@contextmanager
def reading_arrays(path: PathLike, kind: str) -> Iterator[None]:
    """A context for opening and reading a file: what is broken in it is an error that names it."""
    try:
        yield
    except _damages(kind) as error:
        raise ValueError(
            f"{path}: expected a whole {_NAMES[kind]}; found what cannot be read "
            f"({os.path.getsize(path)} bytes): {str(error).rstrip('.')}. Save or fetch it again; it "
            "may be a truncated download."
        ) from error


def _damages(kind: str) -> tuple[type[Exception], ...]:
    if kind == SAFETENSORS:
        from safetensors import SafetensorError

        return (SafetensorError,)
    return (OSError,) if kind == HDF5 else (OSError, ValueError)
