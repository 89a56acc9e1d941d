import pytest
from allennlp.common import Params
from allennlp.data import DatasetReader
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.dataset_readers.nli import read_sentence_pairs
from linspector_allennlp.fields import labels_of, metadata_of, text_of

XNLI = """language\tgold_label\tsentence1\tsentence2\tsentence1_tokenized\tsentence2_tokenized
en\tneutral\tA dog.\tA cat.\tA dog .\tA cat .
fi\tcontradiction\tKoira nukkuu.\tEi nuku.\tKoira nukkuu .\tEi nuku .
fi\t-\tKoira.\tKissa.\tKoira .\tKissa .
"""


def reader(**settings):
    return DatasetReader.from_params(Params({"type": "nli", **settings}))


def write(tmp_path, text):
    (tmp_path / "x.tsv").write_text(text, encoding="utf-8")
    return str(tmp_path / "x.tsv")


def tokens(instance, name):
    return [token.text for token in text_of(instance, name).tokens]


def test_a_file_of_xnli(tmp_path):
    pairs = reader(language="fi")
    (instance,) = pairs.read(write(tmp_path, XNLI))
    assert tokens(instance, "premise") == ["Koira", "nukkuu", "."]
    assert tokens(instance, "hypothesis") == ["Ei", "nuku", "."]
    assert labels_of(instance) == ["contradiction"] and metadata_of(instance)["line"] == 3
    assert metadata_of(instance)["input"] == {
        "premise": "Koira nukkuu .",
        "hypothesis": "Ei nuku .",
    }
    assert pairs.left_out == {"without a label": 1}


def test_a_tokenizer_gets_the_raw_text(tmp_path):
    (instance,) = reader(language="en", tokenizer="words_and_punctuation").read(
        write(tmp_path, XNLI)
    )
    assert tokens(instance, "premise") == ["A", "dog", "."]
    (plain,) = reader(language="en").read(write(tmp_path, XNLI.replace("_tokenized", "_words")))
    assert tokens(plain, "premise") == ["A", "dog."], "there are no columns of tokens"


@pytest.mark.parametrize(
    "header", ["", "premise\thypo\tlabel\n", "premise\thypothesis\tlabel\n", "\ufeffpremise\thypo\tlabel\n"]
)  # fmt: skip
def test_three_columns(tmp_path, header):
    rows = 'Koira "nukkuu .\tEi\tcontradictory\nKoira\tKoira\tentailment\n'
    first, second = reader().read(write(tmp_path, header + rows))
    assert labels_of(first) == ["contradiction"], "as it is called in other files"
    assert tokens(first, "premise") == ["Koira", '"nukkuu', "."], "a quotation mark is a character"
    assert labels_of(second) == ["entailment"]


@pytest.mark.parametrize(
    "name, message",
    [
        ("three_columns", r"line 3: expected 4 tab-separated columns \(language, gold_label, .* found 3"),
        ("bad_label", "line 3: expected entailment, neutral, contradiction or -, found 'maybe'"),
        ("two_languages", "line 3: expected one language, or the setting `language`, found en, fi"),
        ("empty", "line 3: expected two sentences, found nothing in one of them"),
    ],
)  # fmt: skip
def test_broken_files(fixtures, name, message):
    with pytest.raises(ValueError, match=f"pairs_{name}.tsv, {message}"):
        list(reader().read(str(fixtures / f"broken/downstream/pairs_{name}.tsv")))


def test_other_broken_files(tmp_path):
    with pytest.raises(ValueError, match="expected rows of language 'tr', found en, fi"):
        list(reader(language="tr").read(write(tmp_path, XNLI)))
    with pytest.raises(ValueError, match="expected pairs of sentences with a label, found none"):
        list(reader().read(write(tmp_path, "Koira\tKissa\t-\n")))
    with pytest.raises(
        ValueError, match="line 2: expected a pair of sentences, found a blank line"
    ):
        list(reader().read(write(tmp_path, "a\tb\tneutral\n\na\tb\tneutral\n")))


def test_texts_and_lists():
    instance = reader().text_to_instance("Koira nukkuu", ["Ei"])
    assert tokens(instance, "premise") == ["Koira", "nukkuu"] and "label" not in instance.fields
    with pytest.raises(ValueError, match="expected a sentence with words in it"):
        reader().text_to_instance(" ", "Ei")


cells = st.text(st.characters(codec="utf-8", exclude_characters="\t\r\n"), max_size=4)
labels = st.sampled_from(["neutral", "entailment", "-", "x"])


@given(st.lists(st.tuples(cells, cells, labels), min_size=1, max_size=3))
def test_any_text_is_read_or_refused_with_its_line(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("any") / "x.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    try:
        pairs = list(read_sentence_pairs(path))
    except ValueError as error:
        assert f"{path}, line " in str(error)
    else:
        found = [(pair.premise, pair.hypothesis, pair.label) for pair in pairs]
        assert found == [
            (row[0].removeprefix("\ufeff") if n == 0 else row[0], *row[1:])
            for n, row in enumerate(rows)
        ]
