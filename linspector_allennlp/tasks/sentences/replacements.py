"""The forms that a form can be replaced by to break agreement."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Optional

from linspector_allennlp.languages import Language
from linspector_allennlp.tasks.sentences.annotation import own_token
from linspector_allennlp.tasks.sentences.casing import capital_first, lower_first, upper_first
from linspector_allennlp.tasks.sentences.paradigms import VERB, Paradigms, Reading
from linspector_allennlp.tasks.sentences.sentence_items import CorpusSentence, annotated

PART_OF_TOKEN = "part of a multiword token"

# What a treebank may call the parts of speech of UniMorph; anything else is another part of speech.
UPOS = {
    "Noun": {"NOUN"}, "Proper name": {"PROPN"}, "Adjective": {"ADJ"}, "Pronoun": {"PRON"},
    "Article": {"DET"}, "Determiner": {"DET"}, "Verb": {"VERB", "AUX"}, "Auxiliary": {"VERB", "AUX"},
    "Participle": {"VERB", "AUX", "ADJ"}, "Masdar": {"VERB", "NOUN"}, "Converb": {"VERB", "ADV"},
    "Numeral": {"NUM"}, "Adverb": {"ADV"}, "Adposition": {"ADP"},
}  # fmt: skip

THIRD = {"Person": ("Third person",), "Number": ("Singular",), "Tense": ("Present",)}


class Replacements:
    """
    The forms that a form can be replaced by to break agreement; each form is worked out once.

    # Parameters

    paradigms : `Paradigms`
    features : `Sequence[str]`
        In which agreement is broken.
    parts_of_speech : `Collection[str]`, optional
        Only forms of these.
    upos_of : `Mapping[str, Collection[str]]`, optional
        The parts of speech that a treebank has for forms.
    citation_forms : `bool`, optional (default = `False`)
        Whether verb forms that are written like the infinitive will do: where it is known that a
        form is not one.
    bare_infinitive : `bool`, optional (default = `False`)
        Whether the infinitive stands for all persons of the present but the third of the singular.
    """

    def __init__(
        self,
        paradigms: Paradigms,
        features: Sequence[str],
        parts_of_speech: Optional[Collection[str]] = None,
        upos_of: Optional[Mapping[str, Collection[str]]] = None,
        citation_forms: bool = False,
        bare_infinitive: bool = False,
    ) -> None:
        self._paradigms = paradigms
        self._features = features
        self._parts_of_speech = parts_of_speech
        self._upos_of = upos_of or {}
        self._citation_forms = citation_forms
        self._bare_infinitive = bare_infinitive
        self._known: dict[str, list[str]] = {}
        self._known_readings: dict[str, list[Reading]] = {}
        self._known_rests: dict[Any, tuple] = {}

    def of(self, form: str) -> list[str]:
        """Those of a form, sorted."""
        if form not in self._known:
            self._known[form] = self._found(form)
        return self._known[form]

    def in_sentence(self, token: str, place: int, language: Language) -> list[str]:
        """Those of a token; the first of a sentence may have its capital for that only."""
        found = self.of(token)
        if found or place or not capital_first(token):
            return found
        return [upper_first(form, language) for form in self.of(lower_first(token, language))]

    def readings(self, token: str, language: Language) -> list[Reading]:
        """What a token can be, as it is or with a small first letter."""
        found = self._paradigms.readings(token)
        return found or self._paradigms.readings(lower_first(token, language))

    def _found(self, form: str) -> list[str]:
        readings = self._usable(form)
        candidates = {
            other.form
            for reading in readings
            for other in self._paradigms.forms_of(reading.lemma)
            if self._rest(other) == self._rest(reading) and self._differ(other, reading)
        }
        broken = {other for other in candidates if self._breaks(other, readings)}
        return sorted(broken | self._infinitives(readings))

    def _infinitives(self, readings: Sequence[Reading]) -> set[str]:
        """The infinitives that break agreement: those of a present third person singular."""
        third = [
            reading for reading in readings if THIRD.items() <= reading.analysis.values.items()
        ]
        if not self._bare_infinitive or not third or len(third) < len(readings):
            return set()
        forms = {form for reading in third for form in self._paradigms.infinitives(reading.lemma)}
        return {form for form in forms if self._of_one_part(form)}

    def _usable(self, form: str) -> list[Reading]:
        """The readings of a form; none if it can be another part of speech, or an infinitive."""
        if form not in self._known_readings:
            self._known_readings[form] = self._usable_readings(form)
        return self._known_readings[form]

    def _usable_readings(self, form: str) -> list[Reading]:
        readings = self._of_one_part(form)
        if self._citation_forms or not any(reading.pos == VERB for reading in readings):
            return readings
        return [] if any(map(self._paradigms.is_citation_form, readings)) else readings

    def _of_one_part(self, form: str) -> list[Reading]:
        """The readings of a form; none if they, or the treebank, are of several parts of speech."""
        readings = self._paradigms.readings(form)
        parts = {reading.pos for reading in readings}
        if len(parts) != 1 or (self._parts_of_speech and not parts <= set(self._parts_of_speech)):
            return []
        (part,) = parts
        return readings if set(self._upos_of.get(form, ())) <= UPOS.get(part, set()) else []

    def _breaks(self, form: str, readings: Sequence[Reading]) -> bool:
        """Whether no reading of a form could stand where these can."""
        others = [reading for reading in self._usable(form) if reading.values(self._features)]
        return bool(others) and not any(
            self._could_stand_for(other, one)
            for one in readings
            for other in others
            if one.values(self._features)
        )

    def _could_stand_for(self, other: Reading, one: Reading) -> bool:
        """
        Whether two readings agree with the same; in another tense or mood only where they have the same
        features: an imperative without a person is not right for every person.
        """
        same = other.values(self._features).keys() == one.values(self._features).keys()
        return (same or self._rest(other) == self._rest(one)) and not self._differ(one, other)

    def _rest(self, reading: Reading) -> tuple:
        """The part of speech and all features but these."""
        key = (reading.analysis.tags, reading.analysis.unknown)
        if key not in self._known_rests:
            self._known_rests[key] = reading.rest(self._features)
        return self._known_rests[key]

    def _differ(self, one: Reading, other: Reading) -> bool:
        """Whether there is a feature that both have, and no value that both can have."""
        first, second = one.values(self._features), other.values(self._features)
        return any(not set(first[name]) & set(second[name]) for name in first if name in second)


def forms_by_upos(sentences: Sequence[CorpusSentence], language: Language) -> dict[str, set[str]]:
    """
    The parts of speech that the treebank has for each token; tokens of several words have none of their
    own. The first token of a sentence counts for its small letters too, unless it is a name.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for _, some in annotated(sentences):
        tokens, place_of, whole = own_token(some)
        for word, place, alone in zip(some.words, place_of, whole):
            upos = word.upos if alone else PART_OF_TOKEN
            if upos:
                found[tokens[place]].add(upos)
                if place == 0 and upos != "PROPN" and capital_first(tokens[0]):
                    found[lower_first(tokens[0], language)].add(upos)
    return dict(found)
