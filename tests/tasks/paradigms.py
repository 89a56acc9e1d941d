"""
Small languages to make tasks from, and an oracle: what the rows say, worked out again in plain
Python from the specification, with nothing from the code under test.
"""

import tempfile
from collections import defaultdict
from functools import cache
from pathlib import Path

from hypothesis import event, reject
from hypothesis import strategies as st

from linspector_allennlp.sources.unimorph import read_unimorph
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.tasks.word_forms import WordForms

MEANINGS = {
    "N": ("POS", "Noun"),
    "V": ("POS", "Verb"),
    "ADV": ("POS", "Adverb"),
    "ADJ": ("POS", "Adjective"),
    "PRO": ("POS", "Pronoun"),
    "NOM": ("Case", "Nominative"),
    "ACC": ("Case", "Accusative"),
    "GEN": ("Case", "Genitive"),
    "AT": ("Case", "At"),
    "ABL": ("Case", "Ablative"),
    "SG": ("Number", "Singular"),
    "PL": ("Number", "Plural"),
    "DU": ("Number", "Dual"),
    "1": ("Person", "First person"),
    "2": ("Person", "Second person"),
    "3": ("Person", "Third person"),
    "4": ("Person", "Fourth person"),
    "PRS": ("Tense", "Present"),
    "PST": ("Tense", "Past"),
    "FUT": ("Tense", "Future"),
    "PSS1S": ("Possession", "Possession by 1.sg"),
    "PSS2S": ("Possession", "Possession by 2.sg"),
    "IND": ("Mood", "Indicative"),
    "LGSPEC1": ("Language-Specific", "Language-specific 1"),
}
SIX_PERSONS = {
    f"{person} person {number}"
    for person in ("First", "Second", "Third")
    for number in ("Singular", "Plural")
}
LABELS_OF_PAIRS = {
    "Case", "Gender", "Mood", "Number", "Person", "Polarity", "Possession", "Tense", "Voice",
}  # fmt: skip
NO_VALUE, SEVERAL_VALUES = "no value", "several values"

NOUN_TAGS = [
    *(f"N;{case};{number}" for number in ("SG", "PL") for case in ("NOM", "ACC", "GEN")),
    "N;NOM/ACC;DU",
    "N;{ACC/GEN};PL",
    "N;AT+ABL;SG",
    "N;GEN;SG;PSS1S",
    "N;NOM;SG;PSS1S",
    "N;NOM;SG;PSS2S",
    "N;NOM;SG;FOO",
    "N;FOO;ACC;SG;BAR",
    "N;LGSPEC1;NOM;PL",
]
VERB_TAGS = [
    *(
        f"V;{tense};{person};{number}"
        for tense in ("PRS", "PST")
        for number in ("SG", "PL")
        for person in "123"
    ),
    "V;PST;1/3;SG",
    "V;PRS",
    "V;PRS/FUT;2;PL",
    "V;PST;FOO",
]
OTHER_TAGS = ["ADV", "ADJ", "PRO"]


def paradigm(name, stems, tags, suffixes):
    """The rows of so many lemmas; tags with the same suffix give the same form."""
    return [
        (f"{name}{number}", f"{stem}{suffix}", tag)
        for number, stem in enumerate(stems)
        for tag, suffix in zip(tags, suffixes)
    ]


@st.composite
def languages(draw):
    """Rows of nouns, verbs and words that do not inflect, with all that real rows have."""
    rows = []
    for name, tags in (("noun", NOUN_TAGS), ("verb", VERB_TAGS)):
        used = [tag for tag in tags if draw(st.integers(0, 9)) < 9]
        # Syncretism: now and then two tags have the same suffix.
        suffixes = [f"-{draw(st.integers(0, 4 * len(tags)))}" for _ in used]
        lemmas = draw(st.integers(8, 12))
        # Homographs: now and then two lemmas have the same stem, also a noun and a verb.
        stems = [f"s{draw(st.integers(0, 60))}" for _ in range(lemmas)]
        rows += paradigm(name, stems, used, suffixes)
    for tag in OTHER_TAGS:
        rows += [(f"{tag}{n}", f"{tag.lower()}{n}", tag) for n in range(draw(st.integers(8, 12)))]
    rows += draw(st.lists(st.sampled_from(rows), max_size=5))
    rows += [("lemma", "two words", "N;NOM;SG"), ("two words", "oneword", "ADV")]
    return rows


def write_unimorph(path, rows):
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def word_forms(rows, frequent=None):
    """What tasks are made from; `frequent` is a set of forms."""
    with tempfile.TemporaryDirectory() as folder:
        unimorph = read_unimorph(write_unimorph(Path(folder) / "xyz", rows)).single_words()
    return WordForms(unimorph, None if frequent is None else frequent.__contains__)


def every_other(rows):
    """Half of the forms, to be the frequent ones."""
    return set(sorted({form for _, form, _ in rows})[::2])


def made(task, *arguments, **options):
    """The task, or another example where there are too little data; counts how often."""
    try:
        data = task(*arguments, **options)
    except TooLittleData:
        event("too little data")
        reject()
    event("a task")
    return data


def all_rows(data):
    return [row for rows in data.splits.values() for row in rows]


def tags_of_forms(rows):
    """For each form of one word its distinct tag sets."""
    tags = defaultdict(set)
    for _, form, bundle in rows:
        if " " not in form:
            tags[form].add(frozenset(bundle.split(";")))
    return tags


@cache
def values_of(tags):
    """For each feature the values that the tags leave possible."""
    values = {}
    for tag in tags:
        options = [option.split("+") for option in tag.strip("{}").split("/")]
        if all(part in MEANINGS for option in options for part in option):
            (dimension,) = {MEANINGS[part][0] for option in options for part in option}
            values[dimension] = frozenset(
                "+".join(sorted(MEANINGS[part][1] for part in option)) for option in options
            )
    return values


def unknown_tags(tags):
    parts = {tag: tag.strip("{}").replace("/", "+").split("+") for tag in tags}
    return frozenset(tag for tag, some in parts.items() if not set(some) <= set(MEANINGS))


def value_of(tags, feature):
    """The label that one analysis gives."""
    values = values_of(tags)
    if feature not in values:
        return NO_VALUE
    possible = values[feature]
    if feature == "Person":
        possible = {f"{p} {n}" for p in possible for n in values.get("Number", ["?"])}
        if not possible <= SIX_PERSONS:
            return SEVERAL_VALUES
    return next(iter(possible)) if len(possible) == 1 else SEVERAL_VALUES


def label_of_form(analyses, feature):
    """The label that all analyses of a form give together."""
    labels = {value_of(tags, feature) for tags in analyses} - {NO_VALUE}
    if not labels:
        return NO_VALUE
    return labels.pop() if len(labels) == 1 else SEVERAL_VALUES


@cache
def compared_features(tags, number_within_person):
    """
    What two forms are compared in, as sets of possible values. Person and number of a person are
    one feature in OddFeat, three in SameFeat: each, and both together.
    """
    values = dict(values_of(tags))
    if unknown_tags(tags):
        values["unknown"] = frozenset(unknown_tags(tags))
    if "Person" in values:
        numbers = values.get("Number", [""])
        if not number_within_person:
            values["person alone"] = values["Person"]
        values["Person"] = frozenset(f"{p} {n}" for p in values["Person"] for n in numbers)
        if number_within_person:
            values.pop("Number", None)
    return values


def rows_of_forms(rows):
    """For each form its interpretations: lemma and tag set."""
    found = defaultdict(set)
    for lemma, form, bundle in rows:
        found[form].add((lemma, frozenset(bundle.split(";"))))
    return found


def features_with_two_values(rows, number_within_person):
    """Others are no label of pairs."""
    values = defaultdict(set)
    for _, form, bundle in rows:
        if " " not in form:
            tags = frozenset(bundle.split(";"))
            for name, some in compared_features(tags, number_within_person).items():
                values[name] |= some if len(some) == 1 else set()
    return {name for name, some in values.items() if len(some) > 1}
