from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given as drawn
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.grammaticality import grammaticality
from linspector_allennlp.tasks.sentences.paradigms import Paradigms
from linspector_allennlp.tasks.sentences.word_order import RELATIONS, Move, wrong_orders
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.annotated_sentences import (
    FINNISH,
    TURKISH,
    analysed,
    given,
    paradigms,
    plain,
    texts,
    treebank,
)

SAW = (
    "I//PRON//2/nsubj saw//VERB//0/root the//DET//5/det old//ADJ//5/amod house//NOUN//2/obj "
    "today//ADV//2/advmod .//PUNCT//2/punct"
)


def orders(sentence, relations=RELATIONS):
    return [" ".join(m.of(sentence.tokens)) for m in wrong_orders(sentence.annotated, relations)]


def test_orders_by_hand():
    """Behind the phrase, or two places on where that would be a mere swap."""
    assert orders(analysed(SAW)) == [
        "I saw old house the today .",
        "I saw the house today old .",
    ]
    assert orders(analysed(SAW), ["det"]) == ["I saw old house the today ."]


def test_orders_to_the_left():
    text = "x//X//5/dep uzun//ADJ//3/amod yol//NOUN//5/obl gibi//ADP//3/case gitti//VERB//0/root"
    assert orders(analysed(text), ["case"]) == ["x gibi uzun yol gitti"]


@pytest.mark.parametrize(
    "text",
    [
        # The first token; a swap of neighbours at the end; punctuation in between; words of its own.
        "the//DET//3/det old//ADJ//3/advmod house//NOUN//0/root",
        "x//X//3/dep the//DET//3/det house//NOUN//0/root .//PUNCT//3/punct",
        "x//X//5/dep the//DET//5/det ,//PUNCT//5/punct y//X//5/dep house//NOUN//0/root",
        "x//X//5/dep so//ADV//3/advmod old//ADJ//5/amod y//X//5/dep house//NOUN//0/root",
        # Nothing is changed by a move among the same tokens.
        "x//X//4/dep a//DET//4/det a//X//4/dep a//NOUN//0/root",
    ],
)
def test_no_orders(text):
    assert orders(analysed(text)) == []


@drawn(st.lists(st.integers(0, 9), min_size=2, max_size=8), st.data())
def test_moves_keep_the_tokens(numbers, data):
    places = st.integers(0, len(numbers) - 1)
    start, end = data.draw(places), data.draw(places)
    tokens = list(map(str, numbers))
    moved = Move(start, end).of(tokens)
    expected = tokens[:start] + tokens[start + 1 :]
    expected.insert(end, tokens[start])
    assert list(moved) == expected


PRESENT = "Mood=Ind|Number={}|Person={}|Tense=Pres"
VERBS = [
    f"we//PRON/Number=Plur|Person=1/2/nsubj go/go/VERB/{PRESENT.format('Plur', 1)}/0/root",
    f"Tom/Tom/PROPN/Number=Sing/2/nsubj goes/go/VERB/{PRESENT.format('Sing', 3)}/0/root",
]


def broken(sentences, settings):
    """All that the sentences are broken into, over some seeds."""
    found = set()
    for seed in range(20):
        made = grammaticality(sentences, settings._replace(seed=seed))
        found |= {" ".join(item.tokens) for item in made if item.label == "broken"}
    return found


def test_agreement_by_the_forms_of_the_treebank():
    assert broken(list(map(analysed, VERBS)), given(violations="agreement")) == {
        "we goes",
        "Tom go",
    }


def test_agreement_by_paradigms():
    rows = ["go went V;PRS;1;SG", "go goes V;PRS;3;SG", "go go V;PRS;1;PL", "go go V;NFIN"]
    settings = given(violations="agreement", paradigms=paradigms(*rows))
    assert broken([analysed(VERBS[1])], settings) == {"Tom go", "Tom went"}


def test_what_agrees_with_its_subject_is_not_broken():
    """A Turkish plural may have its verb in either number."""
    feats = "Number={}|Person={}|Tense=Past"
    texts_ = [
        f"eller//NOUN/Number=Plur/2/nsubj titredi/titre/VERB/{feats.format('Sing', 3)}/0/root",
        f"onlar//PRON/Number=Plur|Person=3/2/nsubj titrediler/titre/VERB/{feats.format('Plur', 3)}/0/root",
        f"ben//PRON/Number=Sing|Person=1/2/nsubj titredim/titre/VERB/{feats.format('Sing', 1)}/0/root",
    ]
    assert broken(list(map(analysed, texts_)), given(TURKISH, violations="agreement")) == {
        "eller titredim", "onlar titredi", "onlar titredim", "ben titredi", "ben titrediler",
    }  # fmt: skip


def test_modifiers():
    adjective = "bon{}/bon/ADJ/Gender={}|Number=Sing/3/amod"
    sentences = [
        analysed(f"x//X//3/dep {adjective.format('', 'Masc')} pain//NOUN//0/root"),
        analysed(f"x//X//3/dep {adjective.format('ne', 'Fem')} soupe//NOUN//0/root"),
    ]
    assert broken(sentences, given(violations="agreement")) == {"x bonne pain", "x bon soupe"}


def test_forms_with_odd_capitals_are_not_used():
    odd = analysed(VERBS[0].replace("go/", "GO/", 1))
    with pytest.raises(TooLittleData, match="no sentence can be broken in agreement"):
        grammaticality([odd, analysed(VERBS[1])], given(violations="agreement"))


def test_what_the_corpus_has_is_not_broken():
    sentences = [*map(analysed, VERBS), plain("we goes")]
    assert broken(sentences, given(violations="agreement")) == {"Tom go"}


@pytest.fixture(scope="module")
def finnish(request):
    folder = request.config.rootpath / "fixtures/raw"
    return treebank(folder / "finnish-ud-train.conllu"), Paradigms.read(folder / "finnish.tsv")


@pytest.mark.parametrize("with_paradigms", [True, False])
def test_properties(finnish, with_paradigms):
    sentences, some = finnish
    settings = given(FINNISH, paradigms=some if with_paradigms else None)
    made = grammaticality(sentences, settings)
    assert len(made) > 40
    assert 0.3 < Counter(item.label for item in made)["broken"] / len(made) < 0.7
    known = {sentence.text for sentence in sentences}
    for item, text in zip(made, texts(made)):
        assert (text != item.group) == (item.label == "broken") == (text not in known)
    assert len({item.group for item in made}) == len(made)
    assert sorted(grammaticality(sentences[::-1], settings)) == sorted(made)


def test_broken_input():
    with pytest.raises(ConfigurationError, match="violations: expected some of order, agreement"):
        grammaticality([analysed(SAW)], given(violations="spelling"))
    with pytest.raises(TooLittleData, match="no sentence can be broken in order or agreement"):
        grammaticality([analysed("go//VERB//0/root")], given())
    with pytest.raises(TooLittleData, match="no trees"):
        grammaticality([analysed("go//VERB")], given())
