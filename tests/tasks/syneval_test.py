import itertools
from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.tasks.splits import split_sizes
from linspector_allennlp.tasks.syneval import split_of_file, syneval_task
from linspector_allennlp.tasks.syneval_values import word_values
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.treebanks import Sentence, Word, read_treebank


def sentence(text, path="x.conllu"):
    """Words as `form/upos/feats/head/deprel`; what is missing at the end is empty, `A:B` is A/B."""
    words = []
    for number, word in enumerate(text.split(), start=1):
        form, upos, feats, head, deprel = (word.split("/") + [""] * 4)[:5]
        feats = feats.replace(":", "/")
        xpos = upos.lower() + "x" if upos else ""
        words.append(
            Word(number, form, form, upos, xpos, feats, int(head) if head else None, deprel, number)
        )
    return Sentence(path, 1, "", words)


def rows_of(task):
    return [row for split in SPLITS for row in task.splits[split]]


TEXT = "the/DET//2/det cat/NOUN/Case=Nom|Number=Sing/3/nsubj sleeps/VERB/Tense=Pres/0/root"
HERE = [sentence(f"{TEXT} x{n}/NOUN/Case=Acc,Dat|Number=Plur/3/obj") for n in range(10)]


@pytest.mark.parametrize(
    "task,expected",
    [
        ("pos", {("the", "DET"): 10, ("cat", "NOUN"): 10, ("sleeps", "VERB"): 10}),
        ("label", {("the", "det"): 10, ("cat", "nsubj"): 10, ("sleeps", "root"): 10}),
        ("headpos", {("the", "NOUN"): 10, ("cat", "VERB"): 10}),
        ("case", {("cat", "Nom"): 10}),
        ("number", {("cat", "Sing"): 10}),
    ],
)
def test_by_hand(task, expected):
    made = syneval_task(HERE, task, seed=1)
    rows = Counter(row for row in rows_of(made) if not row[0].startswith("x"))
    assert (made.name, made.kind) == (task, "single_form")
    assert rows == expected
    assert made.facts["candidates"] == sum(expected.values()) + 10
    values = {row[1] for row in rows_of(made) if row[0].startswith("x")}
    other = {"pos": "NOUN", "label": "obj", "headpos": "VERB", "case": "Acc,Dat", "number": "Plur"}
    assert values == {other[task]}


def test_the_spellings_of_spmrl():
    """Values are as they are written; two at once are left open."""
    here = [sentence("a/N/case=nom|num=S b/N/KAS=ABS|Num=none c/N/num=P|num=S d/N/Cas=n|g=m")]
    left_out = Counter()
    found = {
        task: [(w.form, w.value) for w in word_values(here, task, "upos", left_out)]
        for task in ("case", "number", "gender")
    }
    assert found == {
        "case": [("a", "nom"), ("b", "ABS"), ("d", "n")],
        "number": [("a", "S")],
        "gender": [("d", "m")],
    }
    assert left_out == {"value_left_open": 1}


def test_roots_have_no_head():
    assert syneval_task(HERE, "headpos", seed=1).facts["left_out"]["root"] == 10


def test_parts_of_speech():
    assert set(syneval_task(HERE, "pos", 1, pos_column="xpos").label_counts) == {
        "detx", "nounx", "verbx",
    }  # fmt: skip
    bare = [
        found._replace(words=[word._replace(upos="") for word in found.words]) for found in HERE
    ]
    assert "detx" in syneval_task(bare, "pos", 1).label_counts
    assert set(syneval_task(bare, "headpos", 1).label_counts) == {"nounx", "verbx"}


def test_unimorph_names():
    here = [sentence(f"a{n}//N;NOM;SG b{n}//N;ESS;PL c{n}//N;{{NOM:ACC}}") for n in range(10)]
    task = syneval_task(here, "case", seed=1)
    assert task.label_counts == {"Essive": 10, "Nominative": 10}
    assert task.facts["left_out"]["value_left_open"] == 10
    for name, reason in (
        ("pos", "UPOS"),
        ("label", "DEPREL"),
        ("headpos", "HEAD"),
        ("gender", "Gender"),
    ):
        with pytest.raises(TooLittleData, match=f"no word has a value: nothing in .*{reason}"):
            syneval_task(here, name, seed=1)


def test_rare_values():
    task = syneval_task([*HERE, sentence("hey/INTJ")], "pos", seed=1)
    assert task.facts["left_out"]["rare_value"] == 1
    assert task.notes == ["left out as too rare: INTJ"]
    with pytest.raises(TooLittleData, match="1 of 1 values"):
        syneval_task(HERE, "tense", seed=1)


@pytest.mark.parametrize(
    "name,split",
    [
        ("fi_tdt-ud-train.conllu", 0),
        ("/train/en-dev.conllu", 1),
        ("TEST.conllu", 2),
        ("latest.conllu", None),
        ("train-test.conllu", None),
    ],
)
def test_names_of_files(name, split):
    assert split_of_file(name) == split


def in_files(names=("a-train", "a-dev", "a-test")):
    return [found._replace(path=name) for found, name in zip(HERE, itertools.cycle(names))]


def test_own_splits():
    task = syneval_task(in_files(), "pos", seed=1)
    assert task.facts["split_by"] == "files"
    assert [len(task.splits[split]) for split in SPLITS] == [16, 12, 12]
    drawn = syneval_task(in_files(), "pos", seed=1, size=20, min_label_count=2)
    assert [len(drawn.splits[split]) for split in SPLITS] == [14, 4, 2]
    with pytest.raises(TooLittleData, match="16 words in train, 28 needed"):
        syneval_task(in_files(), "pos", seed=1, size=40)
    made = syneval_task(in_files(), "pos", seed=1, split_by="sentence")
    assert made.facts["split_by"] == "sentence"


def test_settings():
    assert syneval_task(in_files(("train", "dev")), "pos", 1).facts["split_by"] == "sentence"
    with pytest.raises(ConfigurationError, match="not named train, dev and test: dev, train"):
        syneval_task(in_files(("train", "dev")), "pos", 1, split_by="files")
    with pytest.raises(ConfigurationError, match="task is 'POS'"):
        syneval_task(HERE, "POS", 1)
    with pytest.raises(ConfigurationError, match="pos_column is 'cpos'"):
        syneval_task(HERE, "pos", 1, pos_column="cpos")


WORD = st.tuples(st.sampled_from("abcd"), st.sampled_from(["NOUN", "VERB", "ADJ", ""]))
TREEBANKS = st.lists(st.lists(WORD, min_size=1, max_size=5), min_size=5, max_size=40).map(
    lambda texts: [sentence(" ".join(f"{form}/{upos}" for form, upos in text)) for text in texts]
)


@given(TREEBANKS, st.none() | st.integers(5, 30), st.integers(0, 3), st.randoms())
def test_properties(sentences, size, seed, rng):
    try:
        task = syneval_task(sentences, "pos", seed, size, min_label_count=3)
    except TooLittleData:
        return
    if size is not None:
        assert tuple(len(task.splits[split]) for split in SPLITS) == split_sizes(size)
    counts = Counter(label for _, label in rows_of(task))
    assert counts == task.label_counts and min(counts.values()) >= 3
    there = Counter((word.form, word.upos) for found in sentences for word in found.words)
    assert not Counter(rows_of(task)) - there
    if size is None:
        expected = {row: number for row, number in there.items() if row[1] in counts}
        assert Counter(rows_of(task)) == expected
    rng.shuffle(sentences)
    again = syneval_task(sentences, "pos", seed, size, min_label_count=3)
    assert again.splits == task.splits and again.facts == task.facts


def test_no_sentence_is_in_two_splits():
    """Each form occurs in one sentence only, which is there three times."""
    here = [sentence(f"a{n}/NOUN b{n}/VERB c{n}/NOUN") for n in range(50)] * 3
    for size in (None, 450, 100):
        task = syneval_task(here, "pos", 1, size)
        texts = [{row[0][1:] for row in task.splits[split]} for split in SPLITS]
        assert not any(one & other for one, other in itertools.combinations(texts, 2))
    one, other = (syneval_task(here, "pos", seed).splits["test"] for seed in (1, 2))
    assert one != other


@pytest.mark.realdata
def test_turkish(real_data):
    sentences = list(read_treebank(sorted((real_data / "ud").glob("tr_imst-ud-*"))))
    task = syneval_task(sentences, "case", seed=0)
    assert set(task.label_counts) == {"Nom", "Dat", "Acc", "Gen", "Loc", "Abl", "Ins", "Equ"}
    assert [len(task.splits[split]) for split in SPLITS] == [16279, 4548, 4120]
    assert syneval_task(sentences, "headpos", seed=0).facts["left_out"]["root"] == 5635


def test_each_occurrence_of_a_sentence_is_drawn_for_itself():
    """Ten times the same sentence: its words are not ten in a row, nor drawn all or none."""
    repeated = [sentence(f"{TEXT} x{n % 4}/NOUN/_/3/obj", f"a-{split}.conllu")
                for split in SPLITS for n in range(40)]  # fmt: skip
    rows = syneval_task(repeated, "pos", seed=1).splits["train"]
    changes = sum(one != other for one, other in zip(rows, rows[1:]))
    assert changes > len(rows) / 2
