import pytest

from linspector_allennlp.suite import probe_config
from linspector_allennlp.suite.needed_files import missing_files


def config(fixtures, representation, data="type_level/Case/finnish", kind="single_form"):
    return probe_config(kind, fixtures / data, representation)


@pytest.mark.parametrize(
    "representation",
    [
        "char_ngrams",
        "{}/vectors/finnish.vec",
        "transformer:bert-base-cased:3",
        "https://x.org/a.vec",
    ],
)
def test_all_is_there(fixtures, representation):
    assert missing_files([config(fixtures, representation.format(fixtures))]) == []


def test_data_and_representations(fixtures):
    no_vectors = config(fixtures, f"{fixtures}/vectors/finish.vec")
    over = config(fixtures, "random_bilstm:dimension=8:fasttext:nowhere.bin")
    no_model = config(fixtures, "transformer:./models/bert:3")
    pieces = config(fixtures, "bpe:/nowhere/a.model:/nowhere/a.bin")
    no_data = config(fixtures, "char_ngrams", "type_level/Cases/finnish")
    found = missing_files([no_vectors, over, no_model, pieces, no_data, no_data])
    assert [sentence.split(": ")[0].rpartition("/")[2] for sentence in found] == [
        "finish.vec", "nowhere.bin", "bert", "a.model", "a.bin", "test.txt", "train.txt", "dev.txt",
    ]  # fmt: skip
    assert "Did you mean finnish.vec?" in found[0] and "Did you mean Case?" in found[-1]


def test_parts_of_files(fixtures):
    senteval = fixtures / "sentence_level/senteval/toy_voice.txt"
    assert (
        missing_files([probe_config("sentence", senteval, "char_ngrams", encoder="average")]) == []
    )
    files = {
        "files": [str(fixtures / "raw/finnish-ud-*.conllu"), "nowhere.conllu"],
        "split": "8:1:1",
    }
    (sentence,) = missing_files([probe_config("tagging", files, "char_ngrams")])
    assert sentence.startswith("nowhere.conllu: there is no such file")
