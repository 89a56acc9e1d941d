"""
Broken agreement: a form is replaced by another of its lemma that differs in person and number, or in any
other feature, and in nothing else.
"""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources.schema import LANGUAGE_SPECIFIC, NUMBER, PERSON, POS, dimensions
from linspector_allennlp.tasks.sentences.choices import chosen, coins
from linspector_allennlp.tasks.sentences.paradigms import VERB
from linspector_allennlp.tasks.sentences.replacements import Replacements, forms_by_upos
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    SentenceTask,
    item,
)
from linspector_allennlp.tasks.task_data import TooLittleData

INTACT, BROKEN = "intact", "broken"

BARE_LANGUAGES = {"en"}


def subject_verb_agreement(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    SVAgree: `intact`, or `broken` where a verb form was replaced by one of another person or number of the
    same lemma and tense (all other features equal).

    Left out are forms that are written like the lemma or its infinitive, forms that the paradigms or the
    treebank also have as another part of speech, and replacements that can be read in the person and number
    of the form. In English, where all persons of the present but one look like the infinitive, that one is
    replaced by it (setting `svagree_infinitive`, true or false; true for English only).

    As in the study no subject is asked for: where a language can do without, some sentences that are called
    broken are well-formed and mean another person.
    """
    bare = given.settings.get("svagree_infinitive")
    bare = given.language.iso1 in BARE_LANGUAGES if bare is None else bare
    if not isinstance(bare, bool):
        raise ConfigurationError(f"svagree_infinitive: expected true or false, found {bare!r}.")
    return _agreement(sentences, given, (PERSON, NUMBER), "SVAgree", {VERB}, bare)


def agreement_task(feature: str) -> SentenceTask:
    """
    The task of `intact` sentences and those `broken` by a form that differs in one feature only: Number or
    Gender of nouns and adjectives, Person of verbs, and so on.

    # Parameters

    feature : `str`
        A dimension of the UniMorph schema.
    """
    known = {name.lower(): name for name in dimensions() if name not in (POS, LANGUAGE_SPECIFIC)}
    name = known.get(feature.lower())
    if name is None:
        raise ConfigurationError(
            f"--agreement: no feature {feature!r}. There are {', '.join(known.values())}."
        )
    make = partial(_agreement, features=(name,), purpose=f"agreement in {name}")
    return SentenceTask(make, takes_text=True)


def _agreement(
    sentences: Sequence[CorpusSentence],
    given: Given,
    features: Sequence[str],
    purpose: str,
    parts_of_speech: Optional[Collection[str]] = None,
    bare_infinitive: bool = False,
) -> list[SentenceItem]:
    if given.paradigms is None:
        raise TooLittleData(
            "it needs the forms of a UniMorph file, and none was given (--unimorph)"
        )
    upos_of = forms_by_upos(sentences, given.language)
    others = Replacements(
        given.paradigms, features, parts_of_speech, upos_of, bare_infinitive=bare_infinitive
    )
    items = []
    texts = [sentence.text for sentence in sentences]
    for sentence, text, broken in zip(sentences, texts, coins(texts, given.seed, purpose)):
        places = {
            str(place): options
            for place, token in enumerate(sentence.tokens)
            if (options := others.in_sentence(token, place, given.language))
        }
        if not places:
            continue
        place = chosen(list(places), text, given.seed, f"{purpose}: place")
        form = chosen(places[place], text, given.seed, f"{purpose}: form")
        tokens = list(sentence.tokens)
        if broken:
            tokens[int(place)] = form
        items.append(item(sentence, BROKEN if broken else INTACT, tokens))
    if not items:
        what = " and ".join(features)
        raise TooLittleData(
            f"no sentence has a form of the UniMorph file with another of its lemma that differs in {what} only"
        )
    return items
