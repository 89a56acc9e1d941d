"""
The UniMorph schema: which dimension a tag belongs to, and what its value is called in the data
that LINSPECTOR released. The table is `unimorph_schema.tsv`; a tag that means something else in a
resource that also uses another one (Turkish `INTR` beside `DECL`) has that one in column `beside`.
"""

import itertools
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple, Optional

POS = "POS"
PERSON = "Person"
NUMBER = "Number"
LANGUAGE_SPECIFIC = "Language-Specific"

# The features that the study has tasks for, besides part of speech.
STUDY_FEATURES = (
    "Case", "Gender", "Mood", "Number", "Person", "Polarity", "Possession", "Tense", "Voice",
)  # fmt: skip

PERSONS = ("First person", "Second person", "Third person")
NUMBERS = ("Singular", "Plural")
VERB_FORMS = {"Participle", "Masdar", "Converb"}


class Meaning(NamedTuple):
    dimension: str
    name: str


class Analysis(NamedTuple):
    """
    One reading of a word: the value of each dimension by its readable name. Several values are
    alternatives among which the resource leaves it open (`NOM/ACC`); parts of one value are
    joined by a plus (`AT+ABL` is "Ablative+At").
    """

    tags: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]
    unknown: tuple[str, ...]


class Schema:
    """
    Reads tags by a table.

    # Parameters

    used : `Iterable[str]`
        The elementary tags that the resource uses, which decide between two meanings of one tag.
    """

    def __init__(self, used: Iterable[str] = ()) -> None:
        used = {"", *used}
        # What holds only beside another tag comes last, so that it wins where it holds.
        rows = sorted(_table(), key=lambda row: bool(row[3]))
        self._meanings = {row[0]: Meaning(row[1], row[2]) for row in rows if row[3] in used}

    def read(self, tags: Iterable[str]) -> Analysis:
        """The analysis that these tags are."""
        tags = tuple(tags)
        certain: dict[str, set[str]] = {}
        open_: dict[str, list[list[frozenset[str]]]] = {}
        unknown = []
        for tag in tags:
            options = [self._option(option) for option in alternatives(tag)]
            if None in options:
                unknown.append(tag)
                continue
            known = [option for option in options if option is not None]
            for dimension in sorted({name for option in known for name in option}):
                names = [frozenset(option.get(dimension, ())) for option in known]
                if len(set(names)) == 1:
                    certain.setdefault(dimension, set()).update(names[0])
                else:
                    open_.setdefault(dimension, []).append(names)
        values = {}
        for dimension in sorted({*certain, *open_}):
            base = certain.get(dimension, set())
            combinations = itertools.product(*open_.get(dimension, []))
            values[dimension] = tuple(
                sorted({_joined(dimension, base.union(*names)) for names in combinations})
            )
        return Analysis(tags, values, tuple(unknown))

    def _option(self, option: str) -> Optional[dict[str, set[str]]]:
        names: dict[str, set[str]] = {}
        for part in option.split("+"):
            meaning = self._meanings.get(part)
            if meaning is None:
                return None
            names.setdefault(meaning.dimension, set()).add(meaning.name)
        return names


def split_tags(text: str) -> tuple[str, ...]:
    """
    The tags of a UniMorph bundle (`N;NOM;SG`; files with segmentations write `N|NOM;SG`), each
    once, however they were written and ordered.
    """
    return canonical_tags(filter(None, map(str.strip, text.replace("|", ";").split(";"))))


def canonical_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags in one notation: the same for `{NOM/ACC}` and `ACC/NOM`."""
    return tuple(sorted({"/".join(sorted(alternatives(tag))) for tag in tags}))


def alternatives(tag: str) -> list[str]:
    """`NOM/ACC` and `{NOM/ACC}` are NOM or ACC; the parts of `IN+ESS` are sorted."""
    return ["+".join(sorted(option.split("+"))) for option in tag.strip("{}").split("/")]


def elementary(tags: Iterable[str]) -> set[str]:
    """The tags without their combinations: what a schema has entries for."""
    return {part for tag in tags for option in alternatives(tag) for part in option.split("+")}


def person_and_number(values: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """
    The value of Person as the study has it, person and number together: "Third person Singular".
    Empty where the number is missing or the person is none of the six; where it may be one of the
    six or another, the other is an empty text.
    """
    options = [
        f"{person} {number}" if person in PERSONS and number in NUMBERS else ""
        for person in values.get(PERSON, ())
        for number in values.get(NUMBER, ())
    ]
    return tuple(options) if any(options) else ()


def dimensions() -> list[str]:
    """Every dimension of the schema, in the order of the table."""
    return list(dict.fromkeys(dimension for _, dimension, _, _ in _table()))


def value_names(dimension: str) -> set[str]:
    """The values of a dimension by their readable names; of Person, person and number together."""
    if dimension == PERSON:
        return {f"{person} {number}" for person in PERSONS for number in NUMBERS}
    return {name for _, other, name, _ in _table() if other == dimension}


def _joined(dimension: str, names: set[str]) -> str:
    if dimension == POS and names & VERB_FORMS:
        names = names - {"Verb"}  # `V;V.PTCP` is a participle, not two things.
    if dimension == PERSON and names & set(PERSONS):
        names = names & set(PERSONS)  # Inclusive, obviative, … refine a person.
    return "+".join(sorted(names))


@lru_cache(maxsize=1)
def _table() -> list[tuple[str, str, str, str]]:
    text = files(__package__).joinpath("unimorph_schema.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return [(row[0], row[1], row[2], row[3] if len(row) > 3 else "") for row in rows]
