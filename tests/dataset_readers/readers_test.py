from unicodedata import normalize

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.token_indexers import TokenCharactersIndexer
from allennlp.models import Model
from allennlp.training import GradientDescentTrainer

from linspector_allennlp.dataset_readers import (
    PairedFormsReader,
    PairedTokensReader,
    SingleFormReader,
    TokenInContextReader,
)


def file_of(fixtures, level, task):
    return str(fixtures / level / task / "finnish" / "train.txt")


CASES = [
    (SingleFormReader, "type_level", "Case", 700),
    (PairedFormsReader, "type_level", "OddFeat", 210),
    (TokenInContextReader, "token_level", "Case", 210),
    (PairedTokensReader, "token_level", "OddFeat", 210),
]


@pytest.mark.parametrize("reader, level, task, size", CASES)
def test_every_row_becomes_an_instance_that_says_where_it_came_from(
    fixtures, reader, level, task, size
):
    path = file_of(fixtures, level, task)
    instances = list(reader().read(path))
    lines = open(path, encoding="utf-8").read().splitlines()
    assert len(instances) == len(lines) == size
    for number, (instance, line) in enumerate(zip(instances, lines), start=1):
        metadata = instance["metadata"].metadata
        assert (metadata["file"], metadata["line"]) == (path, number)
        assert instance["label"].label == line.split("\t")[-1]
        assert "\t".join(map(str, metadata["input"].values())) == line.rsplit("\t", 1)[0]


def test_fields_of_a_single_form():
    instance = SingleFormReader().text_to_instance("talossa", "Essive+In")
    assert [token.text for token in instance["tokens"]] == ["talossa"]
    assert instance["metadata"].metadata["words"] == ["talossa"]


def test_fields_of_a_pair():
    instance = PairedFormsReader().text_to_instance("talossa", "talosta")
    assert [token.text for token in instance["form1"]] == ["talossa"]
    assert [token.text for token in instance["form2"]] == ["talosta"]
    assert "label" not in instance.fields
    assert instance["metadata"].metadata["words"] == ["talossa", "talosta"]


def test_fields_of_a_token_in_context():
    instance = TokenInContextReader().text_to_instance(["Koira", "istuu", "talossa"], 2, "X")
    assert [token.text for token in instance["tokens"]] == ["Koira", "istuu", "talossa"]
    assert instance["index"].sequence_index == 2
    assert instance["metadata"].metadata["words"] == ["talossa"]


def test_fields_of_two_tokens(tmp_path):
    path = tmp_path / "two.txt"
    path.write_text("Koira istuu\t0\tKissa on\t0\tlemma\nKissa on\t1\tHän on\t1\tX\n")
    first, second = PairedTokensReader().read(path)
    assert [token.text for token in first["tokens1"]] == ["Koira", "istuu"]
    assert [token.text for token in first["tokens2"]] == ["Kissa", "on"]
    assert [second[name].sequence_index for name in ("index1", "index2")] == [1, 1]
    metadata = second["metadata"].metadata
    assert metadata["words"] == ["on", "on"]
    # Kissa on is the second of the sentences, wherever it stands.
    assert (metadata["sentence1"], metadata["sentence2"]) == (1, 2)
    with pytest.raises(ValueError, match="from 0 to 1 in 'c d', found 2"):
        PairedTokensReader().text_to_instance(["a", "b"], 0, ["c", "d"], 2)


@pytest.mark.parametrize("index", [-1, 3])
def test_index_outside_the_sentence(index):
    with pytest.raises(ValueError, match="from 0 to 2"):
        TokenInContextReader().text_to_instance(["a", "b", "c"], index)


def test_text_is_kept_as_it_is_unless_normalised():
    decomposed = normalize("NFD", "yö")
    kept = SingleFormReader().text_to_instance(decomposed)
    composed = SingleFormReader(unicode_normalization="NFC").text_to_instance(decomposed)
    assert kept["tokens"][0].text == decomposed != "yö"
    assert composed["tokens"][0].text == "yö"
    with pytest.raises(ConfigurationError, match="NFX"):
        SingleFormReader(unicode_normalization="NFX")


@pytest.mark.parametrize("reader, level, task, size", CASES)
def test_max_instances(fixtures, reader, level, task, size):
    instances = list(reader(max_instances=7).read(file_of(fixtures, level, task)))
    assert [instance["metadata"].metadata["line"] for instance in instances] == [*range(1, 8)]


@pytest.mark.parametrize("reader, level, task, size", CASES)
def test_two_processes_share_a_file(fixtures, reader, level, task, size):
    loader = MultiProcessDataLoader(
        reader(), file_of(fixtures, level, task), batch_size=8, num_workers=2, quiet=True
    )
    lines = [instance["metadata"].metadata["line"] for instance in loader.iter_instances()]
    assert sorted(lines) == list(range(1, size + 1))
    loader.index_with(Vocabulary.from_instances(loader.iter_instances()))
    assert sum(len(batch["label"]) for batch in loader) == size


def test_an_existing_model_learns_from_probing_data(fixtures, tmp_path):
    """A classifier of AllenNLP's own, with the reader's own defaults."""
    loader = MultiProcessDataLoader(
        SingleFormReader(), file_of(fixtures, "type_level", "Case"), batch_size=10, quiet=True
    )
    vocab = Vocabulary.from_instances(loader.iter_instances())
    loader.index_with(vocab)
    embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 16}}}
    encoder = {"type": "boe", "embedding_dim": 16}
    model = Model.from_params(
        Params(
            {
                "type": "basic_classifier",
                "text_field_embedder": embedder,
                "seq2vec_encoder": encoder,
            }
        ),
        vocab=vocab,
    )
    trainer = GradientDescentTrainer(
        model,
        torch.optim.Adam(model.parameters(), lr=0.01),
        loader,
        num_epochs=5,
        serialization_dir=tmp_path,
    )
    assert trainer.train()["training_accuracy"] > 0.9


def test_any_token_indexer():
    indexers = {"characters": TokenCharactersIndexer(min_padding_length=3)}
    reader = SingleFormReader(token_indexers=indexers)
    instance = reader.text_to_instance("talo")
    reader.apply_token_indexers(instance)
    instance.index_fields(Vocabulary())
    tensors = instance.as_tensor_dict()["tokens"]["characters"]["token_characters"]
    assert tensors.shape == (1, 4)


def test_a_missing_file_is_named():
    reader = DatasetReader.from_params(Params({"type": "single_form"}))
    with pytest.raises(FileNotFoundError, match="no/such/train.txt"):
        list(reader.read("no/such/train.txt"))


def test_an_empty_file_is_named(fixtures):
    path = str(fixtures / "broken/empty.txt")
    with pytest.raises(ValueError, match="empty.txt is empty"):
        list(SingleFormReader().read(path))
