"""What looks wrong in the data of a probe run, as sentences for its provenance."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from unicodedata import normalize

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.fields import Record
from linspector_allennlp.io.missing_files import MOST
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.metrics.item_flaws import (
    LEAKED,
    alike_label_flaws,
    few_flaws,
    header_flaws,
    leak_flaws,
    unseen_label_flaws,
)
from linspector_allennlp.models import Probe
from linspector_allennlp.runs.data_facts import ProbedSplit, composes_unknown_words, known_words
from linspector_allennlp.runs.shared_work import ALONE, NothingShared

RARE = 5
"""LINSPECTOR leaves out labels with fewer items."""

MOSTLY_UNKNOWN = 0.5
"""A share of unknown words above which a score is that of a few vectors."""

RESPELLINGS: dict[str, Callable[[str], str]] = {
    'the reader\'s "unicode_normalization": "NFC"': lambda word: normalize("NFC", word),
    'the reader\'s "unicode_normalization": "NFD"': lambda word: normalize("NFD", word),
    'the representation\'s "lowercase": true': str.lower,
}


def data_warnings(
    splits: dict[str, ProbedSplit], model: Probe, shared: NothingShared = ALONE
) -> list[str]:
    """Sentences about what is allowed but probably not meant."""
    warnings = [*shared.of_data("warnings", lambda: _of_data(splits, model))]
    unknown = shared.of_representation(
        "unknown words", lambda: {s.name: _unknown_words(s, model) for s in splits.values()}
    )
    if not model.label_names:
        return warnings + [w for split in splits for w in unknown[split]]
    items = [item for of_path in _by_path(splits).values() for item in of_path]
    warnings += model.data_warnings(splits["train"].path, items)
    unseen = shared.of_data("unseen labels", lambda: _all_unseen_labels(splits))
    return warnings + [w for split in splits for w in (*unseen[split], *unknown[split])]


def _of_data(splits: dict[str, ProbedSplit], model: Probe) -> list[str]:
    """Those that depend on no representation."""
    warnings: list[str] = []
    if "test" in splits:
        warnings += _few_or_leaked(splits["train"], splits["test"], model)
    if not model.label_names:
        return warnings
    if not splits["train"].sentences:
        warnings += header_flaws(_by_path(splits))
    counts = Counter(item.label for item in splits["train"].items)
    labels = (item.label for split in splits.values() for item in split.items)
    warnings += alike_label_flaws(splits["train"].path, map(str, labels))
    rare = [f"{label!r} ({count})" for label, count in counts.most_common() if count < RARE]
    if rare:
        more = f" and {len(rare) - MOST} more" if len(rare) > MOST else ""
        warnings.append(
            f"{splits['train'].path}: labels with fewer than {RARE} items: {', '.join(rare[:MOST])}{more}"
        )
    return warnings


def _all_unseen_labels(splits: dict[str, ProbedSplit]) -> dict[str, list[str]]:
    counts = Counter(item.label for item in splits["train"].items)
    return {name: _unseen_labels(split, counts) for name, split in splits.items()}


def _by_path(splits: dict[str, ProbedSplit]) -> dict[str, list[Item]]:
    """
    The items of each file, once: a control task may be validated on its training data, and any task on what
    is held out of them.
    """
    # Splits of a file that begin at one line are the same; what is held out begins at another.
    first_lines = {
        (split.path, split.records[0].metadata.get("line") or 0): split.items
        for split in splits.values()
    }
    items: dict[str, list[Item]] = {}
    for path, line in sorted(first_lines, key=lambda place: place[1]):
        items.setdefault(path, []).extend(first_lines[path, line])
    return items


def _unseen_labels(split: ProbedSplit, seen: Counter) -> list[str]:
    if all(item.label not in seen for item in split.items):
        raise ConfigurationError(
            f"{split.path}: none of its labels is in the training data, such as "
            f"{split.items[0].label!r}. Are the columns in another order?"
        )
    return [*unseen_label_flaws(split.path, split.items, seen)]


def _few_or_leaked(train: ProbedSplit, test: ProbedSplit, model: Probe) -> Iterator[str]:
    """Whether the test data are few, or training has some of them."""
    if test.sentences:
        yield from few_flaws(test.path, len(test.sentences), "sentences")
        short = model.length_warning([len(record.metadata["words"]) for record in test.records])
        if short:
            yield f"{test.path}: {short}"
    else:
        yield from few_flaws(test.path, len(test.items))
    if test.indexers != train.indexers:
        return  # the same word has another vector there
    trained_on = {unit for record in train.records for unit in _units(record)}
    seen = ([u for u in _units(record) if u in trained_on] for record in test.records)
    leaked = [units[0] for units in seen if units]
    if len(leaked) >= LEAKED * len(test.records):
        what = {"sentence": "sentence", "sentence1": "sentence", "form1": "pair"}
        name = next((what[key] for key in test.records[0].metadata["input"] if key in what), "form")
        which = "sentences that are" if test.sentences else f"items whose {name} is"
        yield from leak_flaws(test.path, which, leaked, len(test.records), "train")


def _units(record: Record) -> list[Hashable]:
    """
    What must not be both in train and in test: the sentence, each of two sentences, the form, or the
    pair in any order.
    """
    given = record.metadata["input"]
    sentences = [given[key] for key in ("sentence", "sentence1", "sentence2") if key in given]
    if sentences:
        return sentences
    forms = sorted(given.values())
    return [forms[0] if len(forms) == 1 else tuple(forms)]


def _unknown_words(split: ProbedSplit, model: Probe) -> list[str]:
    """Whether most words are unknown or left out, and whether those are known in another spelling."""
    skipped = (split.skipped or {}).get("items", 0)
    of_all = skipped / (skipped + len(split.items))
    if of_all > MOSTLY_UNKNOWN:
        return [
            f"{split.path}: {100 * of_all:.1f} % of the items are left out, because the representation "
            "has no vectors for their words"
        ]
    counts = Counter(split.words)
    words = sorted(counts)
    known = known_words(words, model, split.indexers)
    if known is None or known.all():
        return []
    unknown = [word for word, is_known in zip(words, known) if not is_known]
    warnings = []
    share = sum(counts[word] for word in unknown) / len(split.words)
    if share > MOSTLY_UNKNOWN and not composes_unknown_words(model, split.indexers):
        warnings.append(
            f"{split.path}: the representation does not know {100 * share:.1f} % of the words, such as "
            f"{unknown[0]!r}: they have no vectors of their own"
        )
    for setting, respell in RESPELLINGS.items():
        found = known_words([respell(word) for word in unknown], model, split.indexers)
        if found is not None and found.sum() >= max(RARE, 0.1 * len(unknown)):
            warnings.append(
                f"{split.path}: {int(found.sum())} of {len(unknown)} words that the representation "
                f"does not know it would know with {setting}"
            )
    return warnings
