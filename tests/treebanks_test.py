import pytest

from linspector_allennlp.formats import MalformedLine
from linspector_allennlp.treebanks import (
    UD,
    UNIMORPH,
    TreebankCounts,
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
def test_broken(write, message):
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
    assert message in counts.messages[0]


def test_only_some_messages_are_kept(write):
    counts = TreebankCounts()
    path = write(GOOD + "\n" + "bad\n\n" * 20)
    assert len(list(read_treebank([path], counts, skip_bad_lines=True))) == 1
    assert counts.bad_lines == 20 and 0 < len(counts.messages) < 20


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


@pytest.mark.realdata
def test_turkish(real_data):
    counts = TreebankCounts()
    for _ in read_treebank(sorted((real_data / "ud").glob("tr_*")), counts):
        pass
    assert (counts.sentences, counts.words, counts.ranges) == (5635, 58096, 1639)
