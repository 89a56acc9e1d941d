import copy
import itertools
import json
import logging
import pickle
from importlib.metadata import version

import numpy as np
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.representations import ComputedEmbedder
from linspector_allennlp.representations.hidden_states import store
from linspector_allennlp.representations.hidden_states.segment import DamagedSegment
from linspector_allennlp.representations.words import encode_words
from tests.representations.hashed_layers import HashedLayersEmbedder, layers_of

TEXT = [("a", "b"), ("c",), ("d", "e", "f"), ("g",), ("h", "i")]
WORDS = st.text(st.characters(), min_size=1, max_size=3)
SENTENCES = st.lists(WORDS, min_size=1, max_size=3).map(tuple)


def segment_files(embedder):
    return sorted(embedder._store.folder.glob("*.features"))


def damage(place):
    """Zeros in the place of the vectors."""
    content = place.read_bytes()
    place.write_bytes(content[:4096] + bytes(len(content) - 4096))


def test_what_was_announced_is_computed_once_for_all():
    embedder = HashedLayersEmbedder(batch_size=2)
    embedder.prepare([*TEXT, *TEXT])
    assert embedder.computed == [
        [("d", "e", "f")], [("a", "b"), ("h", "i")], [("c",), ("g",)],
    ]  # fmt: skip
    for other in (embedder, HashedLayersEmbedder(0), HashedLayersEmbedder("mix", alone=False)):
        calls = len(other.computed)
        other.prepare(TEXT)
        np.testing.assert_array_equal(other.words_of(TEXT), other.expected(TEXT))
        assert len(other.computed) == calls


def test_without_announcement():
    embedder = HashedLayersEmbedder(batch_size=2)
    np.testing.assert_array_equal(embedder.words_of([*TEXT, *TEXT]), embedder.expected(TEXT * 2))
    assert sorted(itertools.chain(*embedder.computed)) == sorted(TEXT)
    assert segment_files(embedder) == []


@settings(max_examples=50)
@given(
    st.lists(SENTENCES, max_size=4),
    st.lists(SENTENCES, max_size=4),
    st.sampled_from([0, [2, 1], "average", "mix"]),
    st.sampled_from(["float16", "float32"]),
    st.data(),
)
def test_partly_stored(stored, others, layer, precision, data):
    embedder = HashedLayersEmbedder(
        layer, repr((stored, others)), precision=precision, batch_size=2
    )
    embedder.prepare(stored)
    sentences = data.draw(st.permutations(stored + others + stored))
    places = [(i, j) for i, words in enumerate(sentences) for j in range(len(words))]
    places = data.draw(st.lists(st.sampled_from(places))) if places else []
    sentence_of, word_of = np.array(places, np.int64).reshape(-1, 2).T
    embedder.computed.clear()
    found = embedder.embed_tokens(sentences, sentence_of, word_of)
    asked = {sentences[i] for i in sentence_of}
    assert {s for batch in embedder.computed for s in batch} == asked - set(stored)
    assert found.shape == (len(places), len(embedder._choice.layers), 5)
    assert found.dtype == torch.float32
    for (i, j), vectors in zip(places, found.numpy()):
        expected = layers_of(sentences[i])[embedder._choice.layers, j]
        assert vectors.tobytes() == expected.astype(precision).astype(np.float32).tobytes()


@pytest.mark.parametrize("precision", ["float16", "float32"])
def test_stored_and_fresh_are_the_same(precision):
    stored = HashedLayersEmbedder("mix", precision=precision)
    fresh = HashedLayersEmbedder("mix", precision=precision)
    fresh.words_of(TEXT[:1])
    stored.prepare(TEXT)
    found, computed = stored.words_of(TEXT), fresh.words_of(TEXT)
    assert len(stored.computed) == 3 and len(fresh.computed) == 4  # batches of one length
    np.testing.assert_array_equal(found, computed)
    rounded = stored.expected(TEXT).astype(precision).astype(np.float32)
    np.testing.assert_array_equal(found, rounded)
    assert (rounded == stored.expected(TEXT)).all() == (precision == "float32")


def test_float16_takes_half_the_room():
    sizes = {}
    for precision in ("float16", "float32"):
        embedder = HashedLayersEmbedder(precision=precision, layer_dim=101)
        embedder.prepare(TEXT)
        sizes[precision] = sum(place.stat().st_size for place in segment_files(embedder)) - 4096
    assert sizes == {"float16": 2 * 9 * 3 * 101, "float32": 4 * 9 * 3 * 101}


def test_forward():
    embedder = HashedLayersEmbedder([2, 0])
    embedder.prepare(TEXT)
    vectors = embedder(encode_words(TEXT))
    assert vectors.shape == (5, 3, 10)
    for sentence, row in zip(TEXT, vectors):
        expected = layers_of(sentence)[[2, 0]].swapaxes(0, 1).reshape(-1, 10)
        np.testing.assert_array_equal(row[: len(sentence)], expected)
        assert not row[len(sentence) :].any()
    probed = torch.tensor([1, 0, 2, 0, 1])
    assert torch.equal(
        embedder(encode_words(TEXT), probed=probed)[:, 0], vectors[torch.arange(5), probed]
    )
    assert len(embedder.computed) == 3  # lengths


def test_alone():
    embedder = HashedLayersEmbedder(1, alone=True)
    embedder.prepare([("a", "b"), ("b", "c")])
    assert embedder.computed == [[("a",), ("b",), ("c",)]]
    vectors = embedder(encode_words([("b", "a"), ("c",)]))
    for found, word in ((vectors[0, 0], "b"), (vectors[0, 1], "a"), (vectors[1, 0], "c")):
        np.testing.assert_array_equal(found, layers_of((word,))[1, 0])
    assert not vectors[1, 1].any() and len(embedder.computed) == 1
    # A word alone is a sentence of one word, whoever asks.
    in_context = HashedLayersEmbedder(1)
    np.testing.assert_array_equal(in_context(encode_words([("b",)]))[0], vectors[0, :1])
    assert in_context.computed == []


def test_sentences_without_words():
    embedder = HashedLayersEmbedder()
    embedder.prepare([(), ("a",), ()])
    assert embedder.computed == [[("a",)]]
    assert embedder.words_of([(), ("a",)]).shape == (1, 1, 5)
    code_points = torch.cat([torch.zeros(1, 1, 1, dtype=torch.int32), encode_words([("b",)])])
    assert not embedder(code_points)[0].any()
    assert embedder.computed[1:] == [[("b",)]]


def test_damage_during_a_run(monkeypatch, caplog):
    monkeypatch.setattr(store, "SEGMENT_BYTES", 2 * 3 * 5 * 4)
    embedder = HashedLayersEmbedder()
    embedder.prepare(TEXT)
    for place in segment_files(embedder)[:2]:
        damage(place)
    embedder.computed.clear()
    with caplog.at_level(logging.WARNING):
        np.testing.assert_array_equal(embedder.words_of(TEXT), embedder.expected(TEXT))
    assert caplog.text.count("vectors in it are damaged; what it held is computed again") == 2
    computed = [sentence for batch in embedder.computed for sentence in batch]
    assert 2 <= len(computed) == len(set(computed)) < 5
    embedder.computed.clear()
    np.testing.assert_array_equal(embedder.words_of(TEXT), embedder.expected(TEXT))
    reader = HashedLayersEmbedder()
    np.testing.assert_array_equal(reader.words_of(TEXT), reader.expected(TEXT))
    assert embedder.computed == reader.computed == []


@pytest.mark.parametrize("alone", [False, True])
def test_segments_that_vanish_during_a_run(alone):
    embedder = HashedLayersEmbedder(alone=alone)
    embedder.prepare(TEXT)
    late = HashedLayersEmbedder(alone=alone)
    assert late._store.missing([("c",)]) == []
    for place in segment_files(embedder):
        place.unlink()
    for one in (embedder, late):
        vectors = one(encode_words([("c",)]))[0]
        np.testing.assert_array_equal(vectors, layers_of(("c",))[-1])
        assert (
            sum(("c",) in batch for batch in one.computed) == 1
        )  # by `prepare`, and when it was asked for


class NotFiniteEmbedder(HashedLayersEmbedder):
    def compute(self, sentences):
        vectors = super().compute(sentences)
        vectors[1, 1, 2] = self.value
        return vectors


@pytest.mark.parametrize(
    "value, precision, refused",
    [(float("nan"), "float32", True), (float("inf"), "float16", True), (65519, "float16", False),
     (65520, "float16", True), (65520, "float32", False), (-1e30, "float32", False)],
)  # fmt: skip
def test_numbers_that_are_not_finite(value, precision, refused):
    embedder = NotFiniteEmbedder(0, precision=precision)
    embedder.value = value
    for use in (lambda: embedder.prepare([("a", "b")]), lambda: embedder.words_of([("a", "b")])):
        if refused:
            with pytest.raises(
                ValueError, match=f"words of 'a b', .* not finite in {precision}"
            ) as e:
                use()
            assert ("float32 holds larger numbers" in str(e.value)) == (precision == "float16")
            assert segment_files(embedder) == []
        else:
            use()


class WrongShapeEmbedder(HashedLayersEmbedder):
    def compute(self, sentences):
        return self.change(super().compute(sentences))


@pytest.mark.parametrize(
    "change", [lambda v: v[1:], lambda v: v[:, 1:], lambda v: v[..., 1:], lambda v: v[0]]
)
def test_a_wrong_shape(change):
    embedder = WrongShapeEmbedder()
    embedder.change = change
    sentence = (
        r"WrongShapeEmbedder: expected vectors of shape \(3, 8, 5\) \(layers, words, dimension\)"
    )
    for use in (embedder.prepare, embedder.words_of):
        with pytest.raises(RuntimeError, match=sentence):
            use([("a", "b")])
    assert segment_files(embedder) == []


class GradientEmbedder(HashedLayersEmbedder):
    def compute(self, sentences):
        assert torch.is_inference_mode_enabled()
        vectors = super().compute(sentences).double().requires_grad_(False)
        return (vectors * torch.nn.Parameter(torch.ones(5))).transpose(0, 1).clone().transpose(0, 1)


def test_any_tensor_of_the_right_shape():
    """Another precision, another order in memory, weights that could be trained."""
    embedder = GradientEmbedder([0, 1, 2])
    np.testing.assert_array_equal(embedder.words_of(TEXT), embedder.expected(TEXT))
    embedder.prepare(TEXT)
    found = embedder(encode_words(TEXT[:1]))
    assert not found.requires_grad
    (found + torch.ones(1, requires_grad=True)).sum().backward()


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_with_an_open_store(again):
    embedder = HashedLayersEmbedder("average")
    embedder.prepare(TEXT)
    vectors = embedder(encode_words(TEXT))
    twin = again(embedder)
    assert torch.equal(twin(encode_words(TEXT)), vectors)
    assert twin.computed == embedder.computed and twin._store is not embedder._store


def test_nothing_of_it_is_trained_or_archived():
    embedder = HashedLayersEmbedder()
    embedder.prepare(TEXT)
    assert list(embedder.parameters()) == [] and list(embedder.state_dict()) == ["fingerprint"]


def test_the_identity_has_the_versions():
    embedder = HashedLayersEmbedder(layer=[0, 1], precision="float16")
    embedder.prepare(TEXT)
    description = json.loads((embedder._store.folder / "representation.json").read_text())
    assert description == {
        "source": "a model",
        "type": "hashed_layers",
        "name": "model",
        "versions": {
            **{name: version(name) for name in ("allennlp", "tokenizers", "torch", "transformers")},
            "ours": HashedLayersEmbedder.VERSION,
        },
        "layers": 3,
        "dimension": 5,
        "precision": "float16",
    }


def test_representations_do_not_share(monkeypatch):
    HashedLayersEmbedder().prepare(TEXT)
    others = [HashedLayersEmbedder(name="other"), HashedLayersEmbedder(precision="float16")]
    monkeypatch.setattr(HashedLayersEmbedder, "VERSION", 99)
    others.append(HashedLayersEmbedder())
    for embedder in others:
        embedder.prepare(TEXT)
        assert len(embedder.computed) == 3


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"precision": "float64"}, "precision: expected float16 or float32, found 'float64'"),
        ({"batch_size": 0}, "batch_size: expected 1 or more, found 0"),
        ({"layer": 3}, "layer: expected a number from 0 .* to 2, .* found 3"),
    ],
)
def test_wrong_settings(settings, message):
    with pytest.raises(ConfigurationError, match=message):
        HashedLayersEmbedder(**settings)


def test_a_subclass_says_what_and_how():
    embedder = ComputedEmbedder(1, 2, 0)
    for method in (embedder.identity, lambda: embedder.compute([])):
        with pytest.raises(NotImplementedError):
            method()
    assert embedder.lengths([("a",), ("b", "c")]) == [1, 2]


def test_a_disk_that_damages_everything_is_not_tried_forever(monkeypatch):
    embedder = HashedLayersEmbedder()
    embedder.prepare([("a", "b")])

    def damaged(*_):
        raise DamagedSegment("all is damaged")

    monkeypatch.setattr(embedder._store, "read", damaged)
    with pytest.raises(OSError, match="damaged as soon as they are written"):
        embedder.words_of([("a", "b")])
