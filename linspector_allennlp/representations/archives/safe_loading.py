"""Safe substitutes for functions that could do harm while a stranger's model is built and run."""

import inspect
import os
import pickle
import re
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any, NoReturn

import allennlp.common.util
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable

_torch_load = torch.load
_LIMITS_ITSELF = "weights_only" in inspect.signature(torch.load).parameters  # from torch 1.13 on
_TENSOR_PARTS = {
    ("collections", "OrderedDict"),
    ("torch", "Size"),
    ("torch._utils", "_rebuild_parameter"),
    ("torch._utils", "_rebuild_tensor"),
    ("torch._utils", "_rebuild_tensor_v2"),
}


@contextmanager
def safe_loading(packages: Sequence[str]) -> Iterator[None]:
    """
    In this block `torch.load` loads weights only, no other pickle is loaded, a type that a config
    names by its path must be a class of one of the `packages`, no archive is unpacked, and no
    package is installed. This holds for whatever the parts of a model load in turn.
    """
    with ExitStack() as stack:
        for owner, name, substitute in (
            (torch, "load", load_weights_only),
            (pickle, "load", _refuse_to_unpickle),
            (Registrable, "resolve_class_name", classmethod(_resolver(packages))),
            (tarfile.TarFile, "extractall", _refuse_to_unpack),
            (tarfile.TarFile, "extract", _refuse_to_unpack),
            (allennlp.common.util, "spacy_download", _refuse_to_install),
        ):
            stack.enter_context(replaced(owner, name, substitute))
        yield


@contextmanager
def replaced(owner: Any, name: str, substitute: Any) -> Iterator[None]:
    """In this block a module or class has something else under this name."""
    # `vars`, not `getattr`, which would bind a class method.
    original = vars(owner)[name]
    setattr(owner, name, substitute)
    try:
        yield
    finally:
        setattr(owner, name, original)


def is_foreign(name: str, packages: Sequence[str]) -> bool:
    """
    Whether AllenNLP would import a type of this name, unless it is registered, from a package that
    is not trusted, and call it, be it `os.system`.
    """
    return "." in name and not is_of(packages, name)


def is_of(packages: Sequence[str], name: str) -> bool:
    """Whether a dotted name lies in one of the packages."""
    return name.split(".")[0] in {package.split(".")[0] for package in packages}


def _resolver(packages: Sequence[str]) -> Callable[..., Any]:
    """AllenNLP's own, but a path must be that of a class of the kind that is wanted."""
    resolve = vars(Registrable)["resolve_class_name"].__func__

    def resolve_class_name(cls: Any, name: str) -> Any:
        if "." not in name or name in cls.list_available():
            return resolve(cls, name)
        if not is_foreign(name, packages):
            found, constructor = resolve(cls, name)
            if isinstance(found, type) and issubclass(found, cls):
                return found, constructor
        raise ConfigurationError(
            f"{name}: expected a registered {cls.__name__}, or the path of one in a package that "
            "`packages` names; anything else was not imported."
        )

    return resolve_class_name


def _refuse_to_unpack(archive: tarfile.TarFile, *_: Any, **__: Any) -> NoReturn:
    raise ConfigurationError(
        f"{archive.name!r} is an archive that the model wants to unpack, which was not done: "
        "unpack it yourself, and name the folder in the config.json of the model's folder."
    )


def _refuse_to_unpickle(file: Any, *_: Any, **__: Any) -> NoReturn:
    # As old tokenizers of transformers want to.
    name = getattr(file, "name", "a stream")
    raise ConfigurationError(f"{name} is a pickle, which may run code: it was not loaded.")


def _refuse_to_install(name: str, *_: Any, **__: Any) -> NoReturn:
    raise ConfigurationError(
        f"the model needs the spaCy pipeline {name}; get it with `python -m spacy download {name}`."
    )


class RefusedWeights(ValueError):
    """A file with more in it than weights, or with something else."""


class WeightsUnpickler(pickle.Unpickler):
    """An unpickler that knows the parts of tensors and nothing else, for torch before 1.13."""

    def find_class(self, module: str, name: str) -> Any:
        is_storage = module in ("torch", "torch.cuda", "torch.storage") and name.endswith("Storage")
        if is_storage or (module, name) in _TENSOR_PARTS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"GLOBAL {module}.{name}")


# The parts of a module like `pickle` that `torch.load` needs.
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
