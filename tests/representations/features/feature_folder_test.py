import logging
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time

import pytest
from filelock import FileLock

from linspector_allennlp.representations.features import feature_folder
from linspector_allennlp.representations.features.feature_folder import (
    folder_lock,
    one_at_a_time,
    writable_folder,
)


def test_a_folder_that_can_be_written(tmp_path, caplog):
    folder = tmp_path / "cache" / "features" / "x"
    assert writable_folder(folder) == writable_folder(folder) == folder
    assert list(folder.iterdir()) == [] and caplog.records == []


def test_a_file_in_its_place(tmp_path, caplog):
    (tmp_path / "cache").write_text("a file")
    with caplog.at_level(logging.WARNING):
        folder = writable_folder(tmp_path / "cache" / "features" / "x")
    assert folder.is_dir() and folder.name == "x" and tmp_path not in folder.parents
    assert "cannot be kept in" in caplog.text and str(tmp_path / "cache") in caplog.text
    assert "Set LINSPECTOR_CACHE to a folder that can be written" in caplog.text
    assert writable_folder(tmp_path / "cache" / "features" / "x") == folder
    assert writable_folder(tmp_path / "cache" / "features" / "y") == folder.with_name("y")


def test_a_folder_that_takes_no_files(tmp_path, monkeypatch, caplog):
    def refuse(dir):
        raise PermissionError(13, "Permission denied", str(dir))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert writable_folder(tmp_path / "x") != tmp_path / "x"
    assert "Permission denied" in caplog.text


def test_the_folder_of_a_process_goes_with_it(root, tmp_path):
    """Without importing the package, which takes seconds."""
    code = """
import sys, types
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
spec = spec_from_file_location("feature_folder", sys.argv[1])
module = module_from_spec(spec)
spec.loader.exec_module(module)
folder = module.writable_folder(Path(sys.argv[2], "x"))
(folder / "a.features").write_text("a")
print(folder)
"""
    (tmp_path / "file").write_text("")
    run = subprocess.run(
        [sys.executable, "-c", code, feature_folder.__file__, tmp_path / "file"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    folder = run.stdout.strip()
    assert folder.endswith("/x") and not os.path.exists(os.path.dirname(folder))


def test_the_lock_is_beside_the_folder(tmp_path):
    folder = tmp_path / "features" / "x"
    with one_at_a_time(folder):
        assert folder.is_dir() and folder_lock(folder).lock_file == f"{folder}.lock"
        with pytest.raises(TimeoutError):
            folder_lock(folder).acquire(timeout=0)
    folder_lock(folder).acquire(timeout=0).lock.release()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_frees_the_lock(tmp_path, error):
    with pytest.raises(error), one_at_a_time(tmp_path / "x"):
        raise error
    folder_lock(tmp_path / "x").acquire(timeout=0).lock.release()


def test_leftovers_are_removed_and_nothing_else(tmp_path):
    left = [".ab.features.12.tmp", ".representation.json.12.tmp"]
    kept = ["ab.features", "representation.json", "other.tmp"]
    for name in left + kept:
        (tmp_path / "x" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "x" / name).write_text("a")
    with one_at_a_time(tmp_path / "x"):
        assert sorted(path.name for path in (tmp_path / "x").iterdir()) == sorted(kept)


@pytest.mark.parametrize("error", [OSError("no locks available"), NotImplementedError("no locks")])
def test_without_locks_work_goes_on(tmp_path, monkeypatch, caplog, error):
    def acquire(self, timeout=None):
        raise error

    (tmp_path / "x").mkdir()
    (tmp_path / "x" / ".ab.features.12.tmp").write_text("perhaps of a process that is at work")
    monkeypatch.setattr(FileLock, "acquire", acquire)
    with caplog.at_level(logging.INFO), one_at_a_time(tmp_path / "x"):
        assert "going on without a lock" in caplog.text
    assert (tmp_path / "x" / ".ab.features.12.tmp").exists()


def hold(folder, started, seconds):
    with one_at_a_time(folder):
        started.set()
        time.sleep(seconds)
        (folder / "done").write_text("")


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork in a process with threads
def test_others_wait_and_are_told(tmp_path, caplog):
    context = multiprocessing.get_context("fork")
    started = context.Event()
    process = context.Process(target=hold, args=(tmp_path / "x", started, 0.3))
    process.start()
    assert started.wait(20)
    with one_at_a_time(tmp_path / "x"):
        assert (tmp_path / "x" / "done").exists()
    process.join()
    assert "Waiting for another process that fills" in caplog.text
