import copy
import json
import os
import random
import shutil
from pathlib import Path

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.representations.elmo_for_many_langs import ElmoForManyLangsEmbedder
from linspector_allennlp.representations.words import encode_words
from tests.representations.many_langs_model import OPTIONS, plain_many_langs, write_many_langs

SENTENCES = [
    ("talo", "on", "kylässä"),
    ("kala",),
    ("se", "ui", "vedessä", "ja", "syö"),
    ("talossa", "asuu", "kala", "\u3000"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_many_langs(tmp_path_factory.mktemp("many") / "fi")


@pytest.fixture
def embedder(folder):
    return ElmoForManyLangsEmbedder(folder, layer=[0, 1, 2])


def split(vectors, sentences):
    return dict(zip(sentences, vectors.split([len(words) for words in sentences], dim=1)))


def test_the_numbers_are_those_of_a_plain_loop(folder, embedder):
    vectors = split(embedder.compute(SENTENCES), SENTENCES)
    for words in SENTENCES:
        expected = plain_many_langs(folder, words)
        assert expected.shape == (3, len(words), 10)
        numpy.testing.assert_allclose(vectors[words], expected, atol=1e-6)


def test_the_bounds_of_the_small_model_are_met(folder):
    """Otherwise the test above would not notice if they were not applied."""
    first_layer = plain_many_langs(folder, SENTENCES[2])[1]
    assert (abs(first_layer) == 0.5).any() and (abs(first_layer) < 0.5).any()


@pytest.mark.parametrize(
    "part, changes",
    [
        ("token_embedder", {"word_dim": 0}),
        ("token_embedder", {"activation": "tanh", "n_highway": 1}),
        ("encoder", {"cell_clip": None, "proj_clip": None, "n_layers": 1}),
    ],
)
def test_other_options(part, changes, tmp_path):
    options = copy.deepcopy(OPTIONS)
    options[part].update(changes)
    folder = write_many_langs(tmp_path / "fi", options=options)
    words = SENTENCES[0]
    if not options["token_embedder"]["word_dim"]:
        os.remove(tmp_path / "fi/word.dic")
    numpy.testing.assert_allclose(
        ElmoForManyLangsEmbedder(folder).compute([words]),
        plain_many_langs(folder, words, options),
        atol=1e-6,
    )


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), batch_size=st.integers(1, 5))
def test_neither_order_nor_batches_nor_padding_matter(small_embedder, seed, batch_size):
    order = random.Random(seed).sample(SENTENCES, k=len(SENTENCES))
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        for words, vectors in split(small_embedder.compute(batch), batch).items():
            torch.testing.assert_close(vectors, REFERENCE[words], atol=1e-6, rtol=0)


REFERENCE = {}


@pytest.fixture(scope="module")
def small_embedder(folder, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINSPECTOR_CACHE", str(tmp_path_factory.mktemp("cache")))
        for words in SENTENCES:
            REFERENCE[words] = ElmoForManyLangsEmbedder(folder).compute([words])
        yield ElmoForManyLangsEmbedder(folder)


def test_through_forward(folder):
    """The average of the layers, with padding, without and with an announcement."""
    embedder = ElmoForManyLangsEmbedder(folder)
    assert embedder.get_output_dim() == 10
    for _ in range(2):
        for words, rows in zip(SENTENCES, embedder(encode_words(SENTENCES))):
            expected = plain_many_langs(folder, words).mean(axis=0)
            numpy.testing.assert_allclose(rows[: len(words)], expected, atol=1e-6)
            assert not rows[len(words) :].any()
        embedder.prepare(SENTENCES)


def test_layer_0_is_the_word_twice(embedder):
    vectors = split(embedder.compute(SENTENCES), SENTENCES)
    assert torch.equal(vectors["kala",][0, 0, :5], vectors["kala",][0, 0, 5:])
    # The same word in another sentence.
    assert torch.equal(vectors["kala",][0, 0], vectors[SENTENCES[3]][0, 2])
    assert not torch.allclose(vectors["kala",][1, 0], vectors[SENTENCES[3]][1, 2])


def test_a_word_alone_is_a_sentence_of_its_own(folder):
    embedder = ElmoForManyLangsEmbedder(folder, layer=2, alone=True)
    vectors = embedder(encode_words(SENTENCES))
    expected = plain_many_langs(folder, ["kala"])[2, 0]
    numpy.testing.assert_allclose(vectors[3, 2], expected, atol=1e-6)
    assert torch.equal(vectors[3, 2], vectors[1, 0])


def test_long_words_are_cut_for_both_dictionaries(embedder):
    """Seven characters of nine, two being marks; "kylässä" is in `word.dic`."""
    longer, known, other = embedder.compute([("kylässäkin",), ("kylässä",), ("kyläss",)]).unbind(1)
    torch.testing.assert_close(longer, known)
    assert not torch.allclose(known, other)


def test_unknown_characters_are_one(embedder):
    first, second, third = embedder.compute([("kaљa",), ("kaфa",), ("kaa",)]).unbind(dim=1)
    torch.testing.assert_close(first, second)
    assert not torch.allclose(first, third)
    assert embedder.knows(["kala", "ка", "каa"]).tolist() == [True, False, True]


def test_weights_from_a_gpu(folder, tmp_path):
    """As the released ones are: their storages say so, and this machine may have none."""
    copied = tmp_path / "copied"
    shutil.copytree(folder, copied)
    expected = ElmoForManyLangsEmbedder(folder).compute(SENTENCES)
    for name in ("token_embedder.pkl", "encoder.pkl"):
        content = (copied / name).read_bytes()
        moved = content.replace(b"ctorch\nFloatStorage\n", b"ctorch.cuda\nFloatStorage\n")
        moved = moved.replace(b"X\x03\0\0\0cpu", b"X\x06\0\0\0cuda:0")
        assert moved.count(b"cuda:0") >= 1 and b"torch.cuda" in moved
        (copied / name).write_bytes(moved)
    assert torch.equal(ElmoForManyLangsEmbedder(str(copied)).compute(SENTENCES), expected)


def test_the_weights_stay_out_of_archives_and_are_recognised(folder, tmp_path):
    embedder = ElmoForManyLangsEmbedder(folder)
    embedder.compute(SENTENCES)
    state = embedder.state_dict()
    assert list(state) == ["fingerprint"] and not list(embedder.parameters())
    ElmoForManyLangsEmbedder(folder).load_state_dict(state)
    other = write_many_langs(tmp_path / "fi", seed=1)
    with pytest.raises(ConfigurationError, match="fi .* trained with"):
        ElmoForManyLangsEmbedder(other).load_state_dict(state)


def test_identity_is_the_content_of_all_files_and_not_their_place(folder, tmp_path):
    identity = ElmoForManyLangsEmbedder(folder).identity()
    same = str(tmp_path / "same")
    shutil.copytree(folder, same)
    (tmp_path / "same/config.json").write_text('{"config_path": "elsewhere/options.json"}')
    assert ElmoForManyLangsEmbedder(same, layer=1, alone=True).identity() == identity
    options = copy.deepcopy(OPTIONS)
    options["encoder"]["cell_clip"] = 3
    clipped = write_many_langs(tmp_path / "clipped", options=options)
    assert ElmoForManyLangsEmbedder(clipped).identity() != identity
    assert json.loads(json.dumps(identity)) == identity


def test_from_params(folder):
    settings = {"type": "elmo_for_many_langs", "folder": folder}
    assert TokenEmbedder.from_params(Params({**settings})).get_output_dim() == 10
    two = TokenEmbedder.from_params(Params({**settings, "layer": [0, 2], "alone": True}))
    assert two.get_output_dim() == 20
    provenance = two.provenance()
    assert provenance["path"] == folder and provenance["layer"] == [0, 2]
    assert json.loads(json.dumps(provenance)) == provenance


def test_a_probe_is_trained(folder, environment, train):
    environment("Case", level="token_level", vectors=f"elmo_for_many_langs:{folder}:1")
    metrics = train("token_in_context", trainer={"num_epochs": 1})
    assert 0 < metrics["test_accuracy"] <= 1


@pytest.mark.parametrize(
    "file, name, shape, message",
    [
        ("encoder", "forward_layer_1.state_projection.weight", None, "found none"),
        ("encoder", "backward_layer_0.state_linearity.bias", (24,), r"\(28,\).* \(24,\)"),
        ("encoder", "backward_layer_2.state_linearity.bias", (28,), "no backward_layer_2"),
        ("token_embedder", "convolutions.1.weight", (4, 4, 3), r"\(4, 4, 2\).* \(4, 4, 3\)"),
        ("token_embedder", "char_emb_layer.embedding.weight", (9, 4), r"\(20, 4\).* \(9, 4\)"),
        ("token_embedder", "char_lstm.weight_ih_l0", (9, 4), "no char_lstm"),
    ],
)  # fmt: skip
def test_weights_that_do_not_fit_are_named(file, name, shape, message, tmp_path):
    folder = write_many_langs(tmp_path / "fi", changes={file: {name: shape}})
    with pytest.raises(ValueError, match=f"{file}.pkl: expected .*{message}.*same model"):
        ElmoForManyLangsEmbedder(folder).compute(SENTENCES)
    with pytest.raises(ValueError, match=name.replace(".", r"\.")):
        ElmoForManyLangsEmbedder(folder).compute(SENTENCES)


class Harm:
    def __reduce__(self):
        return os.mkdir, ("harm",)


def test_weights_that_would_run_code(tmp_path, monkeypatch):
    folder = write_many_langs(tmp_path / "fi")
    torch.save({"a": Harm()}, tmp_path / "fi/encoder.pkl", _use_new_zipfile_serialization=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ValueError, match="encoder.pkl: expected the weights of a model and nothing"
    ):
        ElmoForManyLangsEmbedder(folder).compute(SENTENCES)
    assert not Path("harm").exists()
    torch.save([1], tmp_path / "fi/encoder.pkl")
    with pytest.raises(ValueError, match="expected weights by their names, found list"):
        ElmoForManyLangsEmbedder(folder).compute(SENTENCES)


@pytest.mark.parametrize("name", ["config.json", "char.dic", "token_embedder.pkl", "encoder.pkl"])
def test_missing_files(name, tmp_path):
    folder = write_many_langs(tmp_path / "fi")
    os.remove(tmp_path / "fi" / name)
    with pytest.raises(
        FileNotFoundError, match=f"fi has no {name}: expected the folder of a model"
    ):
        ElmoForManyLangsEmbedder(folder)


def test_something_else_than_a_folder(tmp_path):
    (tmp_path / "142.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(ConfigurationError, match="142.zip is a file: .* Unpack it first"):
        ElmoForManyLangsEmbedder(str(tmp_path / "142.zip"))
    with pytest.raises(FileNotFoundError, match="no/fi: .*folder"):
        ElmoForManyLangsEmbedder("no/fi")
