"""`linspector probe-data describe`: an audit of task data, ours or anyone's, before a probe runs."""

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.tqdm import Tqdm

from linspector_allennlp.audit.task_audit import Audit, Knows, audit_task
from linspector_allennlp.audit.task_folders import (
    LEVELS,
    find_task_folders,
    task_and_language,
)
from linspector_allennlp.commands.data.describe_resources import (
    describe_treebank,
    describe_unimorph,
)
from linspector_allennlp.commands.tables import percent, table
from linspector_allennlp.formats import SPLITS
from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.languages import find_language
from linspector_allennlp.sources.frequencies import read_frequencies

MANY = 20
"""More tasks than this take long enough for a progress bar."""

SCORES = ("majority", "suffix", "upper_bound", "overlap")
COUNTS = ("duplicates", "conflicts")
SHARES = ("ambiguous", "rare", "seen_forms")
COLUMNS = ("level", "task", "language", *SPLITS, "labels", *SCORES, *COUNTS, *SHARES)


def add_describe_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `describe` reads."""
    parser.add_argument(
        "data",
        nargs="?",
        metavar="DATA",
        help="a folder with TASK/LANGUAGE/{train,dev,test}.txt at any depth, or one of those",
    )
    parser.add_argument("--csv", metavar="FILE", help="write the table here too")
    parser.add_argument(
        "--labels", action="store_true", help="print how often each label of each task occurs"
    )
    parser.add_argument("--language", help="only the tasks of this language (finnish, fi or fin)")
    parser.add_argument(
        "--frequencies",
        metavar="FILE",
        help="a word-frequency list of the language, or wordfreq; gives the share of rare words",
    )
    parser.add_argument(
        "--unimorph",
        nargs="+",
        metavar="FILE",
        help="print the statistics of a UniMorph file (the study's Table 5)",
    )
    parser.add_argument(
        "--treebank", nargs="+", metavar="FILE", help="print those of the files of a treebank"
    )
    parser.add_argument(
        "--skip-bad-lines", action="store_true", help="count broken lines in these and go on"
    )


def describe(args: argparse.Namespace) -> None:
    """Prints the audit of the tasks in a folder; exits with 1 if a file could not be read."""
    if args.unimorph:
        print(describe_unimorph(args.unimorph, args.skip_bad_lines))
    if args.treebank:
        print(describe_treebank(args.treebank, args.skip_bad_lines))
    if args.data is None:
        if args.unimorph or args.treebank:
            return
        raise ConfigurationError(
            "describe needs DATA, the folder with the tasks, or --unimorph or --treebank."
        )
    audits = audit_tasks(args.data, args.language, args.frequencies)
    print(describe_audits(audits, args.labels))
    if args.csv:
        write_csv(audits, args.csv)
    if any(audit.malformed for audit in audits):
        sys.exit(1)


def audit_tasks(
    data: PathLike, language: Optional[str] = None, frequencies: Optional[str] = None
) -> list[Audit]:
    """Audits every task at or below `data`, those of one level together."""
    folders = find_task_folders(data)
    names = {folder: task_and_language(folder)[1] for folder in folders}
    if language is not None:
        # A language may be given by its name or code, whichever the folder has.
        wanted = find_language(language) or language
        folders = [f for f in folders if (find_language(names[f]) or names[f]) == wanted]
        if not folders:
            found = ", ".join(sorted(set(names.values())))
            raise ConfigurationError(f"{data}: no folder of language {language!r}, only {found}.")
    knows = None
    if frequencies is not None:
        knows = _frequent_words(frequencies, sorted({names[folder] for folder in folders}))
    bar = Tqdm.tqdm(folders, desc="describing tasks", disable=len(folders) <= MANY)
    audits = [audit_task(folder, knows) for folder in bar]
    return sorted(audits, key=lambda audit: (_rank(audit.level), audit.task, audit.language))


def _frequent_words(source: str, languages: Sequence[str]) -> Knows:
    if len(languages) > 1:
        raise ConfigurationError(
            f"--frequencies is of one language; choose one of {', '.join(languages)} by --language."
        )
    known = find_language(languages[0])
    return read_frequencies(source, known.code if known else None).knows


def _rank(level: str) -> tuple[int, str]:
    """The levels we know first."""
    return (LEVELS.index(level) if level in LEVELS else len(LEVELS)), level


def describe_audits(audits: Sequence[Audit], with_labels: bool = False) -> str:
    """One table a level, then what looks wrong, as text for a terminal."""
    parts = []
    for level in dict.fromkeys(audit.level for audit in audits):
        tasks = [audit for audit in audits if audit.level == level]
        parts.append(f"{level} ({len(tasks)}; shares and scores in percent, on test)")
        parts.append(_task_table(tasks))
    if with_labels:
        parts += [_label_table(audit) for audit in audits if audit.labels]
    warnings = [f"Not read: {message}" for audit in audits for message in audit.malformed]
    warnings += [f"Warning: {warning}" for audit in audits for warning in audit.warnings]
    return "\n\n".join([*parts, "\n".join(warnings) or "Nothing looks wrong."])


def _task_table(audits: Sequence[Audit]) -> str:
    header = COLUMNS[1:]
    named = Counter((audit.task, audit.language) for audit in audits)
    rows = [
        [
            # Two data sets in one folder: where each is.
            audit.task if named[audit.task, audit.language] == 1 else str(audit.folder.parent),
            audit.language,
            *(_count(audit.size(split)) for split in SPLITS),
            str(len(audit.labels)),
            *(percent(_worth_showing(audit, score)) for score in SCORES),
            *(str(getattr(audit, count)) for count in COUNTS),
            *(percent(getattr(audit, share)) for share in SHARES),
        ]
        for audit in audits
    ]
    return table([[name.replace("_", " ") for name in header], *rows])


def _worth_showing(audit: Audit, score: str) -> Optional[float]:
    """A score, or `None` for the bound by seen forms where there are none: it is the majority again."""
    return None if score == "upper_bound" and not audit.seen_forms else getattr(audit, score)


def _label_table(audit: Audit) -> str:
    header = [f"{audit.level} {audit.task} {audit.language}", *SPLITS]
    counts = [audit.label_counts[split] for split in SPLITS]
    rows = [
        [label, *(_count(None if split is None else split[label]) for split in counts)]
        for label in audit.labels
    ]
    return table([header, *rows])


def _count(number: Optional[int]) -> str:
    return "–" if number is None else str(number)


def write_csv(audits: Sequence[Audit], path: PathLike) -> None:
    """The columns of the table; shares and scores in percent, what there is not is empty."""
    with replacing_text(path) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for audit in audits:
            sizes = [audit.size(split) for split in SPLITS]
            scores, shares = ([getattr(audit, name) for name in n] for n in (SCORES, SHARES))
            rows.writerow(
                [audit.level, audit.task, audit.language]
                + ["" if size is None else size for size in sizes]
                + [len(audit.labels)]
                + ["" if score is None else percent(score) for score in scores]
                + [getattr(audit, count) for count in COUNTS]
                + ["" if share is None else percent(share) for share in shares]
            )
