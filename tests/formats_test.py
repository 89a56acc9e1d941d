import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.formats import (
    read_paired_forms,
    read_paired_tokens,
    read_single_forms,
    read_tokens_in_context,
    write_rows,
)
from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.io.visible import is_invisible

# Whatever a field can hold: all characters but those that end a field or a line.
words = st.text(
    st.characters(exclude_characters="\0\t\n\r ", exclude_categories=["Cs"]), min_size=1
).filter(lambda word: not is_invisible(word) and not word.startswith("\ufeff"))


def write(tmp_path_factory, lines, end="\n", start=b""):
    path = tmp_path_factory.mktemp("data") / "train.txt"
    path.write_bytes(start + "".join(line + end for line in lines).encode())
    return path


@given(rows=st.lists(st.tuples(words, words), min_size=1), end=st.sampled_from(["\n", "\r\n"]))
def test_single_forms_read_back(tmp_path_factory, rows, end):
    path = write(tmp_path_factory, ["\t".join(row) for row in rows], end)
    assert [(row.form, row.label) for row in read_single_forms(path)] == rows


@given(rows=st.lists(st.tuples(words, words, words), min_size=1))
def test_paired_forms_read_back(tmp_path_factory, rows):
    path = write(tmp_path_factory, ["\t".join(row) for row in rows])
    assert [(row.form1, row.form2, row.label) for row in read_paired_forms(path)] == rows


@given(data=st.data(), rows=st.lists(st.tuples(st.lists(words, min_size=1), words), min_size=1))
def test_tokens_in_context_read_back(tmp_path_factory, data, rows):
    indices = [data.draw(st.integers(0, len(tokens) - 1)) for tokens, _ in rows]
    path = write(
        tmp_path_factory,
        [f"{' '.join(tokens)}\t{i}\t{label}" for (tokens, label), i in zip(rows, indices)],
    )
    read = [(row.tokens, row.token_index, row.label) for row in read_tokens_in_context(path)]
    assert read == [(tokens, i, label) for (tokens, label), i in zip(rows, indices)]


def test_lines_are_numbered_from_one(fixtures):
    rows = list(read_single_forms(fixtures / "type_level/Case/finnish/test.txt"))
    assert [row.line for row in rows] == list(range(1, 101))


@pytest.mark.parametrize("name", ["windows_line_ends", "byte_order_mark", "trailing_blank_lines"])
def test_odd_but_fine(fixtures, name):
    rows = list(read_single_forms(fixtures / f"odd_but_fine/{name}.txt"))
    assert rows
    for row in rows:
        assert row.form == row.form.strip("\r\n\ufeff")
        assert row.label == row.label.strip()


def test_label_column_may_be_absent(fixtures):
    rows = list(read_single_forms(fixtures / "odd_but_fine/no_label_column.txt"))
    assert rows and all(row.label is None for row in rows)


def test_only_line_feeds_end_lines(tmp_path_factory):
    path = write(tmp_path_factory, ["a\u2028b\x85c\tX"])
    assert [(row.form, row.label) for row in read_single_forms(path)] == [("a\u2028b\x85c", "X")]


@pytest.mark.parametrize(
    "read, name, line, what",
    [
        (read_single_forms, "four_columns", 1, "found 4"),
        (read_single_forms, "empty_form", 3, "expected a form"),
        (read_single_forms, "blank_line_inside", 4, "a blank line"),
        (read_single_forms, "not_utf8", 2, "UTF-8"),
        (read_tokens_in_context, "index_outside", 3, "an index from 0 to"),
        (read_tokens_in_context, "index_not_a_number", 3, "expected a token index"),
        (read_tokens_in_context, "negative_index", 3, "expected a token index"),
    ],
)
def test_broken_lines_are_named(fixtures, read, name, line, what):
    path = fixtures / f"broken/{name}.txt"
    with pytest.raises(MalformedLine) as error:
        list(read(path))
    assert f"{path}, line {line}:" in str(error.value)
    assert what in str(error.value)


@pytest.mark.parametrize(
    "lines, line, what",
    [
        (["a\tX", "b"], 2, "as in the lines before"),
        (["a", "b\tX"], 2, "as in the lines before"),
        (["a\tX", "b\t"], 2, "expected a label"),
        (["a\tX", "b\tX "], 2, "a label without spaces around it"),
        ([" a\tX"], 1, "a form without spaces around it"),
        (["a\tb\tX\tY"], 1, "or 1 without the label"),
    ],
)
def test_columns_must_stay_the_same(tmp_path_factory, lines, line, what):
    with pytest.raises(MalformedLine, match=f"line {line}: .*{what}"):
        list(read_single_forms(write(tmp_path_factory, lines)))


def test_double_space_is_an_empty_token(tmp_path_factory):
    with pytest.raises(MalformedLine, match="line 1: expected tokens joined by one space"):
        list(read_tokens_in_context(write(tmp_path_factory, ["a  b\t1\tX"])))


def test_a_last_line_that_does_not_end(tmp_path, caplog):
    path = tmp_path / "train.txt"
    path.write_bytes(b"a\tX\nb\tSing")
    assert len(list(read_single_forms(path))) == 2
    assert "train.txt: the last line does not end. Is the file whole?" in caplog.text


@pytest.mark.realdata
def test_the_released_data_load_unchanged(real_data):
    folder = real_data / "linspector_released"
    counts = set()
    for path in folder.glob("*/*/*/*.txt"):
        if "token_level" in path.parts:
            read = read_tokens_in_context
        else:
            read = read_paired_forms if "Feat" in str(path) else read_single_forms
        counts.add((path.stem, sum(row.label is not None for row in read(path))))
    assert counts == {("train", 7000), ("dev", 2000), ("test", 1000)}


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_empty_file(tmp_path, content):
    path = tmp_path / "train.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="train.txt is empty: expected lines with 2 tab-separated"):
        list(read_single_forms(path))


rows_of_kind = {
    "single_form": st.tuples(words, words),
    "paired_forms": st.tuples(words, words, words),
    "token_in_context": st.lists(words, min_size=1).flatmap(
        lambda tokens: st.tuples(
            st.just(" ".join(tokens)), st.integers(0, len(tokens) - 1).map(str), words
        )
    ),
}
rows_of_kind["paired_tokens"] = st.tuples(
    rows_of_kind["token_in_context"], rows_of_kind["token_in_context"]
).map(lambda rows: (*rows[0][:2], *rows[1]))


def read_rows(path, kind):
    if kind == "single_form":
        return [(row.form, row.label) for row in read_single_forms(path)]
    if kind == "paired_forms":
        return [(row.form1, row.form2, row.label) for row in read_paired_forms(path)]
    if kind == "paired_tokens":
        return [
            (" ".join(row.tokens1), str(row.index1), " ".join(row.tokens2), str(row.index2))
            + (row.label,)
            for row in read_paired_tokens(path)
        ]
    return [
        (" ".join(row.tokens), str(row.token_index), row.label)
        for row in read_tokens_in_context(path)
    ]


@given(data=st.data(), kind=st.sampled_from(sorted(rows_of_kind)))
def test_what_is_written_reads_back(tmp_path_factory, data, kind):
    rows = data.draw(st.lists(rows_of_kind[kind], min_size=1))
    path = tmp_path_factory.mktemp("data") / "train.txt"
    write_rows(path, kind, rows)
    assert read_rows(path, kind) == rows
    assert b"\r" not in path.read_bytes() and path.read_bytes().count(b"\n") == len(rows)


@pytest.mark.parametrize(
    "kind, row, what",
    [
        ("single_form", ("a",), "2 columns"),
        ("single_form", ("a", "b", "X"), "2 columns"),
        ("paired_forms", ("a", "X"), "3 columns"),
        ("single_form", ("", "X"), "a form"),
        ("single_form", ("a", ""), "a label"),
        ("single_form", (" a", "X"), "outer spaces"),
        ("single_form", ("a", "X "), "outer spaces"),
        ("single_form", ("a\tb", "X"), "without NUL, tabs"),
        ("single_form", ("a\0b", "X"), "without NUL"),
        ("single_form", ("\u200b\u2060", "X"), "a form"),
        ("single_form", ("a", "\u3164"), "a label"),
        ("single_form", ("a\nb", "X"), "line ends"),
        ("paired_forms", ("a", "b\r", "X"), "line ends"),
        ("single_form", ("\u00a0", "X"), "a form"),
        ("single_form", ("\ufeffa", "X"), "a form"),
        ("token_in_context", ("a  b", "0", "X"), "one space"),
        ("token_in_context", ("a b", "2", "X"), "an index"),
        ("token_in_context", ("a b", "-1", "X"), "index"),
        ("paired_tokens", ("a b", "0", "a b", "2", "X"), "an index"),
        ("paired_tokens", ("a b", "x", "a b", "1", "X"), "a token index"),
        ("paired_tokens", ("a b", "0", "X"), "5 columns"),
    ],
)
def test_what_could_not_be_read_again_is_refused(tmp_path, kind, row, what):
    path = tmp_path / "train.txt"
    good = {
        "single_form": ("a", "X"),
        "paired_forms": ("a", "b", "X"),
        "token_in_context": ("a b", "0", "X"),
        "paired_tokens": ("a b", "0", "c d", "1", "X"),
    }[kind]
    with pytest.raises(MalformedLine, match=f"train.txt, line 2: .*{what}"):
        write_rows(path, kind, [good, row])
    assert list(tmp_path.iterdir()) == []
