import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.io.conllu_rows import conllu_blocks
from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.propositions import Proposition, read_propositions
from tests.downstream.role_lines import block


def write(tmp_path, text):
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    return tmp_path / "x.txt"


def test_a_sentence_with_two_predicates(tmp_path):
    text = block(
        ("Nainen", "_", "A0", "A1|A2"), ("osti", "ostaa.01", "_", "_"), ("nukkui", "nukkua", "-", "A0"),
        heads=[2, 0, "_"],
    )  # fmt: skip
    first, second = read_propositions(write(tmp_path, text + "\n" + block(("Ei", "_"))))
    assert first.propositions == [
        Proposition(1, "ostaa.01", ["A0", "_", "-"]),
        Proposition(2, "nukkua", ["A1|A2", "_", "A0"]),
    ]
    assert [word.form for word in first.words] == ["Nainen", "osti", "nukkui"]
    assert [word.head for word in first.words] == [2, 0, None]
    assert [word.line for word in first.words] == [1, 2, 3]
    assert (first.words[0].lemma, first.words[0].pos, first.words[0].deprel) == ("l", "N", "dep")
    assert (second.number, second.propositions, second.words[0].line) == (1, [], 6)


@pytest.mark.parametrize(
    "name, message",
    [
        ("few_columns", "line 3: expected 15 tab-separated columns, 14 and 1 for predicates, found 14"),
        ("second_predicate", "line 1: expected 16 tab-sep.* 14 and 2 for predicates, found 15"),
        ("sense_of_none", "line 3: expected a sense as PRED where FILLPRED is Y, .*found _ and kirja"),
        ("bad_head", "line 3: expected a HEAD from 0 to 4, found '9'"),
        ("bad_id", "line 3: expected word 3, found the ID '4'"),
        ("empty_role", r"line 3: expected text, .* found 'A1\|\|A2' in column 15"),
        ("no_end", "line 3: expected a blank line after the last sentence, found the end of the file"),
    ],
)  # fmt: skip
def test_broken_files(fixtures, name, message):
    path = fixtures / f"broken/downstream/roles_{name}.txt"
    with pytest.raises(MalformedLine, match=f"roles_{name}.txt, {message}"):
        list(read_propositions(path))


@pytest.mark.parametrize(
    "column, value, message",
    [
        (8, "x", "a HEAD from 0 to 1, found 'x'"),
        (8, "-1", "a HEAD"),
        (8, "²", "a HEAD"),
        (1, " ", "a form"),
        (1, "\u2060", r"a form, found what cannot be seen: '\\u2060'"),
        (2, "", "text, or _, in every column, found '' in column 3"),
        (12, "N", "Y or _ as FILLPRED, found 'N'"),
    ],
)
def test_other_broken_rows(tmp_path, column, value, message):
    row = block(("a", "_")).strip().split("\t")
    row[column] = value
    with pytest.raises(MalformedLine, match=f"line 1: expected {message}"):
        list(read_propositions(write(tmp_path, "\t".join(row) + "\n\n")))


def test_sentences_are_read_one_at_a_time(tmp_path):
    sentences = read_propositions(write(tmp_path, block(("a", "_")) + "broken\n\n"))
    assert next(sentences).words[0].form == "a"
    with pytest.raises(MalformedLine, match="line 3: expected 14 tab-separated columns"):
        next(sentences)


def test_blocks_that_must_be_closed(tmp_path):
    path = write(tmp_path, "1\n\n2")
    assert len(list(conllu_blocks(path))) == 2
    with pytest.raises(
        MalformedLine, match="line 3: expected a blank line after the last sentence"
    ):
        list(conllu_blocks(path, closed=True))


cells = st.text(st.characters(codec="utf-8", exclude_characters="\t\r\n"), max_size=3)


@given(
    st.lists(st.lists(cells | st.just("Y") | st.just("_"), min_size=12, max_size=17), max_size=3)
)
def test_any_text_is_read_or_refused_with_its_line(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("any") / "x.txt"
    path.write_text("".join("\t".join(row) + "\n" for row in rows) + "\n", encoding="utf-8")
    try:
        sentences = list(read_propositions(path))
    except MalformedLine as error:
        assert f"{path}, line " in str(error)
    else:
        assert all(len(p.roles) == len(s.words) for s in sentences for p in s.propositions)
