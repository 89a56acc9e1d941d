import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import settings

import linspector_allennlp  # noqa: F401
from linspector_allennlp.suite.job import Job
from tests.representations.tagger_archive import train_tagger

ROOT = Path(__file__).resolve().parents[1]

# Time limits of single examples would make the suite fail on a busy machine.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# On a busy machine two threads wait for each other so long that tests take ten times the time.
torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def cache_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """For fixtures that are made for several tests; each test has a `private_cache`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINSPECTOR_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def private_cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """No test reads or fills the cache of the user."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("LINSPECTOR_CACHE", str(folder))
    monkeypatch.delenv("LINSPECTOR_CACHE_GB", raising=False)
    return folder


@pytest.fixture(autouse=True)
def seeded() -> None:
    """The seed of random representations, whatever test was before."""
    torch.manual_seed(13)


@pytest.fixture
def root() -> Path:
    return ROOT


@pytest.fixture
def fixtures() -> Path:
    return ROOT / "fixtures"


@pytest.fixture
def real_data() -> Path:
    """The folder of real data that `LINSPECTOR_DATA` names."""
    if not os.environ.get("LINSPECTOR_DATA"):
        pytest.skip("LINSPECTOR_DATA is not set")
    return Path(os.environ["LINSPECTOR_DATA"])


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, fixtures: Path) -> Callable[..., None]:
    """Sets the variables that the general configs read."""

    def set_variables(task: str, level: str = "type_level", vectors: str = "char_ngrams") -> None:
        monkeypatch.setenv("DATA_DIR", str(fixtures / level))
        monkeypatch.setenv("TASK", task)
        monkeypatch.setenv("LANGUAGE", "finnish")
        monkeypatch.setenv("VECTORS", vectors)
        monkeypatch.setenv("TEST_LANGUAGE", "finnish")
        monkeypatch.setenv("TEST_VECTORS", vectors)
        monkeypatch.setenv("ENCODER", "average")

    return set_variables


@pytest.fixture
def treebank(monkeypatch: pytest.MonkeyPatch, fixtures: Path) -> Callable[..., None]:
    """Sets the variables that the configs of treebanks read."""

    def set_variables(target: str = "upos", vectors: str = "char_ngrams") -> None:
        monkeypatch.setenv("TREEBANK", str(fixtures / "raw/finnish-ud"))
        monkeypatch.setenv("TARGET", target)
        monkeypatch.setenv("VECTORS", vectors)

    return set_variables


@pytest.fixture(scope="session")
def tagger_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of a small tagger of AllenNLP's own."""
    return train_tagger(tmp_path_factory.mktemp("tagger"))


Train = Callable[..., dict[str, Any]]


@pytest.fixture
def train(tmp_path: Path) -> Train:
    """Trains a shipped config, with changes to it, into a folder; gives the metrics it wrote."""

    def run(config: str, folder: str = "run", recover: bool = False, **changes: Any) -> dict:
        output = tmp_path / folder
        settings = Job(ROOT / "training_configs" / f"{config}.jsonnet", output).settings()
        return Job(merged(settings, changes), output).run(recover=recover).metrics

    return run


def merged(settings: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The settings with the changes in them; `None` takes a setting out."""
    result = dict(settings)
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return {key: value for key, value in result.items() if value is not None}
