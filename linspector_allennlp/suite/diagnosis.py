"""The diagnosis of a model (LINSPECTOR, Figures 2 and 3): its layers, probed at several epochs of its training."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.run_folders.own_scores import KEY
from linspector_allennlp.suite.checkpoints import Checkpoints

Layers = Union[None, str, Sequence[Union[int, str]]]

QUICK = {
    "data_loader": {"batch_size": 128},
    "trainer": {"num_epochs": 8, "optimizer": {"lr": 0.003}},
}
"""Changes of LINSPECTOR's probe that train it in a fraction of the time; some scores get lower."""


def diagnosis_suite(
    checkpoints: Checkpoints,
    layers: Layers,
    tasks: Sequence[PathLike],
    epochs: Optional[Sequence[int]] = None,
    own_metric: Optional[str] = None,
    embedder: Mapping[str, Any] = {},
    **grid: Any,
) -> dict[str, Any]:
    """
    The suite of a diagnosis, for `Suite`. All layers of an epoch are computed in one pass.

    # Parameters

    checkpoints : `Checkpoints`
    layers : `Union[None, str, Sequence[Union[int, str]]]`
        Of a network the names of modules; of a transformer numbers, or `"all"`.
    tasks : `Sequence[PathLike]`
        Task folders, as `DATA/Case/finnish`, or patterns.
    epochs : `Sequence[int]`, optional
        By default all that were kept.
    own_metric : `str`, optional
        The model's own score that is shown beside those of the probes.
    embedder : `Mapping[str, Any]`, optional
        More settings of what embeds, as `{"packages": ["my_package"]}`.
    grid : `Any`
        Other keys of a suite: `seeds`, `control`, `config`, …
    """
    settings, in_layers = _in_layers(checkpoints, layers, embedder)
    own = checkpoints.own_scores(own_metric)
    return {
        "data": ".",
        "tasks": [os.fspath(task) for task in tasks],
        "representations": {
            checkpoints.name: {
                "representation": {
                    "token_indexers": {"words": {"type": "word_form"}},
                    "text_field_embedder": {"token_embedders": {"words": settings}},
                },
                "layers": in_layers,
                "epochs": {str(n): dict(c) for n, c in checkpoints.chosen(epochs).items()},
            }
        },
        **({} if own is None else {KEY: own.settings()}),
        **grid,
    }


def _in_layers(
    checkpoints: Checkpoints, layers: Layers, more: Mapping[str, Any]
) -> tuple[dict[str, Any], Any]:
    """The settings of what embeds, and which of its layers a suite takes."""
    settings = {**checkpoints.embedder, **more}
    named = [layers] if isinstance(layers, str) else list(layers or ())
    if checkpoints.is_archive:
        if not named:
            raise ConfigurationError(f"layers: expected modules of {checkpoints.name}, found none.")
        return {**settings, "module": list(map(str, named))}, "all"
    numbers = "all" if not named or layers == "all" else [_number(each) for each in named]
    return settings, numbers


def _number(layer: Union[int, str]) -> int:
    try:
        return int(layer)
    except ValueError as error:
        raise ConfigurationError(
            f"layers: expected numbers of a transformer's layers, or 'all', found {layer!r}."
        ) from error
