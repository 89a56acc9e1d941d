"""What tells runs apart that no suite has named: the settings in which their configs differ."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from linspector_allennlp.io.regular import read_text
from linspector_allennlp.run_folders.found_runs import FoundRun
from linspector_allennlp.run_folders.run_place import CONFIG

SEEDS = ("seed", "random_seed", "numpy_seed", "pytorch_seed")


def with_differences(runs: Sequence[FoundRun]) -> list[FoundRun]:
    """
    The runs, those of no study with `settings`: what the configs of the runs that are called the same do
    not have in common, but for seeds.
    """
    alike: dict[str, list[int]] = {}
    for number, found in enumerate(runs):
        if not found.study:
            called = {name: value for name, value in found.columns.items() if name != "seed"}
            alike.setdefault(json.dumps(called, default=str), []).append(number)
    named = list(runs)
    for numbers in alike.values():
        settings = differences([_config(runs[number]) for number in numbers])
        for number, of_run in zip(numbers, settings):
            columns = {**runs[number].columns, "settings": of_run}
            named[number] = runs[number]._replace(columns=columns)
    return named


def differences(configs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each config, by dotted keys, its values of those settings that are not the same in all."""
    flat = [_flat(config) for config in configs]
    keys = dict.fromkeys(key for config in flat for key in config)
    differing = [
        key
        for key in keys
        if key.rsplit(".", 1)[-1] not in SEEDS
        and any(config.get(key) != flat[0].get(key) for config in flat)
    ]
    return [{key: config.get(key) for key in differing} for config in flat]


def _flat(config: Mapping[str, Any], start: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{start}{key}."))
        else:
            flat[f"{start}{key}"] = value
    return flat


def _config(found: FoundRun) -> dict[str, Any]:
    """The config of a run; nothing where its folder has none any more."""
    try:
        config = json.loads(read_text(found.run.path / CONFIG))
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}
