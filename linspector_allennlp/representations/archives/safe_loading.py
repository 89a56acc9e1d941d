"""Safe substitutes for functions that could do harm while a stranger's model is built and run."""

import os
import pickle
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

import allennlp.common.util
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable

_torch_load = torch.load

MOST_LETTERS = 300  # of the name of a class

# Of the classes that a registered one may be made of, those that say nothing of its kind.
_NO_KIND = (
    "builtins",
    "typing",
    "abc",
    "allennlp.common.registrable",
    "allennlp.common.from_params",
)


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
        if not isinstance(name, str) or "." not in name or name in cls.list_available():
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


def checked_resolver() -> Callable[..., Any]:
    """
    AllenNLP's own, for a config that is the user's: what a path names is imported, but must be a class
    of the kind that is wanted, or of what that is made of, such as an optimizer of PyTorch's.
    """
    resolve = vars(Registrable)["resolve_class_name"].__func__

    def resolve_class_name(cls: Any, name: str) -> Any:
        if name not in cls.list_available() and not _is_path(name):
            raise ConfigurationError(
                f"type: expected the name or the path of a {cls.__name__}, found {name!r:.80}."
            )
        found, constructor = resolve(cls, name)
        if name in cls.list_available():
            return found, constructor
        kinds = [kind for kind in cls.__mro__ if kind.__module__ not in _NO_KIND]
        if isinstance(found, type) and any(issubclass(found, kind) for kind in kinds):
            return found, constructor
        raise ConfigurationError(
            f"{name}: expected the path of a {cls.__name__}, found something else. It was not called."
        )

    return resolve_class_name


def _is_path(name: Any) -> bool:
    """Whether it may be a name, or names with dots between them. A mistyped one is AllenNLP's to explain."""
    return isinstance(name, str) and len(name) <= MOST_LETTERS and "" not in name.split(".")


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


def load_weights_only(f: Any, map_location: Any = None, *_: Any, **__: Any) -> Any:
    """`torch.load`, without other objects than tensors and what holds them."""
    name = f if isinstance(f, (str, os.PathLike)) else getattr(f, "name", "a stream")
    if _is_tar(f):
        # The oldest format of PyTorch, which could run code.
        raise RefusedWeights(
            f"{name}: expected weights that torch.save wrote, found a tar archive."
        )
    _check_sums(f, name)
    try:
        return _torch_load(f, map_location=map_location, weights_only=True)
    except EOFError as error:
        raise RefusedWeights(
            f"{name}: expected the weights of a model, found the end of the file: it is empty or damaged."
        ) from error
    except pickle.UnpicklingError as error:
        named = re.search(r"GLOBAL ([\w.]+)", str(error))
        found = f"a pickle that calls {named[1]}" if named else "something else"
        raise RefusedWeights(
            f"{name}: expected the weights of a model and nothing else, found {found}. It was not "
            "loaded: do not trust this file."
        ) from error


def _is_tar(f: Any) -> bool:
    try:
        with _from_start(f) as file:
            return tarfile.is_tarfile(file)
    except (EOFError, zlib.error):  # what is compressed in it is damaged
        return False


def _check_sums(f: Any, name: Any) -> None:
    """Refuses weights of which a byte has changed or that were cut off: PyTorch would not notice a changed one."""
    with _from_start(f) as file:
        start = file.read(2)
        if start != b"PK":
            if start[:1] not in (b"\x80", b""):  # a pickle, in the older format
                raise RefusedWeights(
                    f"{name}: expected weights that torch.save wrote, found something else."
                )
            return
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        try:
            with zipfile.ZipFile(file) as archive:
                parts = archive.infolist()
                # Many names of one part would be read as often.
                is_torch = all(part.compress_type == zipfile.ZIP_STORED for part in parts)
                if not is_torch or sum(part.file_size for part in parts) > size:
                    raise RefusedWeights(
                        f"{name}: expected weights that torch.save wrote, found another zip archive."
                    )
                damaged = archive.testzip()
        except RefusedWeights:
            raise
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, RuntimeError, struct.error):
            damaged = "the list of its parts"
    if damaged is not None:
        raise RefusedWeights(
            f"{name}: the weights are damaged or cut off (at {damaged}): copy them again, or train anew."
        )


@contextmanager
def _from_start(f: Any) -> Iterator[Any]:
    """The file, open; where it was open before, it stays so, and where it was."""
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            yield file
        return
    start = f.tell()
    try:
        yield f
    finally:
        f.seek(start)
