import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from linspector_allennlp.io import temporary
from linspector_allennlp.io.files import replacing, replacing_folder
from linspector_allennlp.io.temporary import (
    is_forsaken,
    name_beside,
    new_file,
    owner_in,
    temporary_folder,
)


@pytest.fixture
def dead():
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left_by(path, process, ending="tmp"):
    return Path(re.sub(rf"\.{os.getpid()}-", f".{process}-", str(name_beside(path, ending))))


def test_a_name_is_new_each_time_and_says_whose_it_is(tmp_path):
    names = {name_beside(tmp_path / "a.b").name for _ in range(99)}
    assert len(names) == 99
    (name,) = {re.sub("[0-9a-f]{16}", "X", each) for each in names}
    assert re.fullmatch(rf"\.a\.b\.{os.getpid()}-[0-9a-f]{{8}}-X\.tmp", name)
    # The number first: what others sweep, they know by it.
    assert Path(names.pop()).match(".*.[0-9]*.tmp")


def test_nothing_is_followed(tmp_path):
    victim, link = tmp_path / "victim", tmp_path / "link"
    victim.write_text("mine")
    link.symlink_to(victim)
    for place in (link, victim):
        with pytest.raises(FileExistsError):
            new_file(place)
    # The name that could be foretold before.
    (tmp_path / f".x.{os.getpid()}.tmp").symlink_to(victim)
    with replacing(tmp_path / "x") as path:
        assert path.is_file() and not path.is_symlink()
        path.write_text("new")
    with replacing_folder(tmp_path / "y"):
        pass
    assert victim.read_text() == "mine" and (tmp_path / "x").read_text() == "new"


def test_the_rights_are_those_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    with replacing(tmp_path / "x"):
        pass
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_what_a_dead_process_left_goes_and_nothing_else(tmp_path, dead):
    path = tmp_path / "x"
    gone = [left_by(path, dead), left_by(path, dead)]
    gone[0].write_text("half")
    (gone[1] / "below").mkdir(parents=True)
    stays = [
        left_by(path, os.getppid()),  # alive
        left_by(tmp_path / "x.y", dead),  # of another file
        tmp_path / ".x.12.tmp",  # of whom is not known
        tmp_path / ".x.notes.tmp",
    ]
    for each in stays:
        each.write_text("")
    with replacing(path):
        pass
    assert set(tmp_path.iterdir()) == {path, *stays}


def test_a_process_elsewhere_is_given_a_day(tmp_path, monkeypatch):
    left = tmp_path / "left"
    left.mkdir()
    (left / "part").touch()
    for owner in ("12", "12-00000000-0123456789abcdef"):
        assert owner_in(Path(f".x.{owner}.tmp"), ".x.", ".tmp") == owner
        assert not is_forsaken(left, owner)
    old = time.time() - 2 * temporary.FORGOTTEN_SECONDS
    os.utime(left, (old, old))
    assert not is_forsaken(left, "12")  # something in it is new
    os.utime(left / "part", (old, old))
    os.utime(left, (old, old))
    assert is_forsaken(left, "12")


@pytest.mark.parametrize("name", [".x.tmp", ".x..tmp", ".x.12-3.tmp", ".x.12.3.tmp", "x.12.tmp"])
def test_names_of_others(name):
    assert owner_in(Path(name), ".x.", ".tmp") is None


def test_temporary_folders_of_killed_processes(tmp_path, monkeypatch, dead):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    program = (
        "import os, sys; from linspector_allennlp.io.temporary import temporary_folder as new\n"
    )
    program += "folder = new('linspector_x'); print(folder.name); sys.stdout.flush(); os._exit(9)"
    output = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    killed = Path(output.splitlines()[-1])
    others = [tmp_path / "linspector_x", tmp_path / "linspector_x_notes_1"]
    for other in others:
        other.mkdir()
    assert killed.is_dir()
    with temporary_folder("linspector_x") as folder:
        with temporary_folder("linspector_x") as second:
            assert set(tmp_path.iterdir()) == {*others, Path(folder), Path(second)}
