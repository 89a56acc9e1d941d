"""
Datasets of HDF5 that are in the file itself. A dataset may be a link to another file, have its numbers in
another, be put together from others, or be a thousand times as large as the file: none of this is read.
"""

from typing import Any, Optional

import h5py

from linspector_allennlp.io.unpacked import MOST_TIMES

_FREE = 1 << 20  # bytes of a dataset that may have been packed as well as zeros are
_MOST_LINKS = 16  # from one name in the file to another


def find_item(file: h5py.Group, key: str) -> Optional[Any]:
    """What has this path in a file, if there is anything; see the module for what is refused."""
    item = _walk(file, key, _MOST_LINKS)
    if isinstance(item, h5py.Dataset):
        check_dataset(item)
    return item


def check_dataset(dataset: h5py.Dataset) -> None:
    """Raises `ValueError` if its content is not in its file, or is more than that can hold."""
    where = f"{dataset.file.filename}, {dataset.name!r}"
    settings = dataset.id.get_create_plist()
    if settings.get_external_count():
        found = f"one in another file ({settings.get_external(0)[0].decode(errors='replace')})"
    elif settings.get_layout() == h5py.h5d.VIRTUAL:
        found = "one that is put together from other files"
    else:
        stored, size = dataset.id.get_storage_size(), dataset.nbytes or 0
        if not size or 0 < stored >= size / MOST_TIMES or 0 < stored < size <= _FREE:
            return
        found = f"one of {size:,} bytes of which the file has {stored:,}"
    raise ValueError(f"{where}: expected an array in this file; found {found}. Save it anew.")


def _walk(file: h5py.Group, path: str, links: int) -> Optional[Any]:
    """The item at a path, found name by name: HDF5 itself would follow whatever link there is."""
    item: Any = file.file if path.startswith("/") else file
    for name in filter(None, path.split("/")):
        if name == ".":
            continue
        link = item.get(name, getlink=True) if isinstance(item, h5py.Group) else None
        if link is None:
            return None
        if isinstance(link, h5py.ExternalLink):
            raise ValueError(
                f"{file.file.filename}, {path!r}: expected an array in this file; found a link to "
                f"{link.filename!r}. Save it anew."
            )
        if isinstance(link, h5py.SoftLink):
            if not links:
                raise ValueError(f"{file.file.filename}, {path!r}: found links without an end.")
            item = _walk(item, link.path, links - 1)
        else:
            item = item.get(name)
    return item
