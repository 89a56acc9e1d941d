import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.sources.schema import (
    Schema,
    alternatives,
    dimensions,
    elementary,
    person_and_number,
    split_tags,
)
from tests.tasks.paradigms import (
    MEANINGS,
    NOUN_TAGS,
    OTHER_TAGS,
    VERB_TAGS,
    unknown_tags,
    values_of,
)


def read(bundle, used=()):
    return Schema(used).read(split_tags(bundle))


def test_values_have_the_names_of_the_released_data():
    expected = {"POS": ("Noun",), "Case": ("Partitive",), "Number": ("Singular",)}
    assert read("N;PRT;SG").values == expected


@pytest.mark.parametrize("tag, meaning", MEANINGS.items())
def test_tags_have_one_meaning(tag, meaning):
    assert read(tag).values == {meaning[0]: (meaning[1],)}


def test_the_dimensions_of_the_specification():
    wanted = (
        "Case Mood Number POS Person Polarity Possession Tense Voice Gender Aspect Animacy "
        "Comparison Definiteness Evidentiality Finiteness Interrogativity Politeness "
        "Switch-Reference Valency"
    )
    assert set(wanted.split()) <= set(dimensions())
    assert len(set(dimensions())) == len(dimensions())


@pytest.mark.parametrize(
    "tag, case",
    [
        ("NOM/ACC", ("Accusative", "Nominative")),
        ("ACC/NOM", ("Accusative", "Nominative")),
        ("{NOM/ACC}", ("Accusative", "Nominative")),
        ("AT+ABL", ("Ablative+At",)),
        ("ABL+AT", ("Ablative+At",)),
        ("AT+ABL/GEN", ("Ablative+At", "Genitive")),
    ],
)
def test_alternatives_and_parts(tag, case):
    analysis = read(f"N;{tag};SG")
    assert analysis.values["Case"] == case and not analysis.unknown


def test_two_tags_of_one_dimension_are_parts_of_one_value():
    assert read("N;AT;ABL").values["Case"] == ("Ablative+At",)
    assert read("N;AT;ABL/GEN").values["Case"] == ("Ablative+At", "At+Genitive")


@pytest.mark.parametrize("bundle", ["V;V.PTCP;PST", "V.PTCP;PST", "PST;V.PTCP;V"])
def test_a_participle_is_no_verb_besides(bundle):
    assert read(bundle).values == {"POS": ("Participle",), "Tense": ("Past",)}


def test_clusivity_refines_a_person():
    assert read("V;1;PL;INCL").values["Person"] == ("First person",)
    assert read("V;INCL").values["Person"] == ("Inclusive",)


@pytest.mark.parametrize("tag", ["FOO", "NOM/FOO", "AT+FOO", "{A/B}", "NOM/", "n", ""])
def test_unknown_tags_are_kept_apart(tag):
    analysis = Schema().read(["N", tag, "SG"])
    assert analysis.unknown == (tag,)
    assert analysis.values == {"POS": ("Noun",), "Number": ("Singular",)}


def test_a_tag_with_two_meanings():
    assert read("V;INTR").values["Valency"] == ("Intransitive",)
    assert read("V;INTR", used=["DECL"]).values["Interrogativity"] == ("Interrogative",)


def test_one_option_may_say_nothing_of_a_feature():
    assert read("N;NOM/SG").values["Case"] == ("", "Nominative")


@pytest.mark.parametrize(
    "text, tags",
    [
        ("N;NOM;SG", ("N", "NOM", "SG")),
        ("N|NOM;SG", ("N", "NOM", "SG")),
        (" N ; NOM;;SG;", ("N", "NOM", "SG")),
        (";", ()),
    ],
)
def test_bundles_as_they_are_written(text, tags):
    assert split_tags(text) == tags


def test_elementary_tags():
    assert alternatives("{A/B+C}") == ["A", "B+C"]
    assert elementary(["N", "{A/B+C}"]) == {"N", "A", "B", "C"}


@pytest.mark.parametrize(
    "bundle, person",
    [
        ("V;3;SG", ("Third person Singular",)),
        ("V;1/3;SG", ("First person Singular", "Third person Singular")),
        ("V;2;PL/SG", ("Second person Plural", "Second person Singular")),
        ("V;3", ()),
        ("V;SG", ()),
        ("V;4;SG", ()),
        ("V;1;DU", ()),
    ],
)
def test_person_and_number_are_one_of_six(bundle, person):
    assert person_and_number(read(bundle).values) == person


BUNDLES = st.sampled_from([*NOUN_TAGS, *VERB_TAGS, *OTHER_TAGS]).map(lambda text: text.split(";"))


@given(BUNDLES.flatmap(lambda tags: st.tuples(st.just(tags), st.permutations(tags))))
def test_as_the_oracle_reads_it_in_any_order(tags_and_shuffled):
    tags, shuffled = tags_and_shuffled
    analysis, again = Schema().read(tags), Schema().read(shuffled)
    assert {name: frozenset(some) for name, some in analysis.values.items()} == values_of(
        tuple(tags)
    )
    assert set(analysis.unknown) == unknown_tags(tags)
    assert analysis.tags == tuple(tags)
    assert analysis.values == again.values
    assert split_tags(";".join(tags)) == split_tags(";".join(shuffled))


def test_the_table_has_each_tag_once(root):
    path = root / "linspector_allennlp" / "sources" / "unimorph_schema.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert all(len(row) in (3, 4) and all(row) for row in rows)
    keys = [(tag, *beside) for tag, _, _, *beside in rows]
    assert len(set(keys)) == len(keys)
