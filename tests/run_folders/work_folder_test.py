from concurrent.futures import ThreadPoolExecutor

import pytest

from linspector_allennlp.run_folders.work_folder import work_folder


def test_it_is_there_while_it_is_worked_in(tmp_path):
    with (
        work_folder(tmp_path / "unfinished") as folder,
        work_folder(tmp_path / "unfinished") as other,
    ):
        assert folder.is_dir() and other.is_dir() and folder != other
    assert not (tmp_path / "unfinished").exists()


def test_many_that_begin_and_end_at_once(tmp_path):
    """Who is the last removes the parent, in which another is about to begin."""

    def work(number):
        for _ in range(100):
            with work_folder(tmp_path / "unfinished") as folder:
                assert folder.is_dir()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert not (tmp_path / "unfinished").exists()


def test_a_parent_that_is_always_removed(tmp_path, monkeypatch):
    mkdir = type(tmp_path).mkdir

    def vanishing(path, *args, **kwargs):
        mkdir(path, *args, **kwargs)
        path.rmdir()

    monkeypatch.setattr(type(tmp_path), "mkdir", vanishing)
    with pytest.raises(FileNotFoundError), work_folder(tmp_path / "unfinished"):
        pass
