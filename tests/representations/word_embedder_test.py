import torch
from allennlp.data import Token, Vocabulary
from allennlp.modules import TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import EmptyEmbedder
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations import RandomBiLstmEmbedder, WordFormIndexer
from linspector_allennlp.representations.char_ngrams import CharNgramsEmbedder
from linspector_allennlp.representations.word_embedder import (
    WordEmbedder,
    decode_words,
    encode_words,
    word_embedders,
)

# Any characters, also surrogates; but a "\0" at the end of a word is padding.
WORDS = st.text(st.characters(), min_size=1, max_size=5).filter(lambda word: word[-1] != "\0")


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=4))
def test_words_there_and_back(sentences):
    code_points = encode_words(sentences)
    longest = max(map(len, sentences))
    width = max(len(word) for words in sentences for word in words)
    assert code_points.shape == (len(sentences), longest, width)
    assert code_points.dtype == torch.int32
    padded = [words + [""] * (longest - len(words)) for words in sentences]
    assert decode_words(code_points).tolist() == padded


@given(st.lists(WORDS, min_size=1, max_size=4))
def test_as_the_indexer_does_it(words):
    indexer = WordFormIndexer()
    indexed = indexer.tokens_to_indices([Token(word) for word in words], Vocabulary())
    tensors = indexer.as_padded_tensor_dict(indexed, indexer.get_padding_lengths(indexed))
    assert torch.equal(tensors["code_points"], encode_words([words])[0])


def test_by_hand():
    assert encode_words([["aä"], ["b", "😀"]]).tolist() == [
        [[97, 228], [0, 0]],
        [[98, 0], [0x1F600, 0]],
    ]
    rows = encode_words([["ab", "c"]])
    for other in (rows.long(), rows.transpose(1, 2).contiguous().transpose(1, 2)):
        assert decode_words(other).tolist() == [["ab", "c"]]


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
    found = word_embedders(torch.nn.ModuleDict({"model": model, "head": torch.nn.Linear(1, 1)}))
    assert len(found) == 2 and found[0] is outer and found[1] is lstm
    assert word_embedders(lstm) == [lstm] and word_embedders(other) == []
    assert isinstance(other, TokenEmbedder)
