import copy
import json
import random

import h5py
import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from allennlp.modules.elmo import Elmo, batch_to_ids
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.representations.elmo_layer import ElmoLayerEmbedder
from linspector_allennlp.representations.words import encode_words
from tests.representations.elmo_weights import OPTIONS, plain_elmo, write_elmo

SENTENCES = [
    ("talo", "on", "kylässä"),
    ("kala",),
    ("se", "ui", "vedessä", "ja", "syö"),
    ("talossa", "asuu", "kala"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_elmo(tmp_path_factory.mktemp("elmo"))


@pytest.fixture
def embedder(files):
    return ElmoLayerEmbedder(*files, layer=[0, 1, 2])


def split(vectors, sentences):
    return dict(zip(sentences, vectors.split([len(words) for words in sentences], dim=1)))


def test_the_numbers_are_those_of_a_plain_loop(files, embedder):
    vectors = split(embedder.compute(SENTENCES), SENTENCES)
    for words in SENTENCES:
        expected = plain_elmo(files[1], words)
        assert expected.shape == (3, len(words), 10)
        numpy.testing.assert_allclose(vectors[words], expected, atol=1e-5)


def test_the_bounds_of_the_small_model_are_met(files):
    """Otherwise the test above would not notice if they were not applied."""
    first_layer = plain_elmo(files[1], SENTENCES[2])[1]
    assert (abs(first_layer) == 0.5).any() and (abs(first_layer) < 0.5).any()


@pytest.mark.parametrize("layer", range(3))
def test_the_numbers_are_those_of_a_new_allennlp_module(files, embedder, layer):
    weights = [1e4 if i == layer else -1e4 for i in range(3)]
    for words in SENTENCES[1:3]:
        elmo = Elmo(*files, 1, dropout=0, scalar_mix_parameters=weights).eval()
        expected = elmo(batch_to_ids([list(words)]))["elmo_representations"][0][0]
        # The module multiplies by a trained scale, which is 1.
        torch.testing.assert_close(
            embedder.compute([words])[layer], expected.detach(), atol=1e-6, rtol=0
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
def small_embedder(files, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINSPECTOR_CACHE", str(tmp_path_factory.mktemp("cache")))
        for words in SENTENCES:
            REFERENCE[words] = ElmoLayerEmbedder(*files).compute([words])
        yield ElmoLayerEmbedder(*files)


def test_the_same_sentence_twice_has_the_same_vectors(embedder):
    first, second = embedder.compute(SENTENCES), embedder.compute(SENTENCES)
    assert torch.equal(first, second)


def test_layer_0_is_the_word_twice(embedder):
    vectors = split(embedder.compute(SENTENCES), SENTENCES)
    assert torch.equal(vectors["kala",][0, 0, :5], vectors["kala",][0, 0, 5:])
    # The same word in another sentence.
    assert torch.equal(vectors["kala",][0, 0], vectors[SENTENCES[3]][0, 2])
    assert not torch.allclose(vectors["kala",][1, 0], vectors[SENTENCES[3]][1, 2])


def test_through_forward(files):
    """The average of the layers, with padding, without and with an announcement."""
    embedder = ElmoLayerEmbedder(*files)
    assert embedder.get_output_dim() == 10
    for _ in range(2):
        vectors = embedder(encode_words(SENTENCES))
        assert vectors.shape == (4, 5, 10)
        for words, rows in zip(SENTENCES, vectors):
            expected = plain_elmo(files[1], words).mean(axis=0)
            numpy.testing.assert_allclose(rows[: len(words)], expected, atol=1e-5)
            assert not rows[len(words) :].any()
        embedder.prepare(SENTENCES)


def test_one_word_a_sentence(embedder):
    batch = encode_words(SENTENCES)
    probed = torch.tensor([2, 0, 4, 1])
    everything = embedder(batch)
    torch.testing.assert_close(
        embedder(batch, probed=probed), everything[torch.arange(4), probed].unsqueeze(1)
    )


def test_a_word_alone_is_a_sentence_of_its_own(files):
    embedder = ElmoLayerEmbedder(*files, layer=2, alone=True)
    assert embedder.ignores_context
    vectors = embedder(encode_words(SENTENCES))
    numpy.testing.assert_allclose(vectors[3, 2], plain_elmo(files[1], ["kala"])[2, 0], atol=1e-5)
    assert torch.equal(vectors[3, 2], vectors[1, 0])


def test_a_mixture_is_left_to_a_probe(files):
    embedder = ElmoLayerEmbedder(*files, layer="mix")
    assert (embedder.mixed_layers, embedder.get_output_dim()) == (1, 10)
    assert (embedder.hand_over_layers(), embedder.get_output_dim()) == (3, 30)


def test_half_precision(files):
    half = ElmoLayerEmbedder(*files, precision="float16")
    torch.testing.assert_close(
        half(encode_words(SENTENCES)),
        ElmoLayerEmbedder(*files)(encode_words(SENTENCES)),
        atol=2e-2,
        rtol=2e-3,
    )


def test_long_words_are_cut(embedder):
    """48 bytes, of which "ä" takes two."""
    cut, other = "ä" * 24 + "xyz", "ä" * 24
    assert torch.equal(embedder.compute([(cut,)]), embedder.compute([(other,)]))
    assert not torch.equal(embedder.compute([(other[:-1],)]), embedder.compute([(other,)]))


def test_the_number_of_layers_is_the_options_business(tmp_path):
    options = copy.deepcopy(OPTIONS)
    options["lstm"]["n_layers"] = 1
    files = write_elmo(tmp_path, options=options)
    assert ElmoLayerEmbedder(*files, layer=-1).compute([("talo",)]).shape == (2, 1, 10)
    with pytest.raises(ConfigurationError, match="to 1, a list of .* found 2"):
        ElmoLayerEmbedder(*files, layer=2)


def test_clips_may_be_missing(tmp_path):
    options = copy.deepcopy(OPTIONS)
    options["lstm"].update(cell_clip=None, proj_clip=None)
    vectors = ElmoLayerEmbedder(*write_elmo(tmp_path, options=options)).compute(SENTENCES)
    assert (vectors[1].abs() > 0.5).any()


def test_characters_to_spare(tmp_path, files, embedder):
    options_file, weight_file = write_elmo(tmp_path)
    with h5py.File(weight_file, "r+") as file:
        characters = file["char_embed"][...]
        del file["char_embed"]
        file["char_embed"] = numpy.concatenate([characters, characters[:1]])
    spare = ElmoLayerEmbedder(options_file, weight_file)
    assert torch.equal(spare.compute(SENTENCES), embedder.compute(SENTENCES))


def test_the_weights_stay_out_of_archives_and_are_recognised(files, tmp_path):
    embedder = ElmoLayerEmbedder(*files)
    embedder.compute(SENTENCES)
    state = embedder.state_dict()
    assert list(state) == ["fingerprint"] and not list(embedder.parameters())
    ElmoLayerEmbedder(*files).load_state_dict(state)
    other = write_elmo(tmp_path, seed=1)
    with pytest.raises(ConfigurationError, match="weights.hdf5 .* trained with"):
        ElmoLayerEmbedder(*other).load_state_dict(state)


def test_identity_is_the_content_of_both_files(files, tmp_path):
    options = copy.deepcopy(OPTIONS)
    options["lstm"]["cell_clip"] = 3
    same, clipped = tmp_path / "same", tmp_path / "clipped"
    same.mkdir()
    clipped.mkdir()
    identity = ElmoLayerEmbedder(*files).identity()
    assert ElmoLayerEmbedder(*write_elmo(same), layer=1, alone=True).identity() == identity
    assert ElmoLayerEmbedder(*write_elmo(clipped, options=options)).identity() != identity


def test_the_model_is_not_loaded_where_it_is_not_needed(files):
    embedder = ElmoLayerEmbedder(*files)
    embedder.prepare(SENTENCES)
    again = ElmoLayerEmbedder(*files, layer=0)
    assert torch.equal(
        again(encode_words(SENTENCES)),
        ElmoLayerEmbedder(*files, layer=[0, 1])(encode_words(SENTENCES))[..., :10],
    )
    assert "_model" not in vars(again) and "_model" in vars(embedder)


def test_from_params(files):
    settings = {"type": "elmo_layer", "options_file": files[0], "weight_file": files[1]}
    assert TokenEmbedder.from_params(Params({**settings})).get_output_dim() == 10
    two = TokenEmbedder.from_params(Params({**settings, "layer": [0, 2], "alone": True}))
    assert two.get_output_dim() == 20
    provenance = two.provenance()
    assert provenance["path"] == files[1] and provenance["layer"] == [0, 2]
    assert json.loads(json.dumps(provenance)) == provenance
    assert two.knows(["talo", "xyzzy"]).tolist() == [True, True]


@pytest.mark.parametrize(
    "part, entry, value, message",
    [
        ("lstm", "projection_dim", None, "expected a size as `lstm.projection_dim`, found None"),
        ("lstm", "use_skip_connections", False, "expected true as .* found False"),
        ("lstm", "n_layers", "2", "expected a number of layers as `lstm.n_layers`, found '2'"),
        ("lstm", "cell_clip", "3", "expected a number or null as `lstm.cell_clip`"),
        ("char_cnn", "max_characters_per_token", 25, "expected 50 as .* found 25"),
        ("char_cnn", "activation", "gelu", "expected relu or tanh as .* found 'gelu'"),
        ("char_cnn", "filters", [[1, 3], 2], "a list of pairs of width and number"),
        ("char_cnn", "embedding", {}, "expected `char_cnn.embedding.dim` .* found none"),
        # These fit in themselves, but not the weights.
        ("char_cnn", "filters", [[1, 3], [3, 4], [5, 2]], r"CNN/W_cnn_1 of shape \(1, 3, 4, 4\)"),
        ("char_cnn", "n_highway", 3, "expected CNN_high_2/W_carry .* found none"),
        ("lstm", "n_layers", 3, "expected RNN_0/RNN/MultiRNNCell/Cell2/LSTMCell/W_0 .* none"),
        ("lstm", "dim", 8, r"LSTMCell/W_0 of shape \(10, 32\), as .* found \(10, 28\)"),
    ],
)
def test_broken_options(tmp_path, part, entry, value, message):
    files = write_elmo(tmp_path)
    options = copy.deepcopy(OPTIONS)
    options[part][entry] = value
    (tmp_path / "options.json").write_text(json.dumps(options))
    with pytest.raises(ValueError, match=r"(options.json|weights.hdf5): .*" + message):
        ElmoLayerEmbedder(*files)


def test_files_that_are_something_else(tmp_path):
    options_file, weight_file = write_elmo(tmp_path)
    with pytest.raises(ValueError, match="weights.hdf5: expected the options .* interchanged"):
        ElmoLayerEmbedder(weight_file, options_file)
    with pytest.raises(ValueError, match="options.json: expected the weights .* in HDF5"):
        ElmoLayerEmbedder(options_file, options_file)
    (tmp_path / "weights.hdf5").write_bytes((tmp_path / "weights.hdf5").read_bytes()[:5000])
    with pytest.raises(ValueError, match="weights.hdf5: .* found what cannot be read"):
        ElmoLayerEmbedder(options_file, weight_file)


def test_missing_files(files):
    with pytest.raises(FileNotFoundError, match="no/options.json: .*options_file"):
        ElmoLayerEmbedder("no/options.json", files[1])
    with pytest.raises(FileNotFoundError, match="no/weights.hdf5: .*weight_file"):
        ElmoLayerEmbedder(files[0], "no/weights.hdf5")
