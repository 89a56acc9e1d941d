"""Tasks about one word of a sentence: which is in it (WC), is it another of a list (`--replace`)?"""

from collections.abc import Iterator, Sequence

from linspector_allennlp.tasks.sentences.casing import upper_first
from linspector_allennlp.tasks.sentences.chance import Chance
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    SentenceTask,
    item,
)
from linspector_allennlp.tasks.sentences.word_choice import middle_nouns
from linspector_allennlp.tasks.task_data import TooLittleData

ORIGINAL, CHANGED = "O", "C"


def wc_words(sentences: Sequence[CorpusSentence], given: Given) -> list[str]:
    """The words that are given, or nouns of the treebank."""
    words = given.settings.get("wc_words")
    if words:
        return list(words)
    count = int(given.settings.get("wc_count", 30))
    return middle_nouns(sentences, count, int(given.settings.get("wc_skip", 30)))


def make_wc(sentences: Sequence[CorpusSentence], given: Given) -> Iterator[SentenceItem]:
    """Which of the words is in the sentence? Only sentences with exactly one of them, once."""
    words = set(wc_words(sentences, given))
    for sentence in sentences:
        found = [token for token in sentence.tokens if token in words]
        if len(found) == 1:
            yield item(sentence, found[0])


def replacement_task(name: str, words: Sequence[str]) -> SentenceTask:
    """
    A task of the replacement family (articles, prepositions, …): `C` if a word of the list has been
    replaced by another of the list, `O` if the sentence is as it was. A sentence with several of them
    has one that is looked at, by chance; and it is there in one of the versions, by chance. A word at
    the beginning of a sentence is found with a capital too, which its replacement then has.

    # Parameters

    name : `str`
        That of the task; another name is another chance.
    words : `Sequence[str]`
        Two or more.
    """

    def make(sentences: Sequence[CorpusSentence], given: Given) -> Iterator[SentenceItem]:
        capitals = {upper_first(word, given.language): word for word in words}
        # A form of the list wins over another with a capital.
        listed = {**capitals, **{word: word for word in words}}
        found = False
        for sentence in sentences:
            places = [i for i, token in enumerate(sentence.tokens) if token in listed]
            if not places:
                continue
            found = True
            chance = Chance(given.seed, f"replace {name}", sentence.text)
            is_changed, place = chance.coin(), chance.one_of(places)
            if not is_changed:
                yield item(sentence, ORIGINAL)
                continue
            token, word = sentence.tokens[place], listed[sentence.tokens[place]]
            other = chance.one_of([each for each in words if each != word])
            other = other if token == word else upper_first(other, given.language)
            yield item(
                sentence, CHANGED, [*sentence.tokens[:place], other, *sentence.tokens[place + 1 :]]
            )
        if not found:
            raise TooLittleData("no sentence has a word of the list")

    return SentenceTask(
        make, takes_text=True, facts=lambda sentences, given: {"words": list(words)}
    )
