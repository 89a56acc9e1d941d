import pytest

from linspector_allennlp.tasks.sentences.paradigms import Paradigms
from tests.tasks.sentences.annotated_sentences import analysed, paradigms

ROWS = [
    "puhua puhun V;ACT;PRS;POS;IND;1;SG",
    "puhua puhuu V;ACT;PRS;POS;IND;3;SG",
    "puhua puhua V;NFIN",
    "talo talo N;NOM;SG",
    "talo talot N;NOM;PL",
    "talo talot N;ACC;PL",
]


def test_by_hand():
    some = paradigms(*ROWS, "puhua en\u00a0puhu V;NEG;1;SG")
    (reading,) = some.readings("puhuu")
    assert (reading.form, reading.lemma, reading.pos) == ("puhuu", "puhua", "Verb")
    assert reading.values(("Person", "Number", "Case")) == {
        "Person": ("Third person",),
        "Number": ("Singular",),
    }
    assert {each.form for each in some.forms_of("puhua")} == {"puhun", "puhuu", "puhua"}
    assert some.readings("nothing") == [] and some.forms_of("nothing") == []
    assert len(some.readings("talot")) == 2
    assert some.infinitives("puhua") == ["puhua"]
    assert some.is_citation_form(some.readings("puhua")[0])
    assert not some.is_citation_form(reading)
    first, other = some.readings("puhun")[0], reading
    assert first.rest(("Person",)) == other.rest(("Person",)) != other.rest(("Number",))


def test_decomposed_text_is_found():
    some = paradigms("käydä käy V;PRS;3;SG")
    assert some.readings("ka\u0308y")[0].form == "käy"


def test_words_of_a_treebank():
    feats = "Mood=Ind|Number={}|Person=3|Tense=Pres|Foo=Bar"
    sentence = analysed(
        f"goes/go/VERB/{feats.format('Sing')} go/go/VERB/{feats.format('Plur')} cat/cat/NOUN/Number=Sing"
    )
    some = Paradigms.of_words([*sentence.annotated.words] * 2)
    (goes,) = some.readings("goes")
    assert (goes.lemma, goes.pos, goes.analysis.unknown) == ("go", "Verb", ("Foo=Bar",))
    assert {each.form for each in some.forms_of("go")} == {"go", "goes"}
    (cat,) = some.readings("cat")
    assert cat.values(["Number"]) == {"Number": ("Singular",)}


def test_unimorph_tags_in_a_treebank():
    some = Paradigms.of_words(analysed("evler/ev/NOUN/N;NOM;PL").annotated.words)
    assert some.readings("evler")[0].values(["Number"]) == {"Number": ("Plural",)}


def test_no_words():
    assert Paradigms.of_words([]).readings("x") == []


def test_broken_file(tmp_path):
    (tmp_path / "x").write_text("one\ttwo\n")
    with pytest.raises(ValueError, match="3 tab-separated columns"):
        Paradigms.read(tmp_path / "x")
