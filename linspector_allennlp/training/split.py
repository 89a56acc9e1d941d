from typing import NamedTuple, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader

from linspector_allennlp.dataset_readers.probing_reader import metadata_of
from linspector_allennlp.metrics.baselines import Item


class Split(NamedTuple):
    """One of the data files of a run, and what is asked in it, in the order of the file."""

    name: str
    path: str
    loader: DataLoader
    items: list[Item]
    words: list[str]
    """The probed words, one after the other."""
    sentences: list[str]
    """The sentences, where an instance is one with several items; else nothing."""
    multiword: int = 0
    """How many of the words share the vector of a multiword token with another."""
    left_out: Optional[dict[str, int]] = None
    """How many sentences the reader left out, by the reason, if it says so."""

    @classmethod
    def read(cls, name: str, path: str, loader: DataLoader) -> "Split":
        rows: list[tuple[int, list[str], list[Item]]] = []
        sentences, multiword = [], 0
        for position, instance in enumerate(loader.iter_instances(), start=1):
            metadata = metadata_of(instance)
            line = metadata.get("line", position)
            if "labels" in metadata:
                sentences.append(metadata["input"]["sentence"])
                multiword += metadata.get("multiword", 0)
                pairs = zip(metadata["words"], metadata["labels"])
                items = [Item([word], label) for word, label in pairs if label is not None]
            elif metadata["label"] is not None:
                items = [Item(metadata["words"], metadata["label"])]
            else:
                columns = [*metadata["input"], "label"]
                raise ConfigurationError(
                    f"{path}, line {line}: expected {len(columns)} tab-separated "
                    f"columns ({', '.join(columns)}), found {len(columns) - 1}: training and "
                    "scoring need the label column. Is this file for another kind of task?"
                )
            rows.append((line, metadata["words"], items))
        if not rows:
            raise ConfigurationError(f"{path}: nothing of it is left. (See train_share.)")
        rows.sort(key=lambda row: row[0])
        return cls(
            name,
            path,
            loader,
            [item for _, _, items in rows for item in items],
            [word for _, words, _ in rows for word in words],
            sentences,
            multiword,
            getattr(getattr(loader, "reader", None), "left_out", None),
        )
