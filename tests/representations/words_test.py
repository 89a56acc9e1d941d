import torch
from allennlp.data import Token, Vocabulary
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations import WordFormIndexer
from linspector_allennlp.representations.words import decode_words, encode_words

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


def test_padding_that_is_given():
    assert encode_words([["ab", "c"]], num_tokens=3, num_characters=2).tolist() == [
        [[97, 98], [99, 0], [0, 0]]
    ]
    assert encode_words([["ab", "c"]], num_tokens=1, num_characters=3).tolist() == [[[97, 98, 0]]]
    assert encode_words([[]], num_tokens=0, num_characters=1).shape == (1, 0, 1)
