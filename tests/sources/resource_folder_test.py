import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.languages import find_language, language_in_name
from linspector_allennlp.sources.resource_folder import (
    file_of_language,
    paradigms_in,
    treebanks_in,
)


@pytest.fixture
def files(tmp_path):
    def make(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("")
        return tmp_path

    return make


def found(resources, folder):
    return {
        language.name: [path.removeprefix(f"{folder}/") for path in paths]
        for language, paths in resources.files.items()
    }


@pytest.mark.parametrize("name, language", [
    ("ron.tsv", "romanian"), ("fin.1", "finnish"), ("finnish-12k.tsv", "finnish"),
    ("tr_imst-ud-train.conllu", "turkish"), ("UD_Turkish-IMST", "turkish"),
    ("serbo-croatian.tsv", "serbo-croatian"), ("UD_Old_French-SRCMF", "old-french"),
    ("data/fi_50k.txt", "finnish"), ("klingonish.tsv", None), ("README.md", None),
])  # fmt: skip
def test_language_in_name(name, language):
    expected = find_language(language) if language else None
    assert language_in_name(name) == expected and (language is None or expected)


def test_paradigms(files):
    folder = files("fin/fin.2", "fin/fin.1", "fin/README.md", "fin/LICENSE", "fin/fin.segmentations",
                   "fin/.git/deu", "deu/deu", "deu/deu.derivations.tsv", "tr.tsv", "abc.tsv")  # fmt: skip
    resources = paradigms_in(folder)
    assert found(resources, folder) == {
        "finnish": ["fin/fin.1", "fin/fin.2"], "german": ["deu/deu"], "turkish": ["tr.tsv"],
    }  # fmt: skip
    assert resources.unknown == [f"{folder}/abc.tsv"]


def test_treebanks(files):
    folder = files("UD_Turkish-IMST/tr_imst-ud-train.conllu", "UD_Turkish-IMST/tr_imst-ud-dev.conllu",
                   "UD_Turkish-IMST/stats.xml", "fi_tdt-ud-test.conllu.gz", "tr_boun-ud-dev.conllu")  # fmt: skip
    assert {name: len(paths) for name, paths in found(treebanks_in(folder), folder).items()} == {
        "finnish": 1, "turkish": 3,
    }  # fmt: skip


def test_a_file_of_a_language(files):
    finnish = find_language("fi")
    folder = files("fi.txt", "tr.txt")
    assert file_of_language(folder, finnish) == f"{folder}/fi.txt"
    with pytest.raises(
        ConfigurationError, match="no file of german, such as de.txt or deu.txt or g"
    ):
        file_of_language(folder, find_language("de"))
    files("2018/finnish.txt")
    with pytest.raises(ConfigurationError, match="expected one file of finnish, found .*, "):
        file_of_language(folder, finnish)


def test_folders_without_resources(files, tmp_path):
    with pytest.raises(ConfigurationError, match="expected a folder of resources, found none"):
        paradigms_in(tmp_path / "none")
    with pytest.raises(ConfigurationError, match="no file there is .*conllu"):
        treebanks_in(files("fin.tsv"))


def test_links_are_followed_and_end(files, tmp_path):
    folder = files("all/UD_German/de-ud-train.conllu", "elsewhere/fi-ud-train.conllu") / "all"
    (folder / "UD_Finnish").symlink_to(tmp_path / "elsewhere")
    (folder / "UD_German/up").symlink_to(folder)
    assert found(treebanks_in(folder), folder) == {
        "finnish": ["UD_Finnish/fi-ud-train.conllu"], "german": ["UD_German/de-ud-train.conllu"],
    }  # fmt: skip
