from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Optional

from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from linspector_allennlp.representations.archives.module_hook import (
    SIDES,
    attach,
    describe,
    rows_of,
)
from linspector_allennlp.representations.words import Words


@dataclass(frozen=True)
class ModuleRecord:
    """
    What a module of a model did in a forward pass over one sentence.

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
        """Which of output and input `archive_layer` can take."""
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
    return records


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
