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
