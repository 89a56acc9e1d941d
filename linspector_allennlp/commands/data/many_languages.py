"""The part of the makers of `probe-data` that makes the tasks of all languages of a folder."""

import sys
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.data.made_tasks import oddities
from linspector_allennlp.commands.tables import say, table
from linspector_allennlp.languages import Language, find_language
from linspector_allennlp.sources.resource_folder import ResourceFolder
from linspector_allennlp.tasks.many_languages import LanguageTasks, MakeLanguage, make_each

HEADER = ["language", "files", "made", "unchanged", "not made", "items", "notes"]


def check_alone(option: str, others: Mapping[str, Any]) -> None:
    """Refuses options that are of one language beside the folder of many."""
    given = [name for name, value in others.items() if value]
    if given:
        raise ConfigurationError(
            f"{option} is of many languages, {' and '.join(given)} of one: give one or the other."
        )


def make_languages(
    resources: ResourceFolder, language: Optional[str], output: str, make: MakeLanguage
) -> None:
    """
    Makes the tasks of all languages of a folder, with a line for each, and prints the closing table. Exits
    with 1 if one of them failed.

    # Parameters

    language : `str`, optional
        Only this one.
    """
    files = _chosen(resources.files, language)
    unknown = [] if language else resources.unknown
    done = []
    started = perf_counter()
    for number, found in enumerate(make_each(files, make), start=1):
        done.append(found)
        seconds, started = perf_counter() - started, perf_counter()
        say(f"{number} of {len(files)}, {_line(found)} ({seconds:.0f} s)", flush=True)
    failures = {found.failure for found in done if found.failure}
    if len(failures) == 1 and all(found.failure for found in done) and not unknown:
        raise ConfigurationError(failures.pop())
    say("\n".join(["", table([HEADER, *map(_row, done)], left=(0, 6)), *_remarks(done, unknown)]))
    say(f"\nIn {output}; the manifest.json there says how, and why a task was not made.")
    if failures or unknown:
        sys.exit(1)
    if not any(found.tasks and found.tasks.made for found in done):
        raise ValueError("no task was made of any language, for want of data.")


def _chosen(
    files: Mapping[Language, Sequence[str]], wanted: Optional[str]
) -> Mapping[Language, Sequence[str]]:
    if wanted is None:
        return files
    language = find_language(wanted)
    if language is None or language not in files:
        names = ", ".join(each.name for each in files)
        raise ConfigurationError(f"--language {wanted}: the folder has {names or 'none'}.")
    return {language: files[language]}


def _line(found: LanguageTasks) -> str:
    if found.tasks is None:
        return f"{found.language}: failed"
    tasks = found.tasks
    return f"{found.language}: {len(tasks.made)} tasks made, {len(tasks.not_made)} not"


def _row(found: LanguageTasks) -> list[str]:
    if found.tasks is None:
        return [found.language, str(len(found.files)), *["–"] * 4, "failed"]
    made, unchanged, not_made, _ = found.tasks
    items = sum(sum(manifest["labels"].values()) for manifest in made.values())
    counts = (len(found.files), len(made) - len(unchanged), len(unchanged), len(not_made))
    return [found.language, *map(str, counts), f"{items:,}", "" if made else "no data for a task"]


def _remarks(done: Sequence[LanguageTasks], unknown: Sequence[str]) -> list[str]:
    failed = [f"  {found.language}: {found.failure}" for found in done if found.failure]
    failed += [f"  {path}: its name does not begin with a language" for path in unknown]
    odd = [
        f"{found.language}, {line}"
        for found in done
        if found.tasks
        for line in oddities(found.tasks.reading)
    ]
    return [*(["", "Failed:", *failed] if failed else []), *(["", *odd] if odd else [])]
