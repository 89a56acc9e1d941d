import logging
import multiprocessing
import time

import pytest
from filelock import FileLock

from linspector_allennlp.io.files import replacing
from linspector_allennlp.io.locks import exclusively, lock_of


def test_the_lock_is_beside_the_folder(tmp_path):
    folder = tmp_path / "features" / "x"
    folder.mkdir(parents=True)
    with exclusively(folder):
        assert lock_of(folder).lock_file == f"{folder}.lock"
        with pytest.raises(TimeoutError):
            lock_of(folder).acquire(timeout=0)
    lock_of(folder).acquire(timeout=0).lock.release()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_frees_the_lock(tmp_path, error):
    with pytest.raises(error), exclusively(tmp_path / "x"):
        raise error
    lock_of(tmp_path / "x").acquire(timeout=0).lock.release()


def test_leftovers_are_removed_and_nothing_else(tmp_path):
    left = [".ab.features.12.tmp", ".representation.json.12.tmp"]
    kept = ["ab.features", "representation.json", "other.tmp"]
    for name in left + kept:
        (tmp_path / "x" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "x" / name).write_text("a")
    with exclusively(tmp_path / "x"):
        assert sorted(path.name for path in (tmp_path / "x").iterdir()) == sorted(kept)


@pytest.mark.parametrize("error", [OSError("no locks available"), NotImplementedError("no locks")])
def test_without_locks_work_goes_on(tmp_path, monkeypatch, caplog, error):
    def acquire(self, timeout=None):
        raise error

    (tmp_path / "x").mkdir()
    (tmp_path / "x" / ".ab.features.12.tmp").write_text("perhaps of a process that is at work")
    monkeypatch.setattr(FileLock, "acquire", acquire)
    with caplog.at_level(logging.INFO), exclusively(tmp_path / "x"):
        assert "going on without a lock" in caplog.text
    assert (tmp_path / "x" / ".ab.features.12.tmp").exists()


def hold(folder, started, seconds):
    with exclusively(folder):
        started.set()
        time.sleep(seconds)
        folder.mkdir()
        (folder / "done").write_text("")


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork in a process with threads
def test_others_wait_and_are_told(tmp_path, caplog):
    context = multiprocessing.get_context("fork")
    started = context.Event()
    process = context.Process(target=hold, args=(tmp_path / "x", started, 0.3))
    process.start()
    assert started.wait(20)
    with exclusively(tmp_path / "x"):
        assert (tmp_path / "x" / "done").exists()
    process.join()
    assert "Waiting for another process that fills" in caplog.text


def test_a_parent_that_is_not_there(tmp_path):
    with exclusively(tmp_path / "a" / "b" / "x"):
        assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["x.lock"]


@pytest.mark.parametrize("name", ["x", "x[1]"])
def test_leftovers_beside_it(tmp_path, name):
    """Those of a file or folder of this name, and of no other."""
    with replacing(tmp_path / name) as temporary:
        temporary.touch()
    (tmp_path / name).rename(temporary)
    folder = temporary.with_name(f".{name}.1.tmp")
    folder.mkdir()
    (folder / "half").touch()
    other = tmp_path / ".x1.1.tmp"
    other.touch()
    with exclusively(tmp_path / name):
        assert set(tmp_path.iterdir()) == {other, tmp_path / f"{name}.lock"}


@pytest.mark.parametrize("error", [None, RuntimeError])
def test_nothing_is_left_where_nothing_is_wanted(tmp_path, error):
    try:
        with exclusively(tmp_path / "x", keep_lock=False):
            assert list(tmp_path.iterdir()) == [tmp_path / "x.lock"]
            if error:
                raise error
    except RuntimeError:
        assert error
    assert list(tmp_path.iterdir()) == []
