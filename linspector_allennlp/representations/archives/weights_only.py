"""Loads tensors from a file that may come from a stranger: a pickle is a program."""

import inspect
import os
import pickle
import re
import tarfile
from types import SimpleNamespace
from typing import Any

import torch

_torch_load = torch.load
_LIMITS_ITSELF = "weights_only" in inspect.signature(torch.load).parameters  # from torch 1.13 on
_TENSOR_PARTS = {
    ("collections", "OrderedDict"),
    ("torch", "Size"),
    ("torch._utils", "_rebuild_parameter"),
    ("torch._utils", "_rebuild_tensor"),
    ("torch._utils", "_rebuild_tensor_v2"),
}


class RefusedWeights(ValueError):
    """A file with more in it than weights, or with something else."""


class WeightsUnpickler(pickle.Unpickler):
    """Knows what tensors are made of, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        is_storage = module in ("torch", "torch.cuda", "torch.storage") and name.endswith("Storage")
        if is_storage or (module, name) in _TENSOR_PARTS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"GLOBAL {module}.{name}")


# What `torch.load` needs of a module like `pickle`.
weights_pickle = SimpleNamespace(
    __name__="weights_pickle",
    Unpickler=WeightsUnpickler,
    load=lambda file, **settings: WeightsUnpickler(file, **settings).load(),
)


def load_weights_only(f: Any, map_location: Any = None, *_: Any, **__: Any) -> Any:
    """`torch.load`, without other objects than tensors and what holds them."""
    name = f if isinstance(f, (str, os.PathLike)) else getattr(f, "name", "a stream")
    if _is_tar(f):
        # The oldest format of PyTorch: before torch 2.6 it runs code in spite of `weights_only`.
        raise RefusedWeights(
            f"{name}: expected weights that torch.save wrote, found a tar archive."
        )
    limit = {"weights_only": True} if _LIMITS_ITSELF else {"pickle_module": weights_pickle}
    try:
        return _torch_load(f, map_location=map_location, **limit)
    except pickle.UnpicklingError as error:
        named = re.search(r"GLOBAL ([\w.]+)", str(error))
        found = f"a pickle that calls {named[1]}" if named else "something else"
        raise RefusedWeights(
            f"{name}: expected the weights of a model and nothing else, found {found}. It was not "
            "loaded: do not trust this file."
        ) from error


def _is_tar(f: Any) -> bool:
    if isinstance(f, (str, os.PathLike)):
        return tarfile.is_tarfile(f)
    start = f.tell()
    try:
        return tarfile.is_tarfile(f)
    finally:
        f.seek(start)
