"""The modules of a model: a hook for the output or input of one of them, and a list of them all."""

import difflib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from linspector_allennlp.representations.archives.recurrent_stack import RecurrentStack, num_stacked
from linspector_allennlp.representations.words import Words

SIDES = "output", "input"
OF_STACK = "#"
"""Before the number of a layer in a stack, as `encoder#0`: the first."""


class ModuleHook:
    """
    A hook that catches the output, or input, of one module of a model in one forward pass:

        with ModuleHook(model, "encoder") as hook:
            model(**batch)
        vectors = hook.rows([3, 5], width=5)

    # Parameters

    model : `torch.nn.Module`
    path : `str`
        The module, with dots, as `model.named_modules()` has it; `encoder#0` is the first layer of a stack.
    side : `str`, optional (default = `"output"`)
        `"output"` or `"input"`. Of several outputs or inputs the first is taken.
    stacks : `Dict[str, RecurrentStack]`, optional
        Those that other hooks have made, by path, so that they share their work.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        path: str,
        side: str = "output",
        stacks: Optional[dict[str, RecurrentStack]] = None,
    ) -> None:
        if side not in SIDES:
            raise ConfigurationError(f"tensor: expected {' or '.join(SIDES)}, found {side!r}.")
        base, mark, number = path.rpartition(OF_STACK)
        self._module = find_module(model, base if mark else path)
        self._name = f"the {side} of {path}"
        self._side = side
        self._caught: list[Any] = []
        self._layer = _layer_number(self._module, path, number, side) if mark else None
        if self._layer is not None:
            stacks = {} if stacks is None else stacks
            self._stack = stacks.setdefault(base, RecurrentStack(self._module))

    def __enter__(self) -> "ModuleHook":
        self._caught = []
        if self._layer is None:
            self._handle = attach(self._module, self._side, self._caught.append)
        else:
            self._handle = self._module.register_forward_hook(self._catch_layer, with_kwargs=True)
        return self

    def __exit__(self, *_: Any) -> None:
        self._handle.remove()
        if self._layer is not None:
            self._stack.forget()

    def _catch_layer(self, _: Any, args: Any, named: dict[str, Any], output: Any) -> None:
        try:
            self._caught.append(self._stack.outputs(args, named, output)[self._layer or 0])
        except ValueError as error:
            raise ValueError(f"{self._name}: {error}") from error

    def rows(self, lengths: Sequence[int], width: Optional[int] = None) -> torch.Tensor:
        """
        The vectors of the words, sentence after sentence. Shape: (num_words, dimension)

        # Parameters

        lengths : `Sequence[int]`
            The number of words of each sentence of the batch.
        width : `int`, optional (default = the greatest length)
            The number of tokens of each after padding.
        """
        if len(self._caught) != 1:
            found = f"ran {len(self._caught)} times" if self._caught else "did not run"
            raise ValueError(
                f"{self._name}: expected a module that runs once in a forward pass, but it {found}. "
                "`linspector probe-layers ARCHIVE` lists those that do."
            )
        rows = rows_of(self._caught[0], lengths, width or max(lengths))
        if rows is None:
            words = "one sentence" if len(lengths) == 1 else f"{len(lengths)} sentences"
            raise ValueError(
                f"{self._name}: expected a tensor with one row for each token of {words} of "
                f"{', '.join(map(str, lengths))} words, found {describe(self._caught[0])}. "
                "`linspector probe-layers ARCHIVE` lists modules that have one."
            )
        return rows


def find_module(model: torch.nn.Module, path: str) -> torch.nn.Module:
    modules = dict(model.named_modules(remove_duplicate=False))
    modules.pop("")
    if path not in modules:
        last = path.rpartition(".")[2]  # of a path that is right but for its beginning
        near = difflib.get_close_matches(path, modules, n=3, cutoff=0.5)
        near += [name for name in modules if name.endswith(last)]
        shown = ", ".join(list(dict.fromkeys(near))[:5] or list(modules)[:5])
        raise ConfigurationError(
            f"module: the model has no {path!r}; do you mean one of {shown}? "
            "`linspector probe-layers ARCHIVE` lists them all."
        )
    return modules[path]


def _layer_number(module: torch.nn.Module, path: str, number: str, side: str) -> int:
    """The number of a layer in the stack that the module is."""
    layers = num_stacked(module)
    if not layers or side != "output":
        found = f"the {side}" if layers else type(module).__name__
        raise ConfigurationError(
            f"module: {path}: expected the output of a layer in a stack of LSTMs, GRUs or RNNs, found {found}. "
            "`linspector probe-layers ARCHIVE` lists those that there are."
        )
    if not number.isdecimal() or int(number) >= layers:
        raise ConfigurationError(
            f"module: {path}: expected a layer from 0 to {layers - 1}, found {number!r}."
        )
    return int(number)


def attach(module: torch.nn.Module, side: str, catch: Any) -> Any:
    """Calls `catch` with the first output or input of each run; gives what can be removed."""
    if side == "output":
        return module.register_forward_hook(lambda _, inputs, output: catch(_copied(output)))

    def catch_input(
        _: Any, inputs: tuple[Any, ...], named: Optional[dict[str, Any]] = None
    ) -> None:
        catch(_copied(next(iter((*inputs, *(named or {}).values())), None)))

    try:
        return module.register_forward_pre_hook(catch_input, with_kwargs=True)
    except TypeError:  # before torch 2.0 there is no way to see what is given by name
        return module.register_forward_pre_hook(catch_input)


def rows_of(value: Any, lengths: Sequence[int], width: int) -> Optional[torch.Tensor]:
    """
    The rows of the words in what a module gave for a padded batch, sentence after sentence; `None`
    if there is not one for each token. Shape: (num_words, dimension)
    """
    batch = len(lengths)
    if isinstance(value, PackedSequence):
        value, packed_lengths = pad_packed_sequence(value, batch_first=True)
        if packed_lengths.tolist() != list(lengths):
            return None
        width = value.size(1)
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return None
    if value.dim() == 2 and value.size(0) == batch * width:
        value = value.view(batch, width, -1)  # as `TimeDistributed` folds it
    elif batch == 1 and value.dim() == 3 and value.shape[:2] == (width, 1):
        value = value.transpose(0, 1)  # PyTorch's own order, in which tokens come first
    if value.dim() != 3 or value.shape[:2] != (batch, width):
        return None
    return torch.cat([sentence[:length] for sentence, length in zip(value, lengths)])


def describe(value: Any) -> str:
    """The shape of a tensor, or the type of anything else."""
    if isinstance(value, PackedSequence):
        return f"packed {describe(value.data)}"
    if isinstance(value, torch.Tensor):
        return "×".join(map(str, value.shape)) or "a number"
    return "nothing" if value is None else type(value).__name__


def _copied(value: Any) -> Any:
    """A copy, because the model may change the value in place; of several values the first."""
    if isinstance(value, PackedSequence):
        return value._replace(data=value.data.detach().clone())
    if isinstance(value, (tuple, list)):
        return _copied(value[0]) if value else None
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


@dataclass(frozen=True)
class ModuleRecord:
    """
    The runs of a module in a forward pass over one sentence.

    # Parameters

    path : `str`
        With dots, as `archive_layer` takes it.
    kind : `str`
        Its class.
    num_runs : `int`
    shapes : `Dict[str, str]`
        Of its output and its input, when it first ran.
    sizes : `Dict[str, Optional[int]]`
        The size of a word's vector in its output and its input; `None` if there is not one vector
        for each word.
    """

    path: str
    kind: str
    num_runs: int
    shapes: dict[str, str]
    sizes: dict[str, Optional[int]]

    @property
    def probed_sides(self) -> list[str]:
        """The sides, output and input, that `archive_layer` can take."""
        return [side for side, size in self.sizes.items() if size]


def list_modules(box: BlackBoxModel, sentence: Words) -> list[ModuleRecord]:
    """
    The modules of a model that run for this sentence. A second sentence, with one word more, shows
    which shapes are right by chance alone.
    """
    records = []
    for record, other in zip(_run(box, sentence), _run(box, (*sentence, sentence[0]))):
        sizes = {
            side: size if size == other.sizes[side] else None for side, size in record.sizes.items()
        }
        if record.num_runs:
            records.append(replace(record, sizes=sizes))
            records += _of_stack(box, records[-1], sentence)
    return records


def _of_stack(box: BlackBoxModel, record: ModuleRecord, sentence: Words) -> list[ModuleRecord]:
    """The layers of a module that is a stack of several, and has a vector for each word."""
    layers = num_stacked(find_module(box.model, record.path))
    parent = record.path.rpartition(".")[0]
    is_inside = bool(parent) and num_stacked(find_module(box.model, parent)) > 0  # an encoder
    if layers < 2 or is_inside or not record.sizes["output"]:
        return []
    found, stacks = [], dict[str, RecurrentStack]()
    for number in range(layers):
        path = f"{record.path}{OF_STACK}{number}"
        with ModuleHook(box.model, path, stacks=stacks) as hook:
            width = box.run([sentence])
        rows = hook.rows([len(sentence)], width)
        shapes = {"output": "×".join(map(str, (1, *rows.shape))), "input": "–"}
        sizes = {"output": rows.size(1), "input": None}
        found.append(ModuleRecord(path, f"layer {number}", record.num_runs, shapes, sizes))
    return found


def _run(box: BlackBoxModel, sentence: Words) -> list[ModuleRecord]:
    """The records of all modules."""
    caught: dict[str, dict[str, list[Any]]] = {}
    modules = {path: module for path, module in box.model.named_modules() if path}
    with ExitStack() as stack:
        for path, module in modules.items():
            caught[path] = {side: [] for side in SIDES}
            for side, values in caught[path].items():
                stack.callback(attach(module, side, values.append).remove)
        width = box.run([sentence])
    return [
        ModuleRecord(
            path=path,
            kind=type(modules[path]).__name__,
            num_runs=len(sides["input"]),
            shapes={side: describe(next(iter(values), None)) for side, values in sides.items()},
            sizes={side: _size(values, len(sentence), width) for side, values in sides.items()},
        )
        for path, sides in caught.items()
    ]


def _size(values: list[Any], num_words: int, width: int) -> Optional[int]:
    rows = rows_of(values[0], [num_words], width) if len(values) == 1 else None
    return None if rows is None else rows.size(1)
