from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Optional

from allennlp.data import DataLoader, Instance

from linspector_allennlp.fields import (
    LABEL_FIELDS,
    Record,
    metadata_of,
    names_of_indexers,
    record_of,
)


class Split:
    """
    One of the data files of a run. Its instances are walked through once, when it is made; what was
    seen is kept in the order of the file, whatever the order in which processes read it.
    `field_names` are the fields of its instances, and `indexers` the names under which their words are
    handed over. `left_out` are the sentences that its reader left out,
    by the reason; `skipped` how many `items` (and `sentences`) a representation has no vectors for, where
    such items are left out.

    # Parameters

    loader : `DataLoader`
    name, path : `str`, optional
        The names that errors and files have for it.
    paths : `Sequence[str]`, optional
        Its files, where there are several.
    for_vocabulary : `bool`, optional (default = `True`)
        Whether the items of a vocabulary are counted on the way.
    """

    def __init__(
        self,
        loader: DataLoader,
        name: str = "data",
        path: str = "the data",
        for_vocabulary: bool = True,
        paths: Sequence[str] = (),
    ) -> None:
        self.loader = loader
        self.name = name
        self.path = path
        self.paths = list(paths) or [path]
        # A loader that reads as it goes has its reasons: its instances are not kept here either.
        keeps_all = getattr(loader, "max_instances_in_memory", None) is None
        instances: list[Instance] = []
        records: list[Record] = []
        labels: list[list[Any]] = []
        self.others_seen = SeenItems()
        self.field_names: list[str] = []
        self.indexers: frozenset[str] = frozenset()
        for instance in loader.iter_instances():
            records.append(record_of(instance))
            if not self.field_names:
                self.field_names = list(instance.fields)
                self.indexers = names_of_indexers(instance)
            if keeps_all:
                instances.append(instance)
            if for_vocabulary:
                fields = instance.fields.values()
                labels.append([field for field in fields if isinstance(field, LABEL_FIELDS)])
                for field in fields:
                    if not isinstance(field, LABEL_FIELDS):
                        field.count_vocab_items(self.others_seen.counts)
        places = [_place(record.metadata) for record in records]
        # Instances that do not say where they come from are taken in the order of the loader.
        self._has_places = None not in places and len(set(places)) == len(places)
        order = list(range(len(records)))
        if self._has_places:
            order.sort(key=lambda position: places[position])  # type: ignore[arg-type, return-value]
        self.records = [records[position] for position in order]
        self._instances = [instances[position] for position in order] if keeps_all else None
        self.labels_seen = SeenItems()
        for position in order if for_vocabulary else ():
            for field in labels[position]:
                field.count_vocab_items(self.labels_seen.counts)
        # The reader counts what it left out of the file that it has read last: this one.
        counts = loader if hasattr(loader, "left_out") else getattr(loader, "reader", None)
        self.left_out: Optional[dict[str, int]] = getattr(counts, "left_out", None)
        self.skipped: Optional[dict[str, int]] = getattr(counts, "skipped", None)

    def __len__(self) -> int:
        return len(self.records)

    def sizes(self) -> dict[str, int]:
        """The numbers of what it has, for the record of a run."""
        return {"items": len(self)}

    def instances(self) -> Iterator[Instance]:
        return (instance for _, instance in self.ranked_instances())

    def ranked_instances(self) -> Iterator[tuple[int, Instance]]:
        """The instances with their ranks in the file, in this order unless they are read anew."""
        if self._instances is not None:
            yield from enumerate(self._instances)
            return
        ranks = {_place(record.metadata): rank for rank, record in enumerate(self.records)}
        for position, instance in enumerate(self.loader.iter_instances()):
            place = _place(metadata_of(instance))
            yield ranks[place] if self._has_places else position, instance


class SeenItems:
    """The vocabulary items of many instances, counted already: for a vocabulary an instance."""

    def __init__(self) -> None:
        self.counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))

    def count_vocab_items(self, counter: dict[str, dict[str, int]]) -> None:
        for namespace, counts in self.counts.items():
            for item, count in counts.items():
                counter[namespace][item] += count


def _place(metadata: dict[str, Any]) -> Optional[tuple[str, int]]:
    """The file and the line that an instance comes from, if its reader says so."""
    file, line = metadata.get("file"), metadata.get("line")
    return (file, line) if isinstance(file, str) and isinstance(line, int) else None
