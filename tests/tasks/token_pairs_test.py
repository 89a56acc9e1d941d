"""OddFeat and SameFeat of a treebank, against oracles that know nothing of the code under test."""

import csv
import itertools
from collections import Counter, defaultdict

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.sources.analysed_sentences import AnalysedSentence
from linspector_allennlp.sources.schema import Schema
from linspector_allennlp.tasks.make_treebank_tasks import make_token_level_tasks
from linspector_allennlp.tasks.splits import split_sizes
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.tasks.token_pairs import token_pair_task
from tests.tasks.odd_feature_test import odd_one
from tests.tasks.shared_feature_test import only_likeness

SCHEMA = Schema()


def sentence(text):
    """`talossa/talo/N;GEN .` has a word with lemma and tags, and one with neither."""
    words = [(*word.split("/", 2), "", "")[:3] for word in text.split()]
    return AnalysedSentence(
        tuple(form for form, _, _ in words),
        tuple(SCHEMA.read(sorted(tags.split(";"))) if tags else None for _, _, tags in words),
        tuple(lemma or "_" for _, lemma, _ in words),
    )


def rows_of(task):
    return [row for split in SPLITS for row in task.splits[split]]


# Each sentence has a word in the nominative or genitive, of five lemmas, and one of another number.
NOUNS = [
    sentence(
        f"s{n}/s{n}/ADV {lemma}{case}/{lemma}/N;{case};SG {lemma}pl/{lemma}/N;NOM;PL ./_/"
        if n % 2
        else f"s{n}/s{n}/ADV {lemma}{case}/{lemma}/N;{case};SG"
    )
    for n, (lemma, case) in enumerate(itertools.product("abcde" * 4, ["NOM", "GEN", "ACC"]))
]


def test_by_hand():
    """Of two words of one lemma in one sentence there is no pair."""
    texts = ["x a/a/N;NOM;SG b/a/N;NOM;PL", "y a/a/N;GEN;SG", "z c/c/N;NOM;SG", "v d/_/N;NOM;SG"]
    odd = token_pair_task(
        [sentence(text) for text in texts * 2], "OddFeat", "xyz", 1, size=2, min_label_count=1,
        split_by="token",
    )  # fmt: skip
    assert (odd.name, odd.kind) == ("OddFeat", "paired_tokens")
    expected = {
        (frozenset([("x a b", "1"), ("y a", "1")]), "Case"),
        (frozenset([("x a b", "1"), ("z c", "1")]), "lemma"),
    }
    assert {(frozenset([row[:2], row[2:4]]), row[4]) for row in rows_of(odd)} == expected
    assert odd.facts["candidate_pairs"] == {"Case": 1, "lemma": 1}
    assert odd.facts["left_out"] == {
        "in_sentences_of_unusual_length": 0, "in_repeated_sentence": 5, "without_lemma": 1,
    }  # fmt: skip
    # The same form in two cases: here it is in its sentence.
    assert odd.facts["pairs_of_one_form"] == 1


def test_a_word_that_is_not_the_same_in_all_copies_of_its_sentence():
    copies = [sentence("x a/a/N;NOM"), sentence("x a/b/N;NOM"), sentence("y b/b/N;GEN")]
    with pytest.raises(TooLittleData) as error:
        token_pair_task(copies, "OddFeat", "xyz", 1, size=10)
    assert "0 pairs, 10 needed" in str(error.value)
    with pytest.raises(TooLittleData, match="no word has both tags and a lemma"):
        token_pair_task([sentence("x a/_/N;NOM")], "OddFeat", "xyz", 1, size=10)


def test_settings():
    with pytest.raises(ConfigurationError, match="split_by is 'page'"):
        token_pair_task(NOUNS, "OddFeat", "xyz", 1, size=20, split_by="page")
    long = sentence(" ".join(["a/a/N;NOM;SG"] * 30))
    usual = token_pair_task(
        [*NOUNS, long], "OddFeat", "xyz", 1, size=20, min_label_count=1, max_length_deviation=3.0
    )
    assert usual.facts["left_out"]["in_sentences_of_unusual_length"] == 30


def test_split_by_token_shares_sentences():
    shared = token_pair_task(NOUNS, "OddFeat", "xyz", 1, size=100, split_by="token")
    train, test = (
        {text for row in shared.splits[split] for text in (row[0], row[2])}
        for split in ("train", "test")
    )
    assert train & test and sum(map(len, shared.splits.values())) == 100


TAGS = [
    "N;NOM;SG",
    "N;NOM;PL",
    "N;GEN;SG",
    "N;NOM/ACC;SG",
    "V;PRS;1;SG",
    "V;PST;1;SG",
    "V;PST;3;PL",
]
TAGS += ["N;NOM;SG;FOO", "V;PRS;2;SG", "ADV", ""]
WORD = st.tuples(st.sampled_from("abcdef"), st.sampled_from("abc_"), st.sampled_from(TAGS))
TREEBANKS = st.lists(st.lists(WORD, min_size=1, max_size=6), min_size=40, max_size=80).map(
    lambda texts: [sentence(" ".join(map("/".join, text))) for text in texts]
)


@settings(max_examples=25)
@given(TREEBANKS, st.integers(0, 3), st.sampled_from(["OddFeat", "SameFeat"]), st.randoms())
def test_properties(sentences, seed, name, rng):
    try:
        task = token_pair_task(sentences, name, "xyz", seed, size=20, min_label_count=1)
    except TooLittleData:
        return
    assert tuple(len(task.splits[split]) for split in SPLITS) == split_sizes(20)
    texts = [{t for row in task.splits[s] for t in (row[0], row[2])} for s in SPLITS]
    assert not any(one & other for one, other in itertools.combinations(texts, 2))
    assert len({frozenset([row[:2], row[2:4]]) for row in rows_of(task)}) == 20
    left_out = task.facts.get("features_left_out", [])
    for first, index1, second, index2, label in rows_of(task):
        assert first != second
        one, other = (
            {
                (found.lemmas[int(index)], frozenset(found.analyses[int(index)].tags))
                for found in sentences
                if found.text == text
            }
            for text, index in ((first, index1), (second, index2))
        )
        assert len(one) == len(other) == 1
        if name == "OddFeat":
            assert odd_one(*one, *other) == label
        elif set(left_out) == {"POS"}:
            assert only_likeness(*one, *other) == label
    rng.shuffle(sentences)
    again = token_pair_task(sentences, name, "xyz", seed, size=20, min_label_count=1)
    assert again == task


def test_no_split_is_told_by_the_other_tasks(fixtures, tmp_path):
    """A sentence is in the same split whatever else is made of the treebank with this seed."""
    treebank = [str(fixtures / f"raw/finnish-ud-{split}.conllu") for split in SPLITS]
    made = make_token_level_tasks(
        tmp_path, "fi", treebank, size=60, min_label_count=1, tasks=["OddFeat", "SameFeat"]
    ).made
    of_split = defaultdict(set)
    for name in made:
        for split in SPLITS:
            for row in rows_in(tmp_path / name / "finnish" / f"{split}.txt"):
                of_split[split] |= {row[0], row[2]}
    assert set(made) == {"OddFeat", "SameFeat"}
    assert made["OddFeat"]["kind"] == "paired_tokens"
    assert not of_split["train"] & of_split["test"] and not of_split["train"] & of_split["dev"]


def rows_in(path):
    with open(path, encoding="utf-8") as file:
        return [tuple(row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


# Every pair that is made of a real treebank, against its file.

VERB_FORMS = {"V.PTCP", "V.MSDR", "V.CVB"}


def dimension_of_tags(root):
    path = root / "linspector_allennlp/sources/unimorph_schema.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {row[0]: row[1] for row in rows if len(row) < 4 or not row[3]}


def words_of_treebank(paths, dimensions):
    """For each sentence and index the lemma, and the tags of each dimension."""
    words = {}
    for path in paths:
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            rows = [line.split("\t") for line in block.splitlines() if line[:1].isdigit()]
            rows = [row for row in rows if row[0].isdigit()]
            text = " ".join(row[1].replace(" ", "_") for row in rows)
            for index, row in enumerate(rows):
                tags = set(row[5].split(";")) - {"_", ""}
                if tags & VERB_FORMS:
                    tags.discard("V")
                values = defaultdict(set)
                # The parts of PST+PRF are a tense and an aspect.
                for tag in (part for t in tags for part in ([t] if "/" in t else t.split("+"))):
                    elementary = tag.strip("{}").split("/")[0].split("+")[0]
                    values[dimensions.get(elementary, "unknown")].add(tag)
                words[text, str(index)] = (row[2], dict(values))
    return words


@pytest.mark.realdata
def test_every_pair_of_imst(real_data, root, tmp_path):
    """All 20,000: exactly one feature differs, or exactly one is shared; 7,000 / 2,000 / 1,000."""
    paths = sorted((real_data / "ud_unimorph").glob("tr_imst-*"))
    result = make_token_level_tasks(
        tmp_path, None, list(map(str, paths)), tasks=["OddFeat", "SameFeat"]
    )
    words = words_of_treebank(paths, dimension_of_tags(root))
    checked = Counter()
    for name in ("OddFeat", "SameFeat"):
        left_out = {*result.made[name]["facts"].get("features_left_out", ()), "lemma"}
        seen = {}
        for split, size in zip(SPLITS, (7000, 2000, 1000)):
            rows = rows_in(tmp_path / name / "turkish" / f"{split}.txt")
            assert len(rows) == size
            for first, index1, second, index2, label in rows:
                (lemma, one), (other_lemma, other) = words[first, index1], words[second, index2]
                found = compared(name, one, other, left_out)
                if (lemma != other_lemma) == (name == "OddFeat"):
                    found = found | {"lemma"}
                assert found == {label}, (name, split, first, index1, second, index2)
                assert seen.setdefault(first, split) == seen.setdefault(second, split) == split
                assert first != second
                checked[name] += 1
    assert checked == {"OddFeat": 10_000, "SameFeat": 10_000}


def compared(name, one, other, left_out):
    """The features in which two words differ, or those that they share; Person with its number is one."""
    if name == "OddFeat":
        one, other = map(with_number_in_person, (one, other))
        return {f for f in {*one, *other} - left_out if one.get(f) != other.get(f)}
    names = {*one} & {*other} - left_out
    shared = {f for f in names if possible_values(one[f]) & possible_values(other[f])}
    return shared - {"Number"} if "Person" in shared else shared


def possible_values(tags):
    """`{FUT/PST}` is one or the other; several tags of a feature are one value together."""
    return {
        frozenset(some) for some in itertools.product(*(t.strip("{}").split("/") for t in tags))
    }


def with_number_in_person(values):
    if "Person" not in values:
        return values
    person = values["Person"] | values.get("Number", set())
    return {f: tags for f, tags in values.items() if f != "Number"} | {"Person": person}
