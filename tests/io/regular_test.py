import os
import stat

import pytest

from linspector_allennlp.io.files import replacing_text, write_json
from linspector_allennlp.io.regular import (
    is_given,
    open_regular,
    open_text,
    open_to_append,
    read_text,
    regular,
)

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")


def test_a_file_is_opened_by_its_name(tmp_path):
    path = tmp_path / "yö.txt"
    path.write_bytes("yö\r\n".encode())
    assert regular(path) is path and read_text(path) == "yö\r\n"
    with open_regular(path) as file, open_text(path) as text, open_text(path, newline="") as exact:
        assert file.name == str(path) and text.read() == "yö\n" and exact.read() == "yö\r\n"
    (tmp_path / "link").symlink_to(path)
    assert read_text(tmp_path / "link") == "yö\r\n"
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "missing")


@needs_pipes
def test_what_is_none_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, kind in (
        (tmp_path, "a folder"),
        (tmp_path / "pipe", "a pipe"),
        ("/dev/zero", "a device"),
    ):
        with pytest.raises(ValueError, match=f"{path} is {kind}.*: expected a file"):
            open_regular(path)


@needs_pipes
def test_a_pipe_that_comes_in_the_last_moment_is_not_waited_for(tmp_path, monkeypatch):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    file = os.stat(__file__)
    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", lambda *_, **__: file)
        with pytest.raises(ValueError, match="pipe is a pipe"):
            open_regular(path)


@needs_pipes
def test_only_what_was_given_may_be_a_pipe(tmp_path):
    reading, writing = os.pipe()
    os.write(writing, b"a")
    os.close(writing)
    given = f"/dev/fd/{reading}"
    assert is_given(given) and is_given("/dev/stdin") and not is_given("/dev/zero")
    with pytest.raises(ValueError, match="is a pipe"):
        open_regular(given)
    with open_regular(given, given=True) as file:
        assert file.read() == b"a"
    os.close(reading)


def test_a_device_is_not_replaced(tmp_path):
    with pytest.raises(ValueError, match="/dev/null is a device: expected a file to write"):
        write_json("/dev/null", {})
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(ValueError, match="/dev/null is a device"), replacing_text("/dev/null"):
        pass
    assert not [name for name in os.listdir("/dev") if name.startswith(".null")]


@needs_pipes
def test_what_lies_in_wait_under_the_name_of_a_log_is_not_written_to(tmp_path):
    for _ in range(2):
        with open_to_append(tmp_path / "1.log") as file:
            file.write(b"a")
    assert read_text(tmp_path / "1.log") == "aa"
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "2.log").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "3.log")
    for name in ("2.log", "3.log"):
        with pytest.raises(OSError, match=name):
            open_to_append(tmp_path / name)
    assert read_text(tmp_path / "elsewhere") == "mine"
    reading = os.open(tmp_path / "3.log", os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(ValueError, match=r"3.log is a pipe \(FIFO\): expected a file to write"):
        open_to_append(tmp_path / "3.log")
    os.close(reading)
