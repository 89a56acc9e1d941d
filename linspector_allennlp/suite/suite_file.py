"""A suite file: jsonnet, evaluated as configs are."""

import os
from collections.abc import Mapping
from typing import Any, Union

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike


def read_suite(
    path: PathLike,
    variables: Mapping[str, str] = {},
    overrides: Union[str, Mapping[str, Any]] = "",
) -> dict[str, Any]:
    """
    The suite in a file, as `planned_runs` takes it.

    # Parameters

    path : `PathLike`
    variables : `Mapping[str, str]`, optional
        The external variables of the file (`DATA_DIR`, …); those that are not here come from the
        environment.
    overrides : `Union[str, Mapping[str, Any]]`, optional
        Changes to the suite: a mapping of dotted keys (`{"seeds": 1}`), or the same as JSON.
    """
    name = os.fspath(path)
    if not os.path.isfile(name):
        raise FileNotFoundError(f"{name}: there is no such suite file.")
    changes = overrides if isinstance(overrides, str) else dict(overrides)
    try:
        params = Params.from_file(name, changes, dict(variables))
    except RuntimeError as error:  # of jsonnet, with its way through the file behind the first line
        reason = str(error).splitlines()[0].split("ERROR: ")[-1]
        raise ConfigurationError(f"{name}: {reason}") from error
    if not isinstance(params.params, dict):
        raise ConfigurationError(f"{name}: expected an object, found {params.params!r:.80}.")
    return params.as_dict(quiet=True)
