import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks import draw_pair_pool
from linspector_allennlp.tasks.draw_pair_pool import equal_shares
from linspector_allennlp.tasks.draw_paired_forms import (
    first_of_each,
    paired_forms_task,
    pairs_within,
)
from linspector_allennlp.tasks.feature_values import NO_LABEL
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.tasks.word_forms import TypeLevelSettings
from tests.tasks.paradigms import all_rows, word_forms

grouped = st.lists(st.integers(0, 5), max_size=25).flatmap(
    lambda groups: st.tuples(st.just(groups), st.permutations(range(len(groups))))
)


def arrays(groups_and_keys):
    groups, keys = groups_and_keys
    return np.array(groups, dtype=np.int64), np.array(keys, dtype=np.uint64)


@given(grouped)
def test_pairs_within_groups(groups_and_keys):
    groups, keys = groups_and_keys
    found = [
        tuple(sorted(pair))
        for pair in zip(*map(np.ndarray.tolist, pairs_within(*arrays(groups_and_keys))))
    ]
    expected = [
        pair
        for pair in itertools.combinations(range(len(groups)), 2)
        if groups[pair[0]] == groups[pair[1]]
    ]
    assert sorted(found) == expected


@given(grouped, st.integers(0, 4))
def test_first_of_each_group(groups_and_keys, number):
    groups, keys = groups_and_keys
    members = defaultdict(list)
    for position in sorted(range(len(groups)), key=lambda position: keys[position]):
        members[groups[position]].append(position)
    expected = {position for some in members.values() for position in some[:number]}
    found = first_of_each(*arrays(groups_and_keys), number).tolist()
    assert set(found) == expected and len(found) == len(expected)


@pytest.mark.parametrize(
    "available, size, expected",
    [
        ([100, 100], 100, [50, 50]),
        ([10, 100], 100, [10, 90]),
        ([100, 10, 100], 100, [45, 10, 45]),
        ([5, 30, 100, 100], 100, [5, 30, 32, 33]),
        ([7, 0, 9], 16, [7, 0, 9]),
        ([9, 9, 9], 10, [3, 3, 4]),
        ([3, 4], 0, [0, 0]),
    ],
)
def test_equal_shares_by_hand(available, size, expected):
    assert equal_shares(available, size) == expected


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.data())
def test_equal_shares(available, data):
    size = data.draw(st.integers(0, sum(available)))
    shares = equal_shares(available, size)
    assert sum(shares) == size
    assert all(0 <= share <= have for share, have in zip(shares, available))
    # Who gets less than another (by more than a rest) has no more to give.
    for share, have in zip(shares, available):
        assert share == have or share >= max(shares) - 1


# Forms f0, f1, …, each of a lemma of its own; a pair is given by the forms' numbers.
WORDS = 60


class GivenLabels:
    """Each pair of rows has the first label under which it is given."""

    def __init__(self, words, labels):
        self.names = list(labels)
        form_of = words.unimorph.form_of
        self._form = [int(words.unimorph.forms[form][1:]) for form in form_of]
        self._numbers = {
            frozenset(pair): number
            for number, pairs in reversed(list(enumerate(labels.values())))
            for pair in pairs
        }

    def of_rows(self, first, second):
        pairs = zip(first.tolist(), second.tolist())
        forms = (frozenset((self._form[one], self._form[other])) for one, other in pairs)
        return np.array([self._numbers.get(pair, NO_LABEL) for pair in forms], dtype=np.int64)


def pair_task(labels, frequent=None, rows=None, **options):
    """The task from these pairs: a list for each label, the same in all rounds."""
    rows = rows or [(f"l{n}", f"f{n}", "N;SG") for n in range(WORDS)]
    words = word_forms(rows, frequent)
    row_of = {words.unimorph.forms[form]: row for row, form in enumerate(words.unimorph.form_of)}

    def sampler(pairs):
        first = np.array([row_of[f"f{one}"] for one, _ in pairs], dtype=np.int64)
        second = np.array([row_of[f"f{other}"] for _, other in pairs], dtype=np.int64)
        return lambda number: (first, second)

    samplers = {label: sampler(pairs) for label, pairs in labels.items()}
    settings = {"size": 20, "min_label_count": 1, **options}
    given_labels = GivenLabels(words, labels)
    return paired_forms_task("Pairs", words, given_labels, samplers, TypeLevelSettings(**settings))


def forms_of(pairs):
    return {frozenset((f"f{one}", f"f{other}")) for one, other in pairs if one != other}


pairs = st.tuples(st.integers(0, 12), st.integers(0, 12))
labelled_pairs = st.fixed_dictionaries(
    {label: st.lists(pairs, min_size=5, max_size=60) for label in ("Case", "Number", "lemma")}
)


@given(labelled_pairs, st.integers(2, 30), st.integers(1, 4), st.integers(0, 3))
def test_drawing_from_given_pairs(labels, size, minimum, seed):
    pool, before = {}, set()
    for label, some in labels.items():
        pool[label] = forms_of(some) - before
        before |= pool[label]
    available = {label: len(some) for label, some in pool.items()}
    total = sum(available.values())
    try:
        data = pair_task(labels, size=size, min_label_count=minimum, seed=seed)
    except TooLittleData:
        shares = equal_shares(list(available.values()), min(size, total))
        assert total < size or min(shares) < minimum, "nothing was missing"
        return
    drawn = [(frozenset(row[:2]), row[2]) for row in all_rows(data)]
    assert len({pair for pair, _ in drawn}) == len(drawn) == size, "no pair twice"
    assert all(pair in pool[label] for pair, label in drawn)
    counts = Counter(label for _, label in drawn)
    assert data.label_counts == counts and min(counts.values()) >= minimum
    assert data.facts["candidate_pairs"] == {label: n for label, n in available.items() if n}
    assert data.facts["pairs_with_two_labels"] == 0
    for label, number in counts.items():
        assert number == available[label] or number >= max(counts.values()) - 1


MANY = {
    "Case": [(one, other) for one in range(30) for other in range(one)],
    "lemma": [(one, other) for one in range(30, 60) for other in range(30, one)],
}


def test_rare_pairs_are_kept_now_and_then():
    frequent = {f"f{n}" for n in range(0, WORDS, 2)}
    counts = {}
    for ratio in (0.0, 0.2, 1.0):
        data = pair_task(MANY, frequent, rare_pair_ratio=ratio)
        counts[ratio] = sum(data.facts["candidate_pairs"].values())
        if not ratio:
            assert all(set(row[:2]) <= frequent for row in all_rows(data))
    both_frequent = sum(one % 2 == other % 2 == 0 for some in MANY.values() for one, other in some)
    rare = sum(map(len, MANY.values())) - both_frequent
    assert counts[0.0] == both_frequent and counts[1.0] == both_frequent + rare
    assert abs(counts[0.2] - both_frequent - 0.2 * rare) < 4 * (0.16 * rare) ** 0.5
    everything = pair_task(MANY, None, rare_pair_ratio=0.0)
    assert sum(everything.facts["candidate_pairs"].values()) == both_frequent + rare


def test_no_more_candidates_than_are_ever_needed(monkeypatch):
    monkeypatch.setattr(draw_pair_pool, "ENOUGH", 4)
    data = pair_task(MANY, size=20)
    assert data.facts["candidate_pairs"] == {"Case": 80, "lemma": 80}
    assert data.label_counts == {"Case": 10, "lemma": 10}


def test_which_form_is_first_is_chance_and_the_seed_decides():
    rows = all_rows(pair_task(MANY, size=200))
    ahead = sum(int(one[1:]) > int(other[1:]) for one, other, _ in rows)
    assert 60 < ahead < 140
    again = {label: [pair[::-1] for pair in some] for label, some in MANY.items()}
    assert all_rows(pair_task(again, size=200)) == rows
    assert all_rows(pair_task(MANY, size=200, seed=1)) != rows


def test_too_little():
    few = {"Case": [(0, 1), (1, 0), (2, 2)], "lemma": [(3, 4)]}
    with pytest.raises(TooLittleData, match="2 pairs, 20 needed"):
        pair_task(few)
    with pytest.raises(TooLittleData, match="1 of 1 values seen 1 times or more, 2 needed"):
        pair_task({"Case": MANY["Case"], "lemma": []})


def test_by_lemma_no_lemma_is_in_two_splits():
    data = pair_task(MANY, split_by="lemma", size=20)
    # Here each form has a lemma of its own.
    forms = [{form for row in rows for form in row[:2]} for rows in data.splits.values()]
    assert sum(map(len, forms)) == len(set.union(*forms))
    assert tuple(map(len, data.splits.values())) == (14, 4, 2)


def test_labels_are_left_out_only_until_the_rest_have_enough():
    some = {f"label {n}": [(one, n) for one in range(10, 20)] for n in range(6)}
    data = pair_task(some, size=20, min_label_count=5)
    assert set(data.label_counts.values()) == {5}


def test_a_label_with_few_pairs_is_sampled_again():
    """Ten new pairs of Case a round; of lemma there are enough in the first."""
    words = word_forms([(f"l{n}", f"f{n}", "N;SG") for n in range(WORDS)])
    row_of = {words.unimorph.forms[form]: row for row, form in enumerate(words.unimorph.form_of)}
    rounds = []

    def rows(pairs):
        return tuple(np.array([row_of[f"f{pair[i]}"] for pair in pairs]) for i in (0, 1))

    def sample(number):
        rounds.append(number)
        return rows(MANY["Case"][10 * number : 10 * number + 10])

    samplers = {"Case": sample, "lemma": lambda number: rows(MANY["lemma"])}
    settings = TypeLevelSettings(size=60, min_label_count=1)
    data = paired_forms_task("Pairs", words, GivenLabels(words, MANY), samplers, settings)
    assert rounds == [0, 1, 2]
    assert data.label_counts == {"Case": 30, "lemma": 30}
