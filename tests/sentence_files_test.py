import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.formats import write_rows
from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.io.visible import is_invisible
from linspector_allennlp.sentence_files import (
    SentenceCounts,
    part_of,
    read_labelled_sentences,
    write_senteval,
)

TEXT = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\t\r\n\ufeff"), min_size=1
).filter(
    lambda text: (
        not is_invisible(text) and text == text.strip(" ") and text not in ("tr", "va", "te")
    )
)


def rows_of(rows):
    """As `write_rows` and `write_senteval` take them."""
    return [(row.sentence, row.label) for row in rows]


def read(path, **settings):
    return list(read_labelled_sentences(path, **settings))


def write(tmp_path, content, name="data.txt"):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return path


def test_ours(tmp_path):
    rows = read(write(tmp_path, "Koira nukkuu .\tkyllä\nKissa\tei\n"))
    assert rows == [(1, "Koira nukkuu .", "kyllä", None), (2, "Kissa", "ei", None)]


def test_ours_without_labels(tmp_path):
    assert read(write(tmp_path, "Koira nukkuu .\nKissa\n"))[1] == (2, "Kissa", None, None)


def test_senteval_with_all_splits_or_one(tmp_path):
    path = write(tmp_path, "tr\t0\tYksi .\nva\t1\tKaksi .\ntr\t1\tKolme .\nte\t0\tNeljä .")
    assert [row.sentence for row in read(path)] == ["Yksi .", "Kaksi .", "Kolme .", "Neljä ."]
    assert read(path, split="tr") == [(1, "Yksi .", "0", None), (3, "Kolme .", "1", None)]
    assert [row.label for row in read(path, split="te")] == ["0"]


def test_topics_in_both_layouts(tmp_path):
    ours = read(write(tmp_path, "Se on hyvä .\tydinvoima\tpuolesta\n"), with_topic=True)
    theirs = read(write(tmp_path, "tr\tpuolesta\tydinvoima\tSe on hyvä .\n"), with_topic=True)
    assert ours == theirs == [(1, "Se on hyvä .", "puolesta", "ydinvoima")]


@pytest.mark.parametrize(
    "path, expected",
    [
        ("data/voice.txt#tr", ("data/voice.txt", "tr")),
        ("data/voice.txt", ("data/voice.txt", None)),
        ("data#1/voice.txt", ("data#1/voice.txt", None)),
        ("https://x.org/voice.txt#te", ("https://x.org/voice.txt", "te")),
    ],
)
def test_a_part_of_a_file(path, expected):
    assert part_of(path) == expected


@pytest.mark.parametrize("line", ["tr\t0\t", "tr\t0\t  ", "tr\t0\t\u00a0"])
def test_empty_sentences_are_refused_with_a_count(tmp_path, line):
    path = write(tmp_path, f"tr\t1\tYksi .\n{line}\ntr\t1\tKaksi .\n{line}\n")
    with pytest.raises(ValueError, match=r"2 of 4 lines have no sentence, the first is line 2"):
        read(path)
    counts = SentenceCounts()
    rows = read(path, skip_empty=True, counts=counts)
    assert [row.sentence for row in rows] == ["Yksi .", "Kaksi ."] and counts.empty == 2


def test_an_empty_sentence_of_ours_is_counted_too(tmp_path):
    with pytest.raises(ValueError, match="1 of 2 lines have no sentence"):
        read(write(tmp_path, "Yksi .\tei\n\tei\n"))


@pytest.mark.parametrize(
    "content, expected",
    [
        ("a\tb\tc\td\n", r"line 1: expected 2 tab-separated columns \(sentence, label\), or 3 of"),
        ("Yksi .\tei\nKaksi .\n", r"line 2: expected 2 tab-separated columns .* found 1"),
        ("tr\t0\tYksi .\nxx\t0\tKaksi .\n", r"line 2: expected 3 .*\(split, label, sentence\)"),
        ("tr\t\tYksi .\n", "line 1: expected a label, found nothing there"),
        ("Yksi .\t\n", "line 1: expected a label"),
        ("Yksi .\tei\nKaksi .\tei \n", "line 2: expected a label without spaces around it"),
        ("", "is empty: expected lines with 2"),
        ("Yksi .\tei\n\nKaksi .\tei\n", "line 2: .*found a blank line"),
    ],
)
def test_broken_files(tmp_path, content, expected):
    with pytest.raises(ValueError, match=expected):
        read(write(tmp_path, content))


def test_a_part_of_a_file_that_has_none(tmp_path):
    with pytest.raises(ValueError, match=r"expected a split .*'tr', found 'Yksi \.'"):
        read(write(tmp_path, "Yksi .\tei\n"), split="tr")


@given(rows=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5))
def test_what_is_written_can_be_read_again(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("files")
    write_rows(folder / "ours.txt", "sentence", rows)
    assert rows_of(read(folder / "ours.txt")) == rows
    write_senteval(folder / "theirs.txt", {"train": rows, "dev": rows[:1], "test": []})
    assert rows_of(read(folder / "theirs.txt", split="tr")) == rows
    assert rows_of(read(folder / "theirs.txt", split="va")) == rows[:1]


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    path = write(tmp_path, "as it was")
    for rows in ([("Yksi\t.", "ei")], [("Yksi .", "")], [(" Yksi .", "ei")]):
        with pytest.raises(MalformedLine):
            write_senteval(path, {"train": [("Kaksi .", "ei"), *rows]})
        assert path.read_text(encoding="utf-8") == "as it was"


@pytest.mark.realdata
@pytest.mark.parametrize(
    "name, sizes, classes",
    [
        ("bigram_shift", (8002, 999, 999), 2),
        ("sv_dist", (450, 596, 596), 2),
        ("voice", (6419, 999, 999), 2),
        ("subj_number", (3040, 500, 500), 2),
        ("word_content", (7732, 1000, 1000), 20),
    ],
)
def test_released_files(real_data, tmp_path, name, sizes, classes):
    path = real_data / f"sentence_released/tr/{name}.txt"
    splits = {
        split: read(path, split=part)
        for split, part in zip(("train", "dev", "test"), ("tr", "va", "te"))
    }
    assert tuple(map(len, splits.values())) == sizes
    assert len({row.label for rows in splits.values() for row in rows}) == classes
    # The released files end without a line feed here and there; else every byte comes back.
    in_order = {name: rows_of(rows) for name, rows in splits.items()}
    if [row.line for rows in splits.values() for row in rows] == list(range(1, sum(sizes) + 1)):
        write_senteval(tmp_path / "again.txt", in_order)
        released = path.read_bytes()
        assert (tmp_path / "again.txt").read_bytes() == released.rstrip(b"\n") + b"\n"
