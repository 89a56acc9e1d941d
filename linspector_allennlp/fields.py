"""The parts of an instance of a probing task: its labels, its text, and its metadata."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, cast

import torch
from allennlp.data import Instance, Vocabulary
from allennlp.data.fields import Field, LabelField, MetadataField, TensorField, TextField

from linspector_allennlp.trees import ROOT

UNSEEN_LABEL = -1
"""The index of a label that the vocabulary (that is, the training data) does not have."""


class ProbeLabelField(LabelField):
    """
    A `LabelField` whose label may be unknown to the vocabulary. Where `LabelField` stops with a
    `KeyError`, this one is indexed as `UNSEEN_LABEL`, which the probes count as an error.
    """

    __slots__: list = []

    def index(self, vocab: Vocabulary) -> None:
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        self._label_id = known.get(str(self.label), UNSEEN_LABEL)

    @property
    def label_id(self) -> int:
        """The index of the label, once it has been indexed."""
        if self._label_id is None:
            raise RuntimeError("the label has not been indexed yet")
        return self._label_id


class ProbeLabelsField(Field[torch.Tensor]):
    """
    A label for each probed word of a sentence. Those that the vocabulary does not have are indexed
    as `UNSEEN_LABEL`, as in `ProbeLabelField`; padding is 0, so that another field must tell where
    there are words.

    # Parameters

    labels : `Sequence[str]`
    label_namespace : `str`, optional (default = `"labels"`)
    """

    __slots__ = ["labels", "_label_ids", "_label_namespace"]

    def __init__(self, labels: Sequence[str], label_namespace: str = "labels") -> None:
        self.labels = list(labels)
        self._label_ids: Optional[list[int]] = None
        self._label_namespace = label_namespace

    @property
    def label_ids(self) -> list[int]:
        """The indices of the labels, once they have been indexed."""
        if self._label_ids is None:
            raise RuntimeError("the labels have not been indexed yet")
        return self._label_ids

    def count_vocab_items(self, counter: dict[str, dict[str, int]]) -> None:
        for label in self.labels:
            counter[self._label_namespace][label] += 1

    def index(self, vocab: Vocabulary) -> None:
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        self._label_ids = [known.get(label, UNSEEN_LABEL) for label in self.labels]

    def get_padding_lengths(self) -> dict[str, int]:
        return {"num_labels": len(self.labels)}

    def as_tensor(self, padding_lengths: dict[str, int]) -> torch.Tensor:
        padding = [0] * (padding_lengths["num_labels"] - len(self.labels))
        return torch.tensor(self.label_ids + padding, dtype=torch.long)

    def empty_field(self) -> "ProbeLabelsField":
        return ProbeLabelsField([], self._label_namespace)

    def __len__(self) -> int:
        return len(self.labels)

    def __str__(self) -> str:
        return f"ProbeLabelsField with labels: {' '.join(self.labels)}"


LABEL_FIELDS = (ProbeLabelField, ProbeLabelsField)


class Record(NamedTuple):
    """The facts of an instance that predictions and baselines need, once its tensors are made."""

    metadata: dict[str, Any]
    labels: list[Optional[str]]
    """Of its items; `None` for a word that is none (the root of a tree)."""


def record_of(instance: Instance) -> Record:
    return Record(metadata_of(instance), labels_of(instance))


def metadata_of(instance: Instance) -> dict[str, Any]:
    """The metadata of an instance; empty if it has none."""
    field = instance.fields.get("metadata")
    metadata = field.metadata if isinstance(field, MetadataField) else None
    return metadata if isinstance(metadata, dict) else {}


def labels_of(instance: Instance) -> list[Optional[str]]:
    """
    The labels of an instance, one for each item; nothing if it has none that a probe could answer. The
    label of a word with a head is how many places away the head is.
    """
    heads, labels, label = (instance.fields.get(name) for name in ("heads", "labels", "label"))
    if isinstance(heads, TensorField) and "places" in instance.fields:
        places = enumerate(heads.tensor.tolist())
        return [None if head == ROOT else str(head - word) for word, head in places]
    if isinstance(labels, ProbeLabelsField):
        return list(labels.labels)
    return [str(label.label)] if isinstance(label, LabelField) else []


def text_of(instance: Instance, name: str = "tokens") -> TextField:
    return cast(TextField, instance[name])


def names_of_indexers(instance: Instance) -> frozenset[str]:
    """The names under which its reader hands over the words of an instance; none without a text."""
    texts = (field for field in instance.fields.values() if isinstance(field, TextField))
    # Where another process reads, they are set after it.
    return frozenset(next((text._token_indexers or () for text in texts), ()))


def tensor_of(instance: Instance, name: str) -> torch.Tensor:
    return cast(TensorField, instance[name]).tensor
