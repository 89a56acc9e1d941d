"""The runs that a grid describes, before their configs are made."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.grid import Grid
from linspector_allennlp.suite.probes import Question, questions, read_probes
from linspector_allennlp.suite.representations import Features, Representations
from linspector_allennlp.suite.search import Point
from linspector_allennlp.suite.task_data import (
    TREEBANK,
    TaskData,
    find_task_data,
    same_language,
)

LEVELS = {"token_in_context": "token", "paired_tokens": "token", TREEBANK: "token"}


class Test(NamedTuple):
    """The test data of a run, where they are not its own: their name, and the data that they are of."""

    name: Optional[str] = None
    data: Any = None


class Candidate(NamedTuple):
    """
    # Parameters

    kind : `str`
        Of the probe.
    given : `Mapping[str, Any]`
        What the config says at its top, without the representation.
    features : `Features`
    changes : `Sequence[Mapping[str, Any]]`
        Of the config, one after the other.
    columns : `Mapping[str, Any]`
    data : `TaskData`
    test : `Test`
    grid : `Grid`
    """

    kind: str
    given: Mapping[str, Any]
    features: Features
    changes: Sequence[Mapping[str, Any]]
    columns: Mapping[str, Any]
    data: TaskData
    test: Test
    grid: Grid


def candidates(grid: Grid, notes: list[str]) -> Iterator[Candidate]:
    """The runs of a grid, in the order of its settings; `notes` are added what is left out."""
    there = find_task_data(grid.data, grid.tasks)
    chosen = _of_languages(there, grid.languages, notes)
    probes = read_probes(grid.probes)
    representations = Representations(grid, dict.fromkeys(each.language for each in chosen))
    notes += representations.missing
    for data in chosen:
        asked = list(questions(data, probes))
        if not asked:
            notes.append(_no_question(data))
        tests = _tests(grid, data, there)
        for name, question in product(grid.representations, asked):
            for features in _features(representations, name, data, question):
                yield from _runs(grid, data, question, features, tests)


def _runs(
    grid: Grid,
    data: TaskData,
    question: Question,
    features: Features,
    tests: Sequence[Test],
) -> Iterator[Candidate]:
    tried: Sequence[Point] = [{}] if grid.search is None else grid.search.points
    axes = product(tests, grid.train_share, grid.points, tried, grid.seeds)
    for test, share, point, sample, seed in axes:
        varied = {**point, **sample}
        columns = {
            "grid": grid.name,
            "level": LEVELS.get(data.kind, "sentence" if "sentence" in data.kind else "type"),
            "language": data.language,
            "task": question.task,
            "representation": features.name,
            "layer": features.layer,
            "encoder": features.encoder,
            "probe": question.probe,
            "settings": varied,
            "train_share": varied.get("train_share", share),
            "test": test.name,
            "control": False,
            "search": None if grid.search is None else grid.search.by,
            "seed": seed,
        }
        share_of = {} if share == 1 else {"train_share": share}
        yield Candidate(
            question.kind,
            {"data": data.data, "seed": seed, **question.given},
            features,
            [grid.config, question.changes, share_of, varied],
            columns,
            data,
            test,
            grid,
        )


def _of_languages(
    there: Sequence[TaskData], languages: Optional[Sequence[str]], notes: list[str]
) -> list[TaskData]:
    """The data in these languages, in their order; a task that lacks one of them is noted."""
    if languages is None:
        return list(there)
    chosen = []
    for language in languages:
        of_language = [data for data in there if same_language(data.language, language)]
        if not of_language:
            found = ", ".join(sorted({data.language for data in there}))
            raise ConfigurationError(
                f"languages: there are no data of {language}, only of {found}."
            )
        tasks = {data.task for data in of_language}
        lacking = sorted({data.task for data in there} - tasks)
        if lacking:
            notes.append(f"{language} has no {', '.join(lacking)}: left out there.")
        chosen += of_language
    return chosen


def _features(
    representations: Representations, name: Optional[str], data: TaskData, question: Question
) -> list[Features]:
    if question.kind != "sentence":
        found = representations.of_words(name, data.language)
        several = [each for each in found if isinstance(each.settings, list)]
        if several:
            raise ConfigurationError(
                f"representations: {name} is a list, which only encoders of sentences put side by side; "
                f"{data.task} asks for words."
            )
        return found
    found = representations.of_sentences(name, data.language)
    if not found and representations.of_words(name, data.language):
        raise ConfigurationError(
            f"{data.task} is a task of sentences: say which encoders make one vector of the words, as "
            "encoders: ['average']."
        )
    return found


def _tests(grid: Grid, data: TaskData, there: Sequence[TaskData]) -> list[Test]:
    """The test data of a run: its own, or those of other languages and domains."""
    tests = []
    for language in grid.test_languages:
        if same_language(data.language, language):
            tests.append(Test())
            continue
        others = [
            each
            for each in there
            if (each.kind, each.task) == (data.kind, data.task)
            and same_language(each.language, language)
        ]
        tests += [Test(each.language, each.data) for each in others]
    names = {"{language}": data.language, "{task}": data.task}
    for name, path in grid.test_data.items():
        for placeholder, value in names.items():
            path = path.replace(placeholder, value)
        tests.append(Test(name, path))
    return tests or [Test()]


def _no_question(data: TaskData) -> str:
    if data.kind == TREEBANK and not data.targets:
        return f"{data.data}: no probe of the grid asks for its trees, and there are no targets to tag."
    return f"{data.task}/{data.language}: no probe of the grid is for {data.kind} data."
