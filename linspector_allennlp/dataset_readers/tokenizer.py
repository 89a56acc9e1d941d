from collections.abc import Sequence
from typing import Optional, Union

from allennlp.data import Token, Tokenizer

from linspector_allennlp.tokenizing import words_and_punctuation


@Tokenizer.register("words_and_punctuation")
class WordsAndPunctuation(Tokenizer):
    """
    Words, and punctuation marks on their own, in any language that puts spaces between words.

    Registered as a `Tokenizer` with name "words_and_punctuation".
    """

    def __init__(self) -> None:
        """Without any settings, so that a wrong one is named."""

    def tokenize(self, text: str) -> list[Token]:
        return [Token(token) for token in words_and_punctuation(text)]


def tokens_of(
    text: Union[str, Sequence[str]], tokenizer: Optional[Tokenizer], name: str = "sentence"
) -> list[str]:
    """The tokens of a text, by default what is between spaces; a list has them already."""
    if not isinstance(text, str):
        tokens = list(text)
    elif tokenizer is not None:
        tokens = [token.ensure_text() for token in tokenizer.tokenize(text)]
    else:
        # Not at all white space: a token of a treebank may have a no-break space in it.
        tokens = [token for token in text.split(" ") if token.strip()]
    if not tokens:
        raise ValueError(f"expected a {name} with words in it, found {text!r}.")
    return tokens
