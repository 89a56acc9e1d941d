"""Whether the prediction of a tree, which is read from a file, is one that can be drawn."""

import math
from collections.abc import Mapping
from typing import Any

from linspector_allennlp.run_folders.table_columns import fits

OPTIONAL = ("root", "gold_root", "scored")
"""What may be nothing, as the root of a sentence in which no word counts."""


def check_prediction(prediction: Mapping[str, Any]) -> None:
    """Refuses words that are no text, and edges, heads, depths and roots that are not of these words."""
    forms = prediction.get("forms")
    if not isinstance(forms, list) or not all(fits(form, str) for form in forms):
        raise ValueError(f"Expected forms as a list of words, found {forms!r:.80}.")
    size = len(forms)
    for name in ("", "gold_"):
        _check(prediction, f"{name}edges", "pairs of words", lambda found: _are_edges(found, size))
        _check(
            prediction, f"{name}heads", "a head for each word",
            lambda found: _are_of_words(found, size) and all(_is_index(head, -1, size) for head in found),
        )  # fmt: skip
        _check(
            prediction, f"{name}depths", "a number for each word",
            lambda found: _are_of_words(found, size) and all(map(_is_depth, found)),
        )  # fmt: skip
        if f"{name}depths" in prediction and f"{name}root" not in prediction:
            raise ValueError(f"Expected {name}root beside {name}depths, found none.")
        _check(prediction, f"{name}root", "a word", lambda found: _is_index(found, 0, size))
    _check(
        prediction, "scored", "true or false for each word",
        lambda found: _are_of_words(found, size) and all(isinstance(each, bool) for each in found),
    )  # fmt: skip


def _check(prediction: Mapping[str, Any], key: str, expected: str, is_right: Any) -> None:
    found = prediction.get(key)
    is_left_out = key not in prediction or (found is None and key in OPTIONAL)
    if not is_left_out and not is_right(found):
        raise ValueError(f"Expected {key} as {expected}, found {found!r:.80}.")


def _are_edges(found: Any, size: int) -> bool:
    return isinstance(found, list) and all(
        isinstance(edge, list) and len(edge) == 2 and all(_is_index(end, 0, size) for end in edge)
        for edge in found
    )


def _are_of_words(found: Any, size: int) -> bool:
    return isinstance(found, list) and len(found) == size


def _is_index(value: Any, least: int, size: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < size


def _is_depth(value: Any) -> bool:
    return fits(value, float) and math.isfinite(value)
