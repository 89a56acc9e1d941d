"""The files that a setting of a representation names, also when they have moved since training."""

import os

from allennlp.common.file_utils import cached_path

from linspector_allennlp.io.regular import regular


def find_file(source: str, setting: str = "file") -> str:
    """The path of a file that a setting names: a path, or anything that `cached_path` takes."""
    try:
        path = str(cached_path(source))
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{source}: there is no such file. {moved(setting)}") from error
    return path if os.path.isdir(path) else str(regular(path))


def moved(setting: str) -> str:
    """The advice for an archive that does not find what it was trained with."""
    return (
        "(If a trained probe looks for it where it was in training, say where it is now with "
        f"""-o '{{"model.text_field_embedder.token_embedders.words.{setting}": "PATH"}}'.)"""
    )
