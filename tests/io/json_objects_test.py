import os

import pytest

from linspector_allennlp.io import regular
from linspector_allennlp.io.json_objects import read_json_object


def test_an_object(tmp_path):
    (tmp_path / "a.json").write_text('{"yö": [1]}', encoding="utf-8")
    assert read_json_object(tmp_path / "a.json") == {"yö": [1]}


@pytest.mark.parametrize("content, message", [
    (b"", "expected JSON; "),
    (b"[" * 100_000, "expected JSON; "),
    (b'{"a": ' + b"9" * 5000 + b"}", "expected JSON; "),
    (b"\xff\xfe", "expected JSON; "),
    (b"[" + b"1," * 500 + b"1]", r"expected a JSON object, found \[1, 1.{0,200}$"),
    (b" " * 2000, "expected at most 1,000 bytes, found more"),
])  # fmt: skip
def test_what_is_none_is_named(tmp_path, monkeypatch, content, message):
    if content.isspace():
        monkeypatch.setattr(regular, "MOST_BYTES", 1000)
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(ValueError, match=f"a.json: {message}") as error:
        read_json_object(tmp_path / "a.json")
    assert len(str(error.value)) < 400 + len(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.json")
    with pytest.raises(ValueError, match=r"a.json is a pipe \(FIFO\): expected a file"):
        read_json_object(tmp_path / "a.json")
