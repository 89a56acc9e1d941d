"""The representations of a grid: by language, layer and encoder."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp import jsonnet
from linspector_allennlp.languages import find_language
from linspector_allennlp.suite.grid import Grid
from linspector_allennlp.suite.grid_values import layers_of
from linspector_allennlp.suite.model_epochs import by_epoch, epochs_of
from linspector_allennlp.suite.model_layers import by_layer, check_settings, source_of
from linspector_allennlp.suite.needed_files import missing_files

NAMED = """
local representations = import 'linspector/representations.libsonnet';
local of(value) =
  if std.isString(value) then representations.named(value)
  else if std.isArray(value) then [of(each) for each in value]
  else value;
[of(value) for value in std.extVar('values')]
"""

ENCODED = """
local encoders = import 'linspector/encoders.libsonnet';
[
  if std.isString(each.encoder) then encoders.named(each.encoder, each.of)
  else encoders.named('average', each.of) + { encoder: each.encoder }
  for each in std.extVar('encoded')
]
"""

SETTINGS = {"token_indexers", "text_field_embedder"}

OF_ONE = ("representation", "layers", "epochs")

PLACEHOLDERS = ("{language}", "{code}")


class Variant(NamedTuple):
    """
    What a probe sees of the words of a language.

    # Parameters

    name, layer, epoch, encoder
        As the table has them; a layer may have a name.
    settings : `Any`
        Of the representation, as a config has them; a list of several, for encoders that put them side
        by side.
    source : `str`
        What all layers of a model have in common.
    place : `int`
        Among the layers and encoders of the representation.
    """

    name: str
    layer: Union[None, int, str]
    encoder: Optional[str]
    settings: Any
    source: str
    place: int
    epoch: Optional[int] = None

    @property
    def is_random(self) -> bool:
        """Whether it depends on the seed of the run, so that each seed computes its own."""
        return any(map(_is_drawn, [self.settings.get("encoder"), *_embedders(self.settings)]))


# By name and language.
Variants = dict[tuple[str, str], list[Variant]]


class Representations:
    """
    The representations of a grid in each language.

    # Parameters

    grid : `Grid`
    languages : `Iterable[str]`
        All that a representation may be asked for.
    """

    def __init__(self, grid: Grid, languages: Iterable[str]) -> None:
        self.missing: list[str] = []
        """The representations that a language does not have, as sentences."""
        self._words: Variants = {}
        given = {}
        for name, value in grid.representations.items():
            value, layers, epochs = _of_one(name, value, grid)
            for language in languages:
                found = _of_language(name, value, language)
                if found is None:
                    self.missing.append(f"{name} has nothing for {language}: left out there.")
                else:
                    given[name, language] = (found, layers, epochs)
        settings = jsonnet.evaluate(NAMED, values=[value for value, *_ in given.values()])
        for (key, (_, layers, epochs)), each in zip(given.items(), settings):
            check_settings(key[0], each)
            missing = missing_files([{"model": each}])
            in_epochs = by_epoch(key[0], each, epochs)
            if missing and _is_by_language(grid.representations[key[0]]):
                self.missing.append(f"{key[0]} is left out for {key[1]}: {missing[0]}")
                continue
            found = self._words[key] = []
            for epoch, trained in in_epochs:
                source = source_of(trained)
                in_layers = (
                    by_layer(trained, layers) if isinstance(trained, dict) else [(None, trained)]
                )
                for layer, settings_of_layer in in_layers:
                    place = len(found)
                    found.append(
                        Variant(key[0], layer, None, settings_of_layer, source, place, epoch)
                    )
        self._sentences = _encoded(self._words, grid.encoders)

    def of_words(self, name: str, language: str) -> list[Variant]:
        """The layers of a representation."""
        return self._words.get((name, language), [])

    def of_sentences(self, name: str, language: str) -> list[Variant]:
        """The same with each encoder; one that is of sentences already, as it is."""
        return self._sentences.get((name, language), [])


def _encoded(words: Variants, encoders: Mapping[str, Any]) -> Variants:
    asked: list[dict[str, Any]] = []
    found: Variants = {key: [] for key in words}
    for key, variants in words.items():
        for variant in variants:
            if "encoder" in variant.settings:
                found[key].append(variant)
                continue
            for name, encoder in encoders.items():
                asked.append({"encoder": encoder, "of": variant.settings})
                place = len(found[key])
                found[key].append(variant._replace(encoder=name, place=place, settings=None))
    settings = iter(jsonnet.evaluate(ENCODED, encoded=asked) if asked else [])
    return {
        key: [each._replace(settings=each.settings or next(settings)) for each in variants]
        for key, variants in found.items()
    }


def _embedders(settings: Any) -> list[Any]:
    several = settings if isinstance(settings, list) else [settings]
    fields = [each["text_field_embedder"].get("token_embedders", {}) for each in several]
    return [embedder for field in fields for embedder in field.values()]


def _is_by_language(value: Any) -> bool:
    """Whether the text of a representation is a pattern for the names of languages."""
    return any(placeholder in json.dumps(value) for placeholder in PLACEHOLDERS)


def _is_drawn(module: Any) -> bool:
    if not isinstance(module, Mapping):
        return False
    types = ("char_ngrams", "random_vectors", "random_bilstm", "borep", "random_esn")
    drawn = module.get("type") in types or bool(
        {module.get("unk"), module.get("weights")} & {"random", "shared_random"}
    )
    return (drawn and module.get("seed") is None) or _is_drawn(module.get("base"))


def _of_one(name: str, value: Any, grid: Grid) -> tuple[Any, Any, Any]:
    """A representation, its layers, which it may have for itself, and its epochs."""
    if isinstance(value, Mapping) and "representation" in value and set(value) <= set(OF_ONE):
        layers = layers_of(value.get("layers", grid.layers))
        return value["representation"], layers, epochs_of(value.get("epochs"))
    return value, grid.layers, None


def _of_language(name: str, value: Any, language: str) -> Any:
    """A representation as it is for a language; nothing if it names others only."""
    if isinstance(value, Mapping) and not SETTINGS <= set(value):
        if not value or any(find_language(key) is None and key != language for key in value):
            raise ConfigurationError(
                f"representations: {name} is neither text, nor settings (token_indexers, "
                f"text_field_embedder), nor texts by language: found {', '.join(value)}."
            )
        by_name = {_canonical(key): each for key, each in value.items()}
        value = by_name.get(_canonical(language))
    known = find_language(language)
    names = language, known.code if known else language
    return _with_names(value, dict(zip(PLACEHOLDERS, names)))


def _canonical(language: str) -> str:
    known = find_language(language)
    return known.name if known else language


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for placeholder, name in names.items():
            value = value.replace(placeholder, name)
        return value
    if isinstance(value, list):
        return [_with_names(each, names) for each in value]
    if isinstance(value, Mapping):
        return {key: _with_names(each, names) for key, each in value.items()}
    return value
