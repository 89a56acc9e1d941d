import json
import os
import sys
from copy import deepcopy

import pytest
import torch
from allennlp.common import Params, cached_transformers
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.dataset_readers import SequenceTaggingDatasetReader
from allennlp.models import Model, SimpleTagger
from transformers import BertConfig, BertModel

from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from linspector_allennlp.representations.archives.load import load_model
from linspector_allennlp.representations.archives.unpack import unpack_archive
from tests.representations.tagger_archive import pack


@pytest.fixture
def changed(tagger_run, tmp_path):
    """A copy of the run folder with another config or other weights."""

    def change(settings=None, weights=None, **parts):
        folder = tmp_path / "changed"
        folder.mkdir()
        os.symlink(tagger_run / "vocabulary", folder / "vocabulary")
        config = json.loads((tagger_run / "config.json").read_text())
        config["model"].update(settings or {})
        (folder / "config.json").write_text(json.dumps({**config, **parts}))
        state = torch.load(tagger_run / "best.th") if weights is None else weights
        torch.save(state, folder / "best.th")
        return folder

    return change


def test_the_trained_model(tagger_run):
    model, reader = load_model(tagger_run)
    assert isinstance(model, SimpleTagger) and isinstance(reader, SequenceTaggingDatasetReader)
    assert not model.training
    assert not any(parameter.requires_grad for parameter in model.parameters())
    saved = torch.load(tagger_run / "best.th")
    assert model.state_dict().keys() == saved.keys()
    assert all(torch.equal(value, saved[name]) for name, value in model.state_dict().items())


def test_the_weights_of_another_epoch(tagger_run):
    first, _ = load_model(tagger_run, "model_state_e1_b0.th")
    second, _ = load_model(tagger_run, "model_state_e2_b0.th")
    name = "encoder._module.weight_ih_l0"
    assert torch.equal(
        first.state_dict()[name], torch.load(tagger_run / "model_state_e1_b0.th")[name]
    )
    assert not torch.equal(first.state_dict()[name], second.state_dict()[name])


def test_random_numbers_do_not_depend_on_it(tagger_run):
    torch.manual_seed(3)
    expected = torch.randn(2)
    torch.manual_seed(3)
    load_model(tagger_run)
    assert torch.equal(torch.randn(2), expected)


def test_the_reader_for_validation(changed):
    reader = {"type": "sequence_tagging", "word_tag_delimiter": "@"}
    _, found = load_model(changed(validation_dataset_reader=reader))
    assert found._word_tag_delimiter == "@"


class Evil:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def test_weights_that_would_run_code(changed, tmp_path, tagger_run):
    touched = tmp_path / "touched"
    folder = changed(weights={**torch.load(tagger_run / "best.th"), "evil": Evil(touched)})
    with pytest.raises(ValueError, match="best.th: .*a pickle that calls posix.system"):
        load_model(folder)
    members = ("config.json", "vocabulary")
    path = pack(
        tmp_path / "model.tar.gz",
        {"weights.th": folder / "best.th", **{name: tagger_run / name for name in members}},
    )
    with pytest.raises(ValueError, match="weights.th: .*a pickle that calls posix.system"):
        load_model(unpack_archive(path))
    assert not touched.exists()


def test_a_config_that_would_run_code(changed, tmp_path):
    touched = tmp_path / "touched"
    encoder = {"type": "subprocess.Popen", "args": ["touch", str(touched)]}
    with pytest.raises(ConfigurationError, match="imports and calls"):
        load_model(changed({"encoder": encoder}))
    assert not touched.exists()


def test_a_type_as_a_bare_string(changed):
    with pytest.raises(ConfigurationError, match="antigravity.x: .*was not imported"):
        load_model(changed({"encoder": "antigravity.x"}))
    assert "antigravity" not in sys.modules


def test_weights_of_a_part_that_would_run_code(changed, tmp_path):
    """Initialisers load weights too; here in a place from which AllenNLP does not remove them."""
    touched = tmp_path / "touched"
    torch.save({"x": Evil(touched)}, tmp_path / "inner.th")
    pretrained = {"type": "pretrained", "weights_file_path": str(tmp_path / "inner.th")}
    folder = changed(
        {"regularizer": None, "encoder": {"type": "tests_initialised", "begin": pretrained}}
    )
    with pytest.raises(ValueError, match="inner.th: .*a pickle that calls posix.system"):
        load_model(folder, packages=["tests.representations.users_package"])
    assert not touched.exists()


def test_a_package_of_the_user(changed):
    encoder = {"type": "tests.representations.users_package.UsersEncoder", "input_dim": 9}
    folder = changed({"encoder": encoder})
    with pytest.raises(ConfigurationError, match="imports and calls"):
        load_model(folder)
    with pytest.raises(ValueError, match="weights cannot be loaded into the model"):
        load_model(folder, packages=["tests.representations.users_package"])
    with pytest.raises(ConfigurationError, match="no_such_package cannot be imported"):
        load_model(folder, packages=["no_such_package"])


@pytest.fixture
def bert(tmp_path):
    """A small transformer in a folder, of the kind that a config may name."""
    config = BertConfig(
        vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8
    )
    folder = tmp_path / "bert"
    config.save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcde"]))
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}')
    torch.save(BertModel(config).state_dict(), folder / "pytorch_model.bin")
    yield folder
    cached_transformers._clear_caches()


def test_a_tagger_on_top_of_a_transformer(bert, tagger_run, tmp_path):
    part = {"type": "pretrained_transformer_mismatched", "model_name": str(bert)}
    reader = {"type": "sequence_tagging", "token_indexers": {"tokens": part}}
    model = {
        "type": "simple_tagger",
        "text_field_embedder": {"token_embedders": {"tokens": part}},
        "encoder": {"type": "pass_through", "input_dim": 8},
    }
    folder = tmp_path / "tagger"
    folder.mkdir()
    config = {"model": model, "dataset_reader": reader}
    (folder / "config.json").write_text(json.dumps(config))
    os.symlink(tagger_run / "vocabulary", folder / "vocabulary")
    trained = Model.from_params(
        Params(deepcopy(model)), vocab=Vocabulary.from_files(str(tagger_run / "vocabulary"))
    )
    torch.save(trained.state_dict(), folder / "best.th")
    box = BlackBoxModel(folder)
    assert box.run([("a", "bcd", "e"), ("e",)]) == 3
    name = "tag_projection_layer._module.weight"
    assert torch.equal(box.model.state_dict()[name], trained.state_dict()[name])

    touched = tmp_path / "touched"
    cached_transformers._clear_caches()
    torch.save({"evil": Evil(touched)}, bert / "pytorch_model.bin")
    with pytest.raises(ValueError, match="pytorch_model.bin: .*a pickle that calls posix.system"):
        load_model(folder)
    assert not touched.exists()


def test_types_that_are_not_known(changed):
    with pytest.raises(ConfigurationError, match="a Model 'crf_tagger9'.*`packages`.*pip install"):
        load_model(changed({"type": "crf_tagger9"}))


@pytest.mark.parametrize(
    "parts, message",
    [
        ({"dataset_reader": "conll9000"}, "a DatasetReader 'conll9000'"),
        ({"dataset_reader": {}}, "gives no type for the DatasetReader"),
        (
            {"model": {"type": "simple_tagger", "text_field_embedder": "x9"}},
            "built: x9 .*`packages`",
        ),
        ({"model": {"type": "simple_tagger"}}, 'built: key "text_field_embedder" is required.*"$'),
    ],
)
def test_other_types_that_are_not_known(changed, parts, message):
    with pytest.raises(ConfigurationError, match=message):
        load_model(changed(**parts))


def test_weights_of_another_model(changed):
    with pytest.raises(ValueError, match="best.th: these weights cannot be loaded into"):
        load_model(changed(weights={"x": torch.ones(1)}))
