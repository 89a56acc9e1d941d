"""The audits of tasks as text for a terminal and as a CSV file."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Optional

from linspector_allennlp.audit.task_audit import Audit
from linspector_allennlp.commands.tables import percent, table
from linspector_allennlp.formats import SPLITS
from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.io.visible import visible
from linspector_allennlp.run_folders.results_file import write_csv_row

SCORES = ("majority", "suffix", "upper_bound", "overlap")
COUNTS = ("duplicates", "conflicts")
SHARES = ("ambiguous", "rare", "seen_forms")
COLUMNS = ("level", "task", "language", *SPLITS, "labels", *SCORES, *COUNTS, *SHARES)

# Of sentences; the first ones are accuracies and macro-F1s by the names of `sentence_baselines`.
BASELINES = {
    "majority": "baseline_majority",
    "majority_f1": "baseline_majority_macro_f1",
    "length": "baseline_length",
    "length_f1": "baseline_length_macro_f1",
    "unigram": "baseline_unigram",
    "unigram_f1": "baseline_unigram_macro_f1",
}
SENTENCE_COLUMNS = (*BASELINES, "tokens", "overlap", "variants", *COUNTS, "empty")


def describe_audits(audits: Sequence[Audit], with_labels: bool = False) -> str:
    """One table a level, then what looks wrong, as text for a terminal."""
    parts = []
    for level in dict.fromkeys(audit.level for audit in audits):
        tasks = [audit for audit in audits if audit.level == level]
        parts.append(f"{visible(level)} ({len(tasks)}; shares and scores in percent, on test)")
        words = [audit for audit in tasks if audit.sentences is None]
        sentences = [audit for audit in tasks if audit.sentences is not None]
        parts += [_task_table(each) for each in (words, sentences) if each]
    if with_labels:
        parts += [_label_table(audit) for audit in audits if audit.labels]
    warnings = [f"Not read: {message}" for audit in audits for message in audit.malformed]
    warnings += [f"Warning: {warning}" for audit in audits for warning in audit.warnings]
    return "\n\n".join([*parts, "\n".join(warnings) or "Nothing looks wrong."])


def _task_table(audits: Sequence[Audit]) -> str:
    """The table of tasks of words, or of tasks of sentences."""
    of_words = audits[0].sentences is None
    columns = (*SCORES, *COUNTS, *SHARES) if of_words else SENTENCE_COLUMNS
    named = Counter((audit.task, audit.language) for audit in audits)
    rows = []
    for audit in audits:
        cells = _word_cells(audit) if of_words else _sentence_cells(audit)
        if not audit.seen_forms:
            cells["upper_bound"] = None  # The bound by seen forms is the majority again.
        rows.append(
            [
                # Two data sets in one folder: where each is.
                audit.task if named[audit.task, audit.language] == 1 else str(audit.folder.parent),
                audit.language,
                *(_shown(audit.size(split)) for split in SPLITS),
                str(len(audit.labels)),
                *(_shown(cells[column]) for column in columns),
            ]
        )
    header = ("task", "language", *SPLITS, "labels", *columns)
    return table([[name.replace("_", " ") for name in header], *rows])


def _word_cells(audit: Audit) -> dict[str, Any]:
    """What the columns of a task of words have; shares and scores in percent."""
    return {
        **{name: _in_percent(getattr(audit, name)) for name in (*SCORES, *SHARES)},
        **{name: getattr(audit, name) for name in COUNTS},
    }


def _sentence_cells(audit: Audit) -> dict[str, Any]:
    """What those of a task of sentences have; nothing if it is none."""
    facts = audit.sentences
    if facts is None:
        return {}
    length = facts.mean_length
    return {
        **{name: _in_percent(facts.baselines.get(key)) for name, key in BASELINES.items()},
        "tokens": None if length is None else f"{length:.1f}",
        "overlap": _in_percent(audit.overlap),
        "variants": _in_percent(facts.share_of_variants(audit.size("test"))),
        **{name: getattr(audit, name) for name in COUNTS},
        "empty": facts.empty,
    }


def _label_table(audit: Audit) -> str:
    header = [f"{audit.level} {audit.task} {audit.language}", *SPLITS]
    counts = [audit.label_counts[split] for split in SPLITS]
    rows = [
        [label, *(_shown(None if split is None else split[label]) for split in counts)]
        for label in audit.labels
    ]
    return table([header, *rows])


def _in_percent(fraction: Optional[float]) -> Optional[str]:
    return None if fraction is None else percent(fraction)


def _shown(cell: object) -> str:
    return "–" if cell is None else str(cell)


def write_csv(audits: Sequence[Audit], path: PathLike) -> None:
    """
    The columns of the table, and those of sentences if there are any; shares and scores in percent, what
    there is not is empty.
    """
    columns: tuple[str, ...] = COLUMNS
    if any(audit.sentences is not None for audit in audits):
        columns += tuple(name for name in SENTENCE_COLUMNS if name not in COLUMNS)
    with replacing_text(path) as file:
        write_csv_row(file, list(columns))
        for audit in audits:
            cells = {
                **{name: getattr(audit, name) for name in ("level", "task", "language")},
                **{split: audit.size(split) for split in SPLITS},
                "labels": len(audit.labels),
                **_word_cells(audit),
                **_sentence_cells(audit),
            }
            write_csv_row(file, [cells.get(name) for name in columns])
