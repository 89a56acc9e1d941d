"""The data of a probe run before training: their items, sizes and baselines."""

from collections.abc import Collection, Sequence
from typing import Any, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader
from allennlp.models import Model

from linspector_allennlp.fields import Record
from linspector_allennlp.metrics.baselines import Item, seen_forms
from linspector_allennlp.models import Probe
from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.runs.shared_work import ALONE, NothingShared
from linspector_allennlp.training.split import Split


class ProbedSplit(Split):
    """
    A split of a probing task. Besides what a `Split` has:

    - `items`: what baselines and warnings look at, in the order of the file;
    - `words`: the probed words, one after the other;
    - `sentences`: where an instance is one with several items; else nothing;
    - `multiword`: how many of the words share the vector of a multiword token with another.
    """

    def __init__(
        self,
        loader: DataLoader,
        name: str = "data",
        path: str = "the data",
        paths: Sequence[str] = (),
    ) -> None:
        super().__init__(loader=loader, name=name, path=path, paths=paths)
        self.items: list[Item] = []
        self.words: list[str] = []
        self.sentences: list[str] = []
        self.multiword = 0
        if not self.records:
            raise ConfigurationError(
                f"{path}: there is no instance in it, or `train_share` left none."
            )
        for number, record in enumerate(self.records, start=1):
            self._check(record, number)
            metadata = record.metadata
            self.words += metadata["words"]
            if "forms" in metadata:
                self.sentences.append(metadata["input"]["sentence"])
                self.multiword += sum(metadata["multiword"])
                pairs = zip(metadata["words"], record.labels)
                self.items += [Item([word], label) for word, label in pairs if label is not None]
            else:
                self.items += [Item(metadata["words"], label) for label in record.labels if label]

    def sizes(self) -> dict[str, int]:
        sentences = {"sentences": len(self.sentences)} if self.sentences else {}
        return {"items": len(self.items), **sentences}

    def _check(self, record: Record, number: int) -> None:
        metadata = record.metadata
        if not metadata.keys() >= {"input", "words"}:
            raise ConfigurationError(
                f"{self.path}: expected instances of the readers of this package, which say in their "
                "metadata what the input is and which words of it are probed; found "
                f"{', '.join(metadata) or 'no metadata'}. (A recorded_run takes any reader.)"
            )
        if not record.labels:
            columns = [*metadata["input"], "label"]
            raise ConfigurationError(
                f"{metadata.get('file', self.path)}, line {metadata.get('line', number)}: expected {len(columns)} "
                f"tab-separated columns ({', '.join(columns)}), found {len(columns) - 1}: training and "
                "scoring need the label column. Is this file for another kind of task?"
            )


def data_facts(
    splits: dict[str, ProbedSplit], model: Probe, shared: NothingShared = ALONE
) -> dict[str, Any]:
    """The entries of `metrics.json` that do not depend on training."""
    return dict(shared.of_representation("facts", lambda: _facts(splits, model, shared)))


def _facts(splits: dict[str, ProbedSplit], model: Probe, shared: NothingShared) -> dict[str, Any]:
    train, test = splits["train"], splits.get("test")
    facts: dict[str, Any] = {}
    if model.label_names:
        facts["num_labels"] = len(model.label_names)
    for split in splits.values():
        facts[f"num_{split.name}"] = len(split.items)
        for what, number in (split.skipped or {}).items():
            of_what = "" if what == "items" else f"_{what}"
            facts[f"skipped_{split.name}{of_what}"] = number
        if split.sentences:
            facts[f"num_{split.name}_sentences"] = len(split.sentences)
            facts[f"multiword_{split.name}"] = split.multiword / len(split.words)
        known = known_words(split.words, model, split.indexers)
        facts[f"oov_{split.name}"] = None if known is None else 1 - int(known.sum()) / len(known)
        of_probe = model.facts(split.records, split.indexers)
        facts.update({f"{name}_{split.name}": value for name, value in of_probe.items()})
    for split in splits.values():
        is_only_one = split is train or split.indexers != train.indexers  # of its representation
        is_unknown = facts[f"oov_{split.name}"] == 1
        if is_only_one and is_unknown and not composes_unknown_words(model, split.indexers):
            raise ConfigurationError(
                f"{split.path}: the representation knows none of the words of this file. Is it for "
                "another language, or does its case differ (see `lowercase`)?"
            )
    if test is not None:
        facts.update(shared.of_data("overlap", lambda: _overlap(train, test)))
        facts.update(
            shared.of_data(
                "baselines", lambda: model.baselines(train.items, test.items, test.instances())
            )
        )
    return facts


def _overlap(train: ProbedSplit, test: ProbedSplit) -> dict[str, float]:
    """The share of the test data that is in the training data, too."""
    shares = {"overlap_test": seen_forms(train.items, test.items)}
    if test.sentences:
        sentences = set(train.sentences)
        shares["overlap_test_sentences"] = [text in sentences for text in test.sentences]
    return {name: sum(share) / len(share) for name, share in shares.items() if share}


def composes_unknown_words(model: Probe, names: Collection[str]) -> bool:
    """Whether what represents texts with these indexers makes vectors of words that it does not know."""
    return any(embedder.composes_unknown_words for embedder in all_word_embedders(model, names))


def known_words(words: list[str], model: Model, names: Collection[str]) -> Optional[np.ndarray]:
    """
    For each word of a text with these indexers whether the representation has a vector of its own;
    `None` if it can't say.
    """
    known = [embedder.knows(words) for embedder in all_word_embedders(model, names)]
    answers = [answer for answer in known if answer is not None]
    return np.all(answers, axis=0) if answers else None
