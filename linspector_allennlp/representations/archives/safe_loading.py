"""While a stranger's model is built and run, what could harm is replaced by what does not."""

import pickle
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

import allennlp.common.util
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable

from linspector_allennlp.representations.archives.archive_config import is_of
from linspector_allennlp.representations.archives.weights_only import load_weights_only


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


def _resolver(packages: Sequence[str]) -> Callable[..., Any]:
    """
    AllenNLP imports any dotted name and calls what it finds there, be it `os.system`. Here it must
    be a class of the kind that is wanted, in a package that the user trusts.
    """
    resolve = vars(Registrable)["resolve_class_name"].__func__

    def resolve_class_name(cls: Any, name: str) -> Any:
        if name in Registrable._registry[cls] or "." not in name:
            return resolve(cls, name)
        if is_of(packages, name):
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
