"""Test data of other languages and domains than those that a probe is trained in."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.grid import Grid
from linspector_allennlp.suite.suite_data import SuiteData, same_language


class OtherTest(NamedTuple):
    """
    Test data of another language or domain.

    # Parameters

    name : `str`
        In the table.
    language : `str`
    data : `Any`
        As a config has them.
    representation : `Mapping[str, Any]`, optional
        Of their words, where it is another one.
    """

    name: str
    language: str
    data: Any
    representation: Optional[Mapping[str, Any]] = None


def tests_of(
    data: SuiteData, there: Sequence[SuiteData], grid: Grid, notes: list[str]
) -> list[Optional[OtherTest]]:
    """
    The test data of the runs that are trained on `data`: the same task in each of the languages that the grid
    names, and the files that it names. `None` are its own, also where the grid names no others.
    """
    if not grid.test_languages and not grid.test_data:
        return [None]
    tests: list[Optional[OtherTest]] = []
    for language in grid.test_languages:
        in_language = [each for each in there if same_language(each.language, language)]
        if not in_language:
            raise ConfigurationError(f"test_language: the tasks have no data of {language}.")
        others = [each for each in in_language if (each.kind, each.task) == (data.kind, data.task)]
        if not others:
            notes.append(f"{language} has no {data.task}: not tested there.")
        if same_language(data.language, language):
            tests.append(None)
        else:
            tests += [OtherTest(each.language, each.language, each.data) for each in others]
    for name, path in grid.test_data.items():
        for placeholder, value in (("{language}", data.language), ("{task}", data.task)):
            path = path.replace(placeholder, value)
        tests.append(OtherTest(name, data.language, path))
    return tests
