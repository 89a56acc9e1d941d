from collections import Counter

import numpy as np
import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.training.folds import Foldable, Folds

KINDS = [
    {"type": "k_fold", "k": 3},
    {"type": "k_fold", "k": 3, "stratified": False},
    {"type": "k_fold", "k": 3, "grouped": False},
    {"type": "k_fold", "k": 3, "grouped": False, "stratified": False},
    {"type": "random_subsets", "repetitions": 3, "test_share": 0.25},
    {"type": "leave_one_group_out"},
]


def folds(**settings):
    return Folds.from_params(Params(dict(settings)))


def items(num_groups=40, variants=3, num_labels=3):
    rows = [(g, v) for g in range(num_groups) for v in range(variants)]
    return Foldable(
        labels=[str((g + v) % num_labels) for g, v in rows],
        groups=[g for g, _ in rows],
        topics=[f"topic {g % 4}" for g, _ in rows],
        texts=[f"{g} {v}" for g, v in rows],
    )


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_no_item_is_trained_on_and_tested(settings):
    given = items()
    for fold in folds(**settings).divide(given, seed=1):
        assert not set(fold.train) & set(fold.test) and fold.validation is None
        assert len(fold.train) + len(fold.test) == len(given.labels)


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_groups_stay_together_where_they_should(settings):
    given = items()
    groups = np.array(given.groups)
    shared = [
        set(groups[fold.train]) & set(groups[fold.test])
        for fold in folds(**settings).divide(given, seed=1)
    ]
    assert any(shared) == (settings.get("grouped") is False)


@pytest.mark.parametrize("settings", KINDS[:4], ids=str)
def test_each_item_is_tested_once(settings):
    given = items()
    made = folds(**settings).divide(given, seed=1)
    assert sorted(np.concatenate([fold.test for fold in made])) == list(range(len(given.labels)))
    if settings.get("stratified", True):
        for fold in made:
            counts = Counter(given.labels[i] for i in fold.test)
            assert max(counts.values()) - min(counts.values()) <= 3


def test_topics_are_left_out_one_by_one():
    made = folds(type="leave_one_group_out").divide(items(), seed=1)
    assert [fold.name for fold in made] == [f"topic {n}" for n in range(4)]
    for fold in made:
        assert {items().topics[i] for i in fold.test} == {fold.name}


@given(st.randoms(use_true_random=False), st.sampled_from(KINDS))
def test_folds_depend_on_the_items_and_the_seed_and_not_on_their_order(random, settings):
    given = items(num_groups=20)
    order = list(range(len(given.labels)))
    random.shuffle(order)
    shuffled = Foldable(*([column[i] for i in order] for column in given))
    one = [set(fold.test.tolist()) for fold in folds(**settings).divide(given, seed=5)]
    other = [{order[i] for i in fold.test} for fold in folds(**settings).divide(shuffled, seed=5)]
    assert one == other


def test_the_seed_is_that_of_the_run_unless_it_is_given():
    def tests(of_run, **settings):
        made = folds(type="random_subsets", **settings).divide(items(), of_run)
        return [fold.test.tolist() for fold in made]

    assert tests(1) != tests(2) and tests(1) == tests(1)
    assert tests(1, seed=3) == tests(2, seed=3) == tests(3)


def test_a_share_of_the_training_items_may_choose_the_best_epoch():
    given = items()
    groups = np.array(given.groups)
    for fold in folds(k=4, validation_share=0.25).divide(given, seed=1):
        parts = [set(groups[part]) for part in (fold.train, fold.validation, fold.test)]
        assert sum(map(len, parts)) == 40 and set.union(*parts) == set(range(40))
        assert 5 <= len(parts[1]) <= 10


@pytest.mark.parametrize(
    "settings, given, message",
    [
        (
            {"k": 5},
            items(num_groups=3),
            "5 folds need at least as many groups .* found 3 in 9 items",
        ),
        ({"k": 5}, items(num_groups=1), "found 1 in 3 items"),
        ({"k": 1}, items(), "expected k of at least 2, found 1"),
        ({"type": "leave_one_group_out"}, items(1), "needs two topics or more, found topic 0"),
        ({"type": "random_subsets", "test_share": 2}, items(), "test_share between 0 and 1"),
        (
            {"k": 2, "validation_share": 0.95},
            items(num_groups=4),
            "leaves nothing|one label|no item",
        ),
        ({"validation_share": 1.0}, items(), "validation_share: expected from 0 to below 1"),
        (
            {"k": 2},
            items(num_groups=2, variants=2)._replace(labels=list("aabb")),
            "one label to train on",
        ),
        (
            {"type": "leave_one_group_out"},
            items()._replace(topics=[None] * 120),
            'say `topic: "group"`',
        ),
    ],
)
def test_what_cannot_be_divided(settings, given, message):
    with pytest.raises(ConfigurationError, match=message):
        folds(**settings).divide(given, seed=1)


def test_rows_apart_from_their_variants_are_warned_of():
    assert [*folds(grouped=True).warnings()] == []
    (warning,) = folds(grouped=False).warnings()
    assert "below chance" in warning
