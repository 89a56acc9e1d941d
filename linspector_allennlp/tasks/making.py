"""
Making tasks: plans of what to make, and running them into a folder. The makers of `make_type_level`
and `make_treebank_tasks` read their resources, plan, and end here.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Optional

from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike, sha256
from linspector_allennlp.languages import (
    Language,
    close_names,
    find_language,
    language_in_name,
)
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.task_data import TaskData, TooLittleData


class TaskPlan(NamedTuple):
    """
    A task to make: its name, what makes it, and what it is made from; and how, where that is not the
    same for all tasks of the run.
    """

    name: str
    make: Callable[[], TaskData]
    inputs: Mapping[str, Any]
    packages: Sequence[str] = ()
    settings: Optional[Mapping[str, Any]] = None


class MadeTasks(NamedTuple):
    """
    The tasks of one run, in the order of their plans.

    # Parameters

    made : `dict[str, dict[str, Any]]`
        The manifest of each task that is there now.
    unchanged : `set[str]`
        Those of them that the same call had made before.
    not_made : `dict[str, str]`
        For each task that there is too little data for why.
    reading : `Mapping[str, Mapping[str, Any]]`
        For each input what was found in it: counts of rows, of bad lines, of unknown tags.
    """

    made: dict[str, dict[str, Any]]
    unchanged: set[str]
    not_made: dict[str, str]
    reading: Mapping[str, Mapping[str, Any]]


def run_plans(
    writer: TaskWriter, plans: Sequence[TaskPlan], reading: Mapping[str, Mapping[str, Any]]
) -> MadeTasks:
    """Makes and writes the tasks one by one."""
    with writer.alone():
        return _run_plans(writer, plans, reading)


def _run_plans(
    writer: TaskWriter, plans: Sequence[TaskPlan], reading: Mapping[str, Mapping[str, Any]]
) -> MadeTasks:
    made: dict[str, dict[str, Any]] = {}
    not_made: dict[str, str] = {}
    made_of = {plan.name: _made_of(plan) for plan in plans}
    # Before any work: a task that must not be replaced stops the run.
    there = {name: found for name, parts in made_of.items() if (found := writer.find(name, parts))}
    try:
        for plan in Tqdm.tqdm(plans, desc="making tasks"):
            if plan.name in there:
                made[plan.name] = there[plan.name]
                continue
            try:
                data = plan.make()
                data.check_labels()
            except TooLittleData as error:
                not_made[plan.name] = writer.leave_out(plan.name, str(error))
                continue
            made[plan.name] = writer.write(data, made_of[plan.name])
    finally:
        # What is written is whole, and said to be there, even if the rest was interrupted.
        writer.finish(reading)
    return MadeTasks(made, set(there), not_made, reading)


def input_file(name: str, path: PathLike) -> dict[str, str]:
    """An input by what it is called and what is in it, not by where it is."""
    return {"file": Path(name).name, "sha256": sha256(path)}


def language_of(given: Optional[str], inputs: Sequence[str]) -> Language:
    """
    The language that was given, by its name or code in the table, or, if it is none of these, by its
    name and code (`quenya:qya`); else the one that the name of an input tells.
    """
    if given is None:
        for source in inputs:
            if found := language_in_name(source):
                return found
        raise ConfigurationError("--language is needed: the names of the inputs do not tell it.")
    name, colon, code = given.strip().lower().replace(" ", "-").partition(":")
    if not name or "/" in name or name.startswith("."):
        raise ConfigurationError(f"--language {given!r} cannot be the name of a folder.")
    known, known_code = find_language(name), find_language(code)
    if known and (not colon or known == known_code):
        return known
    if not colon:
        close = close_names(name)
        raise ConfigurationError(
            f"--language: the table of languages does not have {given!r}."
            + (f" Did you mean {' or '.join(close)}?" if close else "")
            + f" A language that it does not have is named with its ISO 639 code, as {name}:xyz."
        )
    taken = known or known_code
    if taken:
        raise ConfigurationError(
            f"--language {given!r}: {name if known else code} is {taken.name} ({taken.code}) in the "
            "table of languages."
        )
    if not re.fullmatch("[a-z]{2,3}", code):
        raise ConfigurationError(
            f"--language {given!r}: expected an ISO 639 code of two or three letters behind the colon."
        )
    return Language(name, code, "") if len(code) == 2 else Language(name, "", code)


def _made_of(plan: TaskPlan) -> dict[str, Any]:
    """The inputs and versions of a task, the same on every machine."""
    packages = ("linspector_allennlp", *plan.packages)
    return {
        "inputs": dict(plan.inputs),
        "versions": {name: version(name) for name in packages},
        **({} if plan.settings is None else {"settings": dict(plan.settings)}),
    }
