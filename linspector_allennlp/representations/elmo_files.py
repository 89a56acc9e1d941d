"""The two files of an ELMo model, its options (JSON) and its weights (HDF5), and whether they fit."""

import json
from collections.abc import Mapping
from functools import reduce
from typing import Any

import h5py
from allennlp.data.token_indexers.elmo_indexer import ELMoCharacterMapper

from linspector_allennlp.io.files import PathLike

CHARACTERS = ELMoCharacterMapper.padding_character + 1  # 256 bytes and 5 marks
WIDTH = ELMoCharacterMapper.max_word_length


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and value > 0


def _is_clip(value: Any) -> bool:
    return value is None or isinstance(value, (int, float))


def _is_filters(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(map(_is_size, pair)) for pair in value
    )


# What AllenNLP's ELMo takes from the options; with other entries it would fail late or, given
# another width, go wrong without a word.
ENTRIES: Mapping[str, tuple[str, Any]] = {
    "char_cnn.activation": ("relu or tanh", lambda value: value in ("relu", "tanh")),
    "char_cnn.embedding.dim": ("a size", _is_size),
    "char_cnn.filters": ("a list of pairs of width and number", _is_filters),
    "char_cnn.max_characters_per_token": (str(WIDTH), lambda value: value == WIDTH),
    "char_cnn.n_highway": ("a number of layers", lambda value: isinstance(value, int)),
    "lstm.cell_clip": ("a number or null", _is_clip),
    "lstm.dim": ("a size", _is_size),
    "lstm.n_layers": ("a number of layers", _is_size),
    "lstm.proj_clip": ("a number or null", _is_clip),
    "lstm.projection_dim": ("a size", _is_size),
    "lstm.use_skip_connections": ("true", lambda value: value is True),
}


def read_options(path: PathLike) -> dict[str, Any]:
    """The options, of which `ENTRIES` are there and are what AllenNLP's ELMo can work with."""
    try:
        with open(path, encoding="utf-8") as file:
            options = json.load(file)
    except ValueError as error:
        raise ValueError(
            f"{path}: expected the options of an ELMo model in JSON, found what is not JSON "
            f"({error}). Are the options and the weights interchanged?"
        ) from error
    for entry, (expected, fits) in ENTRIES.items():
        try:
            value = reduce(lambda part, name: part[name], entry.split("."), options)
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(
                f"{path}: expected `{entry}` in the options of an ELMo model, found none."
            ) from error
        if not fits(value):
            raise ValueError(f"{path}: expected {expected} as `{entry}`, found {value!r}.")
    return options


def weight_shapes(options: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The datasets that a weight file must have, by name, and their shapes."""
    cnn, lstm = options["char_cnn"], options["lstm"]
    width = cnn["embedding"]["dim"]
    num_filters = sum(number for _, number in cnn["filters"])
    dim, projected = lstm["dim"], lstm["projection_dim"]
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (CHARACTERS, width)}
    for i, (span, number) in enumerate(cnn["filters"]):
        shapes[f"CNN/W_cnn_{i}"] = (1, span, width, number)
        shapes[f"CNN/b_cnn_{i}"] = (number,)
    for i in range(cnn["n_highway"]):
        for gate in ("carry", "transform"):
            shapes[f"CNN_high_{i}/W_{gate}"] = (num_filters, num_filters)
            shapes[f"CNN_high_{i}/b_{gate}"] = (num_filters,)
    shapes["CNN_proj/W_proj"] = (num_filters, projected)
    shapes["CNN_proj/b_proj"] = (projected,)
    for direction in range(2):
        for i in range(lstm["n_layers"]):
            cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{i}/LSTMCell"
            shapes[f"{cell}/W_0"] = (2 * projected, 4 * dim)
            shapes[f"{cell}/B"] = (4 * dim,)
            shapes[f"{cell}/W_P_0"] = (dim, projected)
    return shapes


def check_weights(path: PathLike, options: Mapping[str, Any]) -> None:
    """Raises unless the file has all weights that the options speak of. Reads only their shapes."""
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise ValueError(
            f"{path}: expected the weights of an ELMo model in HDF5, found what cannot be read "
            f"({error}). Fetch the file again."
        ) from error
    with file:
        for name, expected in weight_shapes(options).items():
            found = getattr(file.get(name), "shape", None)
            # Some models have characters to spare.
            if name == "char_embed" and found and found[0] > CHARACTERS:
                expected = (found[0], *expected[1:])
            if found != expected:
                raise ValueError(
                    f"{path}: expected {name} of shape {expected}, as the options say, found "
                    f"{'none' if found is None else found}. Are both files of the same model?"
                )
