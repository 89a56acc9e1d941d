from allennlp.common.checks import ConfigurationError
from allennlp.data import Token, TokenIndexer
from allennlp.data.token_indexers import TokenCharactersIndexer
from allennlp.data.tokenizers import CharacterTokenizer

NAMESPACE = "character_ngrams"

START, END = "⟨", "⟩"
"""The marks of the two ends of a word; not the brackets of a keyboard, which words may have."""


def character_ngrams(word: str, n: int, lowercase: bool = True) -> list[str]:
    """The n-grams of a word between marks of its ends; all of it, where it is shorter."""
    marked = f"{START}{word.lower() if lowercase else word}{END}"
    return [marked[i : i + n] for i in range(max(1, len(marked) - n + 1))]


class NgramTokenizer(CharacterTokenizer):
    """The n-grams of a word, where AllenNLP has its characters."""

    def __init__(self, n: int, lowercase: bool) -> None:
        super().__init__()
        self._n = n
        self._lowercase = lowercase

    def tokenize(self, text: str) -> list[Token]:
        return [Token(ngram) for ngram in character_ngrams(text, self._n, self._lowercase)]


@TokenIndexer.register("character_ngrams")
class CharacterNgramsIndexer(TokenCharactersIndexer):
    """
    Numbers for the character n-grams of a word, each in its order, for a model that learns their vectors.

    Registered as a `TokenIndexer` with name "character_ngrams".

    # Parameters

    n : `int`, optional (default = `3`)
    lowercase : `bool`, optional (default = `True`)
    """

    def __init__(self, n: int = 3, lowercase: bool = True) -> None:
        if n < 1:
            raise ConfigurationError(f"n: expected 1 or more, found {n}.")
        super().__init__(
            namespace=NAMESPACE,
            character_tokenizer=NgramTokenizer(n, lowercase),
            min_padding_length=1,
        )
