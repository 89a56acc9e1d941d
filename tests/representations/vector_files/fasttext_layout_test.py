import gzip
import mmap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.vector_files.fasttext_layout import FastTextLayout
from tests.representations.fasttext_models import fasttext_bytes

ENTRIES = [("yö".encode(), 0), (b"talo", 0), (b"__label__a", 1)]
MATRIX = [[1, 2], [3, 4], [5, 6]]


def layout_of(content):
    pages = mmap.mmap(-1, len(content))
    pages.write(content)
    return FastTextLayout(pages, "small.bin")


def test_everything_is_found():
    content = fasttext_bytes(ENTRIES, MATRIX, lengths=(2, 5))
    layout = layout_of(content)
    assert layout.header.dimension == 2
    assert (layout.header.shortest, layout.header.longest, layout.header.buckets) == (2, 5, 1)
    assert layout.word_starts.tolist() == [content.index("yö".encode()), content.index(b"talo\0")]
    assert layout.matrix_start == content.index(b"\0\0\x80\x3f")  # 1 as a float32
    assert layout.has_subwords


@pytest.mark.parametrize("version", [None, 11, 12])
def test_all_versions(version):
    content = fasttext_bytes(ENTRIES, MATRIX, version=version)
    assert content[layout_of(content).matrix_start :].startswith(b"\0\0\x80\x3f")


@pytest.mark.parametrize(
    "settings, expected",
    [
        ({"model": 3, "version": 12}, True),
        ({"model": 3, "version": 11}, False),
        ({"model": 2, "version": 11}, True),
        ({"lengths": (0, 0)}, False),
        ({"lengths": (4, 3)}, False),
        ({"lengths": (0, 1)}, True),
    ],
)
def test_whether_there_are_subwords(settings, expected):
    assert layout_of(fasttext_bytes(ENTRIES, MATRIX, **settings)).has_subwords == expected


def test_no_buckets_are_no_subwords():
    assert not layout_of(fasttext_bytes(ENTRIES, MATRIX[:2], buckets=0)).has_subwords


@given(st.data())
def test_a_file_that_was_cut_is_noticed_wherever_it_was(data):
    content = fasttext_bytes(ENTRIES, MATRIX)
    length = data.draw(st.integers(1, len(content) - 1))
    with pytest.raises(ValueError, match="small.bin: expected a fastText model .*Fetch it again"):
        layout_of(content[:length])


@given(st.lists(st.tuples(st.integers(8, 200), st.integers(0, 255)), min_size=1))
def test_damage_is_a_value_error_or_does_not_matter(changes):
    content = bytearray(fasttext_bytes(ENTRIES, MATRIX))
    for place, byte in changes:
        content[place % len(content)] = byte
    try:
        layout = layout_of(bytes(content))
    except ValueError as error:
        assert str(error).startswith("small.bin: expected")
    else:
        rows = len(layout.word_starts) + layout.header.buckets
        assert layout.matrix_start + 4 * rows * layout.header.dimension <= len(content)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"2 2\ntalo 1.5 2\nkala 3 4\n", "begins with '2 2'.*representation \"word_vectors\""),
        (b"2 2\ntalo \0\0\x80\x3f\0\0\x80\x3f\n", "begins with '2 2'.*\"word_vectors\""),
        (b"talo 1.5 2\nkala 3 4\n", "begins with 'talo 1.5 2'.*\"word_vectors\""),
        (gzip.compress(b"anything", mtime=0), "a packed file. Unpack it"),
        (b"PK\x03\x04 and so on", "a packed file. Unpack it"),
        (b"abc", "the end of the file after 3 bytes"),
        (
            fasttext_bytes(ENTRIES, MATRIX, quantised=True),
            r"a quantised one \(.ftz\). Take the .bin",
        ),
        (fasttext_bytes(ENTRIES, MATRIX, quantised=True, pruned=3), "a quantised one"),
        (fasttext_bytes(ENTRIES, MATRIX, version=13), "found version 13. Save it as version 12"),
        (fasttext_bytes(ENTRIES, MATRIX, buckets=-1), "a damaged header: .*buckets=-1"),
        (fasttext_bytes(ENTRIES, MATRIX, num_words=4), "4 words in a dictionary of 3"),
        (fasttext_bytes(ENTRIES, MATRIX, num_words=0), "0 words in a dictionary of 3"),
        (fasttext_bytes(ENTRIES, MATRIX, num_words=3), "2 words instead of 3"),
        (fasttext_bytes(ENTRIES, MATRIX, num_words=1), "a damaged dictionary at byte"),
        (fasttext_bytes([(b"a", 2)], MATRIX, num_words=1), "a damaged dictionary at byte 92"),
        (fasttext_bytes(ENTRIES, MATRIX[:2]), r"a matrix of \(2, 2\) instead of \(3, 2\)"),
    ],
)
def test_what_is_not_such_a_file(content, message):
    with pytest.raises(ValueError, match=f"^small.bin: expected a fastText model .*{message}"):
        layout_of(content)
