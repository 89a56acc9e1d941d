from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import assume, given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.draw import draw_items
from linspector_allennlp.tasks.sentences.sentence_items import SentenceItem
from linspector_allennlp.tasks.sentences.unique_items import unique_groups
from linspector_allennlp.tasks.task_data import TooLittleData

BALANCES = ("natural", "even", "1:2", "1:5")


def items_of(number, labels="aaabbc", source="treebank", name="s"):
    """Sentences of which each gives one item, the labels by turns."""
    return [
        SentenceItem((f"{name}{n}",), labels[n % len(labels)], f"{name}{n}", source)
        for n in range(number)
    ]


def triples(number):
    return [SentenceItem((f"s{n}", zone), zone, f"s{n}", "treebank")
            for n in range(number) for zone in ("begin", "middle", "end")]  # fmt: skip


corpora = st.tuples(
    st.integers(60, 400), st.sampled_from(["ab", "aaab", "aaabbc", "abcd"]), st.integers(0, 200),
    st.booleans(),
).map(lambda drawn: (
    triples(drawn[0]) if drawn[3]
    else items_of(drawn[0], drawn[1]) + items_of(drawn[2], drawn[1], "text", "t")
))  # fmt: skip


def drawn_or_nothing(items, *arguments):
    try:
        return draw_items(items, *arguments)
    except TooLittleData:
        assume(False)


@given(corpora, st.integers(10, 500), st.integers(10, 500), st.integers(0, 4),
       st.sampled_from(BALANCES))  # fmt: skip
def test_a_smaller_task_is_a_part_of_a_larger_one(items, size, other, seed, balance):
    small, large = sorted((size, other))
    one, two = (drawn_or_nothing(items, n, seed, balance) for n in (small, large))
    for split in one.splits:
        assert set(one.splits[split]) <= set(two.splits[split])


@given(corpora, st.integers(10, 500), st.integers(0, 4), st.sampled_from(BALANCES), st.randoms())
def test_grouped_whole_balanced_and_in_any_order(items, size, seed, balance, random):
    drawn = drawn_or_nothing(items, size, seed, balance)
    groups = [{each.group for each in split} for split in drawn.splits.values()]
    assert sum(map(len, groups)) == len(set().union(*groups))
    sizes = Counter(each.group for each in items)
    for split, wanted in zip(drawn.splits.values(), (0.7, 0.2, 0.1)):
        assert len(split) <= wanted * size + 1 and len(set(split)) == len(split)
        counts = Counter(each.label for each in split)
        if balance != "natural":
            ratio = 1 if balance == "even" else int(balance[2:])
            assert max(counts.values()) <= ratio * min(counts.values())
        assert all(sizes[g] == n for g, n in Counter(each.group for each in split).items())
    mixed = list(items)
    random.shuffle(mixed)
    assert draw_items(mixed, size, seed, balance).splits == drawn.splits


def test_sizes_and_shares():
    drawn = draw_items(items_of(20_000), 10_000)
    assert [len(split) for split in drawn.splits.values()] == [7000, 2000, 1000]
    assert not drawn.is_short and drawn.candidates == {"a": 10_001, "b": 6666, "c": 3333}
    labels = Counter(each.label for split in drawn.splits.values() for each in split)
    assert abs(labels["a"] - 5000) < 150
    everything = draw_items(items_of(1000), 10_000)
    assert everything.is_short and sum(map(len, everything.splits.values())) == 1000
    shares = [len(split) / 1000 for split in everything.splits.values()]
    assert shares == pytest.approx([0.7, 0.2, 0.1], abs=0.04)
    other = draw_items(items_of(20_000), 10_000, seed=1)
    assert 4500 < len(set(other.splits["train"]) - set(drawn.splits["train"])) < 5500


def test_triples_are_whole():
    drawn = draw_items(triples(1000), 1000)
    # 700, 200 and 100 leave no room for another triple.
    assert [len(split) for split in drawn.splits.values()] == [699, 198, 99]
    assert not drawn.is_short
    for balance in BALANCES:
        assert draw_items(triples(1000), 1000, 0, balance).splits == drawn.splits


def test_text_only_tops_up():
    treebank, text = items_of(500), items_of(5000, source="text", name="t")
    small, large = draw_items(treebank + text, 300), draw_items(treebank + text, 1000)
    assert {each.source for split in small.splits.values() for each in split} == {"treebank"}
    assert small.splits == draw_items(treebank, 300).splits
    chosen = [each for split in large.splits.values() for each in split]
    assert Counter(each.source for each in chosen) == {"treebank": 500, "text": 500}
    # Rows of both are mixed: the order tells nothing.
    sources = [each.source for each in large.splits["train"]]
    assert 0.4 < sources[:200].count("text") / 200 < 0.6


def test_not_even_groups_give_one_item_each():
    items = [
        SentenceItem((f"s{n}", label), label, f"s{n}", "treebank")
        for n in range(300)
        for label in ("aab" if n % 2 else "a")
    ]
    drawn = draw_items(items, 100, balance="even")
    for split in drawn.splits.values():
        assert Counter(each.label for each in split)["a"] * 2 == len(split)
        assert len({each.group for each in split}) == len(split)


def test_rare_labels():
    items = items_of(200, "ab") + [SentenceItem(("x",), "c", "x", "treebank")] * 7
    drawn = draw_items(items, 100)
    # Seven times the same is one item.
    assert drawn.rare == ["c"] and drawn.candidates["c"] == 7
    assert drawn.left_out == {"repeated": 6, "rare_label": 1}
    with pytest.raises(TooLittleData, match="1 of 3 labels with 101 items or more, 2 needed"):
        draw_items(items + items_of(9, "a", name="z"), 100, min_label_count=101)
    with pytest.raises(
        TooLittleData, match="cannot be balanced in .* no item of c: a larger --min"
    ):
        draw_items(items, 100, balance="even", min_label_count=1)


@pytest.mark.parametrize("number, expected", [
    (0, "0 of 0 labels with 1 items"), (2, "2 items, of which .* would have none"),
    (4, "4 items, 10 needed"),
])  # fmt: skip
def test_too_little(number, expected):
    with pytest.raises(TooLittleData, match=expected):
        draw_items(items_of(number, "ab"), 10, min_label_count=1)
    with pytest.raises(ConfigurationError, match="size: expected 10 or more"):
        draw_items(items_of(100), 9)


# What is drawn from


def made(tokens, label, group, source="treebank"):
    return SentenceItem(tuple(tokens), label, group, source)


def test_each_input_once_and_with_one_label():
    items = [
        made("ab", "O", "1"),
        made("ab", "O", "1"),  # the same sentence again
        made("ab", "O", "2"),  # the same from another
        made("cd", "O", "3"),
        made("cd", "I", "4"),  # which of the two?
        made("ef", "O", "5"),
        made("ab", "I", "6", "text"),  # the treebank is right
        made("gh", "I", "5", "text"),  # the same sentence, made into something else
        made("cd", "O", "7", "text"),
        made("ij", "I", "8", "text"),
        made("kl", "O", "9", "text"), made("kl", "I", "9", "text"),
    ]  # fmt: skip
    left_out = Counter()
    groups = unique_groups(items, left_out)
    assert [group.name for group in groups] == ["1", "5", "8"]
    assert left_out == {"repeated": 5, "contradictory": 4}
    assert unique_groups(items[:6], Counter()) == groups[:2]


@given(st.lists(st.builds(made, st.sampled_from(["a", "b", "c", "d"]), st.sampled_from("xy"),
                          st.sampled_from("1234"), st.sampled_from(["treebank", "text"])), max_size=12),
       st.randoms())  # fmt: skip
def test_unique_items(items, random):
    left_out = Counter()
    groups = unique_groups(items, left_out)
    kept = [each for group in groups for each in group.items]
    assert len({each.tokens for each in kept}) == len(kept)
    assert len(kept) + left_out.total() == len(items)
    mixed = list(items)
    random.shuffle(mixed)
    assert {(g.name, frozenset(g.items)) for g in unique_groups(mixed, Counter())} == {
        (g.name, frozenset(g.items)) for g in groups
    }
    treebank = [each for each in items if each.source == "treebank"]
    alone = unique_groups(treebank, Counter())
    assert [group for group in groups if group.source == "treebank"] == alone
