"""The settings of sentence tasks: which there are, and which of them make no sense."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import MalformedLine, numbered_lines
from linspector_allennlp.tasks.sentences.clause_labels import voice_rule
from linspector_allennlp.tasks.sentences.length_tasks import eos_bins, sentlen_bins
from linspector_allennlp.tasks.sentences.order_tasks import SWITCHES, switch, wo_zone
from linspector_allennlp.tasks.sentences.sentence_items import Given, SentenceTask
from linspector_allennlp.tasks.sentences.subject_distance import svdist_bins

# The least that a number can be.
LEAST = {
    "wc_count": 2,
    "wc_skip": 0,
    "wo_zone": 1,
    "wo_least_length": 3,
    "spelling_least_letters": 2,
}


def check_settings(given: Given, tasks: Mapping[str, SentenceTask]) -> None:
    """Raises `ConfigurationError` for a setting that no task reads, or that cannot be; before any work."""
    known = sorted({name for task in tasks.values() for name in task.settings})
    for name in given.settings:
        if name not in known:
            raise ConfigurationError(f"no task reads {name!r}. There are {', '.join(known)}.")
    for name, least in LEAST.items():
        value = given.settings.get(name, least)
        if not isinstance(value, int) or value < least:
            raise ConfigurationError(
                f"{name}: expected a number of {least} or more, found {value!r}."
            )
    sentlen_bins(given), eos_bins(given), wo_zone(given), svdist_bins(given), voice_rule(given)
    for name in SWITCHES:
        switch(given, name)


def settings_of(task: SentenceTask, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those that the task reads."""
    return {name: settings[name] for name in task.settings if name in settings}


def read_word_list(path: PathLike) -> list[str]:
    """The words of a list, one a line, each once; fewer than two are an error."""
    words: list[str] = []
    for line, text in numbered_lines(path):
        if len(text.split()) != 1:
            raise MalformedLine(path, line, "one word a line", repr(text))
        words.append(text.strip())
    words = list(dict.fromkeys(words))
    if len(words) < 2:
        raise ValueError(f"{path}: expected two different words or more, found {len(words)}.")
    return words


def check_new_names(names: Sequence[str], known: Sequence[str], option: str) -> None:
    """Raises `ConfigurationError` if a task cannot be called so."""
    for name in names:
        if not name or name != Path(name).name or name.startswith(".") or "," in name:
            raise ConfigurationError(f"{option}: {name!r} cannot be the name of a folder.")
        if name.lower() in {each.lower() for each in known}:
            raise ConfigurationError(f"{option}: there is a task {name} already.")
