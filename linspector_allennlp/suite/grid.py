"""The settings of a suite: what may be in a grid, and what is meant where something is left out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.missing_files import listed
from linspector_allennlp.suite.changes import merged
from linspector_allennlp.suite.grid_values import (
    Control,
    check_keys,
    control_of,
    is_text,
    layers_of,
    listed_of,
    mapping_of,
    named_values,
    seeds_of,
    shares_of,
    skip_of,
    test_data_of,
    texts_of,
    truth_of,
)
from linspector_allennlp.suite.search import Search, points_of_grid, read_search

GRID_KEYS = (
    "name", "data", "tasks", "languages", "representations", "layers", "encoders", "probes", "seeds",
    "control", "mdl", "train_share", "settings", "search", "test_language", "test_data", "skip", "config",
)  # fmt: skip

# `Suite` reads the second, `suite.own_scores` the third.
SUITE_KEYS = ("grids", "archives", "own_scores")


@dataclass(frozen=True)
class Grid:
    """
    A grid of runs. What its settings are is in `docs/suites.md`; here they are all there, in one form.
    """

    name: Optional[str]
    data: Sequence[str]
    tasks: Sequence[Any]
    languages: Optional[Sequence[str]]
    representations: Mapping[str, Any]
    layers: Union[None, str, Sequence[int]]
    encoders: Mapping[str, Any]
    probes: Mapping[str, Any]
    seeds: Sequence[int]
    control: Optional[Control]
    mdl: bool
    train_share: Sequence[float]
    points: Sequence[Mapping[str, Any]]
    search: Optional[Search]
    test_languages: Sequence[str]
    test_data: Mapping[str, str]
    skip: Sequence[Mapping[str, Any]]
    config: Mapping[str, Any]


def read_grids(suite: Mapping[str, Any]) -> list[Grid]:
    """
    The grids of a suite. It is one, or has several as `grids`: what stands beside these holds for all of
    them that do not say otherwise.
    """
    # A copy, with lists in the place of tuples, as a file has them.
    shared = json.loads(json.dumps(dict(suite)))
    check_keys("a suite", shared, (*GRID_KEYS, *SUITE_KEYS))
    _check_name(shared)
    if "grids" not in shared:
        return [_grid(shared, shared.get("name"))]
    grids = shared.pop("grids")
    check_keys("a suite of several grids", shared, (*GRID_KEYS[1:], *SUITE_KEYS))
    if not isinstance(grids, list) or not grids or not all(isinstance(g, dict) for g in grids):
        raise ConfigurationError("grids: expected a list of grids, as [{ tasks: … }, …].")
    for number, grid in enumerate(grids, start=1):
        check_keys(f"grid {number}", grid, GRID_KEYS)
        _check_name(grid)
    names = [grid.get("name", str(number)) for number, grid in enumerate(grids, start=1)]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ConfigurationError(f"grids: two are called {listed(twice)}.")
    config = _config(shared)
    return [
        _grid({**shared, **grid, "config": merged(config, _config(grid))}, name)
        for name, grid in zip(names, grids)
    ]


def _check_name(grid: Mapping[str, Any]) -> None:
    if not is_text(grid.get("name", "a grid without one")):
        raise ConfigurationError(f"name: expected text, found {grid['name']!r}.")


def _config(grid: Mapping[str, Any]) -> dict[str, Any]:
    return mapping_of("config", grid.get("config", {}))


def _grid(settings: Mapping[str, Any], name: Optional[str]) -> Grid:
    if "representations" not in settings:
        raise ConfigurationError("a suite needs representations, as { fasttext: 'fi.vec' }.")
    return Grid(
        name=name,
        data=texts_of("data", settings.get("data", [])),
        tasks=listed_of(settings.get("tasks", "*")),
        languages=None
        if settings.get("languages", "*") == "*"
        else texts_of("languages", settings["languages"]),
        representations=named_values("representations", settings["representations"]),
        layers=layers_of(settings.get("layers")),
        encoders=named_values("encoders", settings.get("encoders", {})),
        probes=named_values("probes", settings.get("probes", {})),
        seeds=seeds_of(settings.get("seeds", 1)),
        control=control_of(settings.get("control", False)),
        mdl=truth_of("mdl", settings.get("mdl", False)),
        train_share=shares_of(settings.get("train_share", 1.0)),
        points=points_of_grid("settings", settings.get("settings", {})),
        search=read_search(settings.get("search")),
        test_languages=texts_of("test_language", settings.get("test_language", [])),
        test_data=test_data_of(settings.get("test_data", {})),
        skip=skip_of(settings.get("skip", [])),
        config=_config(settings),
    )
