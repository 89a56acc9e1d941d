import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.data.data_loaders import MultiProcessDataLoader
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.dataset_readers.sentence_label import SentenceLabelReader, group_of
from linspector_allennlp.fields import labels_of, metadata_of, text_of


def reader(**settings):
    return DatasetReader.from_params(Params({"type": "sentence_label", **settings}))


def write(tmp_path, content):
    (tmp_path / "data.txt").write_text(content, encoding="utf-8")
    return str(tmp_path / "data.txt")


def tokens(instance, name="tokens"):
    return [token.text for token in text_of(instance, name).tokens]


def test_instances(tmp_path):
    path = write(tmp_path, "Koira nukkuu  .\tkyllä\nnukkuu Koira .\tei\n")
    first, second = reader().read(path)
    assert tokens(first) == ["Koira", "nukkuu", "."] and labels_of(first) == ["kyllä"]
    data = metadata_of(first)
    assert data["input"] == {"sentence": "Koira nukkuu ."} and data["words"] == tokens(first)
    assert data["file"] == path and (data["line"], metadata_of(second)["line"]) == (1, 2)
    assert data["group"] == metadata_of(second)["group"]


def test_a_part_of_a_senteval_file(tmp_path):
    path = write(tmp_path, "tr\t0\tYksi .\nte\t1\tKaksi .\ntr\t1\tKolme .\n")
    assert [metadata_of(i)["line"] for i in reader().read(f"{path}#tr")] == [1, 3]
    assert len(list(reader().read(path))) == 3


def test_raw_text_with_a_tokenizer(tmp_path):
    path = write(tmp_path, "Koira nukkuu.\tei\n")
    (instance,) = reader(tokenizer="words_and_punctuation").read(path)
    assert tokens(instance) == ["Koira", "nukkuu", "."]
    made = reader(tokenizer="words_and_punctuation").text_to_instance("Koira nukkuu.")
    assert tokens(made) == tokens(instance)
    assert tokens(reader().text_to_instance(["Koira", "nukkuu."])) == ["Koira", "nukkuu."]


def test_topics(tmp_path):
    path = write(tmp_path, "Se on hyvä .\tuusi ydinvoima\tpuolesta\n")
    (encoded,) = reader(topic="encode").read(path)
    assert tokens(encoded, "topic") == ["uusi", "ydinvoima"]
    assert metadata_of(encoded)["topic"] == "uusi ydinvoima"
    assert metadata_of(encoded)["input"] == {"sentence": "Se on hyvä .", "topic": "uusi ydinvoima"}
    (grouped,) = reader(topic="group").read(path)
    assert "topic" not in grouped.fields and metadata_of(grouped)["topic"] == "uusi ydinvoima"
    with pytest.raises(ValueError, match="expected a topic"):
        reader(topic="encode").text_to_instance("Se on hyvä .")
    with pytest.raises(ConfigurationError, match="topic: expected encode or group"):
        reader(topic="yes")


def test_empty_sentences(tmp_path):
    path = write(tmp_path, "tr\t0\tYksi .\ntr\t0\t\n")
    with pytest.raises(ValueError, match="1 of 2 lines have no sentence"):
        list(reader().read(path))
    patient = reader(skip_empty=True)
    assert len(list(patient.read(path))) == 1
    assert patient.left_out == {"that are empty": 1}
    with pytest.raises(ValueError, match="expected a sentence with words"):
        reader().text_to_instance("  ")


def test_several_processes_read_all_of_it_once(tmp_path):
    path = write(tmp_path, "".join(f"Lause {n} .\t{n % 3}\n" for n in range(50)))
    loader = MultiProcessDataLoader(SentenceLabelReader(), path, batch_size=4, num_workers=2)
    lines = sorted(metadata_of(instance)["line"] for instance in loader.iter_instances())
    assert lines == list(range(1, 51))


@given(st.permutations(["Koira", "ja", "koira", "."]))
def test_permutations_and_cases_are_one_group(words):
    assert group_of(words) == group_of(["koira", "KOIRA", "JA", "."])
    assert group_of(words) != group_of(["koira", "ja", "."])
    assert group_of(words) < 2**53
