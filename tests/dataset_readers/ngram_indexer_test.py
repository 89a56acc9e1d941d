import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Token, TokenIndexer, Vocabulary

from linspector_allennlp.dataset_readers.ngram_indexer import NAMESPACE, character_ngrams


def test_ngrams():
    assert character_ngrams("Talo", 3) == ["⟨ta", "tal", "alo", "lo⟩"]
    assert character_ngrams("A", 3, lowercase=False) == ["⟨A⟩"]
    assert character_ngrams("ab", 5) == ["⟨ab⟩"], "all of a short word"
    assert character_ngrams("ab", 1) == ["⟨", "a", "b", "⟩"]


def test_the_indexer():
    indexer = TokenIndexer.from_params(Params({"type": "character_ngrams"}))
    counter = {NAMESPACE: dict.fromkeys(["⟨ta", "tal", "alo", "lo⟩"], 0)}
    indexer.count_vocab_items(Token("Talo"), counter)
    assert set(counter[NAMESPACE].values()) == {1}
    vocab = Vocabulary(counter)
    indices = indexer.tokens_to_indices([Token("talo"), Token("tala")], vocab)
    first, second = indices["token_characters"]
    assert len(set(first)) == 4 and first[:2] == second[:2]
    assert second[2:] == [1, 1], "unknown"
    with pytest.raises(ConfigurationError, match="n: expected 1 or more, found 0"):
        TokenIndexer.from_params(Params({"type": "character_ngrams", "n": 0}))
