"""Parts of treebanks: exact sizes, repeated sentences together, and no order that matters."""

import json
import random

import numpy as np
import pytest
from allennlp.commands import evaluate as evaluation
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.commands.subcommands import allennlp_commands
from linspector_allennlp.dataset_readers import DependencyTreeReader, TokenTagsReader
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.formats import task_of
from linspector_allennlp.jsonnet import evaluate
from linspector_allennlp.treebank_parts import (
    LEFT_OUT,
    PARTS,
    data_files,
    divide,
    part_sizes,
    sentence_key,
    treebank_part,
)


def test_the_words_of_a_path():
    assert treebank_part("a/fi_tdt-ud-train.conllu") is None
    assert treebank_part("odd#name.conllu") is None
    part = treebank_part("a.conllu,b-*.conllu#dev/8:1:1/12000")
    assert part == (["a.conllu", "b-*.conllu"], "dev", [8, 1, 1], 12000)
    assert treebank_part("a.conllu#test/70:20:10") == (["a.conllu"], "test", [70, 20, 10], None)


@pytest.mark.parametrize("shares", ["", "8:1", "8:1:0", "8:1:1:1", "80%:10%:10%", "08:1:1"])
def test_shares_that_are_none(shares):
    with pytest.raises(ConfigurationError, match="expected three shares of 1 or more"):
        treebank_part(f"a.conllu#train/{shares}")


@pytest.mark.parametrize("most", ["", "0", "-5", "many", "1.5"])
def test_numbers_that_are_none(most):
    with pytest.raises(ConfigurationError, match="expected a number of 1 or more as max_sentences"):
        treebank_part(f"a.conllu#train/8:1:1/{most}")


def test_sizes_by_hand():
    assert part_sizes(12000, (8, 1, 1)) == [9600, 1200, 1200]
    assert part_sizes(13, (8, 1, 1)) == [10, 1, 2]
    assert part_sizes(2, (8, 1, 1)) == [1, 0, 1]


def test_a_division_by_hand():
    """Ten sentences, drawn by their keys: 1 to 5 are five sentences, 6 is there twice."""
    keys = np.array([9, 6, 1, 2, 3, 6, 4, 5, 8, 7], dtype=np.uint64)
    assert divide(keys, (8, 1, 1)).tolist() == [2, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    # Five in all, 3:1:1: the pair does not get its turn.
    assert divide(keys, (3, 1, 1), 5).tolist() == [-1, -1, 0, 0, 0, -1, 1, 2, -1, -1]
    # A pair that does not fit gives way, and a later sentence fills the place.
    twice = np.array([1, 2, 2, 3, 4], dtype=np.uint64)
    assert divide(twice, (2, 2, 1)).tolist() == [0, 1, 1, 0, 2]


def test_where_sizes_cannot_be_exact_nothing_is_lost():
    keys = np.array([1, 1, 1, 2, 2, 2], dtype=np.uint64)
    division = divide(keys, (4, 1, 1))
    assert sorted(np.bincount(division, minlength=3).tolist()) == [0, 3, 3]


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=150),
    st.tuples(*[st.integers(1, 9)] * 3),
    st.none() | st.integers(1, 200),
    st.randoms(),
)
def test_any_division(words, shares, most, chance):
    keys = np.array([sentence_key([str(word)]) for word in words], dtype=np.uint64)
    division = divide(keys, shares, most)
    wanted = len(words) if most is None else min(most, len(words))
    counts = np.bincount(division[division != LEFT_OUT], minlength=3)
    assert counts.sum() == wanted if most is None else counts.sum() <= wanted
    if len(set(words)) == len(words):
        assert counts.tolist() == part_sizes(wanted, shares)
    for word in set(words):
        assert len({part for part, each in zip(division.tolist(), words) if each == word}) == 1
    order = list(range(len(words)))
    chance.shuffle(order)
    assert divide(keys[order], shares, most).tolist() == division[order].tolist()


# Sentences of 1 to 6 words; the first three are in both files.
def write_treebank(path, numbers):
    blocks = []
    for number in numbers:
        rows = [
            f"{i}\tw{number}x{i}\t_\tNOUN\t_\t{'Case=Nom' if number % 2 else '_'}\t{i - 1}\t"
            f"{'dep' if i > 1 else 'root'}\t_\t_"
            for i in range(1, number % 6 + 2)
        ]
        blocks.append("\n".join([f"# sent_id = {path.stem}-{number}", *rows]))
    path.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path):
    one = write_treebank(tmp_path / "xx_a-one.conllu", range(60))
    two = write_treebank(tmp_path / "xx_a-two.conllu", [0, 1, 2, *range(100, 150)])
    return one, two


def read_parts(reader, names, rest="8:1:1"):
    read = {part: list(reader.read(f"{','.join(names)}#{part}/{rest}")) for part in PARTS}
    return {part: [metadata_of(i) for i in instances] for part, instances in read.items()}


def test_a_reader_gives_the_parts_of_all_files(files):
    reader = DependencyTreeReader(max_length=5)
    parts = read_parts(reader, files)
    texts = {part: [data["input"]["sentence"] for data in read] for part, read in parts.items()}
    # 113 sentences, of which those with 1 and with 6 words are left out.
    number = sum(map(len, texts.values()))
    assert number == 113 - 19 - 19
    assert [len(texts[part]) for part in PARTS] == part_sizes(number, (8, 1, 1))
    sets = [set(texts[part]) for part in PARTS]
    assert not sets[0] & sets[1] and not sets[0] & sets[2] and not sets[1] & sets[2]
    all_read = [data for read in parts.values() for data in read]
    assert len({(data["file"], data["line"]) for data in all_read}) == number
    assert len({data["sentence"] for data in all_read}) == number
    assert {data["file"] for data in all_read} == set(files)
    assert {data["one_of_files"] for data in all_read} == {"xx_a-one.conllu", "xx_a-two.conllu"}


def test_what_is_left_out_is_counted_once(files):
    reader = TokenTagsReader("Case", min_length=2)
    left_out = {}
    for part in PARTS:
        list(reader.read(f"{','.join(files)}#{part}/8:1:1/50"))
        left_out[part] = dict(reader.left_out)
    # Of the 94 sentences of two words or more 50 are drawn, whatever they carry.
    assert left_out["train"].pop("shorter than 2 words") == 19
    assert left_out["train"].pop("beyond max_sentences") == 44
    assert all(set(counts) <= {"without Case"} for counts in left_out.values())


def test_the_parts_do_not_depend_on_the_target_or_on_the_order_of_the_files(files, tmp_path):
    def ids(target, names):
        parts = read_parts(TokenTagsReader(target), names, "8:1:1/80")
        return {part: {data["sent_id"] for data in read} for part, read in parts.items()}

    upos = ids("upos", files)
    assert list(map(len, upos.values())) == [64, 8, 8]
    assert ids("upos", files[::-1]) == ids("upos", [str(tmp_path / "xx_*.conllu")]) == upos
    assert ids("upos", [*files, files[0]]) == upos, "a file that is named twice is read once"
    case = ids("Case", files)
    assert all(case[part] < upos[part] for part in PARTS)


def test_the_order_of_the_sentences_does_not_matter(tmp_path):
    numbers = list(range(60))
    random.Random(1).shuffle(numbers)
    one = write_treebank(tmp_path / "a.conllu", range(60))
    other = write_treebank(tmp_path / "b.conllu", numbers)
    texts = [
        {p: {d["input"]["sentence"] for d in read} for p, read in parts.items()}
        for parts in (read_parts(TokenTagsReader(), [name]) for name in (one, other))
    ]
    assert texts[0] == texts[1]


def test_files_that_are_not_there(tmp_path, files):
    with pytest.raises(FileNotFoundError, match=r"b-\*.conllu: there is no file of such a name"):
        list(TokenTagsReader().read(f"{tmp_path}/b-*.conllu#train/8:1:1"))
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        list(TokenTagsReader().read(f"{files[0]},{tmp_path}/none.conllu#train/8:1:1"))


def test_a_part_with_nothing_in_it(tmp_path):
    path = write_treebank(tmp_path / "a.conllu", range(2))
    with pytest.raises(ValueError, match="no sentence of it is left; left out: none"):
        list(TokenTagsReader().read(f"{path}#dev/8:1:1"))


def test_the_names_of_tasks():
    assert task_of("UD/tr_imst-ud-*.conllu#train/8:1:1/12000", True) == ("tr_imst-ud", "turkish")
    assert task_of("UD_Finnish-TDT/*.conllu#train/8:1:1", True) == ("UD_Finnish-TDT", "finnish")
    both = "tr_imst-ud-train.conllu,tr_imst-ud-dev.conllu,en_ewt-ud-dev.conllu#dev/8:1:1"
    assert task_of(both, True) == ("tr_imst-ud+en_ewt-ud", None)


PROBE = """
    local probe = import 'linspector/probe.libsonnet';
    probe.distance { representation: { token_indexers: {}, text_field_embedder: {} }, data: std.extVar('data') }
"""


def paths_of(data):
    config = evaluate(PROBE, data=data)
    return [config[f"{split}_data_path"] for split in ("train", "validation", "test")]


def test_data_of_a_config():
    assert paths_of("x-ud") == ["x-ud-train.conllu", "x-ud-dev.conllu", "x-ud-test.conllu"]
    data = {"files": ["a.conllu", "b-*.conllu"], "split": "7:2:1", "max_sentences": 12000}
    assert paths_of(data) == [f"a.conllu,b-*.conllu#{part}/7:2:1/12000" for part in PARTS]
    assert paths_of({"files": "a.conllu"}) == [f"a.conllu#{part}/8:1:1" for part in PARTS]


def test_mistyped_data_of_a_config():
    with pytest.raises(ConfigurationError, match="expected files, split and max_sentences, found"):
        paths_of({"files": "a", "max_sentence": 5})
    with pytest.raises(ConfigurationError, match="expected files, split and max_sentences, found"):
        paths_of({"split": "8:1:1"})
    with pytest.raises(ConfigurationError, match="without a comma"):
        paths_of({"files": ["a,b"]})


@pytest.mark.parametrize("name", ["tagging", "edges", "distance", "depth", "perceptron"])
def test_every_probe_of_trees_trains_on_a_split(name, train, treebank, fixtures, tmp_path):
    treebank()
    pattern = f"{fixtures}/raw/finnish-ud-*.conllu"
    paths = {
        f"{split}_data_path": f"{pattern}#{part}/8:1:1/50"
        for split, part in zip(("train", "validation", "test"), PARTS)
    }
    metrics = train(name, trainer={"num_epochs": 1}, **paths)
    assert [metrics[f"num_{split}_sentences"] for split in ("train", "validation", "test")] == [
        40, 5, 5,
    ]  # fmt: skip
    provenance = json.loads((tmp_path / "run/provenance.json").read_text())["data"]
    assert provenance["train"]["path"] == f"{pattern}#train/8:1:1/50"
    assert [file["path"] for file in provenance["test"]["files"]] == data_files(
        f"{pattern}#test/8:1:1"
    )
    assert all(len(file["sha256"]) == 64 for file in provenance["test"]["files"])
    assert provenance["train"]["left_out"]["beyond max_sentences"] > 0
    assert "left_out" not in provenance["test"]
    lines = (tmp_path / "run/test_predictions.jsonl").read_text().splitlines()
    assert all(json.loads(line)["file"].startswith("finnish-ud-") for line in lines)
    record = json.loads((tmp_path / "run/run.json").read_text())
    assert record["task"] == "finnish-ud" and record["language"] == "finnish"


def test_evaluate_takes_a_part_of_several_files(train, treebank, fixtures, tmp_path):
    """AllenNLP divides its argument at commas, and would score the first of these files whole."""
    treebank()
    files = ",".join(str(fixtures / f"raw/finnish-ud-{name}.conllu") for name in ("train", "dev"))
    paths = {
        f"{split}_data_path": f"{files}#{part}/8:1:1"
        for split, part in zip(("train", "validation", "test"), PARTS)
    }
    metrics = train("tagging", trainer={"num_epochs": 1}, **paths)
    allennlp_commands.install()
    archive = str(tmp_path / "run/model.tar.gz")
    scores = evaluation.evaluate_from_archive(archive, f"{files}#test/8:1:1")
    assert scores["accuracy"] == pytest.approx(metrics["test_accuracy"])
    both = evaluation.evaluate_from_archive(archive, files)
    assert len(both) > len(scores), "several files are evaluated one by one, as ever"


@pytest.mark.realdata
def test_real_treebanks(real_data):
    """All of IMST and what there is of EWT: exact, and no sentence in two parts."""
    names = [f"{real_data}/ud/tr_imst-ud-*.conllu", f"{real_data}/ud/en_ewt-ud-*.conllu"]
    parts = read_parts(DependencyTreeReader(max_length=50), names, "8:1:1/6000")
    texts = {part: {d["input"]["sentence"] for d in read} for part, read in parts.items()}
    assert [len(read) for read in parts.values()] == [4800, 600, 600]
    assert not texts["train"] & (texts["dev"] | texts["test"]) and not texts["dev"] & texts["test"]


def test_a_file_of_two_names_is_one(tmp_path):
    (tmp_path / "a.conllu").write_text("", encoding="utf-8")
    (tmp_path / "b.conllu").symlink_to(tmp_path / "a.conllu")
    path = f"{tmp_path}/a.conllu,{tmp_path}/./a.conllu,{tmp_path}/*.conllu#train/8:1:1"
    assert treebank_part(path).files() == [f"{tmp_path}/./a.conllu"]


def test_composed_or_not_a_sentence_is_the_same():
    assert sentence_key(["\u00e4"]) == sentence_key(["a\u0308"]) != sentence_key(["a"])


def test_huge_shares():
    assert part_sizes(100, [2**62] * 3) == [33, 33, 34]


def test_a_part_that_there_is_not():
    with pytest.raises(ConfigurationError, match="expected #train, #dev or #test, found #valid"):
        treebank_part("a.conllu#valid/8:1:1")


def test_files_that_change_are_not_divided_twice(tmp_path, fixtures):
    text = (fixtures / "raw/finnish-ud-train.conllu").read_text(encoding="utf-8")
    blocks = text.strip().split("\n\n")
    path = tmp_path / "a.conllu"
    path.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    reader = TokenTagsReader()
    assert list(reader.read(f"{path}#train/8:1:1"))
    for changed in (blocks[::-1], blocks[:-1], [*blocks, blocks[0]]):
        path.write_text("\n\n".join(changed) + "\n\n", encoding="utf-8")
        with pytest.raises(ValueError, match="its files have changed since they were divided"):
            list(reader.read(f"{path}#test/8:1:1"))
