"""The runs that a grid describes, before their configs are made."""

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.missing_files import listed, nearest
from linspector_allennlp.languages import find_language
from linspector_allennlp.suite.downstream import LEVEL as DOWNSTREAM
from linspector_allennlp.suite.downstream import is_downstream
from linspector_allennlp.suite.grid import Grid
from linspector_allennlp.suite.grid_values import check_number_of_runs
from linspector_allennlp.suite.probes import Question, questions, read_probes
from linspector_allennlp.suite.representations import Representations, Variant
from linspector_allennlp.suite.search import Point
from linspector_allennlp.suite.suite_data import TREEBANK, SuiteData, find_data, same_language
from linspector_allennlp.suite.transfer import OtherTest, tests_of

LEVELS = {"token_in_context": "token", "paired_tokens": "token", TREEBANK: "token"}


class Candidate(NamedTuple):
    """
    # Parameters

    kind : `str`
        Of the probe.
    given : `Mapping[str, Any]`
        What the config says of the task besides its data.
    variant : `Variant`
    changes : `Sequence[Mapping[str, Any]]`
        Of the config, one after the other.
    columns : `Mapping[str, Any]`
    data : `SuiteData`
    test : `OtherTest`, optional
    grid : `Grid`
    """

    kind: str
    given: Mapping[str, Any]
    variant: Variant
    changes: Sequence[Mapping[str, Any]]
    columns: Mapping[str, Any]
    data: SuiteData
    test: Optional[OtherTest]
    grid: Grid


def candidates(grid: Grid, notes: list[str]) -> Iterator[Candidate]:
    """The runs of a grid, in the order of its settings; to `notes` is added what is left out."""
    there = find_data(grid.data, grid.tasks, notes)
    chosen = _of_languages(there, grid.languages, notes)
    probes = read_probes(grid.probes)
    tests = [tests_of(each, there, grid, notes) for each in chosen]
    languages = [each.language for each in chosen]
    languages += [test.language for found in tests for test in found if test is not None]
    representations = Representations(grid, dict.fromkeys(languages))
    notes += representations.missing
    asked_of: list[tuple[SuiteData, Question, Variant, Optional[OtherTest]]] = []
    for data, tested in zip(chosen, tests):
        asked = list(questions(data, probes))
        if not asked:
            notes.append(_no_question(data))
        for name, question, test in product(grid.representations, asked, tested):
            found = _variants(representations, name, data.language, question)
            of_test = (
                found if test is None else _variants(representations, name, test.language, question)
            )
            for variant, of_its_words in zip(found, of_test):
                is_same = of_its_words.settings == variant.settings
                own = None if is_same else of_its_words.settings
                elsewhere = None if test is None else test._replace(representation=own)
                asked_of.append((data, question, variant, elsewhere))
    counts = {
        "tasks with a representation and a probe": len(asked_of),
        "shares": len(grid.train_share),
        "settings": len(grid.points),
        "points of the search": 1 if grid.search is None else len(grid.search.points),
        "seeds": len(grid.seeds),
    }
    check_number_of_runs("the suite" if grid.name is None else f"grid {grid.name}", counts)
    for data, question, variant, elsewhere in asked_of:
        yield from _runs(grid, data, question, variant, elsewhere)


def _runs(
    grid: Grid,
    data: SuiteData,
    question: Question,
    variant: Variant,
    test: Optional[OtherTest],
) -> Iterator[Candidate]:
    tried: Sequence[Point] = [{}] if grid.search is None else grid.search.points
    for share, point, sample, seed in product(grid.train_share, grid.points, tried, grid.seeds):
        varied = {**point, **sample}
        share_of = {} if share == 1 else {"train_share": share}
        changes = [grid.config, question.changes, share_of, varied]
        columns = {
            "grid": grid.name,
            "level": _level(data, question),
            "language": data.language,
            "task": question.task,
            "representation": variant.name,
            "layer": variant.layer,
            "epoch": variant.epoch,
            "encoder": variant.encoder,
            "probe": question.probe,
            "settings": varied,
            "train_share": ChainMap(*reversed(changes)).get("train_share", 1.0),
            "test": None if test is None else test.name,
            "control": False,
            "search": None if grid.search is None else grid.search.by,
            "seed": seed,
        }
        yield Candidate(
            question.kind,
            question.given,
            variant,
            changes,
            columns,
            data,
            test,
            grid,
        )


def _level(data: SuiteData, question: Question) -> str:
    if is_downstream(question.kind):
        return DOWNSTREAM
    return LEVELS.get(data.kind, "sentence" if "sentence" in data.kind else "type")


def _of_languages(
    there: Sequence[SuiteData], languages: Optional[Sequence[str]], notes: list[str]
) -> list[SuiteData]:
    """The data in these languages, in their order; what a language lacks is noted."""
    if languages is None:
        return list(there)
    found = sorted({data.language for data in there})
    chosen = []
    for language in languages:
        of_language = [data for data in there if same_language(data.language, language)]
        if not of_language and find_language(language) is None:
            raise ConfigurationError(
                f"languages: there are no data of {language}.{nearest(language, found)} There are "
                f"those of {listed(found)}."
            )
        lacking = sorted({data.task for data in there} - {data.task for data in of_language})
        if lacking:
            what = ", ".join(lacking) if of_language else "data at all"
            notes.append(f"{language} has no {what}: left out there.")
        chosen += of_language
    return chosen


def _variants(
    representations: Representations, name: str, language: str, question: Question
) -> list[Variant]:
    words = representations.of_words(name, language)
    if question.kind == "sentence":
        found = representations.of_sentences(name, language)
        if words and not found:
            raise ConfigurationError(
                f"{question.task} is a task of sentences: say which encoders make one vector of the words, "
                "as encoders: ['average']."
            )
        return found
    if any(isinstance(each.settings, list) for each in words):
        raise ConfigurationError(
            f"representations: {name} is a list, which only encoders of sentences put side by side; "
            f"{question.task} asks for words."
        )
    return words


def _no_question(data: SuiteData) -> str:
    if data.kind == TREEBANK and not data.targets:
        return f"{data.data}: no probe of the grid asks for its trees, and there are no targets to tag."
    return f"{data.task}/{data.language}: no probe of the grid is for {data.kind} data."
