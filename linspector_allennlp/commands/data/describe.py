"""`linspector probe-data describe`: an audit of task data, ours or anyone's, before a probe runs."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.tqdm import Tqdm

from linspector_allennlp.audit.task_audit import Audit, Knows, audit_task
from linspector_allennlp.audit.task_folders import LEVELS, find_tasks, task_and_language
from linspector_allennlp.commands.data.audit_tables import describe_audits, write_csv
from linspector_allennlp.commands.data.describe_resources import DescribedResources
from linspector_allennlp.commands.data.task_matrix import (
    describe_matrix,
    read_task_folder,
    write_matrix,
)
from linspector_allennlp.commands.tables import say
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.languages import find_language
from linspector_allennlp.run_folders.resource_tables import write_resource_table
from linspector_allennlp.sources.frequencies import read_frequencies

MANY = 20
"""More tasks than this take long enough for a progress bar."""


def add_describe_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `describe` reads."""
    parser.add_argument(
        "data",
        nargs="*",
        metavar="DATA",
        help="a folder with TASK/LANGUAGE/{train,dev,test}.txt at any depth, or one of those, or a file of "
        "SentEval's",
    )
    parser.add_argument(
        "--csv",
        metavar="FILE",
        help="write the table here too; without DATA, that of --unimorph and --treebank, for probe-report",
    )
    parser.add_argument(
        "--labels", action="store_true", help="print how often each label of each task occurs"
    )
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="print only which tasks there are of which languages (the study's Table 6); --csv writes that",
    )
    parser.add_argument(
        "--counts",
        action="store_true",
        help="in the matrix, the numbers of items in place of a mark",
    )
    parser.add_argument(
        "--language",
        help="only the tasks of this language (finnish, fi or fin); what the resources of --csv are of",
    )
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
        "--treebank",
        nargs="+",
        metavar="FILE",
        help="print those of the files of a treebank; the share of ambiguous forms twice: with tags "
        "compared as sets, and as they are printed, in whatever order (the study's)",
    )
    parser.add_argument(
        "--skip-bad-lines", action="store_true", help="count broken lines in these and go on"
    )


def describe(args: argparse.Namespace) -> None:
    """Prints the audit of the tasks in a folder; exits with 1 if a file could not be read."""
    if args.unimorph or args.treebank:
        found = DescribedResources(args.unimorph, args.treebank, args.language, args.skip_bad_lines)
        say(found.text())
        if args.csv and not args.data:
            write_resource_table([found.row()], args.csv)
    if not args.data:
        if args.unimorph or args.treebank:
            return
        raise ConfigurationError(
            "describe needs DATA, the folder with the tasks, or --unimorph or --treebank."
        )
    if args.matrix:
        _describe_matrix(args)
        return
    audits = audit_tasks(args.data, args.language, args.frequencies)
    say(describe_audits(audits, args.labels))
    if args.csv:
        write_csv(audits, args.csv)
    if any(audit.malformed for audit in audits):
        sys.exit(1)


def _describe_matrix(args: argparse.Namespace) -> None:
    for option in ("labels", "frequencies"):
        if getattr(args, option):
            raise ConfigurationError(f"--matrix counts items only: leave --{option} out.")
    bar = Tqdm.tqdm(_folders(args.data, args.language), desc="counting items", disable=None)
    tasks = sorted(map(read_task_folder, bar), key=lambda task: (_rank(task.level), task))
    say(describe_matrix(tasks, args.counts))
    if args.csv:
        write_matrix(tasks, args.csv)


def audit_tasks(
    data: Sequence[PathLike], language: Optional[str] = None, frequencies: Optional[str] = None
) -> list[Audit]:
    """Audits every task at or below the paths of `data`, those of one level together."""
    folders = _folders(data, language)
    knows = None
    if frequencies is not None:
        names = {task_and_language(folder)[1] for folder in folders}
        knows = _frequent_words(frequencies, sorted(names))
    bar = Tqdm.tqdm(folders, desc="describing tasks", disable=len(folders) <= MANY)
    audits = [audit_task(folder, knows) for folder in bar]
    return sorted(audits, key=lambda audit: (_rank(audit.level), audit.task, audit.language))


def _folders(data: Sequence[PathLike], language: Optional[str]) -> list[Path]:
    """The tasks at or below the paths, of all languages or of one."""
    folders = find_tasks(data)
    if language is None:
        return folders
    names = {folder: task_and_language(folder)[1] for folder in folders}
    # A language may be given by its name or code, whichever the folder has.
    wanted = find_language(language) or language
    folders = [f for f in folders if (find_language(names[f]) or names[f]) == wanted]
    if not folders:
        found = ", ".join(sorted(set(names.values())))
        where = ", ".join(map(str, data))
        raise ConfigurationError(f"{where}: no folder of language {language!r}, only {found}.")
    return folders


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
