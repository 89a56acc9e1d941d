import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.data.dataset_readers import Conll2003DatasetReader
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.dataset_readers.named_entities import read_entities, recoded
from linspector_allennlp.fields import metadata_of, text_of

TEXT = """-DOCSTART- -X- -X- O

Aino N I-NP I-PER
Virtala N I-NP I-PER
Lumo\tN I-NP  B-PER
asuu V I-VP O

-DOCSTART- -X- -X- O
10\u00a0000 N I-NP O
Salossa N I-NP I-LOC
"""


def reader(**settings):
    return DatasetReader.from_params(Params({"type": "named_entities", **settings}))


@pytest.fixture
def path(tmp_path):
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    return str(tmp_path / "x.txt")


def test_instances(path):
    first, second = reader().read(path)
    assert [token.text for token in text_of(second).tokens] == ["10\u00a0000", "Salossa"]
    assert first["tags"].labels == ["B-PER", "L-PER", "U-PER", "O"]
    assert second["tags"].labels == ["O", "U-LOC"]
    facts = metadata_of(second)
    assert (facts["line"], facts["lines"], facts["sentence"]) == (9, [9, 10], 1)
    assert facts["words"] == ["10\u00a0000", "Salossa"]


def test_schemes(path):
    first, _ = reader(scheme="BIO").read(path)
    assert first["tags"].labels == ["B-PER", "I-PER", "B-PER", "O"]
    assert "tags" not in reader().text_to_instance(["Aino"]).fields
    with pytest.raises(ConfigurationError, match="scheme: expected BIOUL or BIO, found 'IOB1'"):
        reader(scheme="IOB1")


def test_the_same_as_allennlps_own(fixtures):
    path = str(fixtures / "downstream/ner/finnish/train.txt")
    theirs = list(Conll2003DatasetReader(convert_to_coding_scheme="BIOUL").read(path))
    ours = list(reader().read(path))
    assert len(ours) == len(theirs) == 240
    for one, other in zip(ours, theirs):
        assert one["tags"].labels == other["tags"].labels
        assert text_of(one).tokens == text_of(other).tokens


@pytest.mark.parametrize(
    "name, message",
    [
        ("three_columns", "line 3: expected 4 columns, as in the lines before, found 3"),
        ("bad_tag", "line 3: expected O, I-TYPE or B-TYPE as the tag, found 'LOC'"),
    ],
)
def test_broken_files(fixtures, name, message):
    with pytest.raises(ValueError, match=f"entities_{name}.txt, {message}"):
        list(reader().read(str(fixtures / f"broken/downstream/entities_{name}.txt")))


@pytest.mark.parametrize(
    "text, message",
    [
        ("Aino\n", "line 1: expected 2 or more columns, found 1"),
        ("\u200b O\n", r"line 1: expected a form, found what cannot be seen: '\\u200b'"),
        ("Aino B-\n", "expected O, I-TYPE or B-TYPE as the tag, found 'B-'"),
        ("\t\n", "line 1: expected 2 or more columns, found 1"),
        ("-DOCSTART- O\n\n", "expected sentences in the format of CoNLL-2003, found none"),
    ],
)
def test_other_broken_files(tmp_path, text, message):
    (tmp_path / "x.txt").write_text(text)
    with pytest.raises(ValueError, match=f"x.txt.*{message}"):
        list(reader().read(str(tmp_path / "x.txt")))


def spans(tags):
    """Of tags in IOB1 or BIO: a span goes on with I of the same type, and begins with anything else."""
    found, last = [], "O"
    for place, tag in enumerate(tags):
        if tag != "O":
            if tag[0] == "I" and last[2:] == tag[2:]:
                found[-1][1] = place
            else:
                found.append([place, place, tag[2:]])
        last = tag
    return found


@given(st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])))
def test_recoding(tags):
    bio, bioul = ["O"] * len(tags), ["O"] * len(tags)
    for start, end, kind in spans(tags):
        bio[start : end + 1] = [f"B-{kind}", *[f"I-{kind}"] * (end - start)]
        inside = [f"I-{kind}"] * (end - start - 1)
        bioul[start : end + 1] = (
            [f"U-{kind}"] if start == end else [f"B-{kind}", *inside, f"L-{kind}"]
        )
    assert recoded(tags, "BIO") == bio and recoded(tags, "BIOUL") == bioul


def test_lines_are_read_one_sentence_at_a_time(tmp_path):
    (tmp_path / "x.txt").write_text("a O\n\nb\n")
    sentences = read_entities(tmp_path / "x.txt")
    assert next(sentences).words == ["a"]
    with pytest.raises(ValueError, match="line 3"):
        next(sentences)
