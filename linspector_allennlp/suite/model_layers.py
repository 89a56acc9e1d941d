"""The layers of the model behind a representation."""

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Union

from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

NUM_ELMO_LAYERS = 3

MODULES = "module"
"""The key of the modules of a network, which are layers where they are a list."""

Settings = dict[str, Any]


def by_layer(
    settings: Mapping[str, Any], layers: Union[None, str, Sequence[int]]
) -> Iterator[tuple[Union[None, int, str], Settings]]:
    """
    A representation in each layer. One that has no layers, or names its own, is there once. Layers that
    are modules of a network are called by their names.

    # Parameters

    settings : `Mapping[str, Any]`
        As a config has them.
    layers : `Union[None, str, Sequence[int]]`
        Numbers, or `"all"`, from the embedding layer on.
    """
    field = settings["text_field_embedder"]
    embedders = field.get("token_embedders", {})
    name, embedder = next(iter(embedders.items()), ("", {}))
    if len(embedders) != 1 or layers is None or not _may_choose(embedder):
        yield _layer_of(embedder) if len(embedders) == 1 else None, dict(settings)
        return
    for layer in _all_layers(embedder) if isinstance(layers, str) else layers:
        chosen = {**field, "token_embedders": {name: _in_layer(embedder, layer)}}
        yield _named(embedder, layer), {**settings, "text_field_embedder": chosen}


def check_settings(name: str, settings: Any) -> None:
    """Refuses what is neither a representation nor a list of them, before it is looked into."""
    several = settings if isinstance(settings, list) else [settings]
    if not several or not all(map(_is_representation, several)):
        raise ConfigurationError(
            f"representations: {name} is neither text, nor settings (token_indexers, and text_field_embedder, in "
            f"which each of token_embedders has a type): found {settings!r}."
        )


def _is_representation(settings: Any) -> bool:
    parts = settings if isinstance(settings, Mapping) else {}
    field = parts.get("text_field_embedder")
    if not isinstance(field, Mapping) or not isinstance(parts.get("token_indexers"), Mapping):
        return False
    embedders = field.get("token_embedders", {})
    return isinstance(embedders, Mapping) and all(map(_is_embedder, embedders.values()))


def _is_embedder(settings: Any) -> bool:
    if not isinstance(settings, Mapping) or not isinstance(settings.get("type"), str):
        return False
    return "base" not in settings or _is_embedder(settings["base"])


def source_of(settings: Any) -> str:
    """What all layers of a model have in common."""
    if isinstance(settings, list):
        return json.dumps([source_of(each) for each in settings])
    return json.dumps(_without_layer(settings), sort_keys=True)


def _without_layer(settings: Any) -> Any:
    if not isinstance(settings, Mapping):
        return settings
    return {key: _without_layer(value) for key, value in settings.items() if key != "layer"}


def _has_layers(embedder: Mapping[str, Any]) -> bool:
    """Whether it takes one in any case: `precomputed` may have files without layers."""
    if isinstance(embedder.get(MODULES), list):
        return True
    cls, constructor = TokenEmbedder.resolve_class_name(embedder["type"])
    function = getattr(cls, constructor) if constructor else cls.__init__
    layer = inspect.signature(function).parameters.get("layer")
    return layer is not None and layer.default is not None


def _may_choose(embedder: Any) -> bool:
    """Whether it, or what it is over, has layers and names none."""
    if not isinstance(embedder, Mapping):
        return False
    return _may_choose(embedder.get("base")) or (_has_layers(embedder) and "layer" not in embedder)


def _in_layer(embedder: Mapping[str, Any], layer: int) -> Settings:
    if "base" in embedder:
        return {**embedder, "base": _in_layer(embedder["base"], layer)}
    return {**embedder, "layer": layer}


def _layer_of(embedder: Mapping[str, Any]) -> Union[None, int, str]:
    """The one that the embedder, or what it is over, names, if it is one."""
    layer = embedder.get("base", embedder).get("layer")
    is_one = isinstance(layer, int) and not isinstance(layer, bool)
    return _named(embedder, layer) if is_one else None


def _named(embedder: Mapping[str, Any], layer: int) -> Union[int, str]:
    """The name of a module in the place of its number."""
    modules = embedder.get("base", embedder).get(MODULES)
    if not isinstance(modules, list):
        return layer
    if not -len(modules) <= layer < len(modules):
        raise ConfigurationError(
            f"layers: expected numbers of {len(modules)} modules ({', '.join(map(str, modules))}), from 0 to "
            f"{len(modules) - 1}, found {layer}."
        )
    return str(modules[layer])


def _all_layers(embedder: Mapping[str, Any]) -> Sequence[int]:
    embedder = embedder.get("base", embedder)
    if isinstance(embedder.get(MODULES), list):
        return range(len(embedder[MODULES]))
    if embedder["type"].startswith("elmo"):
        return range(NUM_ELMO_LAYERS)
    if "model" not in embedder:
        raise ConfigurationError(
            f"layers: how many {embedder['type']} has is not known: expected numbers, not 'all'."
        )
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(embedder["model"])
    return range(config.get_text_config().num_hidden_layers + 1)
