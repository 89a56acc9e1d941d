import json
from hashlib import sha256 as expected_sha256

import pytest

from linspector_allennlp.files import replacing_text, sha256, write_json


def test_an_error_keeps_the_old_file_and_leaves_no_other(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("old")
    with pytest.raises(RuntimeError), replacing_text(path) as file:
        file.write("half of the new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_json_keeps_letters_and_refuses_what_json_cannot_say(tmp_path):
    path = tmp_path / "metrics.json"
    write_json(path, {"form": "yö"})
    assert "yö" in path.read_text(encoding="utf-8")
    with pytest.raises(ValueError):
        write_json(path, {"accuracy": float("nan")})
    assert json.loads(path.read_text(encoding="utf-8")) == {"form": "yö"}


def test_sha256(tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"x" * 3_000_000)
    assert sha256(path) == expected_sha256(b"x" * 3_000_000).hexdigest()
