from collections.abc import Sequence
from typing import Optional

import torch
from allennlp.data import Vocabulary
from allennlp.data.fields import Field

from linspector_allennlp.dataset_readers.probe_label_field import UNSEEN_LABEL


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
