import re

import pytest

from linspector_allennlp.io.missing_files import MOST, missing_file


@pytest.fixture
def data(tmp_path):
    for name in ("Case/finnish", "Case/turkish", "Number/finnish", ".hidden"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "Case/finnish/train.txt").touch()
    for split in ("train", "dev"):
        (tmp_path / f"fi_tdt-ud-{split}.conllu").touch()
        (tmp_path / f"et_edt-ud-{split}.conllu").touch()
    return tmp_path


@pytest.mark.parametrize(
    "path, sentence",
    [
        ("Cas/finnish/train.txt", "{} has no Cas. Did you mean Case? There: Case, Number."),
        ("case/finnish/train.txt", "{} has no case. Did you mean Case? There: Case, Number."),
        ("Case/finish/train.txt", "{}/Case has no finish. Did you mean finnish? There: finnish, turkish."),
        ("Case/zulu/train.txt", "{}/Case has no zulu. There: finnish, turkish."),
        ("Case/finnish/dev.txt", "{}/Case/finnish has no dev.txt. There: train.txt."),
        ("Number/finnish/dev.txt", "{}/Number/finnish has no dev.txt. There is no file *.txt in it."),
        ("Case/finnish/a/b/c.txt", "{}/Case/finnish has no a. There is no folder in it."),
        ("fi_tdt-train.conllu", "Did you mean fi_tdt-ud-train.conllu? There: et_edt-ud-train.conllu, "
         "fi_tdt-ud-train.conllu."),
    ],
)  # fmt: skip
def test_the_first_thing_that_is_missing(data, path, sentence):
    found = missing_file(data / path)
    assert found.startswith(f"{data / path}: there is no such file, because ")
    assert found.endswith(sentence.format(data))


def test_a_relative_path(data, monkeypatch):
    monkeypatch.chdir(data)
    assert f"because . (from here, {data}) has no Cas." in missing_file("Cas/finnish/train.txt")


def test_an_address_has_no_folders():
    assert missing_file("https://a.b/c.txt") == "https://a.b/c.txt: there is no such file."


def test_many_names(tmp_path):
    for number in range(MOST + 5):
        (tmp_path / f"task{number:02}").mkdir()
    assert re.search(r"task19 and 5 more\.$", missing_file(tmp_path / "x/y.txt"))
