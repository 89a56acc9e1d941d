"""
Labels of whole sentences that a treebank's trees and features give: the voice, the number of subject and
object, the tense of the main verb, negation. The sentences stay as they are.
"""

from collections.abc import Sequence
from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sentences.annotation import (
    analysed_sentences,
    dependents,
    relation,
    root_of,
    ud_features,
)
from linspector_allennlp.tasks.sentences.choices import one_of_each
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.treebanks import Sentence, Word

PASSIVE, ACTIVE = "passive", "active"
NEGATED, AFFIRMATIVE = "negated", "affirmative"
NUMBERS = ("Sing", "Plur")

FEATURE_RULE, AUXILIARY_RULE, RELATION_RULE = "feat", "aux:pass", "any_pass"
VOICE_RULES = {
    FEATURE_RULE: "Voice=Pass in its column FEATS",
    AUXILIARY_RULE: "the relation aux:pass",
    RELATION_RULE: "a relation that ends in :pass",
}
# Elsewhere the passive is in the verb's form; Turkish IMST has not one aux:pass.
AUXILIARY_LANGUAGES = {"en", "de", "ru"}


def voice(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    Voice: `passive` if there is a passive construction anywhere in the sentence, else `active`. Rules
    (setting `voice_rule`): `feat`, a word with exactly `Voice=Pass` (causative passives, `Voice=CauPass`,
    are none: so 810 sentences of Turkish IMST, as the study has them); `aux:pass`, a word of that relation;
    `any_pass`, a relation that ends in `:pass`, subjects too. The default is `aux:pass` for English, German
    and Russian, whose `Voice=Pass` is on bare participles too, and `feat` for other languages.
    """
    rule = voice_rule(given)
    found = analysed_sentences(sentences, heads=rule != FEATURE_RULE)
    passives = [any(_is_passive(word, rule) for word in some.words) for _, some in found]
    if not any(passives):
        raise TooLittleData(
            f"no word has {VOICE_RULES[rule]} (voice_rule {rule!r}; there are {', '.join(VOICE_RULES)})"
        )
    return [
        item(sentence, PASSIVE if passive else ACTIVE)
        for (sentence, _), passive in zip(found, passives)
    ]


def voice_rule(given: Given) -> str:
    """The rule that is given, or that of the language."""
    default = AUXILIARY_RULE if given.language.iso1 in AUXILIARY_LANGUAGES else FEATURE_RULE
    rule = given.settings.get("voice_rule") or default
    if rule not in VOICE_RULES:
        raise ConfigurationError(f"voice_rule: no {rule!r}. There are {', '.join(VOICE_RULES)}.")
    return rule


def _is_passive(word: Word, rule: str) -> bool:
    if rule == FEATURE_RULE:
        return ud_features(word.feats).get("Voice") == "Pass"
    return word.deprel == "aux:pass" if rule == AUXILIARY_RULE else word.deprel.endswith(":pass")


def subject_number(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    SubjNum: `Sing` or `Plur`, the number of the one `nsubj` in the whole sentence, whatever its head.
    Sentences with several are left out; `nsubj:pass`, `nsubj:outer` and `csubj` are not counted.
    """
    return [
        item(sentence, number)
        for sentence, some in analysed_sentences(sentences, heads=True, features=["Number"])
        if (number := _number_of_one([w for w in some.words if w.deprel == "nsubj"]))
    ]


def object_number(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    ObjNum: `Sing` or `Plur`, the number of the one `obj` whose head is the root. Sentences with several
    such are left out. The root need not be a VERB: what has an object is a predicate, and treebanks
    tag some as nouns or adjectives (`Turkish IMST`: 141 of 1,067 and 32 of 262).
    """
    items = []
    for sentence, some in analysed_sentences(sentences, heads=True, features=["Number"]):
        root = root_of(some)
        objects = [w for w in dependents(some, root) if w.deprel == "obj"] if root else []
        number = _number_of_one(objects)
        if number:
            items.append(item(sentence, number))
    return items


def _number_of_one(words: Sequence[Word]) -> Optional[str]:
    """The number of the word if it is one, and in the singular or plural."""
    if len(words) != 1:
        return None
    number = ud_features(words[0].feats).get("Number")
    return number if number in NUMBERS else None


def tense(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    Tense: the `Tense` of the root, which must be a finite verb: UPOS VERB, and VerbForm `Fin` or none.
    Compound tenses are left out: those where an auxiliary of the root has a Tense of its own. `Past` and
    `Pres`, and what else the language has (setting `tenses`: the ones to keep). Items are grouped by the
    form of the verb, small letters, so that no form is in two splits: it would only be remembered.
    """
    wanted = given.settings.get("tenses")
    wanted = wanted.split(",") if isinstance(wanted, str) else wanted
    found = analysed_sentences(one_of_each(sentences), upos=True, heads=True, features=["Tense"])
    items = []
    for sentence, some in found:
        root = root_of(some)
        label = _tense_of(some, root) if root else None
        if root and label and (not wanted or label in wanted):
            items.append(item(sentence, label)._replace(group=root.form.lower()))
    return items


def _tense_of(sentence: Sentence, root: Word) -> Optional[str]:
    features = ud_features(root.feats)
    if root.upos != "VERB" or features.get("VerbForm", "Fin") != "Fin":
        return None
    auxiliaries = [word for word in dependents(sentence, root) if relation(word) == "aux"]
    if any("Tense" in ud_features(word.feats) for word in auxiliaries):
        return None
    value = features.get("Tense")
    return None if value is None or "," in value else value


def negation(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """Negation: `negated` if any word has `Polarity=Neg`, else `affirmative`."""
    found = analysed_sentences(sentences, features=["Polarity=Neg"])
    return [
        item(sentence, NEGATED if _is_negated(some) else AFFIRMATIVE) for sentence, some in found
    ]


def _is_negated(sentence: Sentence) -> bool:
    return any(ud_features(word.feats).get("Polarity") == "Neg" for word in sentence.words)
