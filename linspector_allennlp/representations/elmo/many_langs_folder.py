"""
The model folder of ELMoForManyLangs (Che et al. 2018): `config.json`, which names the options, the
dictionaries `char.dic` and `word.dic`, and the weights, `token_embedder.pkl` and `encoder.pkl`.
"""

from pathlib import Path
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import MalformedLine, numbered_lines, whole_number
from linspector_allennlp.representations.elmo.options import (
    Entries,
    check_options,
    is_clip,
    is_filters,
    is_number_of_layers,
    is_size,
    read_options,
)
from linspector_allennlp.representations.named_files import moved

WEIGHTS = TOKEN_EMBEDDER, ENCODER = "token_embedder.pkl", "encoder.pkl"
CHARACTERS, WORDS = "char.dic", "word.dic"
CONFIG = "config.json"

ENTRIES: Entries = {
    "token_embedder.name": ("cnn", lambda value: str(value).lower() == "cnn"),
    "token_embedder.activation": ("relu or tanh", lambda value: value in ("relu", "tanh")),
    "token_embedder.filters": ("a list of pairs of width and number", is_filters),
    "token_embedder.n_highway": ("a number of layers", is_number_of_layers),
    "token_embedder.char_dim": ("a size", is_size),
    "token_embedder.word_dim": ("a size or 0", lambda value: value == 0 or is_size(value)),
    "token_embedder.max_characters_per_token": (
        "3 to 1000",
        lambda value: is_size(value) and 2 < value <= 1000,
    ),
    "encoder.name": ("elmo", lambda value: str(value).lower() == "elmo"),
    "encoder.projection_dim": ("a size", is_size),
    "encoder.dim": ("a size", is_size),
    "encoder.n_layers": ("1 to 100 layers", lambda value: is_number_of_layers(value) and value > 0),
    "encoder.cell_clip": ("a number or null", is_clip),
    "encoder.proj_clip": ("a number or null", is_clip),
}

# The options that all released models name. They are in the repository of the package, not in the folders.
RELEASED = "cnn_50_100_512_4096_sample.json"
RELEASED_OPTIONS: dict[str, Any] = {
    "token_embedder": {
        "name": "cnn",
        "activation": "relu",
        "filters": [[1, 32], [2, 32], [3, 64], [4, 128], [5, 256], [6, 512], [7, 1024]],
        "n_highway": 2,
        "char_dim": 50,
        "word_dim": 100,
        "max_characters_per_token": 50,
    },
    "encoder": {
        "name": "elmo",
        "projection_dim": 512,
        "dim": 4096,
        "n_layers": 2,
        "cell_clip": 3,
        "proj_clip": 3,
    },
}


def check_folder(folder: PathLike) -> Path:
    """The folder, once it is known that the files are there that every model has."""
    path = Path(folder)
    if path.is_file():
        raise ConfigurationError(
            f"{path} is a file: expected the folder of a model of ELMoForManyLangs. Unpack it first."
        )
    for name in (CONFIG, CHARACTERS, *WEIGHTS):
        if not (path / name).is_file():
            raise FileNotFoundError(
                f"{path} has no {name}: expected the folder of a model of ELMoForManyLangs. "
                + moved("folder")
            )
    return path


def model_options(folder: Path, options_file: Optional[PathLike] = None) -> dict[str, Any]:
    """
    The entries that the model is built from: of the file that is given, or else that `config.json` names,
    by its path or by its name alone in the model's folder; those of the released models are known.
    """
    if options_file is not None:
        return _needed(read_options(options_file, ENTRIES))
    config = read_options(
        folder / CONFIG, {"config_path": ("a path", lambda value: isinstance(value, str))}
    )
    named = config["config_path"]
    name = named.replace("\\", "/").rpartition("/")[2]
    for path in (folder / named, folder / name, folder / "configs" / name):
        if path.is_file():
            return _needed(read_options(path, ENTRIES))
    if name == RELEASED:
        check_options(RELEASED, RELEASED_OPTIONS, ENTRIES)
        return RELEASED_OPTIONS
    raise ConfigurationError(
        f"{folder / CONFIG} names the options {named}, which are not there. Put {name} into {folder}, or name "
        "it as `options_file`."
    )


def _needed(options: dict[str, Any]) -> dict[str, Any]:
    needed: dict[str, Any] = {}
    for entry in ENTRIES:
        part, name = entry.split(".")
        needed.setdefault(part, {})[name] = options[part][name]
    return needed


def read_dictionary(path: Path, marks: tuple[str, ...]) -> dict[str, int]:
    """
    The numbers of characters, or of words. A line has a character and its number with a tab between; one
    that is white space, and gone with what is around the line, stands for the ideographic space.

    # Parameters

    marks : `tuple[str, ...]`
        Those that must be there.
    """
    numbers: dict[str, int] = {}
    for line, text in numbered_lines(path):
        *keys, number = text.strip().split("\t")
        if len(keys) > 1 or whole_number(number) is None:
            raise MalformedLine(path, line, "a character or word, a tab and a number", repr(text))
        numbers[keys[0] if keys else "\u3000"] = int(number)
    for mark in marks:
        if mark not in numbers:
            raise ValueError(
                f"{path}: expected {mark} among its {len(numbers):,} entries, found none."
            )
    return numbers
