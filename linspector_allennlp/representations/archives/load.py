"""The model of an archive, built with AllenNLP's own pieces but without trusting it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Optional

import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable
from allennlp.common.util import import_module_and_submodules
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model

from linspector_allennlp.installation import MODELS_BESIDE
from linspector_allennlp.late_models import import_models
from linspector_allennlp.representations.archives.safe_loading import (
    RefusedWeights,
    is_of,
    safe_loading,
)
from linspector_allennlp.representations.archives.settings import (
    BUILT_PARTS,
    PLUGIN,
    read_config,
    read_settings,
    registered_names,
    types_in,
)
from linspector_allennlp.representations.archives.unpack import find_weights

_NAME_IT = (
    "Name the Python package that has it in `{}`; if it is a model of allennlp-models, "
    f"`pip install --no-deps {MODELS_BESIDE}`."
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
    packages = import_packages(folder, packages)
    reader = load_reader(folder, packages)
    config = read_config(folder, packages)
    _check_type(Model, config["model"], folder)
    weights = find_weights(folder, weights_file)
    # Weights are drawn before they are loaded: the numbers that come after must not depend on it.
    with (
        safe_loading(packages),
        torch.random.fork_rng(devices=[]),
        refusals(folder, weights),
    ):
        model = Model.load(Params(config), str(folder), str(weights))
    return model.eval().requires_grad_(False), reader


def load_reader(folder: Path, packages: Sequence[str] = ()) -> DatasetReader:
    """The dataset reader of a model, for validation where there is one of its own for that."""
    packages = import_packages(folder, packages)
    config = read_config(folder, packages)
    part = "validation_dataset_reader"
    if config.get(part) is None:
        part = "dataset_reader"
    _check_type(DatasetReader, config[part], folder)
    with safe_loading(packages), torch.random.fork_rng(devices=[]), refusals(folder):
        return DatasetReader.from_params(Params(config).get(part), serialization_dir=str(folder))


def load_vocabulary(folder: Path, packages: Sequence[str] = ()) -> Vocabulary:
    """The vocabulary of a model, without the model; as `Model.load` reads it."""
    settings = read_config(folder, packages).get("vocabulary") or {}
    with safe_loading(packages), refusals(folder):
        params = Params(dict(settings))
        kind = params.pop_choice("type", Vocabulary.list_available(), True)
        cls, _ = Vocabulary.resolve_class_name(kind)
        tokens = {name: params.get(name, None) for name in ("padding_token", "oov_token")}
        return cls.from_files(str(folder / "vocabulary"), **tokens)


def import_packages(folder: Path, packages: Sequence[str]) -> list[str]:
    """Imports the packages, and the plugin if it is needed (see `with_plugin`). Gives all that are trusted."""
    for package in packages:
        _import(package)
    return with_plugin(folder, packages)


def with_plugin(folder: Path, packages: Sequence[str]) -> list[str]:
    """
    These packages and, if it is installed and has what nobody else has, the plugin with AllenNLP's
    models, which is then imported.
    """
    if is_of(packages, PLUGIN) or not _needs_plugin(folder):
        return list(packages)
    return [*packages, *([PLUGIN] if import_models() else [])]


def _needs_plugin(folder: Path) -> bool:
    if find_spec(PLUGIN) is None:
        return False
    config = read_settings(folder / "config.json")
    names = set(types_in({part: config.get(part) for part in BUILT_PARTS}))
    return any(is_of([PLUGIN], name) for name in names) or not names <= registered_names()


@contextmanager
def refusals(
    folder: Path, weights: Optional[Path] = None, setting: str = "packages"
) -> Iterator[None]:
    """
    In this block, where a model is built, an error says which file is at fault.

    # Parameters

    folder : `Path`
    weights : `Path`, optional (default = `None`)
        The weights that are loaded; `None` where only another part is built.
    setting : `str`, optional (default = `"packages"`)
        What names the packages that are trusted.
    """
    try:
        yield
    except ConfigurationError as error:
        unknown = "not in acceptable choices" in error.message
        raise ConfigurationError(
            f"{folder}: the model cannot be built: {error.message:.1000}"
            + f" {_NAME_IT.format(setting)}" * unknown
        ) from error
    except (TypeError, KeyError, AttributeError, IndexError) as error:
        # As the constructors of parts fail that get something else than they expect.
        raise ConfigurationError(
            f"{folder}: the model cannot be built of its config.json: {error!r:.300}"
        ) from error
    except OSError as error:
        raise _refusal_behind(error) or error from error
    except RuntimeError as error:
        found = (
            "a part of the model cannot be built of config.json"
            if weights is None
            else "these weights cannot be loaded into the model that config.json describes"
        )
        raise ValueError(f"{weights or folder}: {found}: {error!s:.1000}") from error


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
        import_models()
    if "." not in name and name not in kind.list_available():
        raise ConfigurationError(
            f"{folder}: no package that has been imported has a {kind.__name__} {name!r:.100}. "
            f"{_NAME_IT.format('packages')}"
        )
