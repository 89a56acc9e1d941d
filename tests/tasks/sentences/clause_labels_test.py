import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sentences.clause_labels import (
    negation,
    object_number,
    subject_number,
    tense,
    voice,
)
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.annotated_sentences import (
    ENGLISH,
    TURKISH,
    analysed,
    given,
    labels,
    plain,
    texts,
)

EATEN = analysed(
    "cake//NOUN/Number=Sing/3/nsubj:pass was/be/AUX/Tense=Past/3/aux:pass "
    "eaten/eat/VERB/Tense=Past|VerbForm=Part|Voice=Pass/0/root"
)
EATS = analysed(
    "She//PRON/Number=Sing/2/nsubj eats/eat/VERB/Tense=Pres|VerbForm=Fin/0/root "
    "cakes/cake/NOUN/Number=Plur/2/obj"
)
BARE = analysed(
    "cakes//NOUN/Number=Plur/2/nsubj baked/bake/VERB/Tense=Past|Voice=Pass/3/acl sold//VERB/Tense=Past/0/root"
)
CAUSED = analysed("o//NOUN//2/nsubj:pass yaptırıldı//VERB/Voice=CauPass/0/root")


@pytest.mark.parametrize(
    "rule,language,expected",
    [
        (None, ENGLISH, "passive active active active"),
        (None, TURKISH, "passive active passive active"),
        ("feat", ENGLISH, "passive active passive active"),
        ("aux:pass", TURKISH, "passive active active active"),
        ("any_pass", TURKISH, "passive active active passive"),
    ],
)
def test_voice(rule, language, expected):
    some = [EATEN, EATS, BARE, CAUSED]
    made = voice([*some, plain("not analysed")], given(language, voice_rule=rule))
    assert labels(made) == expected.split()
    assert [item.tokens for item in made] == [sentence.tokens for sentence in some]


def test_voice_without_passives():
    with pytest.raises(TooLittleData, match="no word has the relation aux:pass.*'aux:pass'.*feat"):
        voice([EATS], given())
    with pytest.raises(ConfigurationError, match="voice_rule: no 'by'. There are feat, "):
        voice([EATS], given(voice_rule="by"))


def test_subject_number():
    two = analysed("a//NOUN/Number=Sing/3/nsubj b//NOUN/Number=Plur/3/nsubj c//VERB//0/root")
    none = analysed("a//PRON//2/nsubj c//VERB//0/root")
    dual = analysed("a//NOUN/Number=Dual/2/nsubj c//VERB//0/root")
    # BARE: the head of the subject is not the root.
    made = subject_number([EATEN, EATS, BARE, two, none, dual], given())
    assert list(zip(texts(made), labels(made))) == [
        ("She eats cakes", "Sing"),
        ("cakes baked sold", "Plur"),
    ]


def test_object_number():
    """One object of the root, whatever its part of speech, and whatever others other words have."""
    two = analysed("a//NOUN/Number=Sing/3/obj b//NOUN/Number=Plur/3/obj c//VERB//0/root")
    deep = analysed(
        "ev//NOUN/Number=Sing/4/obj b//NOUN/Number=Plur/3/obj c//VERB//4/advcl var//ADJ//0/root"
    )
    made = object_number([EATEN, EATS, two, deep], given())
    assert list(zip(texts(made), labels(made))) == [
        ("She eats cakes", "Plur"),
        ("ev b c var", "Sing"),
    ]


def test_tense():
    has_gone = analysed("has/have/AUX/Tense=Pres/2/aux gone//VERB/Tense=Past/0/root")
    asked = analysed("Geldi//VERB/Tense=Past/0/root mi//AUX//1/aux:q")
    noun = analysed("cat//NOUN/Tense=Past/0/root")
    several = analysed("go//VERB/Tense=Past,Pres/0/root")
    some = [EATEN, EATS, BARE, has_gone, asked, noun, several]
    made = tense(some, given())
    assert [(item.label, item.group) for item in made] == [
        ("Pres", "eats"),
        ("Past", "sold"),
        ("Past", "geldi"),
    ]
    assert labels(tense(some, given(tenses="Pres,Fut"))) == ["Pres"]


def test_negation():
    negated = analysed("gelme//VERB/Polarity=Neg/0/root")
    made = negation([EATS, negated], given())
    assert labels(made) == ["affirmative", "negated"]


TREE = "a//NOUN//2/nsubj b//VERB//0/root"


@pytest.mark.parametrize(
    "make,text,missing",
    [
        (voice, "a//NOUN//2/nsubj:pass b//VERB//0/root", "no word has Voice=Pass"),
        (subject_number, "a//NOUN/Number=Sing", "no trees: its columns HEAD and DEPREL are empty"),
        (subject_number, TREE, "no word of the treebank has Number in its column FEATS"),
        (object_number, TREE, "no word of the treebank has Number in its column FEATS"),
        (tense, "a/b//Tense=Past/0/root", "no parts of speech: its column UPOS is empty"),
        (tense, TREE, "has Tense"),
        (negation, "a//VERB/Polarity=Pos", "has Polarity=Neg in its column FEATS"),
    ],
)
def test_what_is_missing(make, text, missing):
    with pytest.raises(TooLittleData, match=missing):
        make([analysed(text)], given(TURKISH))
    with pytest.raises(TooLittleData, match="needs a treebank"):
        make([plain("a b")], given(TURKISH))
