import copy
import io
import pickle
import sys
import tarfile
import zipfile
from collections import OrderedDict
from types import ModuleType

import allennlp.common.util
import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.registrable import Registrable
from allennlp.modules import Seq2SeqEncoder
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.nn import Activation

from linspector_allennlp.representations.archives.safe_loading import (
    load_weights_only,
    safe_loading,
)


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
            with tarfile.open(path) as archive:
                archive.extractall(tmp_path)
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


class Evil:
    """Unpickled, it touches a file."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return open, (self.path, "w")


@pytest.mark.parametrize("zipped", [True, False])
def test_weights_are_what_they_were(tmp_path, zipped):
    state = OrderedDict(
        a=torch.randn(3, 2),
        b=torch.arange(5),
        c=torch.nn.Parameter(torch.ones(2, dtype=torch.float16)),
        d=torch.tensor(True),
    )
    torch.save(state, tmp_path / "best.th", _use_new_zipfile_serialization=zipped)
    for f in (tmp_path / "best.th", str(tmp_path / "best.th"), open(tmp_path / "best.th", "rb")):
        loaded = load_weights_only(f, map_location=lambda storage, _: storage)
        assert loaded.keys() == state.keys()
        assert all(torch.equal(loaded[name], state[name]) for name in state)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_that_runs_code_is_refused(tmp_path, zipped):
    touched = tmp_path / "touched"
    content = {"weight": torch.ones(2), "evil": Evil(touched)}
    torch.save(content, tmp_path / "best.th", _use_new_zipfile_serialization=zipped)
    with pytest.raises(ValueError, match=r"best.th: .*a pickle that calls [\w.]*open.*not loaded"):
        load_weights_only(tmp_path / "best.th")
    assert not touched.exists()
    torch.load(tmp_path / "best.th", weights_only=False)
    assert touched.exists(), "the test would not have noticed"


def test_a_bare_pickle_is_refused(tmp_path):
    touched = tmp_path / "touched"
    (tmp_path / "best.th").write_bytes(pickle.dumps(Evil(touched)))
    with pytest.raises(ValueError, match="best.th: expected the weights"):
        load_weights_only(tmp_path / "best.th")
    assert not touched.exists()


def test_the_format_that_is_a_tar_is_refused(tmp_path):
    with tarfile.open(tmp_path / "best.th", "w") as archive:
        archive.addfile(tarfile.TarInfo("storages"), io.BytesIO())
    for f in (tmp_path / "best.th", open(tmp_path / "best.th", "rb")):
        with pytest.raises(ValueError, match="best.th: expected weights.*a tar archive"):
            load_weights_only(f)


def test_changed_weights_are_refused(tmp_path):
    path = tmp_path / "best.th"
    torch.save({"weight": torch.randn(300, 20)}, path)
    content = path.read_bytes()
    for place in (len(content) // 3, len(content) // 2):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert torch.load(path, weights_only=True), "PyTorch does not notice"
        for f in (path, open(path, "rb")):
            with pytest.raises(ValueError, match=r"best.th: the weights are damaged.*data/0"):
                load_weights_only(f)
    path.write_bytes(content[:-100])
    with pytest.raises(ValueError, match="best.th: the weights are damaged or cut off"):
        load_weights_only(path)


def test_another_file_is_no_weights(tmp_path):
    path = tmp_path / "best.th"
    path.write_text("root:x:0:0\n")
    with pytest.raises(ValueError, match="best.th: expected weights .* found something else"):
        load_weights_only(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", "0" * 10_000)
    with pytest.raises(ValueError, match="best.th: expected weights .* another zip archive"):
        load_weights_only(path)


def test_a_part_under_many_names_is_not_read_as_often(tmp_path):
    path = tmp_path / "best.th"
    torch.save({"weight": torch.zeros(50_000)}, path)
    with zipfile.ZipFile(path, "a") as archive:
        part = next(each for each in archive.infolist() if each.filename.endswith("data/0"))
        for number in range(20):
            again = copy.copy(part)
            again.filename = again.orig_filename = f"{part.filename[:-1]}{number + 1}"
            archive.filelist.append(again)
        archive._didModify = True
    with pytest.raises(ValueError, match="best.th: expected weights .* another zip archive"):
        load_weights_only(path)


@pytest.mark.parametrize("place", [30, 200, 700, 900])
def test_weights_with_bytes_missing(tmp_path, place):
    path = tmp_path / "best.th"
    torch.save({"weight": torch.randn(20, 5)}, path)
    content = path.read_bytes()
    path.write_bytes(content[:place] + content[place + 7 :])
    with pytest.raises(ValueError, match="best.th: "):
        load_weights_only(path)
