import json

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, Token
from allennlp.data.fields import SequenceLabelField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.models import Model

from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from tests.representations.tagger_archive import save_run


@Model.register("tests_watching_model", exist_ok=True)
class WatchingModel(Model):
    """Keeps what it is given."""

    def forward(self, tokens, metadata=None, tags=None):
        self.tokens, self.tags = tokens["tokens"]["tokens"], tags
        self.is_inference, self.was_training = torch.is_inference_mode_enabled(), self.training
        return {}


@DatasetReader.register("tests_tagged_reader", exist_ok=True)
class TaggedReader(DatasetReader):
    def text_to_instance(self, words: list[str], tags: list[str]) -> Instance:
        indexer = SingleIdTokenIndexer(token_min_padding_length=5)
        text = TextField([Token(word) for word in words], {"tokens": indexer})
        return Instance({"tokens": text, "tags": SequenceLabelField(tags, text)})


WORDS = [f"w{i}" for i in range(30)]


@pytest.fixture
def run(tmp_path):
    return save_run(tmp_path / "run", "tests_watching_model", WORDS)


def test_a_padded_batch_by_hand(run):
    box = BlackBoxModel(run)
    assert box.run([("w0", "w1"), ("unknown",), ("w2", "w3", "w0")]) == 3
    assert box.model.tokens.tolist() == [[2, 3, 0], [1, 0, 0], [4, 5, 2]]
    assert box.model.tags is None
    assert box.model.is_inference and not box.model.was_training


def test_extra_inputs_and_more_padding_than_words_need(run):
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(
        json.dumps({**config, "dataset_reader": "tests_tagged_reader"})
    )
    (run / "vocabulary/labels.txt").write_text("A\nB\n")
    box = BlackBoxModel(run, extra_inputs={"tags": "B"})
    assert box.run([("w0", "w1")]) == 5
    assert box.model.tokens.tolist() == [[2, 3, 0, 0, 0]]
    assert box.model.tags[0, :2].tolist() == [1, 1]
    with pytest.raises(ConfigurationError, match="vocabulary has no such value: .*'X' not found"):
        BlackBoxModel(run, extra_inputs={"tags": "X"}).run([("w0",)])


def test_trial_sentences_are_of_words_that_it_knows(run, tmp_path):
    sentences = BlackBoxModel(run).trial_sentences()
    assert [len(words) for words in sentences] == [2, 3, 3, 1, 4]
    assert {word for words in sentences for word in words} <= set(WORDS)
    assert len({words[0] for words in sentences}) == 5
    few = save_run(tmp_path / "few", "tests_watching_model", ["w0", "with space", " "])
    sentences = BlackBoxModel(few).trial_sentences()
    assert sentences[0][0] == "w0" and len({words[0] for words in sentences}) == 5
    assert not any(" " in word for words in sentences for word in words)
