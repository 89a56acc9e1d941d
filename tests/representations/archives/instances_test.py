from typing import Dict, List, Optional, Sequence  # noqa: UP035

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, Token
from allennlp.data.fields import MetadataField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import CharacterTokenizer, WhitespaceTokenizer

from linspector_allennlp.representations.archives.instances import SentenceInstances

WORDS = ("Talo", "on", "suuri")
INDEXERS = {"tokens": SingleIdTokenIndexer()}


def instance_of(tokens, **others):
    fields = {name: MetadataField(value) for name, value in others.items()}
    return Instance({**fields, "text": TextField(tokens, INDEXERS)})


class TokensReader(DatasetReader):
    def text_to_instance(self, tokens: List[Token], tags: List[str] = None) -> Instance:  # noqa: UP006
        assert tags is None
        return instance_of(tokens)


class StringsReader(DatasetReader):
    def text_to_instance(self, words: Sequence[str]) -> Instance:
        return instance_of([Token(word) for word in words])


class BareReader(DatasetReader):
    def text_to_instance(self, words, *, label=None):
        return instance_of([Token(word) for word in words])


class LateReader(DatasetReader):
    """Its annotations are strings, one of them of a name that is not there."""

    def text_to_instance(self, words: "List[str]", label: "Optional[Nowhere]" = None) -> "Instance":  # noqa: F821, UP006
        return instance_of([Token(word) for word in words])


class TextReader(DatasetReader):
    tokenizer = WhitespaceTokenizer()

    def text_to_instance(self, text: Optional[str], label: str = None) -> Instance:
        return instance_of(self.tokenizer.tokenize(text))


class DemandingReader(DatasetReader):
    def text_to_instance(
        self,
        words: list[str],
        tags: list[str],
        verbs: Optional[list[int]],
        hint: str,
        weight: float,
    ) -> Instance:
        return instance_of(
            [Token(w) for w in words], tags=tags, verbs=verbs, hint=hint, weight=weight
        )


@pytest.mark.parametrize(
    "reader", [TokensReader, StringsReader, BareReader, LateReader, TextReader]
)
def test_words_in_the_form_that_the_reader_takes(reader):
    instance, field = SentenceInstances(reader()).instance(WORDS)
    assert field == "text"
    assert tuple(token.text for token in instance[field].tokens) == WORDS


def test_more_than_words():
    extra = {"tags": "X", "verbs": "0", "hint": "why?", "weight": "0.5"}
    instance, _ = SentenceInstances(DemandingReader(), extra).instance(WORDS)
    found = {name: instance[name].metadata for name in extra}
    assert found == {"tags": ["X"] * 3, "verbs": [0] * 3, "hint": "why?", "weight": 0.5}
    with pytest.raises(ConfigurationError, match='needs more than words: tags, hint.*"tags": "X"'):
        SentenceInstances(DemandingReader(), {"verbs": "0", "weight": "1"})
    with pytest.raises(ConfigurationError, match="a number for verbs, found 'X'"):
        SentenceInstances(DemandingReader(), {**extra, "verbs": "X"}).instance(WORDS)
    with pytest.raises(ConfigurationError, match="TextReader takes no tags, only label"):
        SentenceInstances(TextReader(), {"tags": "X"})


def test_readers_that_take_no_words():
    class OddReader(DatasetReader):
        def text_to_instance(self, table: Dict[str, str]) -> Instance:  # noqa: UP006
            raise AssertionError

    with pytest.raises(
        ConfigurationError, match="OddReader: expected text_to_instance.*found table"
    ):
        SentenceInstances(OddReader()).instance(WORDS)
    with pytest.raises(ConfigurationError, match="found none"):
        SentenceInstances(DatasetReader())


def test_readers_that_tokenise_on_their_own():
    class LettersReader(TextReader):
        tokenizer = CharacterTokenizer()

    class BoundsReader(TokensReader):
        def text_to_instance(self, tokens: List[Token]) -> Instance:  # noqa: UP006
            return instance_of([Token("@@START@@"), *tokens])

    with pytest.raises(
        ValueError, match="expected 3 tokens.*'Talo on suuri', found 13: this reader"
    ):
        SentenceInstances(LettersReader()).instance(WORDS)
    with pytest.raises(ValueError, match="expected 3 tokens.*found 4"):
        SentenceInstances(BoundsReader()).instance(WORDS)


def test_a_word_with_a_space_in_it():
    assert SentenceInstances(StringsReader()).instance(("New York",))
    with pytest.raises(ValueError, match="expected 1 tokens.*found 2"):
        SentenceInstances(TextReader()).instance(("New York",))


def test_instances_without_text():
    class LabelReader(DatasetReader):
        def text_to_instance(self, words: list[str]) -> Instance:
            return Instance({"meta": MetadataField(words)})

    with pytest.raises(ConfigurationError, match="found the fields meta"):
        SentenceInstances(LabelReader()).instance(WORDS)
