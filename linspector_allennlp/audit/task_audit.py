"""The audit of a task's files before anything is trained on them: sizes, baselines, flaws."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

from linspector_allennlp.audit.flaws import (
    data_flaws,
    find_repetitions,
    repetition_flaws,
    score_flaws,
)
from linspector_allennlp.audit.sentence_facts import (
    SentenceFacts,
    sentence_facts,
    sentence_task_flaws,
)
from linspector_allennlp.audit.task_folders import level_of, read_manifest, task_and_language
from linspector_allennlp.audit.task_kinds import SENTENCE_KINDS
from linspector_allennlp.audit.task_rows import TaskRow, TaskRows, read_task
from linspector_allennlp.formats import SPLITS, changed_files
from linspector_allennlp.metrics.baselines import (
    Item,
    form_accuracy,
    majority_accuracy,
    suffix_accuracy,
)

Knows = Callable[[str], bool]


class Audit(NamedTuple):
    """
    All there is to say of one task in one language. Shares and scores are fractions, and `None`
    where there is nothing to take them of.

    # Parameters

    folder : `Path`
        Where the splits are.
    level, task, language, kind : `str`
        "type-level", "token-level", "syneval" or "sentence-level"; the names of the folders; the format
        of the rows.
    label_counts : `dict[str, Optional[Counter]]`
        For "train", "dev" and "test" how many items each label has; `None` for a split that could
        not be read.
    majority, suffix, upper_bound : `Optional[float]`
        Accuracy on the test split without any representation; see `metrics.baselines`. Sentences have
        no ending and no form.
    overlap : `Optional[float]`
        The share of the test items whose form (pair, sentence) is in train or dev too.
    duplicates : `int`
        How many items repeat an earlier one, input and label, of any split.
    conflicts : `int`
        How many inputs have more than one label.
    ambiguous : `Optional[float]`
        The share of forms that were left out as ambiguous, where the manifest has it.
    rare : `Optional[float]`
        The share of the items with a word that the frequency list does not have, the list that
        was given or the one that the task was made with.
    seen_forms : `Optional[float]`
        The share of the test items with a probed word that train or dev has too.
    warnings : `list[str]`
        What a user must see, as sentences.
    malformed : `list[str]`
        For each file that could not be read why.
    sentences : `Optional[SentenceFacts]`
        What there is to say of tasks of whole sentences only.
    """

    folder: Path
    level: str
    task: str
    language: str
    kind: str
    label_counts: dict[str, Optional[Counter]]
    majority: Optional[float]
    suffix: Optional[float]
    upper_bound: Optional[float]
    overlap: Optional[float]
    duplicates: int
    conflicts: int
    ambiguous: Optional[float]
    rare: Optional[float]
    seen_forms: Optional[float]
    warnings: list[str]
    malformed: list[str]
    sentences: Optional[SentenceFacts] = None

    @property
    def labels(self) -> list[str]:
        """The labels of all splits, in order."""
        return sorted({label for counts in self.label_counts.values() for label in counts or ()})

    def size(self, split: str) -> Optional[int]:
        """The number of items; `None` if the split could not be read."""
        counts = self.label_counts[split]
        return None if counts is None else sum(counts.values())


def audit_task(folder: Path, knows: Optional[Knows] = None) -> Audit:
    """
    Audits the task in a folder.

    # Parameters

    folder : `Path`
        `…/TASK/LANGUAGE`, with the splits and maybe a manifest in it; or a file of SentEval's.
    knows : `Callable[[str], bool]`, optional (default = `None`)
        Whether a word is frequent, which gives the share of rare ones.
    """
    manifest: dict[str, Any] = {}
    unread = []
    try:
        manifest = read_manifest(folder)
    except ValueError as error:
        unread.append(str(error))
    rows = read_task(folder, manifest)
    level = level_of(folder, manifest, rows.kind)
    train, test = ([row.item for row in rows.splits.get(name, ())] for name in ("train", "test"))
    of_sentences = sentence_facts(rows) if rows.kind in SENTENCE_KINDS else None
    scores = _scores(train, test) if of_sentences is None else _scores_of_sentences(of_sentences)
    found = find_repetitions(rows.splits)
    warnings = [
        f"{folder / name}: not the file that its manifest.json is about."
        for name in changed_files(folder, manifest)
    ]
    warnings += data_flaws(folder, rows) + score_flaws(folder, scores["majority"], scores["suffix"])
    if level != "syneval":  # Where the same form comes back, and with other labels, by design.
        warnings += repetition_flaws(folder, rows, found)
    if of_sentences is not None:
        warnings += sentence_task_flaws(folder, rows, of_sentences)
    task, language = task_and_language(folder)
    return Audit(
        folder=folder,
        level=level,
        task=task,
        language=language,
        kind=rows.kind,
        label_counts={name: _label_counts(rows.splits.get(name)) for name in SPLITS},
        **scores,
        overlap=len(found.leaked) / len(test)
        if test and (train or rows.splits.get("dev"))
        else None,
        duplicates=len(found.repeated),
        conflicts=len(found.conflicting),
        ambiguous=_ambiguity(manifest),
        rare=_rare_words(rows, manifest, knows),
        seen_forms=_seen_forms(rows),
        warnings=warnings,
        malformed=[*rows.malformed, *unread],
        sentences=of_sentences,
    )


def _label_counts(rows: Optional[Sequence[TaskRow]]) -> Optional[Counter]:
    return None if rows is None else Counter(row.item.label for row in rows)


def _scores(train: Sequence[Item], test: Sequence[Item]) -> dict[str, Any]:
    measures = {
        "majority": majority_accuracy,
        "suffix": suffix_accuracy,
        "upper_bound": form_accuracy,
    }
    possible = train and test
    return {name: measure(train, test) if possible else None for name, measure in measures.items()}


def _scores_of_sentences(facts: SentenceFacts) -> dict[str, Any]:
    majority = facts.baselines.get("baseline_majority")
    return {"majority": majority, "suffix": None, "upper_bound": None}


def _ambiguity(manifest: dict[str, Any]) -> Optional[float]:
    facts = manifest.get("facts")
    share = facts.get("ambiguity") if isinstance(facts, dict) else None
    return float(share) if isinstance(share, (int, float)) else None


def _rare_words(
    rows: TaskRows, manifest: dict[str, Any], knows: Optional[Knows]
) -> Optional[float]:
    """None of sentences: nearly all have a rare word."""
    if rows.kind in SENTENCE_KINDS:
        return None
    return _rare_when_made(manifest) if knows is None else _rare(rows.splits, knows)


def _rare_when_made(manifest: dict[str, Any]) -> Optional[float]:
    facts = manifest.get("facts")
    frequent = facts.get("frequent_forms") if isinstance(facts, dict) else None
    items = sum(file.get("rows", 0) for file in manifest.get("files", {}).values())
    return 1 - frequent / items if isinstance(frequent, int) and items else None


def _seen_forms(rows: TaskRows) -> Optional[float]:
    if rows.kind in SENTENCE_KINDS:
        return None
    splits = rows.splits
    seen = {
        word for name in ("train", "dev") for row in splits.get(name, ()) for word in row.item.words
    }
    test = splits.get("test", ())
    return sum(not seen.isdisjoint(row.item.words) for row in test) / len(test) if test else None


def _rare(splits: dict[str, list[TaskRow]], knows: Knows) -> Optional[float]:
    rare = [not all(map(knows, row.item.words)) for rows in splits.values() for row in rows]
    return sum(rare) / len(rare) if rare else None
