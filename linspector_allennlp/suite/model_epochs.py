"""A network at several epochs of its training."""

from collections.abc import Iterator, Mapping
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.grid_values import is_whole

MOST = 2**31

Epochs = dict[int, Mapping[str, Any]]


def epochs_of(given: Any) -> Optional[Epochs]:
    """By epoch what is another setting of the embedder then, with numbers in the place of a file's texts."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or not given or not all(map(_is_epoch, given.items())):
        raise ConfigurationError(
            "epochs: expected by number what changes of the representation, as { '2': { weights_file: "
            f"'RUN/model_state_e2_b0.th' }} }}, found {given!r}."
        )
    return {int(number): given[number] for number in sorted(given, key=int)}


def by_epoch(name: str, settings: Any, epochs: Optional[Epochs]) -> list[tuple[Optional[int], Any]]:
    """
    A representation at each epoch; one without epochs is there once.

    # Parameters

    name : `str`
        What the suite calls it.
    settings : `Any`
        As a config has them.
    epochs : `Epochs`, optional
    """
    if epochs is None:
        return [(None, settings)]
    embedders = {}
    if isinstance(settings, Mapping):
        embedders = settings["text_field_embedder"].get("token_embedders", {})
    if len(embedders) != 1:
        raise ConfigurationError(f"representations: {name}: epochs are those of one embedder.")
    return list(_at_each(settings, embedders, epochs))


def _at_each(
    settings: Mapping[str, Any], embedders: Mapping[str, Any], epochs: Epochs
) -> Iterator[tuple[int, Any]]:
    (word, embedder), *_ = embedders.items()
    for number, changes in epochs.items():
        field = {
            **settings["text_field_embedder"],
            "token_embedders": {word: _changed(embedder, changes)},
        }
        yield number, {**settings, "text_field_embedder": field}


def _changed(embedder: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    if "base" in embedder:
        return {**embedder, "base": _changed(embedder["base"], changes)}
    return {**embedder, **changes}


def _is_epoch(item: tuple[Any, Any]) -> bool:
    number, changes = item
    is_number = is_whole(number, 0, MOST) or (isinstance(number, str) and number.isdecimal())
    return is_number and isinstance(changes, Mapping)
