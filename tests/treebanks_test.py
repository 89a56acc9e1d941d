import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.treebanks import (
    UD,
    UNIMORPH,
    MultiwordToken,
    Sentence,
    TreebankCounts,
    Word,
    read_treebank,
)

ODD = """\
# newdoc
# sent_id = odd-1
# text = vámonos al mar, 10 000
1-2	vámonos	_	_	_	_	_	_	_	_
1	vamos	ir	VERB	V	Mood=Imp|Number=Plur|Person=1	0	root	_	_
2	nos	nosotros	PRON	_	Case=Acc	1	obj	_	_
2.1	mar	_	_	_	_	_	_	_	_
3	10 000	_	NUM	_	_	1	nmod	_	_
# a comment in the middle
4	_	_	SYM	_	_	_	_	_	_


# nothing but a comment

1	Sí	sí	INTJ	_	_	0	root	_	_
"""

GOOD = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="x.conllu"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    return write


def test_odd_things(write):
    path, counts = write(ODD), TreebankCounts()
    first, second = read_treebank([path], counts)
    assert (first.path, first.line, first.sent_id) == (path, 1, "odd-1")
    assert [word.form for word in first.words] == ["vamos", "nos", "10_000", "_"]
    assert [word.line for word in first.words] == [5, 6, 8, 10]
    assert [word.id for word in first.words] == [1, 2, 3, 4]
    assert [word.head for word in first.words] == [0, 1, 1, None]
    assert first.words[0].feats == "Mood=Imp|Number=Plur|Person=1"
    assert first.words[0].xpos == "V" and first.words[1].xpos == ""
    assert first.words[3].deprel == first.words[3].feats == ""
    assert first.words[1].lemma == "nosotros"
    assert (second.line, second.sent_id, len(second.words)) == (15, "", 1)
    assert counts == TreebankCounts(
        sentences=2, words=5, ranges=1, empty_nodes=1, spaced_forms=1, features=UD
    )


def test_line_ends_mark_and_no_last_blank_line(write, caplog):
    text = b"\xef\xbb\xbf" + (GOOD + "\n" + GOOD).replace("\n", "\r\n").encode().rstrip(b"\r\n")
    with caplog.at_level("WARNING"):
        sentences = list(read_treebank([write(text)]))
    assert [sentence.line for sentence in sentences] == [1, 3]
    assert "Is the file whole?" in caplog.text


def test_several_files(write):
    paths = [write(GOOD, "a"), write(GOOD + "\n" + GOOD, "b")]
    assert [sentence.path for sentence in read_treebank(paths)] == [paths[0], paths[1], paths[1]]


BROKEN = {
    "10 tab-separated columns": "1\ta\ta\tX\t_\t_\t0\troot\t_\n",
    "found 11": GOOD.replace("\n", "\t_\n"),
    "found id": GOOD.replace("1", "2"),
    "'x' is not a valid ID": GOOD.replace("1", "x"),
    "id '_'": GOOD.replace("1", "_"),
    "'up' is not": GOOD.replace("0", "up"),
    "a head from 0 to 1, found 7": GOOD.replace("0", "7"),
    "a head from 0 to 1, found -1": GOOD.replace("0", "-1"),
    "a form": GOOD.replace("a\ta", "\ta"),
    "UTF-8": GOOD.encode().replace(b"a", b"\xff"),
    "word 2, found id '1'": GOOD + GOOD,
    "no words": "1-2\ta\t_\t_\t_\t_\t_\t_\t_\t_\n",
}


@pytest.mark.parametrize("message", BROKEN)
def test_broken(write, message, caplog):
    broken = BROKEN[message]
    broken = broken if isinstance(broken, bytes) else broken.encode()
    path = write(GOOD.encode() + b"\n# x\n" + broken + b"\n" + GOOD.encode())
    with pytest.raises(MalformedLine) as error:
        list(read_treebank([path]))
    # The broken line itself; "no words" is said of the sentence.
    line = 3 if message == "no words" else 5 if message.startswith("word 2") else 4
    assert message in str(error.value)
    assert f"{path}, line {line}:" in str(error.value)
    counts = TreebankCounts()
    assert len(list(read_treebank([path], counts, skip_bad_lines=True))) == 2
    assert (counts.sentences, counts.words, counts.bad_lines) == (2, 2, 1)
    assert message in caplog.text


def test_bad_sentences_are_counted_and_some_are_shown(write, caplog):
    counts = TreebankCounts()
    path = write(GOOD + "\n" + "bad\n\n" * 20)
    with caplog.at_level("WARNING"):
        assert len(list(read_treebank([path], counts, skip_bad_lines=True))) == 1
    assert counts.bad_lines == 20
    assert 0 < sum("10 tab-separated columns" in text for text in caplog.messages) < 20


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n\n# comments\n"])
def test_no_sentence(write, text):
    paths = [write(GOOD, "good"), write(text, "empty")]
    with pytest.raises(ValueError, match="empty has no sentence"):
        list(read_treebank(paths))


def test_kinds_of_features(write):
    ud = write(GOOD + "\n" + GOOD.replace("X\t_\t_", "X\t_\tCase=Nom"), "ud")
    unimorph = write(GOOD + "\n" + GOOD.replace("X\t_\t_", "_\t_\tN;NOM"), "unimorph")
    for paths, kind in (([ud], UD), ([unimorph], UNIMORPH), ([write(GOOD)], None)):
        counts = TreebankCounts()
        list(read_treebank(paths, counts))
        assert counts.features == kind
    for skip in (False, True):
        with pytest.raises(MalformedLine, match="unimorph, line 3: expected UD features"):
            list(read_treebank([ud, unimorph], skip_bad_lines=skip))
    with pytest.raises(MalformedLine, match="ud, line 3: expected UniMorph tags"):
        list(read_treebank([unimorph, ud]))


def row(id_, form="w"):
    return "\t".join([str(id_), form, *"_" * 8]) + "\n"


RANGES = {
    "at the start": ("1-2 ab|1 a|2 b|3 c", ["ab", "c"], [0, 0, 1]),
    "in the middle": ("1 a|2-3 bc|2 b|3 c|4 d", ["a", "bc", "d"], [0, 1, 1, 2]),
    "at the end": ("1 a|2-4 bcd|2 b|3 c|4 d", ["a", "bcd"], [0, 1, 1, 1]),
    "two in a row": ("1-2 ab|1 a|2 b|3-4 cd|3 c|4 d|5 e", ["ab", "cd", "e"], [0, 0, 1, 1, 2]),
    "all of it": ("1-3 abc|1 a|2 b|3 c", ["abc"], [0, 0, 0]),
    "none": ("1 a|2 b", ["a", "b"], [0, 1]),
    "with an empty node inside": ("1-2 ab|1 a|1.1 x|2 b|3 c", ["ab", "c"], [0, 0, 1]),
    "after an empty node": ("0.1 x|1 a|1.1 y|2-3 bc|2 b|3 c", ["a", "bc"], [0, 1, 1]),
}


@pytest.mark.parametrize("where", RANGES)
def test_the_text_as_it_is_written(write, where):
    rows, tokens, places = RANGES[where]
    text = "".join(row(*pair.split()) for pair in rows.split("|"))
    counts = TreebankCounts()
    first, second = read_treebank([write(text + "\n" + GOOD)], counts)
    assert first.surface_tokens() == (tokens, places)
    forms = [pair.split()[1] for pair in rows.split("|") if pair.split()[0].isdigit()]
    assert [word.form for word in first.words] == forms
    assert counts.ranges == rows.count("-") and counts.words == len(forms) + 1
    assert (second.multiword_tokens, second.surface_tokens()) == ([], (["a"], [0]))


def test_what_a_multiword_token_says(write):
    (sentence,) = read_treebank([write(row(1) + row("2-3", "10 000") + row(2) + row(3))])
    assert sentence.multiword_tokens == [MultiwordToken(2, 3, "10_000")]


BAD_RANGES = {
    "two that overlap": (["1-2", 1, "2-3", 2, 3], 3, "from 2 on, none in two ranges", "'2-3'"),
    "one inside another": (["1-3", 1, "2-3", 2, 3], 3, "none in two ranges", "'2-3'"),
    "the same twice": (["1-2", "1-2", 1, 2], 2, "none in two ranges", "'1-2'"),
    "after its words": ([1, 2, "1-2", 3], 3, "a range of several words from 3 on", "'1-2'"),
    "before its place": (["2-3", 1, 2, 3], 1, "a range of several words from 1 on", "'2-3'"),
    "backwards": (["2-1", 1, 2], 1, "numbers as id and head", "'2-1' is not a valid ID"),
    "of one word": (["1-1", 1, 2], 1, "a range of several words from 1 on", "'1-1'"),
    "beyond the last word": ([1, "2-4", 2, 3], 2, "a range within 3 words", "2-4"),
    "of words that are not there": ([1, 2, "3-4"], 3, "a range within 2 words", "3-4"),
}


@pytest.mark.parametrize("what", BAD_RANGES)
def test_bad_ranges(write, what):
    ids, line, expected, found = BAD_RANGES[what]
    path = write(GOOD + "\n" + "".join(map(row, ids)) + "\n" + GOOD)
    with pytest.raises(MalformedLine) as error:
        list(read_treebank([path]))
    assert f"{path}, line {line + 2}: expected " in str(error.value)
    assert expected in str(error.value) and found in str(error.value)
    counts = TreebankCounts()
    assert len(list(read_treebank([path], counts, skip_bad_lines=True))) == 2
    assert (counts.bad_lines, counts.words, counts.ranges) == (1, 2, 0)


def test_a_range_without_a_form(write):
    path = write(row("1-2", " ") + row(1) + row(2))
    with pytest.raises(MalformedLine, match="line 1: expected a form"):
        list(read_treebank([path]))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8))
def test_every_word_is_in_the_token_that_has_it(sizes):
    """Tokens of so many words each: one of a single word is the word itself."""
    words, ranges = [], []
    for number, size in enumerate(sizes):
        if size > 1:
            ranges.append(MultiwordToken(len(words) + 1, len(words) + size, f"t{number}"))
        forms = [f"t{number}"] if size == 1 else [f"t{number}.{part}" for part in range(size)]
        words += [Word(1, form, "", "", "", "", None, "", 1) for form in forms]
    tokens, places = Sentence("x", 1, "", words, ranges).surface_tokens()
    assert tokens == [f"t{number}" for number in range(len(sizes))]
    assert [words[i].form.split(".")[0] for i in range(len(words))] == [tokens[p] for p in places]


@pytest.mark.realdata
def test_turkish(real_data):
    counts = TreebankCounts()
    for _ in read_treebank(sorted((real_data / "ud").glob("tr_*")), counts):
        pass
    assert (counts.sentences, counts.words, counts.ranges) == (5635, 58096, 1639)


def test_documents_are_counted(write):
    text = f"{GOOD}\n# newdoc id = a\n{GOOD}\n{GOOD}\n# newpar\n{GOOD}\n#newdoc\n\n{GOOD}"
    assert [each.document for each in read_treebank([write(text)])] == [0, 1, 1, 1, 2]
    # A bad sentence begins a document too.
    bad = f"# newdoc\n1\ta\n\n{GOOD}"
    found = read_treebank([write(text, "1"), write(bad, "2")], skip_bad_lines=True)
    assert [each.document for each in found] == [0, 1, 1, 1, 2, 1]
