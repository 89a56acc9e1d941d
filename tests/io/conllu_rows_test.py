import pytest

from linspector_allennlp.io.conllu_rows import conllu_blocks, read_row
from linspector_allennlp.io.lines import MalformedLine


def text(id_, form="a", head="_"):
    return "\t".join([id_, form, *"____", head, *"___"])


def test_blocks(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbf# a\n1\n\n \r\n\n\t\n2")
    assert list(conllu_blocks(path)) == [[(1, b"# a\n"), (2, b"1\n")], [(6, b"\t\n"), (7, b"2")]]


def test_kinds_of_rows():
    word = read_row("x", 1, text("3", " 10 \u00a0000", "2"))
    assert (word.id, word.head, word.form, word.columns[1]) == (3, 2, "10_000", " 10 \u00a0000")
    assert not word.is_range and not word.is_empty_node
    token = read_row("x", 1, text("1-2", head="nothing"))
    assert (token.id, token.head, token.is_range) == ((1, "-", 2), None, True)
    node = read_row("x", 1, text("2.1", ""))
    assert node.is_empty_node and not node.is_range


@pytest.mark.parametrize(
    "row, message",
    [
        (text("1") + "\t_", "10 tab-separated columns, found 11"),
        (text("x"), "numbers as id and head"),
        (text("1", head="up"), "numbers as id and head"),
        (text("1", " "), "a form, found nothing there"),
        (text("1", "\ufeffa"), "text without U\\+FEFF"),
        (text("1", "ka\0la"), "text without U\\+0000"),
        (text("1", "\u200b\u2060"), r"a form, found what cannot be seen: '\\u200b\\u2060'"),
        (text("1-2", "\u3164"), r"a form, found what cannot be seen: '\\u3164'"),
    ],
)
def test_broken_rows(row, message):
    with pytest.raises(MalformedLine, match=f"x, line 5: expected {message}"):
        read_row("x", 5, row)
