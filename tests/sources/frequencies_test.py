import builtins
import gzip

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import sha256
from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.sources.frequencies import FrequencyList, lowered, read_frequencies


@pytest.fixture
def write(tmp_path):
    def write(content, name="list.txt"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


def test_words_with_and_without_counts(write):
    frequencies = read_frequencies(write("\ufeffde 12\r\nnu\t9.5\nsă\nde 3\n\n\n"))
    assert len(frequencies) == 3
    assert all(map(frequencies.knows, ["de", "nu", "să", "De", "SĂ"]))
    assert not frequencies.knows("12")


def test_a_capitalised_list_knows_capitalised_forms_only(write):
    frequencies = read_frequencies(write("Haus 3\ngehen 2\n"))
    assert frequencies.knows("Haus") and frequencies.knows("Gehen")
    assert not frequencies.knows("haus")


def test_composition_does_not_matter(write):
    assert read_frequencies(write("să 1\n")).knows("sa\u0306")
    assert read_frequencies(write("sa\u0306 1\n")).knows("să")


@pytest.mark.parametrize(
    "code, text, lower",
    [
        ("tr", "ISPARTA", "ısparta"),
        ("tr", "İzmir", "izmir"),
        ("az", "QIZIL", "qızıl"),
        ("fi", "ISO", "iso"),
        (None, "ISO", "iso"),
    ],
)
def test_lower_case_as_the_language_has_it(code, text, lower):
    assert lowered(text, code) == lower
    assert FrequencyList("a list", [lower], code).knows(text)


def test_compressed(write):
    path = write(gzip.compress(b"kissa 4\nkoira 3\n"), "fi.txt.gz")
    assert len(read_frequencies(path)) == 2


def test_the_first_words(write):
    path = write("a 5\nb 3\na 2\nc 1\nbroken line here\n")
    frequencies = read_frequencies(path, most_frequent=3)
    assert frequencies.knows("b") and not frequencies.knows("c") and len(frequencies) == 2
    assert frequencies.provenance()["most_frequent"] == 3
    with pytest.raises(ConfigurationError, match="most_frequent: expected 1 or more, found 0"):
        read_frequencies(path, most_frequent=0)


def test_provenance_has_no_folder(write):
    path = write("a 5\nb\n")
    frequencies = read_frequencies(path)
    assert frequencies.name == "list.txt"
    expected = {"file": "list.txt", "sha256": sha256(path), "bad_lines": 0, "words": 2}
    assert frequencies.provenance() == expected


@pytest.mark.parametrize(
    "line, message",
    [
        (b"new york 12", "expected a word, or a word and its count"),
        (b"word many", "expected a count after the word, found 'many'"),
        (b"word nan", "expected a count"),
        (b"word -1", "expected a count"),
        (b"word " + b"9" * 5000, "expected a count .*, found '9{199}… .5,002 characters.\\.$"),
        (b"w\xffrd 1", "expected UTF-8 text"),
        (b"", "found a blank line"),
    ],
)
def test_broken_lines(write, line, message):
    path = write(b"a 3\n" + line + b"\nb 2\n")
    with pytest.raises(MalformedLine, match=f"list.txt, line 2: .*{message}|line 2.*{message}"):
        read_frequencies(path)
    frequencies = read_frequencies(path, skip_bad_lines=True)
    assert len(frequencies) == 2 and frequencies.provenance()["bad_lines"] == 1


def test_an_empty_file(write):
    with pytest.raises(ValueError, match="list.txt has no words"):
        read_frequencies(write("\n"))


def test_wordfreq():
    pytest.importorskip("wordfreq")
    frequencies = read_frequencies("wordfreq", "tr")
    assert frequencies.knows("İçin") and not frequencies.knows("xqzw")
    provenance = frequencies.provenance()
    assert provenance["package"].startswith("wordfreq ") and provenance["language"] == "tr"


def test_wordfreq_takes_only_a_language_that_is_near():
    pytest.importorskip("wordfreq")
    assert read_frequencies("wordfreq", "hr").provenance()["language"] == "sh"
    # The package would take the Spanish list for Basque.
    for code in ["eu", "xx", "not a code", None]:
        with pytest.raises(ConfigurationError, match=f"{code!r}. It has: ar, .*, zh"):
            read_frequencies("wordfreq", code)


def test_without_wordfreq(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name == "wordfreq":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ConfigurationError, match="pip install wordfreq"):
        read_frequencies("wordfreq", "tr")


@pytest.mark.realdata
def test_real_list(real_data):
    frequencies = read_frequencies(str(real_data / "frequency" / "ro.txt"), "ro")
    assert len(frequencies) == 50_000 and frequencies.knows("În")


def test_ranks(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("ve 9\nışık 4\nve 1\nIşık 1\n", encoding="utf-8")
    words = read_frequencies(str(path), "tr")
    assert [words.rank(form) for form in ("ve", "IŞIK", "Işık", "su")] == [1, 2, 4, None]
