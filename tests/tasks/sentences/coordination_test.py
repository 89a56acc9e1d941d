from collections import Counter

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.coordination import coordination, coordination_inversion
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.annotated_sentences import ENGLISH, TURKISH, analysed, given

CAME = (
    "She//PRON//2/nsubj came/come/VERB//0/root ,//PUNCT//6/punct and//CCONJ//6/cc "
    "Tom/Tom/PROPN//6/nsubj left/leave/VERB//2/conj early//ADV//6/advmod .//PUNCT//2/punct"
)


def test_by_hand():
    found = coordination(analysed(CAME).annotated, ENGLISH)
    assert found[:4] == (("She", "came"), (",", "and"), ("Tom", "left", "early"), (".",))
    assert " ".join(found.inverted(ENGLISH)) == "Tom left early , and she came ."


def test_capitals():
    """A name keeps its own; the new first token gets one if the old had it."""
    text = "Izzy/Izzy/PROPN//2/nsubj geldi//VERB//0/root ve//CCONJ//5/cc it//NOUN//5/nsubj gitti//VERB//2/conj"
    found = coordination(analysed(text).annotated, TURKISH)
    assert " ".join(found.inverted(TURKISH)) == "İt gitti ve Izzy geldi"
    small = coordination(analysed(text.replace("Izzy", "izzy")).annotated, TURKISH)
    assert " ".join(small.inverted(TURKISH)) == "it gitti ve izzy geldi"


@pytest.mark.parametrize(
    "old,new",
    [
        # Another conjunction; no verb; a shared subject; a second clause that goes on in the first.
        ("early//ADV//6/advmod", "or//CCONJ//6/cc"),
        ("left/leave/VERB", "left/leave/NOUN"),
        ("Tom/Tom/PROPN//6/nsubj", "Tom/Tom/PROPN//6/vocative"),
        ("early//ADV//6/advmod", "early//ADV//2/advmod"),
        # Not at the root; another conjunct; quotes.
        ("//2/conj", "//2/advcl"),
        ("early//ADV//6/advmod", "slept//VERB//2/conj"),
        ("early//ADV//6/advmod", '"//PUNCT//6/punct'),
        ("She//PRON//2/nsubj", "“//PUNCT//2/punct"),
        ("early//ADV//6/advmod", ")//PUNCT//6/punct"),
    ],
)
def test_what_is_left_out(old, new):
    assert old in CAME
    assert coordination(analysed(CAME.replace(old, new)).annotated, ENGLISH) is None


def joined(number, first, second):
    """Two clauses of so many tokens besides subject and verb."""
    root = first + 2
    verb = root + second + 3
    words = [
        f"Ab{number}//NOUN//{root}/nsubj",
        *[f"c//ADV//{root}/advmod"] * first,
        "go//VERB//0/root",
    ]
    words += [f"and//CCONJ//{verb}/cc", f"de{number}//NOUN//{verb}/nsubj"]
    words += [
        *[f"f//ADV//{verb}/advmod"] * second,
        f"run//VERB//{root}/conj",
        f".//PUNCT//{root}/punct",
    ]
    return analysed(" ".join(words))


LENGTHS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=40)


@settings(max_examples=50)
@drawn(LENGTHS, st.integers(0, 3), st.randoms())
def test_balanced_and_the_same_tokens(lengths, seed, random):
    lengths = [(0, 1), (1, 0), (1, 0), *lengths]
    sentences = [joined(number, *some) for number, some in enumerate(lengths)]
    made = coordination_inversion(sentences, given(seed=seed))
    longer = Counter()
    for item in made:
        tokens, before = list(item.tokens), item.group.split(" ")
        assert Counter(t.lower() for t in tokens) == Counter(t.lower() for t in before)
        assert (tokens == before) == (item.label == "O")
        assert tokens[0][0].isupper() and sum(t[0].isupper() for t in tokens) == 1
        middle = tokens.index("and")
        first, second = middle, len(tokens) - middle - 2
        longer[item.label, (first > second) - (first < second)] += 1
    for label in "OI":
        assert abs(longer[label, 1] - longer[label, -1]) <= 1
    assert len({item.group for item in made}) == len(made)
    again = coordination_inversion(random.sample(sentences, len(sentences)), given(seed=seed))
    assert sorted(again) == sorted(made)


def test_too_little():
    with pytest.raises(TooLittleData, match="no sentence is two clauses joined"):
        coordination_inversion([analysed("go//VERB//0/root")], given())
    with pytest.raises(TooLittleData, match="in all 2 sentences .* the second is the longer one"):
        coordination_inversion([joined(1, 0, 1), joined(2, 0, 1)], given())
    with pytest.raises(TooLittleData, match="no trees"):
        coordination_inversion([analysed("go//VERB and//CCONJ")], given())
