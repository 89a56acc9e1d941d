"""The settings of a suite: what may be in a grid, and what is meant where something is left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp import jsonnet
from linspector_allennlp.io.missing_files import listed, nearest
from linspector_allennlp.suite.changes import merged
from linspector_allennlp.suite.search import Search, points_of_grid, read_search

FIRST_SEED = 13

ARCHIVES = ("none", "best", "all")

GRID_KEYS = (
    "name", "data", "tasks", "languages", "representations", "layers", "encoders", "probes", "seeds",
    "control", "mdl", "train_share", "settings", "search", "test_language", "test_data", "skip", "config",
)  # fmt: skip

SUITE_KEYS = ("grids", "archives")


@dataclass(frozen=True)
class Control:
    """
    The control tasks of a grid.

    # Parameters

    seed : `int`, optional (default = `13`)
        Of the labels.
    per : `str`, optional (default = `"type"`)
        What has a label of its own: `type` or `item`.
    """

    seed: int = 13
    per: str = "type"


@dataclass(frozen=True)
class Grid:
    """
    A grid of runs. What its settings are is in `docs/suites.md`; here they are all there, in one form.
    """

    name: Optional[str]
    data: Sequence[str]
    tasks: Sequence[Any]
    languages: Optional[Sequence[str]]
    representations: Mapping[Optional[str], Any]
    layers: Union[None, str, Sequence[int]]
    encoders: Mapping[Optional[str], Any]
    probes: Mapping[Optional[str], Any]
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
    # What jsonnet has read is as that of a file, whoever made it.
    shared = jsonnet.evaluate("std.extVar('suite')", suite=dict(suite))
    check_keys("a suite", shared, (*GRID_KEYS, *SUITE_KEYS))
    archives = shared.pop("archives", ARCHIVES[0])
    if archives not in ARCHIVES:
        raise ConfigurationError(f"archives: expected {', '.join(ARCHIVES)}, found {archives!r}.")
    if "grids" not in shared:
        return [_grid(shared, shared.get("name"))]
    grids = shared.pop("grids")
    if not isinstance(grids, list) or not grids or not all(isinstance(g, dict) for g in grids):
        raise ConfigurationError("grids: expected a list of grids, as [{ tasks: … }, …].")
    for number, grid in enumerate(grids, start=1):
        check_keys(f"grid {number}", grid, GRID_KEYS)
    names = [str(grid.get("name", number)) for number, grid in enumerate(grids, start=1)]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ConfigurationError(f"grids: two are called {listed(twice)}.")
    config = shared.get("config", {})
    return [
        _grid({**shared, **grid, "config": merged(config, grid.get("config", {}))}, name)
        for name, grid in zip(names, grids)
    ]


def _grid(settings: Mapping[str, Any], name: Optional[str]) -> Grid:
    if "representations" not in settings:
        raise ConfigurationError("a suite needs representations, as { fasttext: 'fi.vec' }.")
    return Grid(
        name=name,
        data=_texts("data", settings.get("data", [])),
        tasks=_listed(settings.get("tasks", "*")),
        languages=None
        if settings.get("languages", "*") == "*"
        else _texts("languages", settings["languages"]),
        representations=named_values("representations", settings["representations"]),
        layers=_layers(settings.get("layers")),
        encoders=named_values("encoders", settings.get("encoders", {})),
        probes=named_values("probes", settings.get("probes", {})),
        seeds=_seeds(settings.get("seeds", 1)),
        control=_control(settings.get("control", False)),
        mdl=_truth("mdl", settings.get("mdl", False)),
        train_share=_shares(settings.get("train_share", 1.0)),
        points=points_of_grid("settings", settings.get("settings", {})),
        search=read_search(settings.get("search")),
        test_languages=_texts("test_language", settings.get("test_language", [])),
        test_data=_test_data(settings.get("test_data", {})),
        skip=_skip(settings.get("skip", [])),
        config=_mapping("config", settings.get("config", {})),
    )


def check_keys(what: str, settings: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuses settings with a key that nobody would read."""
    for key in settings:
        if key not in known:
            raise ConfigurationError(
                f"{what} has no {key}.{nearest(key, known)} Expected one of {', '.join(known)}."
            )


def named_values(key: str, given: Any) -> dict[Optional[str], Any]:
    """A mapping of names, or a list of texts, which are named by `name_of_text`."""
    if isinstance(given, Mapping):
        return dict(given)
    texts = _texts(key, given)
    names = [name_of_text(text) if key == "representations" else text for text in texts]
    for name in names:
        if names.count(name) > 1:
            raise ConfigurationError(
                f"{key}: two of the list would be called {name!r}: give them names, as {{ name: text }}."
            )
    return dict(zip(names, texts))


def name_of_text(text: str) -> str:
    """A short name of a representation: the stem of its file or model, else the text itself."""
    parts = text.replace("\\:", "\0").split(":")
    named = [part for part in parts if "/" in part or "." in part]
    if not named or "=" in named[0]:
        return text
    name = named[0].replace("\0", ":").rstrip("/").rpartition("/")[2]
    stem, dot, _ = name.partition(".")
    return stem if dot and stem else name


def _texts(key: str, given: Any) -> list[str]:
    texts = _listed(given)
    if not all(isinstance(text, str) and text for text in texts):
        raise ConfigurationError(f"{key}: expected a text or a list of texts, found {given!r}.")
    return texts


def _listed(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list) else [given]


def _mapping(key: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise ConfigurationError(f"{key}: expected settings by name, found {given!r}.")
    return dict(given)


def _truth(key: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise ConfigurationError(f"{key}: expected true or false, found {given!r}.")
    return given


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _seeds(given: Any) -> list[int]:
    if _is_whole(given, 1):
        return list(range(FIRST_SEED, FIRST_SEED + given))
    if isinstance(given, list) and given and all(_is_whole(seed, 0) for seed in given):
        return given
    raise ConfigurationError(f"seeds: expected their number or a list of seeds, found {given!r}.")


def _layers(given: Any) -> Union[None, str, list[int]]:
    if given is None or given == "all":
        return given
    layers = _listed(given)
    if not layers or not all(isinstance(n, int) and not isinstance(n, bool) for n in layers):
        raise ConfigurationError(
            f"layers: expected numbers or 'all', found {given!r}. A mix or an average of layers is a "
            "representation of its own, as { mix: 'transformer:MODEL:mix' }."
        )
    return layers


def _shares(given: Any) -> list[float]:
    shares = _listed(given)
    if not shares or not all(_is_number(share) and 0 < share <= 1 for share in shares):
        raise ConfigurationError(f"train_share: expected shares from 0 to 1, found {given!r}.")
    return shares


def _control(given: Any) -> Optional[Control]:
    if isinstance(given, bool):
        return Control() if given else None
    settings = _mapping("control", given)
    check_keys("control", settings, ("seed", "per"))
    control = Control(**settings)
    if control.per not in ("type", "item"):
        raise ConfigurationError(f"control: expected per: 'type' or 'item', found {control.per!r}.")
    return control


def _test_data(given: Any) -> dict[str, str]:
    if isinstance(given, Mapping):
        return dict(given)
    return {name_of_text(text): text for text in _texts("test_data", given)}


def _skip(given: Any) -> list[dict[str, Any]]:
    return [_mapping("skip", each) for each in _listed(given)]
