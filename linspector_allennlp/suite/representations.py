"""The representations of a grid: by language, layer and encoder."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp import jsonnet
from linspector_allennlp.languages import find_language
from linspector_allennlp.suite.grid import Grid
from linspector_allennlp.suite.model_layers import by_layer, source_of

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
  else each.of + { encoder: each.encoder }
  for each in std.extVar('encoded')
]
"""

SETTINGS = {"token_indexers", "text_field_embedder"}

OF_ONE = ("representation", "layers")


class Variant(NamedTuple):
    """
    What a probe sees of the words of a language.

    # Parameters

    name, layer, encoder
        As the table has them.
    settings : `Any`
        Of the representation, as a config has them; a list of several, for encoders that put them side
        by side.
    source : `str`
        What all layers of a model have in common.
    place : `int`
        Among the layers and encoders of the representation.
    """

    name: Optional[str]
    layer: Optional[int]
    encoder: Optional[str]
    settings: Any
    source: str
    place: int

    @property
    def is_random(self) -> bool:
        """Whether it depends on the seed of the run, so that each seed computes its own."""
        embedders = self.settings["text_field_embedder"]["token_embedders"].values()
        return any(map(_is_drawn, [self.settings.get("encoder"), *embedders]))


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
        self._encoders = grid.encoders
        self._words: dict[tuple[Optional[str], str], list[Variant]] = {}
        self._sentences: dict[tuple[Optional[str], str], list[Variant]] = {}
        given = {}
        for name, value in grid.representations.items():
            value, layers = _with_layers(name, value, grid)
            for language in languages:
                found = _of_language(name, value, language)
                if found is None:
                    self.missing.append(f"{name} has nothing for {language}: left out there.")
                else:
                    given[name, language] = (found, layers)
        settings = jsonnet.evaluate(NAMED, values=[value for value, _ in given.values()])
        for (key, (_, layers)), each in zip(given.items(), settings):
            in_layers = by_layer(each, layers) if isinstance(each, dict) else [(None, each)]
            source = source_of(each)
            self._words[key] = [
                Variant(key[0], layer, None, found, source, place)
                for place, (layer, found) in enumerate(in_layers)
            ]

    def of_words(self, name: Optional[str], language: str) -> list[Variant]:
        """The layers of a representation."""
        return self._words.get((name, language), [])

    def of_sentences(self, name: Optional[str], language: str) -> list[Variant]:
        """The same with each encoder; one that is of sentences already, as it is."""
        key = (name, language)
        if key not in self._sentences:
            self._sentences[key] = self._encoded(self._words.get(key, []))
        return self._sentences[key]

    def _encoded(self, words: Sequence[Variant]) -> list[Variant]:
        given: list[tuple[Variant, dict[str, Any]]] = []
        ready = []
        for features in words:
            if "encoder" in features.settings:
                ready.append(features)
                continue
            for encoder, value in self._encoders.items():
                place = len(ready) + len(given)
                changed = features._replace(encoder=encoder, place=place)
                given.append((changed, {"encoder": value, "of": features.settings}))
        if not given:
            return ready
        settings = jsonnet.evaluate(ENCODED, encoded=[value for _, value in given])
        return ready + [each._replace(settings=found) for (each, _), found in zip(given, settings)]


def _is_drawn(module: Any) -> bool:
    if not isinstance(module, Mapping):
        return False
    types = ("char_ngrams", "random_vectors", "random_bilstm", "borep", "random_esn")
    drawn = module.get("type") in types or bool(
        {module.get("unk"), module.get("weights")} & {"random", "shared_random"}
    )
    return (drawn and module.get("seed") is None) or _is_drawn(module.get("base"))


def _with_layers(name: Optional[str], value: Any, grid: Grid) -> tuple[Any, Any]:
    """A representation and its layers, which it may have for itself."""
    if isinstance(value, Mapping) and "representation" in value and set(value) <= set(OF_ONE):
        return value["representation"], value.get("layers", grid.layers)
    return value, grid.layers


def _of_language(name: Optional[str], value: Any, language: str) -> Any:
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
    names = {"{language}": language, "{code}": known.code if known else language}
    return _with_names(value, names)


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
