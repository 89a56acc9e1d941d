import os
import stat

import pytest

from linspector_allennlp.io import private
from linspector_allennlp.io.cache import cache_folder, file_digest
from linspector_allennlp.io.private import is_ours, make_private, user_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights are others there")


def test_new_folders_are_private(tmp_path):
    make_private(tmp_path / "a" / "b")
    for folder in ("a", "a/b"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == 0o700
    make_private(tmp_path / "a" / "b")


@pytest.mark.parametrize(
    "mode, own", [(0o700, True), (0o755, True), (0o775, False), (0o1777, False)]
)
def test_a_cache_that_others_can_write_to(tmp_path, monkeypatch, mode, own):
    folder = tmp_path / "cache"
    assert user_folder(folder) == folder
    folder.mkdir()
    folder.chmod(mode)
    mine = folder if own else folder / f"user-{os.geteuid()}"
    assert user_folder(folder) == mine
    monkeypatch.setenv("LINSPECTOR_CACHE", str(folder))
    assert cache_folder() == mine
    (tmp_path / "model").write_bytes(b"weights")
    file_digest(tmp_path / "model")
    assert (mine / "digests").is_dir()
    assert stat.S_IMODE((mine / "digests").stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.stat().st_mode) == mode  # it is left as it is


def test_whose_it_is(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("missing")
    assert is_ours(tmp_path / "file") and is_ours(tmp_path / "link")
    assert not is_ours(tmp_path / "missing")
    owner = (tmp_path / "file").stat().st_uid
    monkeypatch.setattr(private, "_is_of_us", lambda found: False)
    assert not is_ours(tmp_path / "file") and is_ours(tmp_path / "file", owner)
    assert user_folder(tmp_path) == tmp_path / f"user-{os.geteuid()}"
