"""The values of a grid's settings: each in one form, or refused."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.missing_files import nearest

FIRST_SEED = 13
GREATEST_SEED = 2**32 - 1  # numpy's

MOST_SEEDS = 10_000
MOST_RUNS = 100_000

ENDINGS = re.compile(r"(\.(vec|txt|bin|npy|h5|hdf5|safetensors|model|zip|tar|gz))+$")


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


def check_keys(what: str, settings: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuses settings with a key that nobody would read."""
    for key in settings:
        if key not in known:
            raise ConfigurationError(
                f"{what} has no {key}.{nearest(key, known)} Expected one of {', '.join(known)}."
            )


def named_values(key: str, given: Any) -> dict[str, Any]:
    """A mapping of names, or a list of texts, which are named by `name_of_text`."""
    if isinstance(given, Mapping):
        return dict(given)
    texts = texts_of(key, given)
    of_files = key in ("representations", "test_data")
    names = [name_of_text(text) if of_files else text for text in texts]
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
    return ENDINGS.sub("", name) or name


def texts_of(key: str, given: Any) -> list[str]:
    texts = listed_of(given)
    if not all(map(is_text, texts)):
        raise ConfigurationError(f"{key}: expected a text or a list of texts, found {given!r}.")
    return texts


def listed_of(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list) else [given]


def mapping_of(key: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise ConfigurationError(f"{key}: expected settings by name, found {given!r}.")
    return dict(given)


def truth_of(key: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise ConfigurationError(f"{key}: expected true or false, found {given!r}.")
    return given


def seeds_of(given: Any) -> list[int]:
    if is_whole(given, 1, MOST_SEEDS):
        return list(range(FIRST_SEED, FIRST_SEED + given))
    if isinstance(given, list) and given and all(is_seed(seed) for seed in given):
        return given
    raise ConfigurationError(
        f"seeds: expected their number (up to {MOST_SEEDS}) or a list of seeds (from 0 to {GREATEST_SEED}), "
        f"found {given!r}."
    )


def layers_of(given: Any) -> Union[None, str, list[int]]:
    if given is None or given == "all":
        return given
    layers = listed_of(given)
    if not layers or not all(isinstance(n, int) and not isinstance(n, bool) for n in layers):
        raise ConfigurationError(
            f"layers: expected numbers or 'all', found {given!r}. A mix or an average of layers is a "
            "representation of its own, as { mix: 'transformer:MODEL:mix' }."
        )
    return layers


def shares_of(given: Any) -> list[float]:
    shares = listed_of(given)
    if not shares or not all(map(is_share, shares)):
        raise ConfigurationError(f"train_share: expected shares from 0 to 1, found {given!r}.")
    return shares


def control_of(given: Any) -> Optional[Control]:
    if isinstance(given, bool):
        return Control() if given else None
    settings = mapping_of("control", given)
    check_keys("control", settings, ("seed", "per"))
    control = Control(**settings)
    if not is_seed(control.seed):
        raise ConfigurationError(
            f"control: expected a seed from 0 to {GREATEST_SEED}, found {control.seed!r}."
        )
    if control.per not in ("type", "item"):
        raise ConfigurationError(f"control: expected per: 'type' or 'item', found {control.per!r}.")
    return control


def test_data_of(given: Any) -> dict[str, str]:
    named = named_values("test_data", given)
    for name, text in named.items():
        if not is_text(text):
            raise ConfigurationError(f"test_data: expected a path of {name}, found {text!r}.")
    return named


def skip_of(given: Any) -> list[dict[str, Any]]:
    return [mapping_of("skip", each) for each in listed_of(given)]


def check_number_of_runs(what: str, counts: Mapping[str, int]) -> None:
    """Refuses so many runs that nobody means them, before they are made: the product of `counts`."""
    if prod(counts.values()) > MOST_RUNS:
        factors = " × ".join(f"{count} {name}" for name, count in counts.items() if count > 1)
        raise ConfigurationError(
            f"{what}: expected at most {MOST_RUNS} runs, found {factors} = {prod(counts.values())}."
        )


def is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_share(value: Any) -> bool:
    return is_number(value) and 0 < value <= 1


def is_seed(value: Any) -> bool:
    return is_whole(value, 0, GREATEST_SEED)


def is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
