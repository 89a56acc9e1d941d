import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.io.lines import SHOWN, MalformedLine
from linspector_allennlp.sources.unimorph import read_unimorph
from tests.tasks.paradigms import languages, write_unimorph


def canonical(tags):
    """One notation for each set of tags."""
    options = [tag.strip("{}").split("/") for tag in tags.split(";")]
    return tuple(
        sorted({"/".join(sorted("+".join(sorted(o.split("+"))) for o in some)) for some in options})
    )


@pytest.fixture
def write(tmp_path):
    def write(content, name="fin"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def rows_of(unimorph):
    """The rows as texts; tags sorted."""
    columns = (unimorph.lemma_of, unimorph.form_of, unimorph.analysis_of)
    return [
        (unimorph.lemmas[lemma], unimorph.forms[form], unimorph.analyses[analysis].tags)
        for lemma, form, analysis in zip(*(column.tolist() for column in columns))
    ]


@settings(max_examples=25)
@given(languages())
def test_each_row_once(tmp_path_factory, rows):
    path = write_unimorph(tmp_path_factory.mktemp("unimorph") / "xyz", rows)
    unimorph = read_unimorph(path)
    expected = {(lemma, form, canonical(tags)) for lemma, form, tags in rows}
    found = rows_of(unimorph)
    assert set(found) == expected and len(found) == len(expected)
    assert unimorph.counts["rows"] == len(rows)
    assert unimorph.counts["repeated_rows"] == len(rows) - len(expected)
    assert unimorph.counts["forms"] == len({form for _, form, _ in rows})
    assert unimorph.counts["lemmas"] == len({lemma for lemma, _, _ in rows})
    tags = [tag for _, _, bundle in rows for tag in bundle.split(";")]
    unknown = {tag: tags.count(tag) for tag in ("FOO", "BAR") if tag in tags}
    assert unimorph.counts["unknown_tags"] == unknown
    # All rows of a form are neighbours.
    starts = unimorph.form_starts.tolist()
    assert [unimorph.form_of[start] for start in starts] == list(range(len(unimorph.forms)))
    for row, first in enumerate(unimorph.form_starts[unimorph.form_of].tolist()):
        assert unimorph.form_of[first] == unimorph.form_of[row] and first <= row


@settings(max_examples=25)
@given(languages())
def test_single_words(tmp_path_factory, rows):
    path = write_unimorph(tmp_path_factory.mktemp("unimorph") / "xyz", rows)
    unimorph = read_unimorph(path).single_words()
    expected = {(lemma, form, canonical(tags)) for lemma, form, tags in rows if " " not in form}
    assert set(rows_of(unimorph)) == expected
    assert set(unimorph.forms) == {form for _, form, _ in expected}
    assert unimorph.counts["forms_of_several_words"] == 1


def test_what_files_have(write):
    unimorph = read_unimorph(
        write(
            "\ufeffkissa\tkissan\tN;GEN;SG\r\n"
            "\n"
            "kissa\tkissan\tN;SG;GEN\n"
            "   \n"
            "kissa \t Kissa\tN|NOM/ACC;SG\tkiss|a\n"
            "kissa\tkissat\tN;{NOM/ACC};PL;"
        )
    )
    assert set(rows_of(unimorph)) == {
        ("kissa", "kissan", ("GEN", "N", "SG")),
        ("kissa", "Kissa", ("ACC/NOM", "N", "SG")),
        ("kissa", "kissat", ("ACC/NOM", "N", "PL")),
    }
    assert unimorph.counts["repeated_rows"] == 1 and unimorph.counts["bad_lines"] == 0


def test_upper_case_is_another_form(write):
    assert read_unimorph(write("a\tArm\tN;SG\na\tarm\tADJ\n")).forms == ["Arm", "arm"]


def test_composition_makes_no_other_form(write):
    unimorph = read_unimorph(write("yo\u0308\tyo\u0308n\tN;GEN\nyö\työn\tN;ACC\n"))
    assert unimorph.forms == ["yo\u0308n"] and unimorph.lemmas == ["yo\u0308"]
    assert len(unimorph.form_of) == 2


def test_other_spaces_separate_words_too(write):
    unimorph = read_unimorph(write("a\tb\u00a0c\tN\na\td\tN\n")).single_words()
    assert unimorph.forms == ["d"]


def test_a_tag_means_what_the_whole_resource_says(write):
    alone = write("a\tb\tV;INTR\n", "one")
    other = write("a\tc\tV;DECL\n", "two")
    assert "Valency" in read_unimorph(alone).analyses[0].values
    assert "Interrogativity" in read_unimorph(alone, other).analyses[0].values


def test_several_files_are_one_language(write):
    unimorph = read_unimorph(write("a\tb\tN\n", "fin.1"), write("a\tb\tN\na\tc\tN\n", "fin.2"))
    assert unimorph.forms == ["b", "c"] and unimorph.counts["repeated_rows"] == 1


def test_unknown_tags_are_counted_in_rows_the_commonest_first(write):
    unimorph = read_unimorph(write("a\tb\tN;BAR\na\tc\tN;FOO\na\td\tV;FOO\na\te\tV;BAZ/SG\n"))
    assert list(unimorph.counts["unknown_tags"].items()) == [("FOO", 2), ("BAR", 1), ("BAZ/SG", 1)]


@pytest.mark.parametrize(
    "line, reason",
    [
        (b"kissa kissan N;GEN", "at least 3 tab-separated columns .*found 1"),
        (b"kissa\tkissan", "at least 3 tab-separated columns .*found 2"),
        (b"kissa\t\tN;GEN", "an empty one"),
        (b"\tkissan\tN;GEN", "an empty one"),
        (b"kissa\tkissan\t", "an empty one"),
        (b"kissa\tkissan\t;|;", "tags in column 3"),
        (b"kissa\tk\xffssan\tN;GEN", "UTF-8 text"),
    ],
)
def test_broken_lines(write, line, reason):
    path = write(b"a\tb\tN\n\n" + line + b"\na\tc\tN\n")
    with pytest.raises(MalformedLine, match=f"fin, line 3: expected .*{reason}|{reason}") as error:
        read_unimorph(path)
    assert f"{path}, line 3: " in str(error.value)
    unimorph = read_unimorph(path, skip_bad_lines=True)
    assert unimorph.forms == ["b", "c"] and unimorph.counts["bad_lines"] == 1


def test_the_first_bad_lines_are_shown_and_all_are_counted(write, caplog):
    caplog.set_level(logging.WARNING)
    unimorph = read_unimorph(write("a\tb\tN\n" + "bad\n" * 20), skip_bad_lines=True)
    assert unimorph.counts["bad_lines"] == 20
    assert caplog.text.count("expected at least 3") == SHOWN


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_no_rows(write, content):
    with pytest.raises(ValueError, match="fin has no rows: expected lines with at least 3"):
        read_unimorph(write(content))


@given(st.lists(st.permutations(["N", "NOM/ACC", "SG", "FOO"]), min_size=1, max_size=5))
def test_the_order_of_tags_makes_no_other_analysis(tmp_path_factory, bundles):
    rows = [("a", f"b{number}", ";".join(tags)) for number, tags in enumerate(bundles)]
    path = write_unimorph(tmp_path_factory.mktemp("unimorph") / "xyz", rows)
    assert len(read_unimorph(path).analyses) == 1


def test_the_spelling_of_a_form_does_not_depend_on_the_order_of_rows(write):
    rows = ["yö\työn\tN;GEN\n", "yö\tyo\u0308n\tN;ACC\n"]
    forms = [read_unimorph(write("".join(some))).forms for some in (rows, rows[::-1])]
    assert forms[0] == forms[1]


def test_a_repeated_tag_counts_once_wherever_it_stands(write):
    rows = ["a\taa\tN;NOM;SG\n", "b\tbb\tN;NOM;NOM;SG\n", "c\tcc\t{QQ/ZZ};N\n", "d\tdd\tN;ZZ/QQ\n"]
    for some in (rows, rows[::-1]):
        unimorph = read_unimorph(write("".join(some)))
        assert {analysis.tags for analysis in unimorph.analyses} == {
            ("N", "NOM", "SG"), ("N", "QQ/ZZ"),
        }  # fmt: skip
        assert unimorph.counts["unknown_tags"] == {"QQ/ZZ": 2}


def test_a_mark_inside_a_form_is_a_bad_line(write):
    path = write("a\taa\tN;SG\na\ta\ufeffb\tN;PL\n")
    with pytest.raises(MalformedLine, match="line 2: expected text without U.FEFF"):
        read_unimorph(path)
    assert read_unimorph(path, skip_bad_lines=True).counts["bad_lines"] == 1


def test_letters_in_pieces_are_counted(write):
    counts = read_unimorph(write("yö\tyo\u0308n\tN;GEN\nyö\työ\tN;NOM\n")).counts
    assert counts["decomposed_forms"] == 1
