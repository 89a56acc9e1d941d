"""The words that tasks are about, chosen from a treebank: nouns in the middle, the most frequent noun."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from linspector_allennlp.tasks.sentences.sentence_items import CorpusSentence, annotated
from linspector_allennlp.tasks.sentences.surface_words import number_of_letters
from linspector_allennlp.tasks.task_data import TooLittleData

NOUN = "NOUN"
# Of the occurrences of a form; a few are always tagged otherwise.
MOSTLY = 0.9


def nouns(sentences: Sequence[CorpusSentence]) -> set[str]:
    """Forms, as they are spelt, that are nouns nine times of ten, and words by themselves."""
    occurrences: Counter = Counter()
    as_nouns: Counter = Counter()
    for sentence, analysis in annotated(sentences):
        occurrences.update(sentence.tokens)
        _, place_of = analysis.surface_tokens()
        words_at = Counter(place_of)
        as_nouns.update(
            word.form
            for word, place in zip(analysis.words, place_of)
            if word.upos == NOUN and words_at[place] == 1 and number_of_letters(word.form)
        )
    return {form for form, number in as_nouns.items() if number >= MOSTLY * occurrences[form]}


def middle_nouns(sentences: Sequence[CorpusSentence], count: int, skip: int) -> list[str]:
    """
    Nouns of middle frequency: by the number of sentences of the treebank that have them, the first
    `skip` are left out and the next `count` taken. Ties are broken by the alphabet.
    """
    ranked = _ranked(nouns(sentences), _each_once(sentence for sentence, _ in annotated(sentences)))
    if not ranked:
        raise TooLittleData(_WITHOUT_NOUNS.format(option="--wc-words FILE"))
    if len(ranked) < skip + 2:
        raise TooLittleData(f"{len(ranked):,} nouns, more than {skip + 1:,} needed")
    return ranked[skip : skip + count]


def most_frequent_noun(sentences: Sequence[CorpusSentence], least_length: int) -> str:
    """That which the most sentences of the treebank of this length or more have exactly once."""
    found = nouns(sentences)
    if not found:
        raise TooLittleData(_WITHOUT_NOUNS.format(option="--wo-noun WORD"))
    long_enough = (each for each, _ in annotated(sentences) if len(each.tokens) >= least_length)
    ranked = _ranked(found, _just_once(long_enough))
    if not ranked:
        raise TooLittleData(f"no noun in a sentence of {least_length} tokens or more")
    return ranked[0]


_WITHOUT_NOUNS = "no word of a treebank is a NOUN, and no word is given ({option})"


def _each_once(sentences: Iterable[CorpusSentence]) -> Iterator[str]:
    for sentence in sentences:
        yield from set(sentence.tokens)


def _just_once(sentences: Iterable[CorpusSentence]) -> Iterator[str]:
    for sentence in sentences:
        yield from (token for token, number in Counter(sentence.tokens).items() if number == 1)


def _ranked(wanted: set[str], tokens: Iterable[str]) -> list[str]:
    counts = Counter(token for token in tokens if token in wanted)
    return sorted(counts, key=lambda word: (-counts[word], word))
