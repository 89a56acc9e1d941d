import pickle
import sys
import tarfile
from types import ModuleType

import allennlp.common.util
import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable
from allennlp.models.archival import load_archive
from allennlp.modules import Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.nn import Activation

from linspector_allennlp.representations.archives.safe_loading import safe_loading
from linspector_allennlp.representations.archives.weights_only import load_weights_only


@pytest.fixture
def package(monkeypatch):
    """A user's module, with a class of theirs and functions that they have imported."""
    module = ModuleType("users_package")
    module.Encoder = PassThroughEncoder
    module.system = pytest.fail
    module.Popen = type("Popen", (), {"__init__": lambda self, **_: pytest.fail("it ran")})
    monkeypatch.setitem(sys.modules, "users_package", module)


def build(name):
    return Seq2SeqEncoder.from_params(Params({"type": name, "input_dim": 3}))


def test_registered_names_are_built(package):
    with safe_loading([]):
        assert isinstance(build("pass_through"), PassThroughEncoder)
        assert isinstance(Activation.by_name("relu")(), torch.nn.ReLU)


def test_a_path_in_a_package_that_is_trusted(package):
    with safe_loading(["users_package"]):
        assert isinstance(build("users_package.Encoder"), PassThroughEncoder)


@pytest.mark.parametrize("name", ["subprocess.Popen", "antigravity.x", "users_package.Encoder"])
def test_other_paths_are_not_imported(package, name):
    with safe_loading(["mine"]), pytest.raises(ConfigurationError, match="was not imported"):
        build(name)
    with safe_loading([]), pytest.raises(ConfigurationError, match="was not imported"):
        Activation.by_name(name)  # the way of a config that gives a type by a bare string
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize("name", ["users_package.system", "users_package.Popen"])
def test_what_a_trusted_package_has_imported_is_not_called(package, name):
    with safe_loading(["users_package"]), pytest.raises(ConfigurationError, match=name):
        build(name)


def test_nothing_is_unpacked_or_installed(tmp_path):
    path = tmp_path / "inner.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("config.json"))
    with safe_loading([]):
        with pytest.raises(ConfigurationError, match="inner.tar.gz.*unpack it yourself"):
            load_archive(path)
        with pytest.raises(ConfigurationError, match="python -m spacy download xx_sm"):
            allennlp.common.util.get_spacy_model("xx_sm")


def test_no_other_pickle_is_loaded(tmp_path):
    path = tmp_path / "vocab.pkl"
    path.write_bytes(pickle.dumps({"a": 1}))
    with safe_loading([]), open(path, "rb") as file:
        with pytest.raises(ConfigurationError, match="vocab.pkl is a pickle"):
            pickle.load(file)
    with safe_loading([]):
        numpy.save(tmp_path / "objects.npy", numpy.array([{}], dtype=object))
        with pytest.raises(ConfigurationError, match="objects.npy is a pickle"):
            numpy.load(tmp_path / "objects.npy", allow_pickle=True)


def test_all_is_put_back_also_after_an_error():
    def now():
        return [
            torch.load,
            pickle.load,
            vars(Registrable)["resolve_class_name"],
            tarfile.TarFile.extractall,
            allennlp.common.util.spacy_download,
        ]

    before = now()
    with pytest.raises(ZeroDivisionError), safe_loading([]), safe_loading(["x"]):
        assert torch.load is load_weights_only
        assert not set(map(id, now())) & set(map(id, before))
        _ = 1 / 0
    assert now() == before
