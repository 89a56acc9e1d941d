import itertools
from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.sources.analysed_sentences import AnalysedSentence, analysed
from linspector_allennlp.sources.schema import Schema
from linspector_allennlp.tasks.splits import split_sizes
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.tasks.token_in_context import ambiguous_share, token_task
from linspector_allennlp.treebanks import TreebankCounts, read_treebank

SCHEMA = Schema()


def sentence(text):
    """`kitap/N;NOM .` has a word with tags and one without."""
    words = [word.partition("/") for word in text.split()]
    return AnalysedSentence(
        tuple(form for form, _, _ in words),
        tuple(SCHEMA.read(tags.split(";")) if tags else None for _, _, tags in words),
    )


def many(number, tags="NOM ACC", length=3):
    """Sentences of different words, whose tags go round."""
    tags = itertools.cycle(tags.split())
    return [
        sentence(" ".join(f"w{n}.{i}/N;{next(tags)}" for i in range(length))) for n in range(number)
    ]


def rows_of(task):
    return [row for split in SPLITS for row in task.splits[split]]


def test_by_hand():
    sentences = [
        sentence("ev/N;NOM;SG güzel/ADJ ./"),
        sentence("eve/N;DAT;SG gitti/V;PST ."),
        sentence("evi/N;ACC/NOM;SG gördü/V;PST ."),
    ]
    task = token_task(sentences, "Case", seed=1, size=2, min_label_count=1, split_by="token")
    assert (task.name, task.kind) == ("Case", "token_in_context")
    assert sorted(rows_of(task)) == [
        ("ev güzel .", "0", "Nominative"),
        ("eve gitti .", "0", "Dative"),
    ]
    assert task.facts["candidates"] == 3
    assert task.facts["left_out"]["value_left_open"] == 1
    assert task.label_counts == {"Dative": 1, "Nominative": 1}


def test_person_is_person_and_number():
    sentences = [sentence(f"a{n}/V;1;SG b{n}/V;3;PL c{n}/V;3") for n in range(10)]
    task = token_task(sentences, "Person", seed=1, size=20)
    assert task.label_counts == {"First person Singular": 10, "Third person Plural": 10}


def test_tag_count_and_pos():
    sentences = [sentence(f"a{n}/V;1;SG b{n}/N c{n}") for n in range(10)]
    assert token_task(sentences, "TagCount", 1, size=20).label_counts == {"1": 10, "3": 10}
    assert token_task(sentences, "POS", 1, size=20).label_counts == {"Noun": 10, "Verb": 10}


def test_repeated_sentences():
    repeated = sentence("x/N;NOM y/N;ACC z/N;DAT")
    conflict = sentence("x/N;NOM y/N;NOM z/N;DAT")
    absent = sentence("x/N;NOM y/N;ACC z/N")
    task = token_task(
        [*many(30, length=1), repeated, repeated], "Case", 1, size=33, min_label_count=1
    )
    assert task.facts["left_out"]["in_repeated_sentence"] == 3
    assert task.facts["distinct_sentences"] == 31
    task = token_task(
        [*many(30, length=1), repeated, conflict, absent], "Case", 1, size=31, min_label_count=1
    )
    assert task.facts["left_out"]["conflicting_values"] == 2
    assert [row[1] for row in rows_of(task) if row[0] == "x y z"] == ["0"]


def test_rare_values():
    sentences = many(10) + [sentence("x/N;DAT y/N;DAT")]
    task = token_task(sentences, "Case", 1, size=30, min_label_count=3)
    assert task.facts["rare_values"] == ["Dative"]
    assert task.facts["left_out"]["rare_value"] == 2
    assert task.notes == ["left out as too rare: Dative"]
    with pytest.raises(TooLittleData, match="1 of 2 values seen 5 times or more, 2 needed"):
        token_task(many(2, "NOM NOM NOM NOM ACC NOM"), "Case", 1, size=3)


def test_a_value_that_is_frequent_but_seldom_drawn():
    """What counts is the final data set."""
    sentences = many(300, "NOM ACC") + [sentence(f"x{n}/N;DAT") for n in range(6)]
    task = token_task(sentences, "Case", 1, size=50)
    assert "Dative" not in task.label_counts and sum(task.label_counts.values()) == 50


def test_too_little():
    with pytest.raises(TooLittleData, match="^30 tokens, 10,000 needed$"):
        token_task(many(10), "Case", 1)
    with pytest.raises(TooLittleData, match="^30 tokens, 10,000 needed$"):
        token_task(many(10), "Case", 1, split_by="token")
    with pytest.raises(TooLittleData, match="no token has a value of Gender"):
        token_task(many(10), "Gender", 1)
    with pytest.raises(TooLittleData, match="60 tokens in 2 sentences, .* 42 / 12 / 6"):
        token_task(many(2, length=30), "Case", 1, size=60)
    with pytest.raises(ConfigurationError, match="split_by is 'word'"):
        token_task(many(10), "Case", 1, split_by="word")


def test_length_filter():
    """Lengths 3 (20 times) and 24 (once): mean 4, standard deviation 4.47."""
    sentences = many(20) + many(1, "DAT", length=24)
    task = token_task(sentences, "Case", 1, size=60, max_length_deviation=1.0)
    assert task.facts["left_out"]["in_sentences_of_unusual_length"] == 24
    assert set(task.label_counts) == {"Accusative", "Nominative"}
    wide = token_task(sentences, "Case", 1, size=80, max_length_deviation=4.5)
    assert wide.facts["left_out"]["in_sentences_of_unusual_length"] == 0


def test_ambiguity():
    assert ambiguous_share([("a", "X"), ("a", "Y"), ("b", "X"), ("b", "X")]) == 0.5


TAGS = ["N;NOM", "N;ACC", "N;DAT", "N;{NOM/ACC}", "V", ""]
WORD = st.tuples(st.sampled_from("abcde"), st.sampled_from(TAGS))
TREEBANKS = st.lists(st.lists(WORD, min_size=1, max_size=7), min_size=5, max_size=60).map(
    lambda texts: [sentence(" ".join(f"{form}/{tags}" for form, tags in text)) for text in texts]
)


@given(TREEBANKS, st.integers(0, 3), st.integers(4, 40), st.integers(1, 4), st.randoms())
def test_properties(sentences, seed, size, minimum, rng):
    try:
        task = token_task(sentences, "Case", seed, size, minimum)
    except TooLittleData:
        return
    assert tuple(len(task.splits[split]) for split in SPLITS) == split_sizes(size)
    texts = [{row[0] for row in task.splits[split]} for split in SPLITS]
    assert not any(one & other for one, other in itertools.combinations(texts, 2))
    assert len(set(rows_of(task))) == size
    counts = Counter(row[2] for row in rows_of(task))
    assert counts == task.label_counts and min(counts.values()) >= minimum and len(counts) > 1
    for text, index, label in rows_of(task):
        readings = [found for found in sentences if found.text == text]
        assert readings
        for reading in readings:
            assert reading.analyses[int(index)].values["Case"] == (label,)
    rng.shuffle(sentences)
    assert token_task(sentences, "Case", seed, size, minimum) == task


@pytest.mark.parametrize("split_by", ["sentence", "token"])
def test_seeds(split_by):
    sentences = many(200)
    tasks = [token_task(sentences, "Case", seed, 100, split_by=split_by) for seed in (1, 1, 2)]
    assert tasks[0] == tasks[1]
    assert set(rows_of(tasks[0])) != set(rows_of(tasks[2]))
    assert tasks[0].splits["train"] != sorted(tasks[0].splits["train"])


def test_split_by_token_shares_sentences():
    task = token_task(many(20, length=20), "Case", 1, 400, split_by="token")
    train, test = ({row[0] for row in task.splits[split]} for split in ("train", "test"))
    assert train & test
    assert tuple(len(task.splits[split]) for split in SPLITS) == (280, 80, 40)


RELEASED_CASES = {
    "Nominative", "Dative", "Accusative", "Genitive", "Essive", "Ablative+At", "Instrumental",
    "Equative",
}  # fmt: skip


@pytest.mark.realdata
@pytest.mark.parametrize("folder", ["ud_unimorph", "ud"])
def test_turkish_as_released(real_data, folder):
    counts = TreebankCounts()
    paths = sorted((real_data / folder).glob("tr_imst-*"))
    treebank = analysed(read_treebank(paths, counts), counts)
    for feature, labels, share in (
        ("Case", RELEASED_CASES, 0.487),
        ("Number", {"Singular", "Plural"}, 0.868),
    ):
        task = token_task(treebank.sentences, feature, seed=0)
        assert set(task.label_counts) == labels
        assert abs(max(task.label_counts.values()) / 10_000 - share) < 0.05
        assert [len(task.splits[split]) for split in SPLITS] == [7000, 2000, 1000]
