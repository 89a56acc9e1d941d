"""
The one place that evaluates jsonnet. A config anywhere says `import 'linspector/probe.libsonnet'`,
because the folder of our libraries is on jsonnet's search path.
"""

import json
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import allennlp.common.params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.regular import regular

SEARCH_PATH = str(Path(__file__).resolve().parent / "configs")

_INSTALLED = "_finds_linspector"


def find_libraries() -> None:
    """
    Makes the configs that AllenNLP reads find our libraries. AllenNLP hands jsonnet no search path,
    and has no setting for one; so its two functions of jsonnet, as `allennlp.common.params` has them,
    get ours behind the folders that their caller names. Once is enough, more does no harm.
    """
    for name in ("evaluate_file", "evaluate_snippet"):
        function = getattr(allennlp.common.params, name)
        if not hasattr(function, _INSTALLED):
            setattr(allennlp.common.params, name, _with_libraries(function))


def evaluate(expression: str, **values: Any) -> Any:
    """
    The value of a jsonnet expression, which may import our libraries.

    # Parameters

    values : `Any`
        What the expression reads by `std.extVar`: anything that JSON can say.
    """
    codes = {name: json.dumps(value) for name, value in values.items()}
    find_libraries()
    try:
        found = allennlp.common.params.evaluate_snippet("linspector", expression, ext_codes=codes)
    except RuntimeError as error:  # with jsonnet's way through the libraries behind the first line
        raise ConfigurationError(str(error).splitlines()[0].split("ERROR: ")[-1]) from error
    return json.loads(found)


def _with_libraries(function: Callable[..., str]) -> Callable[..., str]:
    @wraps(function)
    def evaluate_with_libraries(*args: Any, **settings: Any) -> str:
        if function.__name__ == "evaluate_file" and os.path.exists(args[0]):
            regular(args[0])
        folders = settings.pop("jpathdir", [])
        folders = [folders] if isinstance(folders, str) else folders
        # Of several folders jsonnet asks the last one first.
        return function(*args, jpathdir=[SEARCH_PATH, *folders], **settings)

    setattr(evaluate_with_libraries, _INSTALLED, True)
    return evaluate_with_libraries
