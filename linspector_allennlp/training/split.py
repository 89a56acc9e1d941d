import logging
from collections import Counter
from typing import NamedTuple, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader

from linspector_allennlp.dataset_readers.probing_reader import metadata_of
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.representations import FormEmbedder

logger = logging.getLogger(__name__)


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

    def warn_of_unseen_labels(self, model: FrozenProbe) -> None:
        """Says which labels of this split training never saw: each of them will be an error."""
        seen = set(model.label_names)
        unseen = Counter(item.label for item in self.items if item.label not in seen)
        if unseen:
            logger.warning(
                "%s: %d of %d items have a label that is not in the training data, and count as "
                "errors: %s",
                self.path,
                sum(unseen.values()),
                len(self.items),
                ", ".join(f"{label!r} ({count})" for label, count in unseen.most_common()),
            )

    def unknown_word_rate(self, model: FrozenProbe) -> Optional[float]:
        """
        The share of the probed words that the representation has no vector of its own for;
        `None` if the representation cannot say (it is not a `FormEmbedder`).
        """
        embedders = [module for module in model.modules() if isinstance(module, FormEmbedder)]
        if not embedders:
            return None
        words = [word for item in self.items for word in item.words]
        known = embedders[0].knows(words)
        for embedder in embedders[1:]:
            known = known & embedder.knows(words)
        return 1 - int(known.sum()) / len(words)
