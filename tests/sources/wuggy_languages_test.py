"""The languages of the wuggy package: here a small one of our own, where each of theirs would be."""

import builtins

import pytest
import requests
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources import remote
from linspector_allennlp.sources.wuggy_languages import is_wuggy_language, wuggy_language

WUGGY = pytest.importorskip("wuggy")

# As the package's own: it is imported from the folder of plugins, and `re` is not imported at all.
PLUGIN = """
from ...baselanguageplugin import BaseLanguagePlugin


class OfficialLanguagePlugin(BaseLanguagePlugin):
    default_data = "{lexicon}"
    oncpattern = re.compile("((?:qu|[^aeiou])*)([aeiou]+)(.*)")

    def transform(self, input_sequence, frequency=1):
        return self.pre_transform(input_sequence, frequency=frequency, language=self)
"""
NAME = "orthographic_spanish"


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Puts a language where GitHub has them; gives its folder."""
    monkeypatch.setenv("LINSPECTOR_WUGGY_URL", f"file://{tmp_path}")

    def put(code=PLUGIN, name=NAME):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.py").write_text(code.replace("{lexicon}", f"{name}.txt"))
        (folder / f"{name}.txt").write_text("queso\tque-so\t3\n")
        return folder

    return put


def segments(plugin, syllables):
    return [segment.letters for segment in plugin.transform(syllables).representation[1:-1]]


@pytest.mark.parametrize("name", ["spanish", "Spanish", NAME, "{folder}"])
def test_a_language_cuts_its_syllables(put, name):
    folder = put()
    language = wuggy_language(f"wuggy:{name.format(folder=folder)}")
    assert (language.code.name, language.lexicon.name) == (f"{NAME}.py", f"{NAME}.txt")
    assert language.lexicon.path.read_text() == "queso\tque-so\t3\n"
    assert segments(language.plugin, "que-so") == ["qu", "e", "", "s", "o", ""]
    # What it cannot cut is one segment.
    assert segments(language.plugin, "psst") == ["psst", "", ""]


def test_what_the_package_has_fetched_is_used(put, tmp_path, monkeypatch):
    put()
    package = tmp_path / "package"
    kept = package / "plugins/language_data" / NAME
    kept.parent.mkdir(parents=True)
    (tmp_path / NAME).rename(kept)
    monkeypatch.setattr(WUGGY, "__path__", [str(package)])
    assert wuggy_language("wuggy:spanish").code.path == kept / f"{NAME}.py"


def test_a_plugin_that_imports_what_it_needs(put):
    code = PLUGIN.replace("from ...baselanguageplugin", "import re\nfrom wuggy").replace(
        "OfficialLanguagePlugin", "Ours"
    )
    folder = put(code)
    (folder / f"{NAME}.txt").unlink()
    assert segments(wuggy_language(f"wuggy:{folder}").plugin, "que") == ["qu", "e", ""]


@pytest.mark.parametrize(
    "source, expected",
    [
        (
            "wuggy:klingon",
            "wuggy:klingon: no such language, and no such folder. wuggy has basque, dutch",
        ),
        ("wuggy:phonetic_french", "no such language"),
        ("wuggy:/no/such/folder", "no such folder"),
    ],
)
def test_an_unknown_language(source, expected):
    with pytest.raises(ConfigurationError, match=expected):
        wuggy_language(source)


@pytest.mark.parametrize(
    "code, expected",
    [
        ("x = unknown", "no language plugin that can be used: NameError: name 'unknown'"),
        ("def broken(", "no language plugin that can be used: SyntaxError"),
        ("x = 1", "expected one class below wuggy.BaseLanguagePlugin, found 0"),
    ],
)
def test_a_plugin_that_is_none(put, code, expected):
    folder = put(code)
    with pytest.raises(ValueError, match=f"{NAME}.py.*{expected}"):
        wuggy_language(f"wuggy:{folder}")


def test_a_folder_of_two_plugins(put):
    folder = put()
    (folder / "other.py").write_text("")
    with pytest.raises(ConfigurationError, match="expected one .py file in the folder, .* found 2"):
        wuggy_language(f"wuggy:{folder}")


def test_without_a_network(monkeypatch):
    monkeypatch.delenv("LINSPECTOR_WUGGY_URL", raising=False)

    def refuse(url):
        raise requests.ConnectionError("refused")

    monkeypatch.setattr(remote, "cached_path", refuse)
    expected = (
        "Could not reach https://.*/orthographic_german.py: ConnectionError. Without a network, put "
        "orthographic_german.py and orthographic_german.txt from there into a folder, and give "
        "wuggy:FOLDER."
    )
    with pytest.raises(OSError, match=expected):
        wuggy_language("wuggy:german")


def test_without_the_package(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name.startswith("wuggy"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ConfigurationError, match="pip install wuggy"):
        wuggy_language("wuggy:german")


def test_names():
    assert is_wuggy_language("wuggy:german") and not is_wuggy_language("german.txt")
