from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader

from linspector_allennlp.fields import Record
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.training.split import Split


class ProbedSplit(Split):
    """
    A split of a probing task. Besides what a `Split` has:

    - `items`: what baselines and warnings look at, in the order of the file;
    - `words`: the probed words, one after the other;
    - `sentences`: where an instance is one with several items; else nothing;
    - `multiword`: how many of the words share the vector of a multiword token with another.
    """

    def __init__(self, loader: DataLoader, name: str = "data", path: str = "the data") -> None:
        super().__init__(loader=loader, name=name, path=path)
        self.items: list[Item] = []
        self.words: list[str] = []
        self.sentences: list[str] = []
        self.multiword = 0
        if not self.records:
            raise ConfigurationError(f"{path}: nothing of it is left. (See train_share.)")
        for number, record in enumerate(self.records, start=1):
            self._check(record, number)
            metadata = record.metadata
            self.words += metadata["words"]
            if "forms" in metadata:
                self.sentences.append(metadata["input"]["sentence"])
                self.multiword += metadata["multiword"]
                pairs = zip(metadata["words"], record.labels)
                self.items += [Item([word], label) for word, label in pairs if label is not None]
            else:
                self.items += [Item(metadata["words"], label) for label in record.labels if label]

    def sizes(self) -> dict[str, int]:
        sentences = {"sentences": len(self.sentences)} if self.sentences else {}
        return {"items": len(self.items), **sentences}

    def _check(self, record: Record, number: int) -> None:
        metadata = record.metadata
        if "words" not in metadata:
            raise ConfigurationError(
                f"{self.path}: expected instances of the readers of this package, which say in their "
                f"metadata which words are probed; found {', '.join(metadata) or 'no metadata'}. "
                "(A recorded_run takes any reader.)"
            )
        if not record.labels:
            columns = [*metadata["input"], "label"]
            raise ConfigurationError(
                f"{self.path}, line {metadata.get('line', number)}: expected {len(columns)} "
                f"tab-separated columns ({', '.join(columns)}), found {len(columns) - 1}: training and "
                "scoring need the label column. Is this file for another kind of task?"
            )
