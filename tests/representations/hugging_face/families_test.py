"""
`transformer_layer` over a small model of each family; run with `-s`, it prints the table that
docs/representations.md shows.
"""

from functools import cache

import numpy
import pytest
import torch
import transformers
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.hugging_face.transformer_files import load_tokenizer
from linspector_allennlp.representations.hugging_face.word_pieces import WordPieces
from linspector_allennlp.representations.transformer_layer import TransformerLayerEmbedder
from tests.pages import ROOT
from tests.representations.families import FAMILIES, LEFT_CONTEXT, make_byt5, make_canine
from tests.representations.tiny_transformers import (
    plain_layers,
    plain_vectors,
    windows_by_hand,
)

SENTENCES = [
    ("talossa", "on", "lintu", "."),
    ("koira", "seisoo", "keittiössä"),
    ("on",),
    ("nainen", "ja", "mies", "näkevät", "talon"),
]
LONG = ("talossa", "on", "lintu", "ja", "koira", "seisoo", "keittiössä") * 2
# Whose tokenizers put no space before the first word of a text, which all other words have.
SPACE_FIRST = ("RoBERTa", "ModernBERT", "GPT-2", "Qwen3", "Gemma 3")
CHECKS = ("aligned", "layers", "equal", "windows", "random twin")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    @cache
    def folder(family):
        return FAMILIES[family](tmp_path_factory.mktemp(family))

    return folder


@cache
def embedder_of(folder, **settings):
    return TransformerLayerEmbedder(str(folder), layer="average", **settings)


def pieces_of(embedder, words):
    """The pieces of each word."""
    batch = embedder._pieces.encode([words])
    ids = batch.inputs["input_ids"][batch.window_of, batch.position_of]
    return [ids[batch.word_of == number].tolist() for number in range(len(words))]


def is_aligned(folder):
    """The pieces of a word, put together, are its text, and nothing else."""
    embedder = embedder_of(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    return all(
        tokenizer.decode(pieces).strip() == word
        for words in SENTENCES
        for word, pieces in zip(words, pieces_of(embedder, words))
    )


def plain(folder, words):
    """The vectors of words by plain transformers. Shape: (num_layers, num_words, dimension)"""
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    if tokenizer.is_fast:
        return plain_vectors(folder, words, byte_level=folder.name.startswith(SPACE_FIRST))
    layers = plain_layers(folder, dict(tokenizer(" ".join(words), return_tensors="pt")))
    ends = numpy.cumsum([len(word.encode()) + 1 for word in words]) - 1
    return numpy.stack(
        [layers[:, end - len(word.encode()) : end].mean(axis=1) for word, end in zip(words, ends)],
        1,
    )


def has_all_layers(folder):
    """As many as plain transformers gives, of the size that it gives, and no two alike."""
    vectors = embedder_of(folder).compute([SENTENCES[0]])
    expected = plain(folder, SENTENCES[0])
    differences = numpy.abs(numpy.diff(vectors.numpy(), axis=0)).max(axis=(1, 2))
    return tuple(vectors.shape) == expected.shape and differences.min() > 1e-3


def is_equal(folder):
    """Of sentences in a batch, so that the shorter ones are padded."""
    found = embedder_of(folder).compute(SENTENCES)
    expected = numpy.concatenate([plain(folder, words) for words in SENTENCES], axis=1)
    return numpy.abs(found.numpy() - expected).max() < 1e-5 and found.std(dim=1).min() > 0.01


def has_windows(folder):
    """A sentence of many windows is what windows by hand give."""
    embedder = embedder_of(folder, max_length=12)
    batch = embedder._pieces.encode([LONG])
    assert len(batch.inputs["input_ids"]) > 2
    whole, _ = WordPieces(load_tokenizer(str(folder)), None, "window").encode_windows([LONG])
    word_ids = whole.word_ids(0)
    kept = [i for i, word in enumerate(word_ids) if word is not None]
    ids = whole["input_ids"][0, kept].tolist()
    by_hand = windows_by_hand(folder, ids, 12 - (len(word_ids) - len(kept)))
    words = numpy.array([word_ids[i] for i in kept])
    expected = numpy.stack(
        [by_hand[:, words == number].mean(axis=1) for number in range(len(LONG))], 1
    )
    return numpy.abs(embedder.compute([LONG]).numpy() - expected).max() < 1e-5


def has_random_twin(folder):
    """Of the same shape, the same for a seed, other for another, and never the trained one."""
    trained = embedder_of(folder).compute(SENTENCES)
    twins = [
        TransformerLayerEmbedder(str(folder), layer="average", weights="random", seed=seed).compute(
            SENTENCES
        )
        for seed in (21, 21, 22)
    ]
    others = [(twins[0] - other).abs().max() > 1e-3 for other in (trained, twins[2])]
    return trained.shape == twins[0].shape and torch.equal(*twins[:2]) and all(others)


def row(folder):
    checks = (is_aligned, has_all_layers, is_equal, has_windows, has_random_twin)
    return {name: bool(check(folder)) for name, check in zip(CHECKS, checks)}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family(family, folders):
    found = row(folders(family))
    context = "left" if family in LEFT_CONTEXT else "both sides"
    cells = [family, *("yes" if found[name] else "no" for name in CHECKS), context]
    line = f"| {' | '.join(cells)} |"
    print(line)
    assert all(found.values()), line
    assert line in (ROOT / "docs/representations.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("family", FAMILIES)
def test_which_families_see_what_comes_after_a_word(family, folders):
    embedder = embedder_of(folders(family))
    short, longer = embedder.compute([("talossa", "on"), ("talossa", "on", "lintu")]).split(
        [2, 3], dim=1
    )
    sees = (short - longer[:, :2]).abs().max() > 1e-4
    assert sees == (family not in LEFT_CONTEXT)


def test_letters_of_several_bytes(tmp_path):
    """The bytes of a word are its own; those of the spaces are nobody's."""
    embedder = TransformerLayerEmbedder(str(make_byt5(tmp_path)))
    pieces = pieces_of(embedder, ("näkö", "a", "日本"))
    assert [bytes(i - 3 for i in word).decode() for word in pieces] == ["näkö", "a", "日本"]
    whole = TransformerLayerEmbedder(str(tmp_path), pool="sentence_mean")
    assert whole.compute([("näkö", "a")]).isfinite().all()
    assert embedder.lengths([("näkö", "a")]) == [6 + 1 + 1 + 1]
    assert embedder.knows(["näkö"]).tolist() == [True]


def test_a_tokenizer_that_cannot_be_aligned(tmp_path, monkeypatch):
    """One that makes other pieces of a sentence than of its words is refused."""
    embedder = TransformerLayerEmbedder(str(make_byt5(tmp_path)))
    tokenize = transformers.ByT5Tokenizer._tokenize
    monkeypatch.setattr(
        transformers.ByT5Tokenizer,
        "_tokenize",
        lambda self, text: tokenize(self, text.replace("n l", "m l")),
    )
    assert embedder.compute([("talo", "on")]).isfinite().all()
    with pytest.raises(ValueError, match="'on lintu' are not those of its words in a row"):
        embedder.compute([("on", "lintu")])


def test_layers_of_several_lengths_are_refused(tmp_path):
    embedder = TransformerLayerEmbedder(str(make_canine(tmp_path)))
    with pytest.raises(ConfigurationError, match="Not every layer of this architecture has"):
        embedder.compute([("talossa", "on", "lintu")])


@pytest.mark.parametrize("family", ["Qwen3", "T5 (encoder)"])
def test_files_in_bfloat16_are_computed_in_float32(family, folders, tmp_path):
    kind = transformers.AutoModel.from_pretrained(str(folders(family)), dtype=torch.bfloat16)
    kind.save_pretrained(str(tmp_path))
    transformers.AutoTokenizer.from_pretrained(str(folders(family))).save_pretrained(str(tmp_path))
    assert transformers.AutoConfig.from_pretrained(str(tmp_path)).dtype == torch.bfloat16
    exact = transformers.AutoModel.from_pretrained(str(tmp_path), dtype=torch.float32)
    for weights in ("pretrained", "random"):
        embedder = TransformerLayerEmbedder(str(tmp_path), layer="average", weights=weights)
        assert {p.dtype for p in embedder._model.parameters()} == {torch.float32}
        assert embedder.compute(SENTENCES).dtype == torch.float32
    state = TransformerLayerEmbedder(str(tmp_path))._model.state_dict()
    name = next(name for name in state if "norm" not in name)
    tensors = exact.state_dict()
    assert torch.equal(state[name], tensors.get(name, tensors.get(f"encoder.{name}")))
