import httpx
import pytest
import requests

from linspector_allennlp.sources import remote
from linspector_allennlp.sources.remote import SourceFile, treebank_files, unimorph_files


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    """A folder that stands for GitHub; gives a function that puts a file there."""
    monkeypatch.setenv("LINSPECTOR_UNIMORPH_URL", f"file://{tmp_path}/unimorph/")
    monkeypatch.setenv("LINSPECTOR_UD_URL", f"file://{tmp_path}/ud")

    def put(name):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
        return SourceFile(path.name, path)

    return put


def test_a_language_of_one_file(mirror):
    file = mirror("unimorph/deu/master/deu")
    assert unimorph_files("deu") == [file]


def test_a_language_of_several_files(mirror):
    files = [mirror(f"unimorph/fin/master/fin.{number}") for number in (1, 2)]
    assert unimorph_files("fin") == files


def test_a_path_and_a_url(mirror, tmp_path, monkeypatch):
    file = mirror("somewhere/turkish")
    assert unimorph_files(str(file.path)) == treebank_files(str(file.path)) == [file]
    assert unimorph_files(f"file://{file.path}") == [file]
    # What is here goes before what could be fetched.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tur").write_text("x")
    assert [file.path.resolve() for file in unimorph_files("tur")] == [tmp_path / "tur"]


def test_a_treebank(mirror):
    folder = "ud/UD_Finnish-TDT/master/fi_tdt-ud"
    files = [mirror(f"{folder}-{split}.conllu") for split in ("train", "dev", "test")]
    assert treebank_files("UD_Finnish-TDT") == files


def test_a_treebank_with_its_training_part_in_several_files(mirror, caplog):
    folder = "ud/UD_Czech-PDT/master/cs_pdt-ud"
    files = [mirror(f"{folder}-{part}.conllu") for part in ("train-a", "train-b", "test")]
    assert treebank_files("UD_Czech-PDT") == files
    assert "UD_Czech-PDT has no dev file" in caplog.text


def test_a_treebank_with_a_test_file_only(mirror):
    file = mirror("ud/UD_Ancient_Greek-PROIEL/master/grc_proiel-ud-test.conllu")
    assert treebank_files("UD_Ancient_Greek-PROIEL") == [file]


@pytest.mark.parametrize(
    "find, source, place",
    [
        (unimorph_files, "deu", "unimorph/deu/master/deu: there is no such file"),
        (unimorph_files, "/no/such/file", "^/no/such/file: there is no such file"),
        (treebank_files, "UD_Finnish-TDT", "fi_tdt-ud-test.conllu: there is no such file"),
    ],
)
def test_what_is_not_there_is_named(mirror, find, source, place):
    with pytest.raises(FileNotFoundError, match=place):
        find(source)


def test_a_treebank_of_an_unknown_language(mirror):
    with pytest.raises(ValueError, match="UD_Klingon-XYZ: the table of languages does not have"):
        treebank_files("UD_Klingon-XYZ")


@pytest.mark.parametrize(
    "error",
    [
        requests.ConnectionError("refused"),
        requests.Timeout("slow"),
        httpx.ConnectError("refused"),
        OSError("no route"),
    ],
)
@pytest.mark.parametrize(
    "find, source", [(unimorph_files, "deu"), (treebank_files, "UD_Czech-PDT")]
)
def test_without_a_network(monkeypatch, find, source, error):
    monkeypatch.delenv("LINSPECTOR_UNIMORPH_URL", raising=False)
    monkeypatch.delenv("LINSPECTOR_UD_URL", raising=False)
    asked = []

    def refuse(url):
        asked.append(url)
        raise error

    monkeypatch.setattr(remote, "cached_path", refuse)
    with pytest.raises(OSError, match="Could not reach https://.*give its path") as raised:
        find(source)
    assert type(error).__name__ in str(raised.value)
    # One is enough to know: a reader does not wait for nine.
    assert len(asked) == 1
