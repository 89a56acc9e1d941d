from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sentences.agreement import agreement_task, subject_verb_agreement
from linspector_allennlp.tasks.sentences.paradigms import Paradigms
from linspector_allennlp.tasks.sentences.replacements import Replacements
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.annotated_sentences import (
    ENGLISH,
    FINNISH,
    TURKISH,
    analysed,
    given,
    paradigms,
    plain,
    texts,
    treebank,
)

PERSON_NUMBER = ("Person", "Number")
WERKEN = [
    "werken werken V;NFIN", "werken werken V;IND;PRS;PL", "werken werk V;IND;PRS;1;SG",
    "werken werkt V;IND;PRS;2;SG", "werken werkt V;IND;PRS;3;SG", "werken werkte V;IND;PST;1;SG",
    "werken werkte V;IND;PST;3;SG", "werken werkten V;IND;PST;PL",
    # That they have no person does not make them right for all.
    "werken werk V;IMP;SG", "werken werkt V;IMP;PL",
]  # fmt: skip


@pytest.mark.parametrize(
    "form,expected",
    [
        # The plural is written like the infinitive.
        ("werkt", ["werk"]),
        ("werk", ["werkt"]),
        ("werken", []),
        # Another tense is another tense; a plural without a person differs in number.
        ("werkte", ["werkten"]),
        ("werkten", ["werkte"]),
        ("unknown", []),
    ],
)
def test_replacements(form, expected):
    assert Replacements(paradigms(*WERKEN), PERSON_NUMBER).of(form) == expected


def test_infinitives_where_it_is_known_that_a_form_is_none():
    replacements = Replacements(paradigms(*WERKEN[:-2]), PERSON_NUMBER, citation_forms=True)
    assert replacements.of("werkt") == ["werk", "werken"]
    assert replacements.of("werken") == ["werk", "werkt"]


def test_what_is_no_replacement():
    """Doublets of the same person, forms that can be that person in another tense, other parts of speech."""
    rows = [
        "learn learned V;PST;1;SG", "learn learnt V;PST;1;SG", "learn learnt V;PST;2;SG",
        "put puts V;PRS;3;SG", "put putten V;PRS;3;PL", "put putten V;PST;3;SG",
        "sew sews V;PRS;3;SG", "sew sewes V;PRS;3;PL", "sews sewes N;SG",
    ]  # fmt: skip
    replacements = Replacements(paradigms(*rows), PERSON_NUMBER)
    assert [replacements.of(form) for form in ("learned", "puts", "sews", "sewes")] == [[]] * 4


def test_parts_of_speech_of_the_treebank():
    rows = ["sew sews V;PRS;3;SG", "sew sewen V;PRS;3;PL"]
    for upos, expected in [({"VERB"}, ["sewen"]), ({"VERB", "NOUN"}, []), ((), ["sewen"])]:
        replacements = Replacements(paradigms(*rows), PERSON_NUMBER, upos_of={"sews": upos})
        assert replacements.of("sews") == expected
        other = Replacements(paradigms(*rows), PERSON_NUMBER, upos_of={"sewen": upos})
        assert other.of("sews") == expected


def test_capitals_and_multiword_tokens():
    rows = ["içmek içtim V;PST;1;SG", "içmek içtin V;PST;2;SG"]
    sentences = [plain(f"İçtim . {n}") for n in range(20)]
    made = subject_verb_agreement(sentences, given(TURKISH, paradigms=paradigms(*rows)))
    assert Counter(item.tokens[0] for item in made).keys() == {"İçtim", "İçtin"}
    whole = analysed("x//NOUN iç//VERB tim//AUX", multiword=[(2, 3, "içtim")])
    assert whole.tokens == ("x", "içtim")
    with pytest.raises(TooLittleData, match="differs in Person and Number only"):
        subject_verb_agreement([whole], given(TURKISH, paradigms=paradigms(*rows)))


def test_another_part_of_speech_in_the_treebank():
    """It is asked of the sentences that come with the text."""
    rows = paradigms("gelmek gelir V;PRS;3;SG", "gelmek gelirim V;PRS;1;SG")
    text = [plain(f"o gelir {n}") for n in range(9)]
    assert len(subject_verb_agreement(text, given(TURKISH, paradigms=rows))) == 9
    noun = analysed("Gelir//NOUN vergisi//NOUN")
    with pytest.raises(TooLittleData, match="no sentence has a form"):
        subject_verb_agreement([*text, noun], given(TURKISH, paradigms=rows))


def test_english():
    """All forms but one are the infinitive, so that is what breaks it, but of verbs that are no nouns."""
    rows = [
        "speak speaks V;PRS;3;SG", "speak speak V;NFIN", "speak spoke V;PST",
        "walk walks V;PRS;3;SG", "walk walk V;NFIN", "walk walk N;SG",
    ]  # fmt: skip
    sentences = [plain(f"he speaks and walks {n} they speak") for n in range(20)]
    some = paradigms(*rows)
    made = subject_verb_agreement(sentences, given(ENGLISH, paradigms=some))
    assert {(item.label, item.tokens[1], item.tokens[3], item.tokens[-1]) for item in made} == {
        ("intact", "speaks", "walks", "speak"),
        ("broken", "speak", "walks", "speak"),
    }
    with pytest.raises(TooLittleData):
        subject_verb_agreement(sentences, given(FINNISH, paradigms=some))
    with pytest.raises(TooLittleData):
        subject_verb_agreement(sentences, given(paradigms=some, svagree_infinitive=False))
    with pytest.raises(ConfigurationError, match="svagree_infinitive: expected true or false"):
        subject_verb_agreement(sentences, given(paradigms=some, svagree_infinitive="maybe"))


@pytest.fixture(scope="module")
def finnish(request):
    folder = request.config.rootpath / "fixtures/raw"
    return treebank(folder / "finnish-ud-train.conllu"), Paradigms.read(folder / "finnish.tsv")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("annotated", [True, False])
def test_one_token_becomes_another_form_of_its_lemma(finnish, fixtures, seed, annotated):
    sentences, some = finnish
    if not annotated:
        sentences = [plain(sentence.text) for sentence in sentences]
    lines = (fixtures / "raw/finnish.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line]
    tags = {(lemma, form): set() for lemma, form, _ in rows}
    for lemma, form, bundle in rows:
        tags[lemma, form].add(frozenset(bundle.split(";")))
    settings = given(FINNISH, seed=seed, paradigms=some)
    made = subject_verb_agreement(sentences, settings)
    assert len(made) > 50
    assert 0.3 < Counter(item.label for item in made)["broken"] / len(made) < 0.7
    for item in made:
        before = item.group.split(" ")
        changed = [(a, b) for a, b in zip(before, item.tokens) if a != b]
        assert len(before) == len(item.tokens)
        assert len(changed) == (item.label == "broken")
        for old, new in changed:
            old, new = old.lower(), new.lower()
            lemmas = {lemma for lemma, form in tags if form == old} & {
                lemma for lemma, form in tags if form == new
            }
            persons = frozenset("123") | {"SG", "PL"}
            assert any(
                one - persons == other - persons and one != other and "V" in one
                for lemma in lemmas
                for one in tags[lemma, old]
                for other in tags[lemma, new]
            )
            assert not lemmas & {old, new}
    assert sorted(subject_verb_agreement(sentences[::-1], settings)) == sorted(made)
    other = subject_verb_agreement(sentences, settings._replace(seed=seed + 1))
    assert other != made and len(other) == len(made)


def test_any_feature():
    rows = [
        "bun bun ADJ;NOM/ACC;MASC;SG", "bun bună ADJ;NOM/ACC;FEM;SG", "bun bune ADJ;DAT/GEN;FEM;SG",
        "bun buni ADJ;NOM/ACC;MASC;PL", "bun bunnn ADJ;DAT/GEN;PL",
    ]  # fmt: skip
    some = paradigms(*rows)
    sentences = [plain(f"bună ziua {n}") for n in range(20)]
    gender = agreement_task("gender")
    assert gender.takes_text
    assert set(texts(gender.make(sentences, given(paradigms=some)))) < {
        f"{form} ziua {n}" for form in ("bun", "bună") for n in range(20)
    }
    assert Replacements(some, ("Number",)).of("bun") == ["buni"]
    assert Replacements(some, ("Gender",)).of("bunnn") == []


def test_broken_input():
    with pytest.raises(
        ConfigurationError, match="--agreement: no feature 'Nunber'. There are Case, "
    ):
        agreement_task("Nunber")
    with pytest.raises(TooLittleData, match="needs the forms of a UniMorph file.*--unimorph"):
        subject_verb_agreement([plain("a b")], given())
