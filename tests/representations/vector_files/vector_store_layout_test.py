from pathlib import Path

import pytest

from linspector_allennlp.representations.vector_files.vector_store_layout import StoreFiles


def made(folder, *names):
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("a 1 2\n")
    return StoreFiles(*(folder / name for name in names))


def test_the_cache_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("LINSPECTOR_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    one, other = (made(tmp_path / folder, "v.vec").places[1] for folder in "ab")
    assert one.parent == Path("caches", "linspector_allennlp") and one != other
    monkeypatch.setenv("LINSPECTOR_CACHE", "here")
    assert made(tmp_path, "v.vec").places[1].parent == Path("here")


def test_the_name_says_which_word_list(tmp_path):
    names = [place.name for place in made(tmp_path, "v.vec", "words").places]
    assert names[0] == "v.vec.words.store" and names[1].startswith("v.vec.words.")


def test_only_what_belongs_to_the_vectors_is_in_the_stamp(tmp_path):
    assert "beside" not in made(tmp_path, "v.vec").stamp
    (tmp_path / "v.txt").write_text("b 1 2\n")  # other vectors, not a list of words
    assert "beside" not in StoreFiles(tmp_path / "v.vec").stamp
    assert len(made(tmp_path, "v.vec", "words").stamp["beside"]) == 1


def test_missing_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="v.vec: no such file; expected word vectors"):
        StoreFiles(tmp_path / "v.vec")
