from collections import Counter

import numpy as np
import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.tree_depth import tree_depth
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.annotated_sentences import analysed, given, texts


def of_depth(number, length, depth):
    """A chain as deep as that, and words below the root."""
    heads = [0, *range(1, depth + 1), *[1] * (length - depth - 1)]
    return analysed(" ".join(f"w{number}//NOUN//{head}/dep" for head in heads))


SIZES = st.lists(st.tuples(st.integers(5, 9), st.integers(1, 4)), max_size=80)


@settings(max_examples=50)
@drawn(SIZES, st.integers(0, 3), st.randoms())
def test_each_length_has_as_many_of_each_depth(sizes, seed, random):
    sizes = [(5, 1), (5, 2), *sizes]
    sentences = [of_depth(number, *size) for number, size in enumerate(sizes)]
    here = given(seed=seed, tree_depth_classes=2)
    made = tree_depth(sentences, here)
    counts = Counter((len(item.tokens), item.label) for item in made)
    assert len({label for _, label in counts}) == 2
    for length in {length for length, _ in counts}:
        assert len({n for (some, _), n in counts.items() if some == length}) == 1
        assert len([1 for some, _ in counts if some == length]) == 2
    table = np.array([(len(item.tokens), int(item.label)) for item in made], dtype=float)
    lengths, depths = (table - table.mean(axis=0)).T
    assert abs((lengths * depths).sum()) < 1e-6
    again = tree_depth(random.sample(sentences, len(sentences)), here)
    assert sorted(again) == sorted(made)


def test_by_hand():
    sizes = [(5, 1)] * 3 + [(5, 2)] * 2 + [(6, 1)] + [(7, 2)] + [(5, 3)]
    sentences = [of_depth(n, *size) for n, size in enumerate(sizes)]
    made = tree_depth(sentences, given(tree_depth_classes=2))
    assert Counter(item.label for item in made) == {"1": 2, "2": 2}
    assert {len(item.tokens) for item in made} == {5}
    three = tree_depth(sentences, given(tree_depths="1-3"))
    assert Counter(item.label for item in three) == {"1": 1, "2": 1, "3": 1}
    assert set(texts(made)) <= {sentence.text for sentence in sentences}


def test_too_little():
    with pytest.raises(TooLittleData, match="no length has sentences of every depth from 0 to 3"):
        tree_depth([of_depth(1, 5, 1)], given())
    with pytest.raises(TooLittleData, match="no trees"):
        tree_depth([analysed("a//NOUN")], given())


def test_broken_settings():
    for setting in ("3", "6-3", "a-b"):
        with pytest.raises(ConfigurationError, match="tree_depths: expected a range like 3-6"):
            tree_depth([of_depth(1, 5, 1)], given(tree_depths=setting))
    with pytest.raises(ConfigurationError, match="tree_depth_classes: expected 2 or more, found 1"):
        tree_depth([of_depth(1, 5, 1)], given(tree_depth_classes=1))


def test_no_tree():
    with pytest.raises(ValueError, match="x.conllu, line 1: .*a cycle: 1 → 2 → 1"):
        tree_depth([analysed("a//X//2/dep b//X//1/dep c//X//0/root")], given())
