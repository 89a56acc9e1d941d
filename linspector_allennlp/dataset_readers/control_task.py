from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import TensorField

from linspector_allennlp.dataset_readers.dependency_tree import TREES
from linspector_allennlp.dataset_readers.wrapping_reader import WrappingReader
from linspector_allennlp.fields import (
    ProbeLabelField,
    ProbeLabelsField,
    labels_of,
    metadata_of,
    tensor_of,
)
from linspector_allennlp.io.hashing import hash_keys
from linspector_allennlp.trees import ROOT

BEHAVIOURS = 3
"""Of control edges: a word attaches to itself, to the first word, or to the last."""

PER = ("type", "item")

TREE_FIELDS = ("distances", "depths", "relations")


@DatasetReader.register("control_task")
class ControlTaskReader(WrappingReader):
    """
    The control task of Hewitt & Liang (2019) of whatever another reader reads: the same inputs, but
    every word type (of a pair: the two words) has one label, drawn at random from the labels of the
    training file, so that it can only be memorised. Of dependency trees, every word type has
    one way to choose its head: itself, the first word of the sentence, or the last.

    The label of a type depends on the seed and its letters, and on how often each label is in the
    training file; not on the order of anything, on the process, or on the machine. (A pair of forms in the
    other order is another type. A pair of tokens is not.)

    Registered as a `DatasetReader` with name "control_task".

    # Parameters

    reader : `DatasetReader`
        Of the task.
    train_data_path : `str`
        The training file of the task, whose labels are drawn from.
    train_reader : `DatasetReader`, optional (default = `reader`)
        Of that file, if the training data have a reader of their own: a word type has one label in
        all splits.
    seed : `int`, optional (default = `13`)
    case_sensitive : `bool`, optional (default = `True`)
        Whether *The* and *the* are two types.
    per : `str`, optional (default = `"type"`)
        `"item"`: every word of every sentence has a label of its own, by the text of the sentence and its
        place there, so that not even its type tells it. A sentence that is repeated is one sentence.
    """

    def __init__(
        self,
        reader: DatasetReader,
        train_data_path: str,
        seed: int = 13,
        case_sensitive: bool = True,
        train_reader: Optional[DatasetReader] = None,
        per: str = "type",
    ) -> None:
        super().__init__(reader)
        if per not in PER:
            raise ConfigurationError(f"per: expected type or item, found {per!r}.")
        self._per = per
        self._train_data_path = train_data_path
        self._train_reader = train_reader or reader
        self._seed = seed
        self._case_sensitive = case_sensitive

    @property
    def task(self) -> dict[str, Any]:
        of_task = getattr(self._reader, "task", None) or {}
        behaviours = {"control_behaviours": BEHAVIOURS} if of_task.get("target") == TREES else {}
        per = {"control_per": self._per} if self._per != PER[0] else {}
        return {**of_task, "control_seed": self._seed, **per, **behaviours}

    def _read(self, file_path: str) -> Iterator[Instance]:
        for instance in self._reader.read(file_path):
            self._replace_labels(instance)
            yield instance

    def _replace_labels(self, instance: Instance) -> None:
        fields, keys = instance.fields, self._keys_of(instance)
        if "heads" in fields:
            heads = self._control_heads(keys, tensor_of(instance, "heads").tolist())
            fields["heads"] = TensorField(torch.tensor(heads))
            for name in TREE_FIELDS:
                fields.pop(name, None)
        elif "labels" in fields:
            fields["labels"] = ProbeLabelsField([self.label_of(key) for key in keys])
        elif "label" in fields:
            fields["label"] = ProbeLabelField(self.label_of(keys[0]))
        else:
            raise ConfigurationError(
                "control_task: expected a reader of probing tasks, whose instances have the field "
                f"label, labels or heads; {type(self._reader).__name__} gives {', '.join(fields)}."
            )

    def _keys_of(self, instance: Instance) -> list[Sequence[str]]:
        """What decides about each item: its words, or its sentence and its place there."""
        metadata = metadata_of(instance)
        words = metadata.get("words", [])
        is_sequence = "heads" in instance.fields or "labels" in instance.fields
        if self._per == PER[0] and "tokens2" in instance.fields:
            # Which token comes first is chance in each pair, so that the same two come in both orders.
            return [sorted(words, key=str if self._case_sensitive else str.lower)]
        if self._per == PER[0]:
            return [[word] for word in words] if is_sequence else [words]
        given = metadata.get("input", {})
        indices = metadata.get("indices") if is_sequence else [given.get("index")]
        if "sentence" not in given or not indices or None in indices:
            raise ConfigurationError(
                "control_task: per: 'item' is for words in sentences; elsewhere an item is its words, as "
                "with per: 'type'."
            )
        return [[given["sentence"], str(index)] for index in indices]

    def label_of(self, words: Sequence[str]) -> str:
        """The control label of a word type, or of a pair of words."""
        labels, ends = self._distribution
        # An exact share of the 2⁶⁴ hashes for each training item.
        number = self._hash(words) * ends[-1] >> 64
        return labels[bisect_right(ends, number)]

    def _control_heads(self, keys: Sequence[Sequence[str]], heads: Sequence[int]) -> list[int]:
        """The root stays out, so that the same words are scored as in the task."""
        choices = [(number, 0, len(keys) - 1) for number in range(len(keys))]
        return [
            ROOT if head == ROOT else choice[self._hash(key) * BEHAVIOURS >> 64]
            for key, head, choice in zip(keys, heads, choices)
        ]

    def _hash(self, words: Sequence[str]) -> int:
        text = "\0".join(words)
        key = (text if self._case_sensitive else text.lower()).encode("utf-8", "surrogatepass")
        if key not in self._hashes:
            (self._hashes[key],) = hash_keys([key], self._seed).tolist()
        return self._hashes[key]

    @cached_property
    def _hashes(self) -> dict[bytes, int]:
        return {}

    @cached_property
    def _distribution(self) -> tuple[list[str], list[int]]:
        """The labels of the training file, and their cumulated counts."""
        worker, distributed = self.get_worker_info(), self.get_distributed_info()
        self._set_worker_info(None)  # all of the file counts, not this process's part of it
        self._set_distributed_info(None)
        try:
            counts = Counter(
                label
                for instance in self._train_reader.read(self._train_data_path)
                for label in labels_of(instance)
                if label is not None
            )
        finally:
            self._set_worker_info(worker)
            self._set_distributed_info(distributed)
        if not counts:
            raise ConfigurationError(f"{self._train_data_path}: there are no labels to draw from.")
        labels = sorted(counts)
        return labels, list(accumulate(counts[label] for label in labels))
