import copy
import json
import shutil

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Token
from allennlp.models import Model
from allennlp.models.archival import load_archive
from allennlp.modules import TokenEmbedder
from torch import nn

from linspector_allennlp.commands.probe_cache import listing
from linspector_allennlp.representations import archive_layer
from linspector_allennlp.representations.archive_layer import ArchiveLayerEmbedder
from linspector_allennlp.representations.words import encode_words
from tests.representations.tagger_archive import ROOT, save_run

SENTENCES = [
    ("Minä", "nousen", "junaan", "."),
    ("Hän",),
    ("Te", "istutte", "huoneessa", "kirjatta", "ja", "zzz", "."),
    ("Hän", "matkustaa", "bussitta", "."),
    (".", "Hän"),
]
WORDS = "a b c d e f g h i j k l".split()


def by_hand(archive, path, sentences, side="output", weights=None, instance=None):
    """For each sentence alone what a plain hook sees in the model as AllenNLP loads it."""
    loaded = load_archive(str(archive), weights_file=weights and str(weights))
    model, reader = loaded.model.eval(), loaded.dataset_reader
    instance = instance or (lambda r, words: r.text_to_instance([Token(word) for word in words]))
    seen = []
    module = model.get_submodule(path)
    module.register_forward_hook(lambda _, i, o: seen.append(o if side == "output" else i[0]))
    for words in sentences:
        made = instance(reader, words)
        reader.apply_token_indexers(made)
        batch = Batch([made])
        batch.index_instances(model.vocab)
        with torch.no_grad():
            model(**batch.as_tensor_dict())
    return seen


def assert_same(found, expected):
    assert found.dtype == torch.float32
    assert torch.allclose(found.double(), expected.double(), atol=1e-5)


@pytest.mark.parametrize(
    "path, side",
    [
        ("encoder", "output"),
        ("encoder", "input"),
        ("text_field_embedder.token_embedder_tokens", "output"),
        ("text_field_embedder.token_embedder_characters", "output"),
        ("tag_projection_layer", "output"),
        ("tag_projection_layer", "input"),
    ],
)
def test_as_a_hook_placed_by_hand(tagger_run, path, side):
    expected = torch.cat(
        [seen[0] for seen in by_hand(tagger_run / "model.tar.gz", path, SENTENCES, side)]
    )
    embedder = ArchiveLayerEmbedder(str(tagger_run / "model.tar.gz"), path, side)
    assert embedder.get_output_dim() == expected.size(1)
    assert embedder._opened.takes_batches
    found = embedder.compute(SENTENCES)
    assert found.shape == (1, 18, expected.size(1))
    assert_same(found[0], expected)


def test_through_forward_with_padding(tagger_run):
    seen = by_hand(tagger_run / "model.tar.gz", "encoder", SENTENCES)
    for prepared in (False, True):
        embedder = ArchiveLayerEmbedder(str(tagger_run / "model.tar.gz"), "encoder", batch_size=2)
        if prepared:
            embedder.prepare(SENTENCES)
        embedded = embedder(encode_words(SENTENCES))
        assert embedded.shape == (5, 7, 10)
        for row, vectors, words in zip(embedded, seen, SENTENCES):
            assert_same(row[: len(words)], vectors[0])
            assert not row[len(words) :].any()
        probed = embedder(encode_words(SENTENCES), probed=torch.tensor([2, 0, 6, 1, 1]))
        for row, vectors, word in zip(probed, seen, [2, 0, 6, 1, 1]):
            assert_same(row[0], vectors[0, word])


def test_alone(tagger_run):
    embedder = ArchiveLayerEmbedder(str(tagger_run), "encoder", alone=True)
    embedded = embedder(encode_words(SENTENCES))
    for row, words in zip(embedded, SENTENCES):
        alone = by_hand(tagger_run / "model.tar.gz", "encoder", [(word,) for word in words])
        assert_same(row[: len(words)], torch.cat([vectors[0] for vectors in alone]))


def test_some_tokens(tagger_run):
    embedder = ArchiveLayerEmbedder(str(tagger_run), "encoder")
    places = numpy.array([2, 0, 2]), numpy.array([6, 1, 0])
    found = embedder.embed_tokens(SENTENCES, *places)
    seen = by_hand(tagger_run / "model.tar.gz", "encoder", SENTENCES)
    expected = torch.stack([seen[i][0, j] for i, j in zip(*places)])
    assert_same(found[:, 0], expected)


def test_archive_run_folder_and_another_epoch(tagger_run):
    archive = tagger_run / "model.tar.gz"
    best = ArchiveLayerEmbedder(str(archive), "encoder").compute(SENTENCES)
    assert torch.equal(ArchiveLayerEmbedder(str(tagger_run), "encoder").compute(SENTENCES), best)
    for weights in ("model_state_e1_b0.th", "model_state_e2_b0.th"):
        expected = by_hand(archive, "encoder", SENTENCES, weights=tagger_run / weights)
        expected = torch.cat([vectors[0] for vectors in expected])
        embedder = ArchiveLayerEmbedder(str(tagger_run), "encoder", weights_file=weights)
        assert_same(embedder.compute(SENTENCES)[0], expected)
        outside = ArchiveLayerEmbedder(
            str(archive), "encoder", weights_file=str(tagger_run / weights)
        )
        assert_same(outside.compute(SENTENCES)[0], expected)
    first = ArchiveLayerEmbedder(str(tagger_run), "encoder", weights_file="model_state_e1_b0.th")
    assert not torch.allclose(first.compute(SENTENCES), best, atol=1e-3)


def test_inside_an_encoder_that_sorts_its_batch(tagger_run):
    """The packed sequences have lost the order of the batch: sentences are run one by one."""
    embedder = ArchiveLayerEmbedder(str(tagger_run), "encoder._module")
    assert not embedder._opened.takes_batches
    expected = by_hand(tagger_run / "model.tar.gz", "encoder", SENTENCES)
    assert_same(embedder.compute(SENTENCES)[0], torch.cat([vectors[0] for vectors in expected]))


def test_from_a_config_and_back(tagger_run):
    settings = {
        "type": "archive_layer",
        "archive": str(tagger_run / "model.tar.gz"),
        "module": "encoder",
        "tensor": "input",
        "packages": ["tests.representations.users_package"],
        "extra_inputs": {},
        "alone": True,
        "precision": "float16",
    }
    embedder = TokenEmbedder.from_params(Params(settings))
    assert embedder.ignores_context and embedder.get_output_dim() == 9
    assert embedder.provenance()["module"] == "encoder"
    assert json.loads(json.dumps(embedder.identity())) == embedder.identity()
    assert len(embedder.identity()["code"]) == 1
    assert list(embedder.state_dict()) == ["fingerprint"]
    assert not list(embedder.parameters())
    assert copy.deepcopy(embedder).compute([("a",)]).shape == (1, 1, 9)


def test_a_probe_notices_that_its_model_has_changed(tagger_run, tmp_path):
    first = ArchiveLayerEmbedder(str(tagger_run), "encoder")
    copied = tmp_path / "copied"
    shutil.copytree(tagger_run, copied)
    same = ArchiveLayerEmbedder(str(copied), "encoder")
    same.load_state_dict(first.state_dict())
    assert same.identity() == first.identity()
    other = ArchiveLayerEmbedder(str(tagger_run), "encoder", weights_file="model_state_e1_b0.th")
    assert other.identity() != first.identity()
    with pytest.raises(ConfigurationError, match='is not what this probe.*words.archive": "PATH"'):
        other.load_state_dict(first.state_dict())


def test_with_all_stored_no_model_is_loaded(tagger_run, monkeypatch):
    archive, loaded = str(tagger_run / "model.tar.gz"), []
    first = ArchiveLayerEmbedder(archive, "encoder")
    first.prepare(SENTENCES)
    vectors = first(encode_words(SENTENCES))

    class Counted(archive_layer.BlackBoxModel):
        def __init__(self, *args):
            loaded.append(args)
            super().__init__(*args)

    monkeypatch.setattr(archive_layer, "BlackBoxModel", Counted)
    second = ArchiveLayerEmbedder(archive, "encoder", precision="float32")
    second.prepare(SENTENCES[::-1])
    assert torch.equal(second(encode_words(SENTENCES)), vectors)
    assert second.get_output_dim() == 10 and second.provenance() == first.provenance()
    assert not loaded
    new = [("Hän", "istuu")]
    assert_same(second.compute(new), first.compute(new))
    assert len(loaded) == 1
    ArchiveLayerEmbedder(archive, "tag_projection_layer")  # of which nothing is stored
    assert len(loaded) == 2
    assert "model.tar.gz, encoder, output, float32, 1 × 10" in listing()
    (description,) = first._store.folder.glob("representation.json")
    description.write_text(description.read_text().replace('"dimension": 10', '"dimension": 11'))
    assert ArchiveLayerEmbedder(archive, "encoder").get_output_dim() == 10  # it is not believed
    description.write_text("[")
    assert ArchiveLayerEmbedder(archive, "encoder").get_output_dim() == 10
    assert len(loaded) == 4


def test_wrong_settings(tagger_run, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.tar.gz: there is no such file"):
        ArchiveLayerEmbedder(str(tmp_path / "nowhere.tar.gz"), "encoder")
    with pytest.raises(ConfigurationError, match="no 'encodr'; do you mean one of encoder"):
        ArchiveLayerEmbedder(str(tagger_run), "encodr")
    with pytest.raises(ConfigurationError, match="tensor: expected output or input"):
        ArchiveLayerEmbedder(str(tagger_run), "encoder", "weights")
    with pytest.raises(ValueError, match="one row for each token of one sentence of 2 words"):
        ArchiveLayerEmbedder(
            str(tagger_run), "text_field_embedder.token_embedder_characters._embedding"
        )
    with pytest.raises(FileNotFoundError, match="weights_file to one of.*model_state_e1_b0.th"):
        ArchiveLayerEmbedder(str(tagger_run), "encoder", weights_file="model_state_e7_b0.th")


class Mix(nn.Module):
    """Adds the mean of a sentence to its words, of the padding too."""

    def forward(self, x):
        return x + x.mean(dim=1, keepdim=True)


@Model.register("tests_odd_model", exist_ok=True)
class OddModel(Model):
    """Modules that run never, twice, once too rarely, in another order, or see the padding."""

    def __init__(self, vocab):
        super().__init__(vocab)
        self.embed = nn.Embedding(vocab.get_vocab_size(), 3)
        self.never = nn.Linear(3, 3)
        self.twice = nn.Identity()
        self.pool = nn.Identity()
        self.square = nn.Identity()
        self.leaks = Mix()
        self.reversed = nn.Identity()
        self.first = nn.Identity()
        self.changed = nn.Identity()

    def forward(self, tokens, metadata=None, **labels):
        x = self.embed(tokens["tokens"]["tokens"])
        self.twice(self.twice(x))
        self.pool(x.mean(dim=1))
        self.square(x @ x.transpose(1, 2))
        self.leaks(x)
        self.reversed(x.flip(0))
        self.first(x.transpose(0, 1))
        x = self.changed(x)
        x.add_(1)
        return {}


@pytest.fixture
def odd(tmp_path):
    torch.manual_seed(1)
    return str(save_run(tmp_path / "odd", "tests_odd_model", WORDS))


@pytest.mark.parametrize(
    "path, error, message",
    [
        ("never", ValueError, "the output of never: .*runs once.*did not run"),
        ("twice", ValueError, "the output of twice: .*runs once.*ran 2 times"),
        ("pool", ValueError, "the output of pool: .*one row for each token.*of 2 words, found 1×3"),
        ("square", ConfigurationError, "square: expected vectors of one size, found 1, 2, 3, 4"),
    ],
)
def test_modules_that_cannot_be_probed(odd, path, error, message):
    with pytest.raises(error, match=message):
        ArchiveLayerEmbedder(odd, path)


LETTERS = [("a", "b", "c"), ("d",), ("e", "f"), ("g", "h", "a")]


@pytest.mark.parametrize("path", ["leaks", "reversed", "first"])
def test_where_a_batch_would_be_wrong_sentences_run_one_by_one(odd, path):
    embedder = ArchiveLayerEmbedder(odd, path)
    assert not embedder._opened.takes_batches
    x = [
        embedder._opened.box.model.embed(torch.tensor([ord(w) - 97 + 2 for w in s]))
        for s in LETTERS
    ]
    expected = [v + v.mean(dim=0) for v in x] if path == "leaks" else x
    assert_same(embedder.compute(LETTERS)[0], torch.cat(expected))


def test_what_the_model_changes_later_is_caught_as_it_was(odd):
    embedder = ArchiveLayerEmbedder(odd, "changed")
    assert embedder._opened.takes_batches
    embedding = embedder._opened.box.model.embed.weight
    assert_same(embedder.compute([("a", "l")])[0], embedding[[2, 13]])


def test_a_model_in_which_all_words_are_alike(tmp_path):
    """Then nothing shows that a batch keeps its order, and it is not relied on."""
    folder = save_run(tmp_path / "odd", "tests_odd_model", ["@"])
    weights = torch.load(folder / "best.th")
    torch.save(
        {**weights, "embed.weight": torch.ones_like(weights["embed.weight"])}, folder / "best.th"
    )
    assert not ArchiveLayerEmbedder(str(folder), "changed")._opened.takes_batches


def test_a_stateful_encoder_begins_anew(tagger_run, tmp_path):
    folder = tmp_path / "stateful"
    shutil.copytree(tagger_run, folder)
    config = json.loads((folder / "config.json").read_text())
    config["model"]["encoder"]["stateful"] = True
    (folder / "config.json").write_text(json.dumps(config))
    embedder = ArchiveLayerEmbedder(str(folder), "encoder")
    plain = ArchiveLayerEmbedder(str(tagger_run), "encoder")
    for _ in range(2):
        assert_same(embedder.compute(SENTENCES)[0], plain.compute(SENTENCES)[0])


def test_the_parser_of_allennlp_models(tmp_path):
    pytest.importorskip("allennlp_models")
    from allennlp.commands.train import train_model

    config = {
        "dataset_reader": {"type": "universal_dependencies"},
        "train_data_path": str(ROOT / "fixtures/raw/finnish-ud-dev.conllu"),
        "model": {
            "type": "biaffine_parser",
            "text_field_embedder": {
                "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}
            },
            "pos_tag_embedding": {"embedding_dim": 4, "vocab_namespace": "pos"},
            "encoder": {"type": "stacked_bidirectional_lstm", "input_size": 12, "hidden_size": 5, "num_layers": 2},
            "arc_representation_dim": 6,
            "tag_representation_dim": 7,
        },
        "data_loader": {"batch_size": 32},
        "trainer": {"num_epochs": 1, "optimizer": "adam"},
    }  # fmt: skip
    packages = ["allennlp_models.structured_prediction"]
    __import__(packages[0])
    train_model(Params(config), str(tmp_path / "parser"))
    archive = str(tmp_path / "parser/model.tar.gz")
    with pytest.raises(ConfigurationError, match="needs more than words: upos_tags"):
        ArchiveLayerEmbedder(archive, "encoder", packages=packages)
    for path in ("encoder", "text_field_embedder"):
        embedder = ArchiveLayerEmbedder(
            archive, path, packages=packages, extra_inputs={"upos_tags": "NOUN"}
        )
        expected = by_hand(
            archive,
            path,
            SENTENCES,
            instance=lambda r, words: r.text_to_instance(list(words), ["NOUN"] * len(words)),
        )
        # The parser puts its root before the words only after the encoder.
        assert embedder._opened.takes_batches
        assert_same(embedder.compute(SENTENCES)[0], torch.cat([vectors[0] for vectors in expected]))
    with pytest.raises(ValueError, match="one row for each token.*of 2 words, found 1×3×6"):
        ArchiveLayerEmbedder(
            archive, "head_arc_feedforward", packages=packages, extra_inputs={"upos_tags": "X"}
        )


@pytest.mark.parametrize(
    "changes",
    [
        {"module": "tag_projection_layer"},
        {"tensor": "input"},
        {"extra_inputs": {"tags": "NOUN"}},
        {"weights_file": "model_state_e1_b0.th"},
    ],
)
def test_what_decides_the_vectors_is_in_the_identity(tagger_run, changes):
    settings = {"module": "encoder", **changes}
    embedders = (
        ArchiveLayerEmbedder(str(tagger_run), "encoder"),
        ArchiveLayerEmbedder(str(tagger_run), **settings),
    )
    first, second = (embedder.identity() for embedder in embedders)
    assert first != second


def test_a_config_that_the_user_changed_in_the_unpacked_archive(tagger_run, private_cache):
    archive = str(tagger_run / "model.tar.gz")
    before = ArchiveLayerEmbedder(archive, "encoder")
    (config,) = (private_cache / "archives").glob("*/config.json")
    config.write_text(config.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    after = ArchiveLayerEmbedder(archive, "encoder")
    assert before.identity() != after.identity()
