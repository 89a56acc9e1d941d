import pytest

from linspector_allennlp.io.lines import BadLines, MalformedLine
from linspector_allennlp.sources.lexicon import (
    GivenPseudoword,
    LexiconEntry,
    read_lexicon,
    read_pseudowords,
)


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "words.txt"
        path.write_bytes(content.encode())
        return path

    return write


def test_entries(write):
    path = write("\ufeffabade\ta-ba-de\t15.09\r\nabadía\ta-ba-di-a\t1\n\n")
    first, second = read_lexicon(path)
    assert first == LexiconEntry(1, "abade", ("a", "ba", "de"), 15.09)
    assert first.spelling == "abade" and second.spelling == "abadia"


def test_letters_are_composed(write):
    (entry,) = read_lexicon(write("nin\u0303o\tni-n\u0303o\t1\n"))
    assert entry.word == entry.spelling == "niño"


def test_entries_are_a_stream(write):
    entries = read_lexicon(write("a\ta\t1\nbroken\n"))
    assert next(entries).word == "a"
    with pytest.raises(MalformedLine, match="line 2"):
        next(entries)


@pytest.mark.parametrize(
    "line, message",
    [
        ("aba\ta-ba", "expected 3 tab-separated columns .*, found 2"),
        ("aba\ta--ba\t1", "expected syllables joined by one hyphen, found 'a--ba'"),
        ("a ba\ta-ba\t1", "expected a word without spaces, found 'a ba'"),
        ("\ta-ba\t1", "expected a word without spaces, found ''"),
        ("aba\ta-ba\toften", "expected a frequency"),
        ("aba\ta-ba\t-1", "expected a frequency"),
        (
            f"aba\ta-ba\t{'9' * 5000}",
            "expected a frequency .*, found '9{199}… .5,002 characters.\\.$",
        ),
        ("", "found a blank line"),
    ],
)
def test_broken_entries(write, line, message):
    path = write(f"bat\tbat\t1\n{line}\nbi\tbi\t1\n")
    with pytest.raises(MalformedLine, match=f"words.txt, line 2: .*{message}|line 2.*{message}"):
        list(read_lexicon(path))
    bad = BadLines(skip=True)
    assert [entry.word for entry in read_lexicon(path, bad)] == ["bat", "bi"]
    assert bad.number == 1


def test_pseudowords(write):
    path = write("xaba\naba\tobo\n")
    assert list(read_pseudowords(path)) == [
        GivenPseudoword(1, None, "xaba"),
        GivenPseudoword(2, "aba", "obo"),
    ]


@pytest.mark.parametrize("line", ["a b", "aba\tobo\t3", "aba\t", "\tobo"])
def test_broken_pseudowords(write, line):
    path = write(f"xaba\n{line}\n")
    with pytest.raises(MalformedLine, match="line 2: expected a pseudoword, or a word"):
        list(read_pseudowords(path))
    bad = BadLines(skip=True)
    assert len(list(read_pseudowords(path, bad))) == bad.number == 1


@pytest.mark.parametrize("read", [read_lexicon, read_pseudowords])
def test_empty_files(write, read):
    with pytest.raises(ValueError, match="words.txt has no"):
        list(read(write("\n")))


@pytest.mark.realdata
def test_real_lexicons(real_data):
    assert len(list(read_lexicon(real_data / "wuggy" / "orthographic_basque.txt"))) == 18_483
    spanish = list(read_lexicon(real_data / "wuggy" / "orthographic_spanish.txt"))
    assert sum(entry.spelling != entry.word for entry in spanish) == 6_115
