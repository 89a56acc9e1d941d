from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.choices import chosen, coins, one_of_each, ranked
from tests.tasks.sentences.annotated_sentences import analysed, plain


@given(st.lists(st.text(), unique=True, min_size=1), st.text(), st.integers(), st.randoms())
def test_choices_do_not_depend_on_the_order(options, text, seed, random):
    shuffled = random.sample(options, len(options))
    assert chosen(options, text, seed, "x") == chosen(shuffled, text, seed, "x")
    assert sorted(ranked(options, text, seed, "x")) == list(range(len(options)))


def test_coins_are_fair_and_of_their_seed():
    texts = [f"sentence {n}" for n in range(2000)]
    heads = coins(texts, 1, "x")
    assert 930 < sum(heads) < 1070
    assert heads == coins(texts, 1, "x")
    for other in (coins(texts, 2, "x"), coins(texts, 1, "y")):
        assert 930 < sum(a == b for a, b in zip(heads, other)) < 1070


def test_one_of_each():
    """One of two analyses, whichever comes first; an analysed one before plain text."""
    one, other = analysed("go//VERB up//ADV"), analysed("go//NOUN up//ADV")
    text = plain("go up")
    for order in ([one, other, text], [text, other, one], [other, text, one]):
        assert one_of_each([*order, plain("down")]) == [other, plain("down")]
