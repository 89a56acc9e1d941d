import gzip
import json
import os
from hashlib import sha256 as expected_sha256

import pytest

from linspector_allennlp.io.files import (
    open_bytes,
    replacing_folder,
    replacing_text,
    sha256,
    write_json,
)


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


def files_in(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_folder_is_there_when_it_is_whole(tmp_path):
    path = tmp_path / "Case" / "finnish"
    with replacing_folder(path) as folder:
        (folder / "train.txt").write_text("new")
        assert not path.exists()
    assert files_in(path) == {"train.txt": "new"}
    assert list(path.parent.iterdir()) == [path]


def test_a_new_folder_has_nothing_of_the_old(tmp_path):
    path = tmp_path / "finnish"
    path.mkdir()
    (path / "old.txt").write_text("old")
    with replacing_folder(path) as folder:
        (folder / "new.txt").write_text("new")
        assert files_in(path) == {"old.txt": "old"}
    assert files_in(path) == {"new.txt": "new"}
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_no_new_folder(tmp_path):
    with pytest.raises(RuntimeError), replacing_folder(tmp_path / "Case" / "finnish") as folder:
        (folder / "train.txt").write_text("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_keeps_the_old_folder(tmp_path, error):
    path = tmp_path / "finnish"
    path.mkdir()
    (path / "old.txt").write_text("old")
    with pytest.raises(error), replacing_folder(path) as folder:
        (folder / "train.txt").write_text("half")
        raise error
    assert files_in(path) == {"old.txt": "old"}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_failing_rename_brings_the_old_folder_back(tmp_path, monkeypatch, error):
    path = tmp_path / "finnish"
    path.mkdir()
    (path / "old.txt").write_text("old")
    rename = os.rename

    def fail(source, target):
        if str(source).endswith(".tmp"):
            raise error
        rename(source, target)

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(error), replacing_folder(path) as folder:
        (folder / "new.txt").write_text("new")
    assert files_in(path) == {"old.txt": "old"}


def test_compressed_or_not(tmp_path):
    plain, compressed = tmp_path / "a", tmp_path / "b"
    plain.write_bytes(b"talo\n")
    compressed.write_bytes(gzip.compress(b"talo\n"))
    for path in (plain, compressed):
        with open_bytes(path) as file:
            assert list(file) == [b"talo\n"]


def test_what_is_no_text_is_named(tmp_path):
    sheet = tmp_path / "book.xlsx"
    sheet.write_bytes(b"PK\x03\x04rest")
    with pytest.raises(ValueError, match="book.xlsx is a zip archive or a spreadsheet"):
        open_bytes(sheet)
    with pytest.raises(ValueError, match="is a folder: expected a file"):
        open_bytes(tmp_path)
