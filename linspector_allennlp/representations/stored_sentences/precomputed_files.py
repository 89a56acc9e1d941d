"""Arrays in HDF5, `.npy` and safetensors files, opened but not read."""

import json
from collections.abc import Mapping
from typing import Any, Optional

import h5py
import numpy

from linspector_allennlp.io.files import PathLike

EVERYTHING = ""  # the key of the one array of a `.npy` file
INDEX = "sentence_to_index"  # where `allennlp elmo` wrote which sentence has which number

Arrays = Mapping[str, Any]
"""By key; `find_array` and `first_array` know what in it is an array."""


def open_arrays(path: PathLike) -> Arrays:
    """The arrays of a file, whose kind is known by its content: a downloaded file has no ending."""
    with open(path, "rb") as file:
        start = file.read(9)
    if start.startswith(b"\x93NUMPY"):
        return {EVERYTHING: _open_npy(path)}
    if h5py.is_hdf5(path):
        return _open_hdf5(path)
    if start[8:] == b"{":
        return _open_safetensors(path)
    raise ValueError(
        f"{path}: expected an HDF5, .npy or safetensors file, found one that begins with {start!r}."
    )


def find_array(arrays: Arrays, key: str) -> Optional[Any]:
    """The array of a key. HDF5 takes a key with "/" in it as a path, in reading as in writing."""
    found = arrays.get(key)
    return None if isinstance(found, h5py.Group) else found


def first_array(arrays: Arrays) -> Optional[Any]:
    """Some array, to see what they are like, if there is any."""
    if isinstance(arrays, h5py.Group):
        return arrays.visititems(lambda _, item: None if isinstance(item, h5py.Group) else item)
    return next(iter(arrays.values()), None)


def read_index(path: PathLike, arrays: Arrays) -> Optional[dict[str, list[int]]]:
    """The numbers of each sentence, if the file has them as `allennlp elmo` wrote them."""
    found = find_array(arrays, INDEX)
    if found is None:
        return None
    try:
        return {text: [int(number)] for text, number in json.loads(found[0]).items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path}, {INDEX!r}: expected a JSON object that gives each sentence a number, found "
            f"something else ({error}). Name the file of the sentences in `sentences`."
        ) from error


def _open_npy(path: PathLike) -> numpy.ndarray:
    try:
        return numpy.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError) as error:
        raise _unreadable(path, "a whole array of numbers", error) from error


def _open_hdf5(path: PathLike) -> h5py.File:
    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise _unreadable(path, "a whole HDF5 file", error) from error


def _open_safetensors(path: PathLike) -> dict[str, Any]:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as error:
        raise ImportError(f"{path} needs safetensors: pip install safetensors") from error
    try:
        # As tensors of torch, because NumPy does not know bfloat16.
        file = safe_open(path, framework="pt")
        return {key: file.get_slice(key) for key in file.keys()}
    except SafetensorError as error:
        raise _unreadable(path, "a whole safetensors file", error) from error


def _unreadable(path: PathLike, expected: str, error: Exception) -> ValueError:
    return ValueError(f"{path}: expected {expected}, found what cannot be read ({error}).")
