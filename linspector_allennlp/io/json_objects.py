"""JSON files whose content is an object, read without trusting them."""

import json
from typing import Any

from linspector_allennlp.io.regular import PathLike, read_text


def read_json_object(path: PathLike) -> dict[str, Any]:
    """The object in a small file; what is none is an error that names the file."""
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: expected JSON; {error!s:.200}.") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected a JSON object, found {content!r:.200}.")
    return content
