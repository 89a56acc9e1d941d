"""Sentences with one violation of word order or agreement, and sentences that could have had one."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.languages import Language
from linspector_allennlp.sources.schema import NUMBER, PERSON
from linspector_allennlp.tasks.sentences.agreement import BROKEN, INTACT
from linspector_allennlp.tasks.sentences.annotation import (
    Analysed,
    analysed_sentences,
    dependents,
    own_token,
    relation,
    ud_features,
)
from linspector_allennlp.tasks.sentences.casing import capital_first, lower_first
from linspector_allennlp.tasks.sentences.choices import chosen, coins, one_of_each
from linspector_allennlp.tasks.sentences.paradigms import Paradigms, Reading
from linspector_allennlp.tasks.sentences.replacements import Replacements
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.tasks.sentences.word_order import RELATIONS, wrong_orders
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.treebanks import Sentence, Word

ORDER, AGREEMENT = "order", "agreement"
VIOLATIONS = (ORDER, AGREEMENT)
NUMBERS = {"Sing": "Singular", "Plur": "Plural"}
PERSONS = {"1": "First person", "2": "Second person", "3": "Third person"}
MODIFIERS = {"amod", "det", "nummod"}


class _Agreements(NamedTuple):
    """What verbs and what modifiers of nouns can be replaced by."""

    verbs: list[Replacements]
    modifiers: list[Replacements]


def grammaticality(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    Grammaticality: `intact`, or `broken` by one violation (setting `violations`: `order`, `agreement`, both
    by default, and where both are possible one of them by hash); a sentence is in one version.

    Word order: one word goes to the other side of the phrase of its head, two places or more (`word_order`).
    Its relation is one of those whose side is fixed nearly everywhere (setting
    `grammaticality_relations`: det, case, mark, aux, cop, clf, nummod, amod, nmod:poss). Agreement: a verb
    that has a subject is replaced by a form of its lemma and tense that has neither its own person and number
    nor the subject's, or a modifier of a
    noun by another gender or number; forms are those of the UniMorph file if one is given, and those that
    the treebank itself shows.

    Sentences in which nothing can be broken are left out, so that both classes are of the same kind; what
    would be broken into a sentence of the corpus is none.
    """
    violations = _names(given, "violations", VIOLATIONS)
    if not violations or not set(violations) <= set(VIOLATIONS):
        raise ConfigurationError(
            f"violations: expected some of {', '.join(VIOLATIONS)}; found {', '.join(violations)!r}."
        )
    relations = _names(given, "grammaticality_relations", RELATIONS)
    found = analysed_sentences(one_of_each(sentences), upos=True, heads=True)
    agreements = _agreements(found, given) if AGREEMENT in violations else None
    known = {sentence.tokens for sentence in sentences}
    texts = [sentence.text for sentence, _ in found]
    items = []
    for (sentence, some), text, broken in zip(
        found, texts, coins(texts, given.seed, "Grammaticality")
    ):
        ways: dict[str, list[tuple[str, ...]]] = {}
        if ORDER in violations:
            ways[ORDER] = [move.of(sentence.tokens) for move in wrong_orders(some, relations)]
        if agreements:
            ways[AGREEMENT] = list(_disagreements(some, agreements, given.language))
        ways = {
            name: [tokens for tokens in made if tokens not in known] for name, made in ways.items()
        }
        names = [name for name, made in ways.items() if made]
        if not names:
            continue
        way = ways[chosen(names, text, given.seed, "Grammaticality: violation")]
        by_text = {" ".join(tokens): tokens for tokens in way}
        tokens = by_text[chosen(list(by_text), text, given.seed, "Grammaticality: place")]
        items.append(item(sentence, BROKEN, tokens) if broken else item(sentence, INTACT))
    if not items:
        raise TooLittleData(f"no sentence can be broken in {' or '.join(violations)}")
    return items


def _names(given: Given, setting: str, default: Sequence[str]) -> Sequence[str]:
    value = given.settings.get(setting) or default
    return [name.strip() for name in value.split(",")] if isinstance(value, str) else list(value)


def _agreements(found: Sequence[Analysed], given: Given) -> _Agreements:
    """The treebank says that a word is a verb with a subject: it is no infinitive, whatever it looks like."""
    sources = [Paradigms.of_words(_inner_words(found, given.language))]
    if given.paradigms is not None:
        sources.insert(0, given.paradigms)
    return _Agreements(
        [Replacements(each, (PERSON, NUMBER), ["Verb"], citation_forms=True) for each in sources],
        [
            Replacements(each, (feature,), ["Adjective", "Determiner", "Article", "Numeral"])
            for each in sources
            for feature in (NUMBER, "Gender")
        ],
    )


def _inner_words(found: Sequence[Analysed], language: Language) -> Iterator[Word]:
    """The words that are tokens, as they are written inside a sentence; without odd capitals."""
    for _, sentence in found:
        _, place_of, whole = own_token(sentence)
        for word, place, alone in zip(sentence.words, place_of, whole):
            if not alone or not word.feats or word.lemma in ("", "_"):
                continue
            if place == 0 and not capital_first(word.lemma):
                word = word._replace(form=lower_first(word.form, language))
            as_lemma = capital_first(word.form) == capital_first(word.lemma)
            if as_lemma and word.form[1:] == word.form[1:].lower():
                yield word


def _disagreements(
    sentence: Sentence, agreements: _Agreements, language: Language
) -> Iterator[tuple[str, ...]]:
    tokens, place_of, whole = own_token(sentence)
    for word, place, alone in zip(sentence.words, place_of, whole):
        if not alone:
            continue
        subjects = [other for other in dependents(sentence, word) if relation(other) == "nsubj"]
        for replacements in _that_break(sentence, word, subjects, agreements):
            for form in replacements.in_sentence(tokens[place], place, language):
                readings = replacements.readings(form, language)
                if not any(_agrees(each, subject) for each in readings for subject in subjects):
                    yield (*tokens[:place], form, *tokens[place + 1 :])


def _that_break(
    sentence: Sentence, word: Word, subjects: Sequence[Word], agreements: _Agreements
) -> list[Replacements]:
    if word.upos in ("VERB", "AUX"):
        return agreements.verbs if subjects else []
    head = sentence.words[word.head - 1] if word.head else None
    modifies = relation(word) in MODIFIERS and head is not None and head.upos in ("NOUN", "PROPN")
    return agreements.modifiers if modifies else []


def _agrees(verb: Reading, subject: Word) -> bool:
    """
    Whether a form would be right with its subject, though it differs from the one that was there: the
    verb of a Turkish plural may be singular or plural.
    """
    features = ud_features(subject.feats)
    wanted = {
        NUMBER: NUMBERS.get(features.get("Number", "")),
        PERSON: PERSONS.get(features.get("Person", "3")),
    }
    values = verb.values((PERSON, NUMBER))
    return bool(values) and all(wanted[name] in (None, *some) for name, some in values.items())
