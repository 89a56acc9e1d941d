"""What shows that a model, or the code that it needs, has changed."""

import hashlib
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.io.files import sha256


def model_digest(path: Path, folder: Path, weights: Path) -> str:
    """
    Of all files that decide the vectors. What else a run leaves in its folder does not matter; of
    an archive the unpacked config counts too, which the user may have changed.
    """
    files = [folder / "config.json", *sorted((folder / "vocabulary").glob("*.txt"))]
    parts = [(file.name, file_digest(file)) for file in files if file.exists()]
    parts += [] if path.is_dir() else [("", file_digest(path))]
    content = json.dumps([*parts, file_digest(weights)])
    return hashlib.sha256(content.encode()).hexdigest()


def code_digests(packages: Sequence[str]) -> list[str]:
    """Of the user's own packages: with other code the same weights may give other vectors."""
    digests = []
    for package in packages:
        spec = find_spec(package)
        folders = list(spec.submodule_search_locations or []) if spec else []
        files = [file for folder in folders for file in sorted(Path(folder).rglob("*.py"))]
        if spec and spec.origin and not folders:
            files = [Path(spec.origin)]
        content = "".join(map(sha256, files))
        digests.append(hashlib.sha256(content.encode()).hexdigest())
    return digests
