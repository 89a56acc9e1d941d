import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.tasks.draw_single_forms import single_form_task
from linspector_allennlp.tasks.form_labels import (
    character_bin_labels,
    feature_labels,
    morphological_features,
    part_of_speech_labels,
    tag_count_labels,
)
from linspector_allennlp.tasks.splits import split_sizes
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.tasks.word_forms import TypeLevelSettings
from tests.tasks.paradigms import (
    NO_VALUE,
    OTHER_TAGS,
    SEVERAL_VALUES,
    all_rows,
    every_other,
    label_of_form,
    languages,
    made,
    paradigm,
    tags_of_forms,
    unknown_tags,
    value_of,
    word_forms,
)

FEATURES = ["Case", "Number", "Person", "Tense"]
SMALL = TypeLevelSettings(size=20, min_label_count=2)
sizes = st.integers(20, 30)


def feature_task(rows, feature, draw, frequent=None, **options):
    words = word_forms(rows, frequent)
    return single_form_task(feature, words, feature_labels(words, feature, **options), draw)


def half_up(share, number):
    return int(share * number + 0.5)


def check_form(data, draw):
    """What every task of single forms has."""
    assert data.kind == "single_form"
    assert tuple(map(len, data.splits.values())) == split_sizes(draw.size)
    forms = [form for form, _ in all_rows(data)]
    assert len(set(forms)) == draw.size, "each form once"
    assert not any(" " in form for form in forms)
    counts = Counter(label for _, label in all_rows(data))
    assert len(set(counts) - {"None"}) >= 2
    assert min(counts.values()) >= draw.min_label_count
    assert data.label_counts == counts and list(data.label_counts) == sorted(counts)


def expected_frequent(candidates, frequent, share, number):
    """So many of `number` are frequent, as far as there are frequent and rare ones."""
    common = len(candidates & frequent)
    return max(min(half_up(share, number), common), number - len(candidates - frequent))


@settings(max_examples=60)
@given(languages(), st.sampled_from(FEATURES), sizes, st.integers(0, 5), st.integers(1, 3))
def test_feature_tasks(rows, feature, size, seed, minimum):
    draw = TypeLevelSettings(size=size, seed=seed, min_label_count=minimum)
    frequent = every_other(rows)
    data = made(feature_task, rows, feature, draw, frequent)
    check_form(data, draw)
    analyses = tags_of_forms(rows)
    labels = {form: label_of_form(some, feature) for form, some in analyses.items()}
    for form, label in all_rows(data):
        if label == "None":
            assert labels[form] == NO_VALUE
            assert not any(map(unknown_tags, analyses[form]))
        else:
            assert label == labels[form] != SEVERAL_VALUES
    # The ratios, None and frequent.
    none = half_up(0.3, size)
    assert data.label_counts["None"] == none
    drawn = {form for form, label in all_rows(data) if label == "None"}
    lacking = {
        form
        for form, some in analyses.items()
        if labels[form] == NO_VALUE and not any(map(unknown_tags, some))
    }
    carrying = {form for form, label in labels.items() if label in data.label_counts}
    for forms, candidates, number in [
        (drawn, lacking, none),
        ({form for form, _ in all_rows(data)} - drawn, carrying, size - none),
    ]:
        wanted = expected_frequent(candidates, frequent, 0.8, number)
        assert len(forms) == number and len(forms & frequent) == wanted
    # What the manifest says of the language.
    ambiguous = sum(label == SEVERAL_VALUES for label in labels.values())
    carried = sum(label != NO_VALUE for label in labels.values())
    assert data.facts["ambiguous_forms"] == ambiguous
    assert data.facts["ambiguity"] == pytest.approx(ambiguous / carried, abs=1e-6)
    assert data.facts["forms_with_one_value"] == carried - ambiguous
    assert data.facts["forms_without_the_feature"] == len(lacking)
    left_out = set(labels.values()) - {NO_VALUE, SEVERAL_VALUES} - set(data.label_counts)
    assert set(data.facts["left_out_labels"]) <= left_out


@settings(max_examples=30)
@given(languages(), st.sampled_from(FEATURES), st.integers(0, 5))
def test_by_lemma(rows, feature, seed):
    draw = TypeLevelSettings(size=12, seed=seed, min_label_count=1, split_by="lemma")
    data = made(feature_task, rows, feature, draw)
    check_form(data, draw)
    lemmas_of = {}
    for lemma, form, _ in rows:
        lemmas_of.setdefault(form, set()).add(lemma)
    split_of = {}
    for split, some in data.splits.items():
        for form, _ in some:
            assert len(lemmas_of[form]) == 1
            assert split_of.setdefault(min(lemmas_of[form]), split) == split
    for some in data.splits.values():
        assert Counter(label == "None" for _, label in some)[True] == half_up(0.3, len(some))


COMMON = {
    "POS": (part_of_speech_labels, lambda form, tags: value_of(tags, "POS")),
    "TagCount": (tag_count_labels, lambda form, tags: str(len(tags))),
    "CharacterBin": (character_bin_labels, lambda form, tags: str(min((len(form) + 3) // 4, 6))),
}


@settings(max_examples=40)
@given(languages(), st.sampled_from(sorted(COMMON)), sizes, st.integers(0, 5))
def test_common_tasks(rows, name, size, seed):
    label, expected = COMMON[name]
    draw = TypeLevelSettings(size=size, seed=seed, min_label_count=2)
    frequent = every_other(rows)
    words = word_forms(rows, frequent)
    data = made(single_form_task, name, words, label(words), draw, with_none=False)
    check_form(data, draw)
    analyses = tags_of_forms(rows)
    for form, label in all_rows(data):
        (tags,) = analyses[form]
        assert label == expected(form, tags)
    assert not {"None", "Pronoun"} & set(data.label_counts)
    candidates = {
        form
        for form, some in analyses.items()
        if len(some) == 1 and expected(form, *some) in data.label_counts
    }
    drawn = {form for form, _ in all_rows(data)}
    assert len(drawn & frequent) == expected_frequent(candidates, frequent, 0.8, size)


@settings(max_examples=20)
@given(
    languages(),
    st.sampled_from([*FEATURES, *COMMON]),
    st.sampled_from(["form", "lemma"]),
    st.data(),
)
def test_the_order_of_the_rows_does_not_matter_but_the_seed_does(rows, name, split_by, data):
    draw = SMALL._replace(split_by=split_by, min_label_count=1)
    shuffled = data.draw(st.permutations(rows))

    def task(rows, draw):
        words = word_forms(rows, every_other(rows))
        label = COMMON[name][0] if name in COMMON else lambda words: feature_labels(words, name)
        return made(single_form_task, name, words, label(words), draw, name not in COMMON)

    first = task(rows, draw)
    assert task(shuffled, draw) == first
    assert task(rows, draw._replace(seed=1)).splits != first.splits


# A language by hand: 10 lemmas with two cases, 10 adverbs.
TWO_CASES = paradigm("n", [f"s{n}" for n in range(10)], ["N;NOM", "N;GEN"], ["a", "b"])
ADVERBS = [(f"adv{n}", f"adv{n}", "ADV") for n in range(10)]


def case_task(*more, **options):
    settings = {"size": 20, "min_label_count": 1, **options}
    return feature_task([*TWO_CASES, *ADVERBS, *more], "Case", TypeLevelSettings(**settings))


def test_exactly_enough_and_one_too_few():
    assert case_task(size=28).label_counts == {"Genitive": 10, "Nominative": 10, "None": 8}
    with pytest.raises(TooLittleData, match="20 forms with one value, 21 needed"):
        case_task(size=30)
    with pytest.raises(TooLittleData, match="30 forms, 31 needed"):
        case_task(size=31)
    with pytest.raises(TooLittleData, match=r"10 forms without it \(None\), 11 needed"):
        case_task(size=22, none_ratio=0.5)
    with pytest.raises(TooLittleData, match="1 value with 15 forms or more, 2 needed|0 values"):
        case_task(size=20, none_ratio=0, min_label_count=15)


def test_a_small_value_is_left_out_and_said():
    data = case_task(("x", "xx", "N;ACC"), size=28, min_label_count=5)
    assert "Accusative" not in data.label_counts
    assert set(data.facts["left_out_labels"]) <= {"Accusative"}


@pytest.mark.parametrize(
    "tags, value",
    [
        (["N;NOM/ACC"], None),
        (["N;NOM", "N;GEN"], None),
        (["N;NOM", "N;ACC/GEN"], None),
        (["N;NOM", "ADV"], "Nominative"),
        (["N;NOM", "N;NOM;PL"], "Nominative"),
        (["N;NOM;FOO"], "Nominative"),
        (["N;AT+ABL"], "Ablative+At"),
        (["N", "ADV"], "None"),
        (["N;FOO"], None),
        (["N", "ADV;FOO"], None),
        (["N", "N;NOM/ACC"], None),
        (["N;NOM/FOO"], None),
        (["N;NOM/SG"], None),
    ],
)
def test_what_a_form_is(tags, value):
    """With so few forms all that can be drawn are drawn."""
    rows = [*TWO_CASES, *ADVERBS, ("x", "xx", "N;AT+ABL"), *(("y", "form", some) for some in tags)]
    rows = [row for row in rows if row[1] not in ("s0a", "adv0")]
    none = 10 if value == "None" else 9
    labelled = 21 if value not in ("None", None) else 20
    draw = TypeLevelSettings(
        size=none + labelled, none_ratio=none / (none + labelled), min_label_count=1
    )
    assert dict(all_rows(feature_task(rows, "Case", draw))).get("form") == value


def test_alternatives_as_a_label():
    rows = [(f"x{n}", f"x{n}", tag) for n, tag in enumerate(["N;NOM/ACC", "N;{ACC/NOM}"] * 4)]
    draw = TypeLevelSettings(size=40, none_ratio=0.3, min_label_count=5)
    data = feature_task([*TWO_CASES, *ADVERBS, *rows, ("a", "b", "ADV"), ("a", "c", "ADV")], "Case",
        draw, join_alternatives=True)  # fmt: skip
    assert data.label_counts["Accusative/Nominative"] == 8


PERSONS = [f"V;{person};{number}" for person in "123" for number in ("SG", "PL")]


def person_task(*tags):
    suffixes = [f"-{n}" for n in range(6)]
    rows = paradigm("v", ["a", "b", "c"], PERSONS, suffixes)
    rows += [*ADVERBS[:8], *(("x", f"form{n}", tag) for n, tag in enumerate(tags))]
    draw = TypeLevelSettings(size=26, none_ratio=8 / 26, min_label_count=1)
    return feature_task(rows, "Person", draw)


def test_person_has_six_values():
    labels = person_task("V;3", "V;4;SG", "V;1;DU", "V;1/2;SG", "V;0;PL").label_counts
    assert labels == {
        "None": 8,
        **{
            f"{person} person {number}": 3
            for person in ("First", "Second", "Third")
            for number in ("Singular", "Plural")
        },
    }


@pytest.mark.parametrize("tags", ["V;1;SG/DU", "V;3/4;SG", "V;1;DU/PL"])
def test_an_alternative_outside_the_six_is_ambiguous_too(tags):
    assert person_task(tags).facts["forms_with_one_value"] == 18


def test_frequent_ones_run_short_and_it_is_said():
    rows = [*TWO_CASES, *ADVERBS]
    frequent = {"s0a", "s1a", "s2b", "adv0"}
    draw = TypeLevelSettings(size=20, min_label_count=1)
    data = feature_task(rows, "Case", draw, frequent)
    assert frequent <= {form for form, _ in all_rows(data)}
    assert data.facts["frequent_forms"] == 4
    assert data.notes == ["20 % frequent forms, all there are (80 % wanted)"]
    assert feature_task(rows, "Case", draw, {form for _, form, _ in rows[::5]} | frequent).notes
    assert feature_task(rows, "Case", draw).notes == []


def test_a_small_shortage_is_said_too():
    rows = [*TWO_CASES, *ADVERBS]
    frequent = {form for _, form, _ in [*TWO_CASES[:9], *ADVERBS[:5]]}
    data = feature_task(rows, "Case", TypeLevelSettings(size=20, min_label_count=1), frequent)
    assert data.facts["frequent_forms"] == 14, "16 wanted: all of the 14 are taken"
    assert data.notes


def test_rare_ones_run_short():
    rows = [*TWO_CASES, *ADVERBS]
    frequent = {form for _, form, _ in rows} - {"s0a"}
    data = feature_task(rows, "Case", TypeLevelSettings(size=20, min_label_count=1), frequent)
    assert data.facts["frequent_forms"] == 19 and data.notes


def test_an_open_part_of_speech_is_none_of_the_eight():
    rows = [*TWO_CASES, *ADVERBS, *((f"p{n}", f"p{n}", "PRO") for n in range(9))]
    rows += [("x", "xx", "N/ADJ"), ("y", "yy", "ADV"), ("y", "yy", "N;NOM")]
    words = word_forms(rows)
    data = single_form_task(
        "POS", words, part_of_speech_labels(words), TypeLevelSettings(size=30), with_none=False
    )
    assert data.label_counts == {"Noun": 20, "Adverb": 10}


def test_the_features_of_a_language():
    words = word_forms([*TWO_CASES, ("a", "b", "V;1;SG;LGSPEC1"), ("a", "c", "V;1;FOO")])
    assert set(morphological_features(words)) == {"Case", "Number", "Person"}


@pytest.mark.parametrize("name", [*FEATURES, *COMMON])
def test_a_language_of_two_words_each(name):
    words = word_forms([("a b", "a b", tag) for tag in OTHER_TAGS])
    label = COMMON[name][0](words) if name in COMMON else feature_labels(words, name)
    with pytest.raises(TooLittleData):
        single_form_task(name, words, label, SMALL, name not in COMMON)


def test_values_are_left_out_only_until_the_rest_have_enough():
    cases = ["NOM", "ACC", "GEN", "DAT", "ESS", "ABL", "ALL", "LOC"]
    rows = paradigm("n", [f"s{n}" for n in range(30)], [f"N;{case}" for case in cases], cases)
    rows += [(f"a{n}", f"a{n}", "ADV") for n in range(99)]
    labels = feature_task(rows, "Case", TypeLevelSettings(size=40)).label_counts
    # 28 forms of eight cases, five of each needed: two cases would be a waste.
    assert min(labels.values()) >= 5 and len(labels) > 3


def test_none_too_is_at_least_the_minimum():
    with pytest.raises(TooLittleData, match="3 None forms, 5 needed"):
        case_task(size=10, min_label_count=5)
    with pytest.raises(TooLittleData, match="None forms, 5 needed"):
        case_task(size=15, min_label_count=5, split_by="lemma")


def test_what_is_none_of_the_eight_is_not_ambiguous():
    bundles = ("N;NOM", "V;PRS", "PRO;NOM", "PRO;ACC")
    rows = [(f"{tags[0]}{n}", f"{tags[:2]}{n}", tags) for n in range(10) for tags in bundles]
    assert part_of_speech_labels(word_forms(rows)).ambiguity == 0


def test_a_person_without_number_is_neither_a_label_nor_none():
    persons = [("1;SG", "a"), ("2;SG", "b"), ("3", "c")]
    rows = [(f"v{n}", f"v{n}{end}", f"V;PRS;{tags}") for n in range(20) for tags, end in persons]
    data = feature_task([*rows, *ADVERBS], "Person", TypeLevelSettings(size=30, min_label_count=1))
    assert set(data.label_counts) == {"First person Singular", "None", "Second person Singular"}
    assert not [row for row in all_rows(data) if row[0].endswith("c")]


def test_composition_does_not_change_the_draw():
    samples = []
    for form in ("NFC", "NFD"):
        rows = [(f"l{n}", unicodedata.normalize(form, f"ä{n}{end}"), f"N;{case}")
                for n in range(40) for case, end in (("NOM", ""), ("GEN", "n"))]  # fmt: skip
        settings = TypeLevelSettings(size=20, none_ratio=0, min_label_count=1)
        data = feature_task(rows, "Case", settings)
        samples.append(
            [(unicodedata.normalize("NFC", one), label) for one, label in all_rows(data)]
        )
    assert samples[0] == samples[1]
