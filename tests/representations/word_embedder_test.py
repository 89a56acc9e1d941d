import torch
from allennlp.modules import TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import EmptyEmbedder

from linspector_allennlp.representations import RandomBiLstmEmbedder
from linspector_allennlp.representations.char_ngrams import CharNgramsEmbedder
from linspector_allennlp.representations.word_embedder import (
    WordEmbedder,
    all_word_embedders,
    direct_word_embedders,
)


def test_what_is_not_said():
    embedder = WordEmbedder(7)
    assert embedder.get_output_dim() == 7
    assert embedder.knows(["a"]) is None and embedder.provenance() == {}
    assert embedder.prepare([("a",)]) is None
    assert (embedder.mixed_layers, embedder.ignores_context, embedder.source) == (1, False, "")
    assert list(embedder.parameters()) == []


def test_only_the_outermost_embedders_of_a_model():
    inner, outer, other = CharNgramsEmbedder(4), CharNgramsEmbedder(4), EmptyEmbedder()
    lstm = RandomBiLstmEmbedder(inner)
    model = BasicTextFieldEmbedder({"a": outer, "b": lstm, "c": other})
    found = all_word_embedders(torch.nn.ModuleDict({"model": model, "head": torch.nn.Linear(1, 1)}))
    assert len(found) == 2 and found[0] is outer and found[1] is lstm
    assert all_word_embedders(lstm) == [lstm] and all_word_embedders(other) == []
    assert isinstance(other, TokenEmbedder)


def test_the_embedders_of_a_text_in_the_order_of_their_vectors():
    names = ["words", "B", "a_b", "a", "a1"]
    parts = {name: CharNgramsEmbedder(4) for name in names}
    embedder = BasicTextFieldEmbedder(parts)
    found = direct_word_embedders(embedder)
    assert list(found) == embedder._ordered_embedder_keys == sorted(names)
    assert all(found[name] is parts[name] for name in names)
    assert direct_word_embedders(BasicTextFieldEmbedder({**parts, "c": EmptyEmbedder()})) == {}
    assert direct_word_embedders(torch.nn.Linear(1, 1)) == {}
