import inspect
import io
import pickle
import tarfile
from collections import OrderedDict

import pytest
import torch

from linspector_allennlp.representations.archives import weights_only
from linspector_allennlp.representations.archives.weights_only import (
    load_weights_only,
    weights_pickle,
)

HAS_LIMIT = "weights_only" in inspect.signature(torch.load).parameters
TRUSTING = {"weights_only": False} if HAS_LIMIT else {}


class Evil:
    """Unpickled, it touches a file."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return open, (self.path, "w")


@pytest.fixture(params=["torch limits itself", "torch before 1.13"])
def any_torch(request, monkeypatch):
    """The way that old versions need is tried in new ones too."""
    if request.param == "torch before 1.13" and HAS_LIMIT:
        load = torch.load

        def old_load(f, map_location=None, pickle_module=None):
            return load(f, map_location, pickle_module, weights_only=False)

        monkeypatch.setattr(weights_only, "_torch_load", old_load)
        monkeypatch.setattr(weights_only, "_LIMITS_ITSELF", False)


@pytest.mark.parametrize("zipped", [True, False])
def test_weights_are_what_they_were(tmp_path, any_torch, zipped):
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
def test_a_pickle_that_runs_code_is_refused(tmp_path, any_torch, zipped):
    touched = tmp_path / "touched"
    content = {"weight": torch.ones(2), "evil": Evil(touched)}
    torch.save(content, tmp_path / "best.th", _use_new_zipfile_serialization=zipped)
    with pytest.raises(ValueError, match=r"best.th: .*a pickle that calls [\w.]*open.*not loaded"):
        load_weights_only(tmp_path / "best.th")
    assert not touched.exists()
    torch.load(tmp_path / "best.th", **TRUSTING)
    assert touched.exists(), "the test would not have noticed"


def test_a_bare_pickle_is_refused(tmp_path, any_torch):
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


@pytest.mark.parametrize("name", ["system", "Storage.__reduce__", "nn.Module", "load"])
def test_only_the_parts_of_tensors_are_known(name):
    unpickler = weights_pickle.Unpickler(io.BytesIO())
    with pytest.raises(pickle.UnpicklingError):
        unpickler.find_class("torch", name)
    with pytest.raises(pickle.UnpicklingError):
        unpickler.find_class("os", name)
    assert unpickler.find_class("torch", "Size") is torch.Size
