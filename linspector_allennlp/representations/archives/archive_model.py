"""Builds the model of an archive with AllenNLP's own pieces, but without trusting it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Optional

import torch
from allennlp.common import Params, cached_transformers
from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable
from allennlp.common.util import import_module_and_submodules
from allennlp.data import DatasetReader
from allennlp.models import Model

from linspector_allennlp.representations.archives.archive_config import read_config
from linspector_allennlp.representations.archives.archive_files import find_weights
from linspector_allennlp.representations.archives.safe_loading import replaced, safe_loading
from linspector_allennlp.representations.archives.weights_only import RefusedWeights

_NAME_IT = (
    "Name the Python package that has it in `packages`; if it is a model of allennlp-models, "
    '`pip install --no-deps allennlp-models==2.10.1`, and name e.g. "allennlp_models.tagging".'
)


def load_model(
    folder: Path, weights_file: Optional[str] = None, packages: Sequence[str] = ()
) -> tuple[Model, DatasetReader]:
    """
    The model in a folder that `unpack_archive` gave, on the CPU, ready for use and not for
    training, and its dataset reader, for validation where there is one of its own for that.

    # Parameters

    folder : `Path`
    weights_file : `str`, optional (default = `None`)
        See `find_weights`.
    packages : `Sequence[str]`, optional (default = `()`)
        Packages with the classes that the model needs; imported first, like `--include-package`.
    """
    for package in packages:
        _import(package)
    config = read_config(folder, packages)
    reader_part = "validation_dataset_reader"
    if config.get(reader_part) is None:
        reader_part = "dataset_reader"
    _check_type(Model, config["model"], folder)
    _check_type(DatasetReader, config[reader_part], folder)
    weights = find_weights(folder, weights_file)
    # Weights are drawn before they are loaded: the numbers that come after must not depend on it.
    with safe_loading(packages), lenient_tokenizers(), torch.random.fork_rng(devices=[]):
        try:
            reader = DatasetReader.from_params(
                Params(config).get(reader_part), serialization_dir=str(folder)
            )
            model = Model.load(Params(config), str(folder), str(weights))
        except ConfigurationError as error:
            unknown = "not in acceptable choices" in error.message
            raise ConfigurationError(
                f"{folder}: the model cannot be built: {error.message}" + f" {_NAME_IT}" * unknown
            ) from error
        except OSError as error:
            raise _refusal_behind(error) or error from error
        except RuntimeError as error:
            raise ValueError(
                f"{weights}: these weights cannot be loaded into the model that config.json "
                f"describes: {error}"
            ) from error
    return model.eval().requires_grad_(False), reader


@contextmanager
def lenient_tokenizers() -> Iterator[None]:
    """
    In this block AllenNLP loads tokenizers of newer versions of transformers too. These take no
    `add_special_tokens` when they are made; AllenNLP gives it again whenever it uses one.
    """
    get_tokenizer = cached_transformers.get_tokenizer

    def get(model_name: str, add_special_tokens: bool = False, **settings: Any) -> Any:
        return get_tokenizer(model_name, **settings)

    with replaced(cached_transformers, "get_tokenizer", get):
        yield


def _refusal_behind(error: Optional[BaseException]) -> Optional[BaseException]:
    """The reason why weights were refused, which transformers hides behind an error of its own."""
    while error is not None and not isinstance(error, RefusedWeights):
        error = error.__context__
    return error


def _import(package: str) -> None:
    try:
        import_module_and_submodules(package)
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"packages: {package} cannot be imported, because there is no module {error.name}; "
            "install it, or start from the folder that it is in."
        ) from error


def _check_type(kind: type[Registrable], settings: Any, folder: Path) -> None:
    name = settings.get("type") if isinstance(settings, dict) else settings
    if not isinstance(name, str):
        raise ConfigurationError(f"{folder}: config.json gives no type for the {kind.__name__}.")
    if "." not in name and name not in kind.list_available():
        raise ConfigurationError(
            f"{folder}: no package that has been imported has a {kind.__name__} {name!r}. {_NAME_IT}"
        )
