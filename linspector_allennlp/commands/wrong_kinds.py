"""Values of a config that are of another kind than is wanted: refused with the config's file and the key."""

import re
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Optional

from allennlp.common import Params, from_params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.mistakes import explain
from linspector_allennlp.io.files import PathLike

LARGEST_SEED = 2**32  # of NumPy's

SEEDS = ("random_seed", "numpy_seed", "pytorch_seed")

# What AllenNLP builds later than the rest, and expects an object of settings for.
LAZY = ("model", "data_loader", "validation_data_loader", "trainer", "vocabulary")

# What Python and torch say of a value that nobody has looked at before it is used.
_UNCHECKED = (TypeError, AttributeError, LookupError, ArithmeticError, RuntimeError)

_EXPECTED = re.compile(r"Expected (\S*) ?to be (.*)", re.DOTALL)


@contextmanager
def naming_wrong_kinds(file: PathLike, settings: Mapping[str, Any]) -> Iterator[None]:
    """
    In this block an error in what a config is built from names the file and the key. Seeds and the parts at the
    top, which AllenNLP does not look at, are looked at here.
    """
    _check_top(file, settings)
    settings = dict(_flat(settings))
    try:
        yield
    except (*_UNCHECKED, ConfigurationError) as error:
        said = _EXPECTED.match(str(error)) if isinstance(error, TypeError) else None
        where = _place(error)
        if said is not None:
            sentence = _of_kind(said[1], said[2], settings)
        elif where is None:
            raise
        elif isinstance(error, ConfigurationError):
            sentence = explain(error) or ""
            if "from_params was passed" in sentence:  # half a page on what may have happened
                sentence = f"{where}: expected objects of settings in it{_found(where, settings)}."
            elif where not in sentence:
                sentence = f"{where}: {sentence}"
        else:
            sentence = (
                f"{where}: it cannot be built{_found(where, settings)} ({type(error).__name__}: "
                f"{str(error):.200}). A value in it may be of another kind, or of another size, than is wanted; "
                "or there is a fault in its code."
            )
        raise ConfigurationError(f"{file}: {sentence}") from error


def _check_top(file: PathLike, settings: Mapping[str, Any]) -> None:
    for name in SEEDS:
        seed = settings.get(name)
        largest = LARGEST_SEED if name == "numpy_seed" else 2**63
        try:
            # A variable of the environment is text.
            is_right = seed is None or (
                not isinstance(seed, (float, bool)) and 0 <= int(seed) < largest
            )
        except (ValueError, TypeError):
            is_right = False
        if not is_right:
            raise ConfigurationError(
                f"{file}: {name}: expected a whole number from 0 on, below 2 ** 32 for NumPy, found {seed!r:.80}."
            )
    kind = settings.get("type", "")
    if not isinstance(kind, str):
        raise ConfigurationError(
            f"{file}: type: expected a string, the name of a class, found {kind!r:.80}."
        )
    for name in LAZY:
        # A name alone is enough for AllenNLP where all settings have a default.
        kinds = Mapping if name == "model" else (Mapping, str)
        if settings.get(name) is not None and not isinstance(settings[name], kinds):
            raise ConfigurationError(
                f"{file}: {name}: expected an object of settings, found {settings[name]!r:.80}."
            )
    for name in ("dataset_reader", "train_data_path"):
        if name in settings and settings[name] is None:
            raise ConfigurationError(f"{file}: {name}: expected a value, found null.")


def _of_kind(name: str, kind: str, settings: Mapping[str, Any]) -> str:
    """AllenNLP names the last part of a key only, and not the value."""
    keys = [key for key in settings if f".{key}".endswith(f".{name}")] if name else []
    if len(keys) != 1:
        return f"{name or 'a setting'}: expected {kind}"
    found = "" if ", found " in kind else _found(keys[0], settings)
    return f"{keys[0]}: expected {kind.rstrip('.')}{found}."


def _found(key: str, settings: Mapping[str, Any]) -> str:
    return f", found {settings[key]!r:.80}" if key in settings else ""


def _place(error: BaseException) -> Optional[str]:
    """The key of what was being built when this was raised; nothing if it was the run as a whole."""
    place = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename != from_params.__file__:
            continue
        params = frame.f_locals.get("params")
        # A name alone, in place of settings, becomes some without a history.
        if isinstance(params, Params) and (params.history or not place):
            inside = frame.f_locals.get("name", "") if "argument_name" in frame.f_locals else ""
            place = f"{params.history.rstrip('.')}.{inside}".strip(".")
    return place or None


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """All values by their dotted keys, those that have others in them too."""
    if key:
        yield key, value
    if isinstance(value, (Mapping, list)):
        for name, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _flat(inner, f"{key}.{name}" if key else str(name))
