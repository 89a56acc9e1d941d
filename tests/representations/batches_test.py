"""A sentence has the same vectors, to the last bit, whatever else is computed, before or beside it."""

import itertools

import numpy as np
import pytest
import transformers

from linspector_allennlp.representations.elmo_layer import ElmoLayerEmbedder
from linspector_allennlp.representations.hidden_states.store import equal_batches, longest_first
from linspector_allennlp.representations.transformer_layer import TransformerLayerEmbedder
from tests.representations.elmo_weights import OPTIONS, write_elmo
from tests.representations.tiny_transformers import finnish_sentences, make_bert, make_roberta


def test_batches_have_one_length_and_are_filled_up_to_fours():
    sentences = [("a",) * n for n in (3, 1, 2)] + [(str(i), "b") for i in range(9)]
    length_of = {sentence: len(sentence) for sentence in sentences}
    ordered = longest_first(sentences, length_of)
    batches = equal_batches(ordered, length_of, 6)
    assert [[len(sentence) for sentence in batch] for batch in batches] == [
        [3], [2] * 4, [2] * 4, [2] * 2, [1]
    ]  # fmt: skip
    assert list(itertools.chain(*batches)) == ordered
    assert [len(batch) for batch in equal_batches(ordered, length_of, 3)] == [1, 3, 3, 3, 1, 1]


def wide_bert(folder):
    """Wide enough for the kernels that real models have."""
    make_bert(folder)
    config = transformers.BertConfig.from_pretrained(str(folder))
    config.update({"hidden_size": 96, "intermediate_size": 256, "num_attention_heads": 4})
    transformers.BertModel(config).save_pretrained(str(folder))
    return folder


def elmo(folder):
    # As wide as vector instructions are, as all real models: the rest of a row is computed in another way.
    sizes = {
        "char_cnn": {**OPTIONS["char_cnn"], "filters": [[1, 32], [2, 32], [3, 64]]},
        "lstm": {**OPTIONS["lstm"], "dim": 64, "projection_dim": 32},
    }
    options, weights = write_elmo(folder, options=sizes)
    return lambda: ElmoLayerEmbedder(str(options), str(weights), layer=[0, 1, 2], batch_size=8)


def transformer(make, **settings):
    def maker(folder):
        path = str(make(folder / "model"))
        return lambda: TransformerLayerEmbedder(path, layer=[0, 1, 2], batch_size=8, **settings)

    return maker


EMBEDDERS = {
    "bert": transformer(wide_bert),
    "bert of words alone": transformer(wide_bert, alone=True),
    "long sentences": transformer(make_roberta, long_sentences="window"),
    "elmo": elmo,
}


def vectors_of(embedder, sentences):
    lengths = list(map(len, sentences))
    sentence_of = np.repeat(np.arange(len(sentences)), lengths)
    word_of = np.concatenate([np.arange(length) for length in lengths])
    found = embedder.embed_tokens(sentences, sentence_of, word_of).numpy()
    return dict(zip(sentences, np.split(found, np.cumsum(lengths)[:-1])))


@pytest.mark.parametrize("name", EMBEDDERS)
def test_what_else_is_asked_for_changes_nothing(name, tmp_path, monkeypatch):
    make = EMBEDDERS[name](tmp_path)
    sentences = [tuple(words) for words in finnish_sentences()]
    if "alone" in name:
        sentences = [(word,) for words in sentences for word in words]
    sentences = list(dict.fromkeys(sentences))[:40]
    orders = {
        "cold": [sentences],
        "half warm": [sentences[::3], sentences[1::2], sentences],
        "another order": [sentences[::-1]],
        "one by one": [[sentence] for sentence in sentences[:12]],
    }
    found = {}
    for order, parts in orders.items():
        monkeypatch.setenv("LINSPECTOR_CACHE", str(tmp_path / order))
        embedder = make()
        for part in parts:
            embedder.prepare(part)
        found[order] = vectors_of(embedder, [s for s in sentences if s in {*sum(parts, [])}])
    monkeypatch.setenv("LINSPECTOR_CACHE", str(tmp_path / "none"))
    found["without a store"] = vectors_of(make(), sentences[5:9])
    for order, vectors in found.items():
        for sentence, expected in vectors.items():
            np.testing.assert_array_equal(expected, found["cold"][sentence], f"{name}, {order}")
