"""The files of a Hugging Face model: found or fetched, digested, and its tokenizer loaded."""

import json
import os
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from typing import Any, Optional

import httpx
import huggingface_hub
import transformers
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.io.regular import read_text
from linspector_allennlp.representations.named_files import moved

# The first that there are, as transformers does.
WEIGHTS = ("model*.safetensors", "pytorch_model*.bin")
VOCABULARY = ("tokenizer.json", "vocab*", "*.model")
TOKENIZER = (
    *VOCABULARY,
    "tokenizer*",
    "merges.txt",
    "*.spm",
    "special_tokens_map.json",
    "added_tokens.json",
)

# RoBERTa and its kin: the first piece has the position after the number of the piece for padding.
COUNT_FROM_PADDING = (
    "camembert",
    "data2vec-text",
    "esm",
    "ibert",
    "longformer",
    "luke",
    "markuplm",
    "mpnet",
    "roberta",
    "roberta-prelayernorm",
    "xlm-roberta",
    "xlm-roberta-xl",
    "xmod",
)


def model_folder(name: str) -> str:
    """The local folder of a model: the name itself, or where the hub's download is."""
    if os.path.isdir(name):
        if not os.path.exists(os.path.join(name, "config.json")):
            raise FileNotFoundError(
                f"{name}: there is no config.json in this folder; expected a model as transformers "
                "saves it."
            )
        return name
    if os.path.exists(name):
        raise FileNotFoundError(f"{name} is a file; expected the folder or the name of a model.")
    folder = _downloaded(name)
    if folder is None:
        try:
            _download(name)
        except (OSError, ValueError, httpx.HTTPError) as error:
            raise FileNotFoundError(
                f"{name}: there is no such folder, and no model of this name can be fetched "
                f"{_reason(error)} {moved('model')}"
            ) from error
        folder = _downloaded(name)
    if folder is None:
        raise FileNotFoundError(
            f"{name}: expected a model with config.json, {' or '.join(WEIGHTS)}, and the vocabulary "
            f"of a tokenizer ({', '.join(VOCABULARY)}); the hub does not have all of them."
        )
    return folder


def _reason(error: Exception) -> str:
    """The text of an error; only its name if it is of the network, whose text is a page."""
    if isinstance(error, httpx.TransportError):
        return f"because the model hub cannot be reached ({type(error).__name__}: is there a network?)."
    return f"({' '.join(str(error).split())})."


def _downloaded(name: str) -> Optional[str]:
    """The folder of the hub's cache that has all files of a model."""
    try:
        config = huggingface_hub.hf_hub_download(
            name, "config.json", cache_dir=_cache(), local_files_only=True
        )
    except (OSError, ValueError):
        return None
    folder = os.path.dirname(config)
    names = os.listdir(folder)
    weights = _weights(names)
    # Of weights in several files the name of each says how many there are.
    parts = re.search(r"-of-(\d+)\.", "".join(weights[:1]))
    complete = len(weights) >= (int(parts[1]) if parts else 1) and _has_vocabulary(folder)
    return folder if complete else None


def _has_vocabulary(folder: str) -> bool:
    """Whether the vocabulary of a tokenizer is there, or it has none: its pieces are bytes or characters."""
    if _matching(os.listdir(folder), VOCABULARY):
        return True
    path = os.path.join(folder, "tokenizer_config.json")
    if not os.path.exists(path):
        return False
    try:
        name = json.loads(read_text(path)).get("tokenizer_class")
    except (ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path}: expected the JSON object of a tokenizer; {error}.") from error
    return getattr(getattr(transformers, str(name), None), "vocab_files_names", None) == {}


def _download(name: str) -> None:
    names = [n for n in huggingface_hub.HfApi().list_repo_files(name) if "/" not in n]
    indices = _matching(names, [f"{pattern}.index.json" for pattern in WEIGHTS])
    small = [*_matching(names, TOKENIZER), *_matching(names, ["config.json"]), *indices]
    for file in [*small, *_weights(names)]:
        huggingface_hub.hf_hub_download(name, file, cache_dir=_cache())


def _cache() -> Optional[str]:
    return os.environ.get("TRANSFORMERS_CACHE") or None


def _matching(names: Iterable[str], patterns: Sequence[str]) -> list[str]:
    return sorted(name for name in names if any(fnmatch(name, pattern) for pattern in patterns))


def _weights(names: Sequence[str]) -> list[str]:
    return next(filter(None, (_matching(names, [pattern]) for pattern in WEIGHTS)), [])


def file_digests(folder: str, with_weights: bool = True) -> dict[str, str]:
    """The SHA-256 of each file of a model that decides its vectors."""
    names = os.listdir(folder)
    weights = _weights(names) if with_weights else []
    for what, found, expected in [
        ("are no weights", weights or not with_weights, WEIGHTS),
        ("is no tokenizer", _has_vocabulary(folder), VOCABULARY),
    ]:
        if not found:
            raise FileNotFoundError(
                f"{folder}: there {what} in this folder; expected {' or '.join(expected)}."
            )
    digested = ["config.json", *_matching(names, TOKENIZER), *weights]
    return {name: file_digest(os.path.join(folder, name)) for name in digested}


def load_tokenizer(folder: str) -> Any:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    if getattr(tokenizer, "add_prefix_space", None) is False:
        # Most byte-level tokenizers take words one by one only if each begins with a space; others
        # cannot be made with this setting.
        return transformers.AutoTokenizer.from_pretrained(folder, add_prefix_space=True)
    return tokenizer


def piece_limit(config: Any, tokenizer: Any, max_length: Optional[int] = None) -> Optional[int]:
    """
    The most pieces, with the special ones, at a time: `max_length` or, where it is not given, what
    the model takes; `None` if there is no limit.
    """
    positions = getattr(config, "max_position_embeddings", None)
    limits = []
    if isinstance(positions, int) and positions > 0:
        if getattr(config, "model_type", None) in COUNT_FROM_PADDING:
            positions -= config.pad_token_id + 1
        limits.append(positions)
    if max_length is not None:
        if max_length > min(limits, default=max_length):
            raise ConfigurationError(
                f"max_length: expected at most {limits[0]}, what the model takes, found "
                f"{max_length}."
            )
        return max_length
    if tokenizer.model_max_length < 1_000_000:  # what stands for "not said" is 10 to the 30th
        limits.append(int(tokenizer.model_max_length))
    return min(limits, default=None)
