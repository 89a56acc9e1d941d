"""Changes of a config, as a suite says them."""

from collections.abc import Mapping
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.missing_files import nearest


def merged(settings: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """
    Settings with changes in them, key by key at every depth. A mapping that names a `type` replaces what is
    there, because the settings of another type would not fit it.
    """
    result = dict(settings)
    for key, value in changes.items():
        there = result.get(key)
        adds = isinstance(value, Mapping) and isinstance(there, Mapping) and "type" not in value
        result[key] = merged(there, value) if adds else value  # type: ignore[arg-type]
    return result


def with_change(settings: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """Settings in which a dotted key, as `model.head.dropout`, has another value, whatever it had."""
    return _with_change(settings, key.split("."), 0, value)


def _with_change(settings: Any, path: list[str], depth: int, value: Any) -> dict[str, Any]:
    name, is_last = path[depth], depth == len(path) - 1
    if not isinstance(settings, Mapping) or not (is_last or name in settings):
        missing = ".".join(path[: depth + 1] if isinstance(settings, Mapping) else path[:depth])
        near = nearest(name, settings) if isinstance(settings, Mapping) else ""
        raise ConfigurationError(
            f"{'.'.join(path)}: the config has no settings {missing} to change.{near}"
        )
    if is_last:
        return {**settings, name: value}
    return {**settings, name: _with_change(settings[name], path, depth + 1, value)}
