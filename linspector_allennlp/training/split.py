from typing import NamedTuple

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

    @classmethod
    def read(cls, name: str, path: str, loader: DataLoader) -> "Split":
        items = []
        for position, instance in enumerate(loader.iter_instances(), start=1):
            metadata = metadata_of(instance)
            line = metadata.get("line", position)
            if metadata["label"] is None:
                columns = [*metadata["input"], "label"]
                raise ConfigurationError(
                    f"{path}, line {line}: expected {len(columns)} tab-separated "
                    f"columns ({', '.join(columns)}), found {len(columns) - 1}: training and "
                    "scoring need the label column. Is this file for another kind of task?"
                )
            items.append((line, Item(metadata["words"], metadata["label"])))
        items.sort(key=lambda entry: entry[0])
        return cls(name, path, loader, [item for _, item in items])

    @property
    def words(self) -> list[str]:
        """The probed words, one after the other."""
        return [word for item in self.items for word in item.words]
