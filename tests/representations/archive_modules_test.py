"""Several modules of an archive as layers, from one pass; and which words its model knows."""

import json
import shutil

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.commands.probe_cache import listing
from linspector_allennlp.commands.probe_layers import describe_layers
from linspector_allennlp.representations import archive_layer
from linspector_allennlp.representations.archive_layer import ArchiveLayerEmbedder
from linspector_allennlp.representations.words import encode_words
from tests.representations.archive_layer_test import OddModel  # noqa: F401 - registers it
from tests.representations.tagger_archive import save_run

SENTENCES = [
    ("Minä", "nousen", "junaan", "."),
    ("Hän",),
    ("Te", "istutte", "huoneessa", "zzz"),
]
MODULES = ["text_field_embedder", "encoder", "encoder#0"]  # of 9, 10 and 10


@pytest.fixture
def passes(monkeypatch):
    """The forward passes of models that were loaded, by number of sentences."""
    found = []

    class Counted(archive_layer.BlackBoxModel):
        def run(self, sentences, device=None):
            found.append(len(sentences))
            return super().run(sentences, device)

    monkeypatch.setattr(archive_layer, "BlackBoxModel", Counted)
    return found


def test_each_layer_is_the_module_alone(tagger_run):
    archive = str(tagger_run / "model.tar.gz")
    code_points = encode_words(SENTENCES)
    alone = [ArchiveLayerEmbedder(archive, module)(code_points) for module in MODULES]
    for number, expected in enumerate(alone):
        embedder = ArchiveLayerEmbedder(archive, MODULES, layer=number)
        assert embedder.get_output_dim() == expected.size(-1)
        assert torch.allclose(embedder(code_points), expected, atol=1e-6)
    assert torch.equal(alone[1], alone[2])  # an encoder of one layer
    last = ArchiveLayerEmbedder(archive, MODULES)
    assert torch.equal(last(code_points), alone[2])
    both = ArchiveLayerEmbedder(archive, MODULES, layer=[0, -1])
    assert torch.allclose(both(code_points), torch.cat([alone[0], alone[2]], dim=-1), atol=1e-6)
    mixed = ArchiveLayerEmbedder(archive, MODULES[1:], layer="average")
    assert torch.allclose(mixed(code_points), alone[1], atol=1e-6)


def test_one_pass_for_all_layers_and_none_where_all_is_stored(tagger_run, passes):
    first = ArchiveLayerEmbedder(str(tagger_run), MODULES, layer=0)
    tried = len(passes)
    first.prepare(SENTENCES)
    # One for each length, of 4 sentences: see `ComputedEmbedder`.
    assert passes[tried:] == [4, 4]
    vectors = first(encode_words(SENTENCES))
    for number in range(3):
        other = ArchiveLayerEmbedder(str(tagger_run), MODULES, layer=number)
        other.prepare(SENTENCES)
        other(encode_words(SENTENCES))
    assert len(passes) == tried + 2 and vectors.shape == (3, 4, 9)
    assert "text_field_embedder + encoder + encoder#0, output, float32, 3 × 10" in listing()
    provenance = ArchiveLayerEmbedder(str(tagger_run), MODULES, layer=1).provenance()
    assert provenance["module"] == "encoder" and provenance["modules"] == MODULES
    assert json.dumps(provenance) and "layer" not in provenance and provenance["dimension"] == 10


def test_a_mix_of_layers(tagger_run):
    with pytest.raises(
        ConfigurationError, match=r'"mix" is for layers.*embedder \(9\), encoder \(10\)'
    ):
        ArchiveLayerEmbedder(str(tagger_run), MODULES, layer="mix")
    mixed = ArchiveLayerEmbedder(str(tagger_run), MODULES[1:], layer="mix")
    assert mixed.hand_over_layers() == 2 and mixed.get_output_dim() == 20
    with pytest.raises(ConfigurationError, match="layer: expected a number from 0"):
        ArchiveLayerEmbedder(str(tagger_run), MODULES, layer=3)
    for modules in ([], ["encoder", "encoder"]):
        with pytest.raises(ConfigurationError, match="none of them twice"):
            ArchiveLayerEmbedder(str(tagger_run), modules)


@pytest.mark.parametrize(
    "path, error, message",
    [
        ("never", ValueError, "the output of never: .*did not run"),
        ("twice", ValueError, "the output of twice: .*ran 2 times"),
        ("pool", ValueError, "the output of pool: .*one row for each token"),
        ("square", ConfigurationError, "square: expected vectors of one size"),
        ("nowhere", ConfigurationError, "no 'nowhere'"),
    ],
)
def test_the_module_at_fault_is_named(tmp_path, path, error, message):
    folder = save_run(tmp_path / "odd", "tests_odd_model", list("abcdefghijkl"))
    with pytest.raises(error, match=message):
        ArchiveLayerEmbedder(str(folder), ["changed", path, "embed"])


def test_modules_of_which_one_takes_no_batches(tmp_path):
    folder = save_run(tmp_path / "odd", "tests_odd_model", list("abcdefghijkl"))
    embedder = ArchiveLayerEmbedder(str(folder), ["changed", "leaks"])
    assert not embedder._opened.takes_batches
    alone = ArchiveLayerEmbedder(str(folder), "leaks")
    sentences = [("a", "b", "c"), ("d",)]
    assert torch.allclose(embedder.compute(sentences)[1], alone.compute(sentences)[0])


def test_a_hostile_archive_stays_refused(tagger_run, tmp_path):
    folder, touched = tmp_path / "hostile", tmp_path / "touched"
    shutil.copytree(tagger_run, folder)
    config = json.loads((folder / "config.json").read_text())
    config["model"]["encoder"] = {"type": "subprocess.Popen", "args": ["touch", str(touched)]}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ConfigurationError, match="imports and calls"):
        ArchiveLayerEmbedder(str(folder), MODULES)
    with pytest.raises(ConfigurationError, match="imports and calls"):
        describe_layers(str(folder))
    assert not touched.exists()


def test_from_a_config(tagger_run):
    settings = {"type": "archive_layer", "archive": str(tagger_run), "module": MODULES, "layer": 0}
    assert TokenEmbedder.from_params(Params(settings)).get_output_dim() == 9
    settings = {"type": "archive_layer", "archive": str(tagger_run), "module": "encoder"}
    embedder = TokenEmbedder.from_params(Params(settings))
    assert embedder.identity()["module"] == "encoder" and "dimensions" not in embedder.identity()


def test_the_layers_of_a_stack_are_listed(tagger_run, tmp_path):
    folder = tmp_path / "stacked"
    shutil.copytree(tagger_run, folder)
    config = json.loads((folder / "config.json").read_text())
    encoder = config["model"]["encoder"]
    assert encoder["input_size"] == 9 and "encoder#0" not in describe_layers(str(tagger_run))
    config["model"]["encoder"] = {**encoder, "num_layers": 2, "hidden_size": 5}
    (folder / "config.json").write_text(json.dumps(config))
    weights = torch.load(folder / "best.th")
    more = torch.nn.LSTM(9, 5, 2, bidirectional=True).state_dict()
    upper = {f"encoder._module.{name}": w for name, w in more.items() if "_l1" in name}
    torch.save({**weights, **upper}, folder / "best.th")
    shown = [line.split() for line in describe_layers(str(folder)).splitlines()]
    (low,) = [line for line in shown if line[:1] == ["encoder#0"]]
    assert low[-4:] == ["1×4×10", "–", "1", "output"]
    # The layer below is that of the encoder that had no other.
    first = ArchiveLayerEmbedder(str(folder), ["encoder#0", "encoder#1"], layer=0)
    plain = ArchiveLayerEmbedder(str(tagger_run), "encoder")
    assert torch.allclose(first.compute(SENTENCES)[0], plain.compute(SENTENCES)[0], atol=1e-6)


def test_words_that_the_vocabulary_has(tagger_run, passes):
    embedder = ArchiveLayerEmbedder(str(tagger_run / "model.tar.gz"), "encoder")
    tried = len(passes)
    tagged = (tagger_run.parent / "tagged.txt").read_text(encoding="utf-8").split()
    seen = [pair.split("###")[0] for pair in tagged]
    assert embedder.knows(seen).all() and len(seen) > 50  # in several instances
    assert embedder.knows(["zzz", seen[0], seen[0].swapcase()]).tolist() == [False, True, False]
    assert embedder.knows([]).tolist() == []
    assert embedder.composes_unknown_words  # by its characters
    assert len(passes) == tried


@pytest.fixture
def indexed(tagger_run, tmp_path):
    """The run with other token indexers, and what it then knows of some words."""

    def knows(indexers, embedders=None, **settings):
        folder = tmp_path / "indexed"
        shutil.copytree(tagger_run, folder, dirs_exist_ok=True)
        config = json.loads((folder / "config.json").read_text())
        config["dataset_reader"]["token_indexers"] = indexers
        if embedders:
            config["model"]["text_field_embedder"]["token_embedders"] = embedders
        (folder / "config.json").write_text(json.dumps({**config, **settings}))
        (folder / "vocabulary/lower.txt").write_text("@@UNKNOWN@@\ntalo\n")
        words = archive_layer.VocabularyWords(folder, [], None)
        return words.knows(["TALO", "auto", "Koira"]).tolist(), words.has_parts

    return knows


CHARACTERS = {"type": "characters", "min_padding_length": 1}


@pytest.mark.parametrize(
    "indexers, expected",
    [
        ({"x": {"type": "single_id", "namespace": "lower"}}, ([False] * 3, False)),
        (
            {"x": {"type": "single_id", "namespace": "lower", "lowercase_tokens": True}},
            ([True, False, False], False),
        ),
        ({"x": "single_id"}, ([False, False, True], False)),
        # In one of two namespaces.
        (
            {
                "x": "single_id",
                "y": {
                    "type": "single_id",
                    "namespace": "lower",
                    "lowercase_tokens": True,
                    "start_tokens": ["<s>"],
                },
            },
            ([True, False, True], False),
        ),
        ({"x": CHARACTERS}, ([True] * 3, True)),
        # Tags are no words.
        (
            {
                "x": CHARACTERS,
                "y": {
                    "type": "single_id",
                    "namespace": "lower",
                    "feature_name": "pos_",
                    "default_value": "X",
                },
            },
            ([True] * 3, True),
        ),
    ],
)
def test_words_by_the_indexers(indexed, indexers, expected):
    assert indexed(indexers) == expected


def test_indexers_that_the_model_drops(indexed):
    embedders = {"x": {"type": "empty"}, "y": {"type": "character_encoding"}}
    assert indexed({"x": "single_id", "y": CHARACTERS}, embedders) == ([True] * 3, True)


def test_words_that_a_frozen_representation_knows(indexed, tmp_path):
    vectors = tmp_path / "words.vec"
    vectors.write_text("2 2\nauto 1 2\nKoira 3 4\n")
    frozen = {"type": "word_vectors", "file": str(vectors)}
    assert indexed({"x": "word_form"}, {"x": frozen}) == ([False, True, True], False)
    random = {"x": {"type": "random_vectors", "dimension": 4}}
    assert indexed({"x": "word_form"}, random)[0] == [True] * 3
    # Beside characters, of which unknown words are composed.
    both = {"x": frozen, "y": {"type": "character_encoding"}}
    assert indexed({"x": "word_form", "y": CHARACTERS}, both) == ([False, True, True], True)


def test_a_vocabulary_with_another_unknown_token(tagger_run, tmp_path):
    folder = tmp_path / "other"
    shutil.copytree(tagger_run, folder)
    for tokens in (folder / "vocabulary").glob("*.txt"):
        tokens.write_text(tokens.read_text().replace("@@UNKNOWN@@", "<unk>"))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(
        json.dumps({**config, "vocabulary": {"oov_token": "<unk>"}})
    )
    words = archive_layer.VocabularyWords(folder, [], None)
    assert numpy.array_equal(words.knows(["zzz", "Koira"]), [False, True])


@pytest.mark.parametrize("by_path", [True, False])
def test_the_plugin_with_models_is_trusted(tagger_run, tmp_path, by_path):
    """Named by path or by name, without `packages`."""
    pytest.importorskip("allennlp_models")
    folder = tmp_path / "crf"
    shutil.copytree(tagger_run, folder)
    config = json.loads((folder / "config.json").read_text())
    path = "allennlp_models.tagging.models.crf_tagger.CrfTagger"
    config["model"]["type"] = path if by_path else "crf_tagger"
    (folder / "config.json").write_text(json.dumps(config))
    labels = len((folder / "vocabulary/labels.txt").read_text().split())
    crf = {
        "crf.transitions": torch.zeros(labels, labels),
        "crf._constraint_mask": torch.ones(labels + 2, labels + 2),
        "crf.start_transitions": torch.zeros(labels),
        "crf.end_transitions": torch.zeros(labels),
    }
    torch.save({**torch.load(folder / "best.th"), **crf}, folder / "best.th")
    embedder = ArchiveLayerEmbedder(str(folder), ["encoder"])
    plain = ArchiveLayerEmbedder(str(tagger_run), "encoder")
    assert torch.equal(embedder.compute(SENTENCES), plain.compute(SENTENCES))
    assert embedder.knows(["zzz"]).tolist() == [False]
