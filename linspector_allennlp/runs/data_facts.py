"""The data of a probe run before training: their items, sizes and baselines, and what looks wrong."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Optional
from unicodedata import normalize

import numpy as np
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader

from linspector_allennlp.fields import Record
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.models import Probe
from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.training.split import Split

RARE = 5
"""LINSPECTOR leaves out labels with fewer items."""

RESPELLINGS: dict[str, Callable[[str], str]] = {
    'the reader\'s "unicode_normalization": "NFC"': lambda word: normalize("NFC", word),
    'the reader\'s "unicode_normalization": "NFD"': lambda word: normalize("NFD", word),
    'the representation\'s "lowercase": true': str.lower,
}


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


def data_facts(splits: dict[str, ProbedSplit], model: Probe) -> dict[str, Any]:
    """The entries of `metrics.json` that do not depend on training."""
    train, test = splits["train"], splits.get("test")
    facts: dict[str, Any] = {}
    if model.label_names:
        facts["num_labels"] = len(model.label_names)
    for split in splits.values():
        facts[f"num_{split.name}"] = len(split.items)
        if split.sentences:
            facts[f"num_{split.name}_sentences"] = len(split.sentences)
            facts[f"multiword_{split.name}"] = split.multiword / len(split.words)
        known = _known(split.words, model)
        facts[f"oov_{split.name}"] = None if known is None else 1 - int(known.sum()) / len(known)
    composed = any(embedder.composes_unknown_words for embedder in all_word_embedders(model))
    if facts["oov_train"] == 1 and not composed:
        raise ConfigurationError(
            f"{train.path}: the representation knows none of the words of this file. Is it for "
            "another language, or does its case differ (see `lowercase`)?"
        )
    if test is not None:
        facts.update(_overlap(train, test))
        facts.update(model.baselines(train.items, test.items, test.instances()))
    return facts


def _overlap(train: ProbedSplit, test: ProbedSplit) -> dict[str, float]:
    """The share of the test data that is in the training data, too."""
    seen = {tuple(item.words) for item in train.items}
    shares = {"overlap_test": [tuple(item.words) in seen for item in test.items]}
    if test.sentences:
        sentences = set(train.sentences)
        shares["overlap_test_sentences"] = [text in sentences for text in test.sentences]
    return {name: sum(share) / len(share) for name, share in shares.items() if share}


def data_warnings(splits: dict[str, ProbedSplit], model: Probe) -> list[str]:
    """Sentences about what is allowed but probably not meant."""
    counts = Counter(item.label for item in splits["train"].items)
    warnings = []
    if not model.label_names:
        return [warning for split in splits.values() for warning in _unknown_words(split, model)]
    rare = [f"{label!r} ({count})" for label, count in counts.most_common() if count < RARE]
    if rare:
        warnings.append(
            f"{splits['train'].path}: labels with fewer than {RARE} items: {', '.join(rare)}"
        )
    for split in splits.values():
        warnings += _unseen_labels(split, counts) + _unknown_words(split, model)
    return warnings


def _unseen_labels(split: ProbedSplit, seen: Counter) -> list[str]:
    unseen = Counter(item.label for item in split.items if item.label not in seen)
    if not unseen:
        return []
    if sum(unseen.values()) == len(split.items):
        raise ConfigurationError(
            f"{split.path}: none of its labels is in the training data, such as "
            f"{split.items[0].label!r}. Are the columns in another order?"
        )
    listed = ", ".join(f"{label!r} ({count})" for label, count in unseen.most_common(10))
    return [
        f"{split.path}: {sum(unseen.values())} of {len(split.items)} items have a label that is "
        f"not in the training data, and count as errors: {listed}"
    ]


def _unknown_words(split: ProbedSplit, model: Probe) -> list[str]:
    """Whether the unknown words are known in another spelling."""
    words = sorted(set(split.words))
    known = _known(words, model)
    if known is None or known.all():
        return []
    unknown = [word for word, is_known in zip(words, known) if not is_known]
    warnings = []
    for setting, respell in RESPELLINGS.items():
        found = _known([respell(word) for word in unknown], model)
        if found is not None and found.sum() >= max(RARE, 0.1 * len(unknown)):
            warnings.append(
                f"{split.path}: {int(found.sum())} of {len(unknown)} words that the representation "
                f"does not know it would know with {setting}"
            )
    return warnings


def _known(words: list[str], model: Probe) -> Optional[np.ndarray]:
    """For each word whether the representation has a vector of its own; `None` if it can't say."""
    known = [embedder.knows(words) for embedder in all_word_embedders(model)]
    answers = [answer for answer in known if answer is not None]
    return np.all(answers, axis=0) if answers else None
