"""Any network of PyTorch's that sentences are put into, and the digest of what decides what it gives."""

import copy
import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import CodeType
from typing import Any, Optional, Union

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.nn import util

from linspector_allennlp.representations.words import Words

Inputs = Union[torch.Tensor, tuple[Any, ...], Mapping[str, Any]]
ToInputs = Callable[[Sequence[Words]], Inputs]

# Their versions are a part of every identity.
KNOWN = "torch", "allennlp", "transformers"

_LENGTHS = 2, 3, 3, 1, 4  # in no order, two alike, and not as many as the longest has words
_COMMON_WORDS = "the of and in to was it for on that he as with his by at".split()


class TorchNetwork:
    """
    # Parameters

    model : `torch.nn.Module`
    to_inputs : `Callable[[Sequence[Words]], Inputs]`
        Gives for sentences, each a tuple of words, what the module is called with: a tensor, a tuple, or
        a mapping of arguments by name. Shorter sentences are padded at their end.
    words : `Sequence[str]`, optional
        Words that it knows, by which it is tried out: some more than a dozen.
    """

    def __init__(
        self, model: torch.nn.Module, to_inputs: ToInputs, words: Sequence[str] = ()
    ) -> None:
        # It may be trained further, and what is computed must be what the digest is of.
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self._to_inputs = to_inputs
        self._words = list(dict.fromkeys([*words, *_COMMON_WORDS]))[: max(len(words), 16)]

    def run(self, sentences: Sequence[Words], device: Optional[torch.device] = None) -> int:
        """One forward pass over these sentences; gives the number of tokens of the longest."""
        device = device or torch.device("cpu")
        inputs = util.move_to_device(self._to_inputs(sentences), device)
        self.model.to(device)
        with torch.inference_mode():
            if isinstance(inputs, Mapping):
                self.model(**inputs)
            else:
                self.model(*(inputs if isinstance(inputs, tuple) else (inputs,)))
        return max(map(len, sentences))

    def trial_sentences(self) -> list[Words]:
        """Sentences of several lengths, each with another first word."""
        sentences, start = [], 0
        for length in _LENGTHS:
            places = range(start, start + length)
            sentences.append(tuple(self._words[i % len(self._words)] for i in places))
            start += length
        return sentences


def network_digest(model: torch.nn.Module, to_inputs: ToInputs, key: str = "") -> str:
    """
    The digest of weights, of the code of the module and its parts that are not PyTorch's own, and of the
    function, with whatever it holds on to.

    # Parameters

    key : `str`, optional
        What else decides the vectors, where that cannot be seen.
    """
    digest = hashlib.sha256(key.encode())
    for name, tensor in model.state_dict().items():
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    parts = {
        name: type(part)
        for name, part in model.named_modules()
        if type(part).__module__.split(".")[0] not in KNOWN
    }
    shown = [f"{name} {part.extra_repr()}" for name, part in model.named_modules()]
    kinds = [code for kind in dict.fromkeys(parts.values()) for code in _codes_of(kind)]
    digest.update("\n".join([*shown, *kinds]).encode())
    digest.update(_function_text(to_inputs, key).encode())
    return digest.hexdigest()


def _codes_of(kind: type) -> list[str]:
    """The code of the methods of a class, and of those that it is derived from."""
    bases = [
        each for each in kind.__mro__ if each.__module__.split(".")[0] not in (*KNOWN, "builtins")
    ]
    members = [(each, name, value) for each in bases for name, value in sorted(vars(each).items())]
    return [
        f"{each.__qualname__}.{name} {_code(value.__code__)}"
        for each, name, value in members
        if inspect.isfunction(value)
    ]


def _code(code: CodeType) -> str:
    """What a function does, wherever it stands; the file and the lines have no part in it."""
    constants = [
        _code(each) if isinstance(each, CodeType) else _value(each, []) for each in code.co_consts
    ]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {constants}"


def _function_text(function: Any, key: str) -> str:
    """The code of a function and, unless there is a key, what it uses: values around it, an object's own."""
    owner = getattr(function, "__self__", None)
    if not inspect.isroutine(function):
        owner, function = function, type(function).__call__
    function = inspect.unwrap(getattr(function, "__func__", function))
    if not inspect.isfunction(function):
        raise ConfigurationError(f"to_inputs: expected a function of Python's, found {function!r}.")
    return _code(function.__code__) if key else f"{_value(function, [])} {_value(owner, [])}"


def _value(value: Any, around: list[Any]) -> str:
    """A value as text, the same in every process."""
    if isinstance(value, (type(None), bool, int, float, complex, str, bytes, type(...))):
        return repr(value)
    if any(value is each for each in around):
        return "…"
    inside = partial(_value, around=[*around, value])
    if isinstance(value, (torch.Tensor, np.ndarray)):
        array = np.asarray(value.detach().cpu() if isinstance(value, torch.Tensor) else value)
        return f"{array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{inside(k)}: {inside(v)}' for k, v in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(inside, value))}]"
    if isinstance(value, (set, frozenset)):
        return f"set {sorted(map(inside, value))}"
    if inspect.isfunction(value):
        names = _names_in(value.__code__)
        used = {name: value.__globals__[name] for name in names if name in value.__globals__}
        cells = zip(value.__code__.co_freevars, value.__closure__ or ())
        closure = {name: cell.cell_contents for name, cell in cells}
        held = [used, closure, value.__defaults__, value.__kwdefaults__]
        return f"{_code(value.__code__)} {inside(held)}"
    if inspect.isroutine(value) or inspect.ismodule(value) or inspect.isclass(value):
        return (
            f"{getattr(value, '__module__', '')} {getattr(value, '__qualname__', value.__name__)}"
        )
    if hasattr(value, "__dict__"):
        return f"{type(value).__qualname__} {inside(vars(value))}"
    raise ConfigurationError(
        f"to_inputs: it uses a {type(value).__name__}, which cannot be told apart from others of its kind: "
        "give a key, text that is another one where it is something else."
    )


def _names_in(code: CodeType) -> list[str]:
    """The names that a function and those inside it refer to."""
    inside = [_names_in(each) for each in code.co_consts if isinstance(each, CodeType)]
    return sorted({*code.co_names, *(name for names in inside for name in names)})
