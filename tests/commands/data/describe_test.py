import argparse
import csv
import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.data import describe as describe_tasks
from linspector_allennlp.commands.data.describe import add_describe_arguments, describe
from linspector_allennlp.formats import read_paired_forms
from linspector_allennlp.metrics.baselines import Item, seen_forms
from linspector_allennlp.run_folders.resource_tables import read_resource_table
from tests.conftest import ROOT

HEADER = (
    "level,task,language,train,dev,test,labels,majority,suffix,upper_bound,overlap,duplicates,"
    "conflicts,ambiguous,rare,seen_forms"
)
TRAIN = "talossa\tIn\nautossa\tIn\ntalon\tGen\n"
DEV = "koiran\tGen\nkoirassa\tIn\n"
TEST = "purossa\tIn\npuron\tGen\ntalossa\tGen\n"


def run(*arguments):
    parser = argparse.ArgumentParser()
    add_describe_arguments(parser)
    describe(parser.parse_args([str(argument) for argument in arguments]))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for folder in ("type_level/Case/finnish", "token_level/Case/finnish", "type_level/Case/german"):
        (tmp_path / folder).mkdir(parents=True)
    for split, text in (("train", TRAIN), ("dev", DEV), ("test", TEST)):
        (tmp_path / f"type_level/Case/finnish/{split}.txt").write_text(text)
    (tmp_path / "type_level/Case/german/train.txt").write_text(TRAIN)
    (tmp_path / "type_level/Case/german/test.txt").write_text("one\ttwo\tthree\tfour\n")
    (tmp_path / "token_level/Case/finnish/train.txt").write_text("Talo on\t0\tNom\n")
    return tmp_path


def test_tables_warnings_and_csv(data, capsys):
    with pytest.raises(SystemExit) as exit:
        run(data, "--csv", data / "audit.csv")
    assert exit.value.code == 1
    assert (data / "audit.csv").read_text() == (
        f"{HEADER}\n"
        "type-level,Case,finnish,3,2,3,2,33.3,66.7,33.3,33.3,0,1,,,33.3\n"
        "type-level,Case,german,3,0,,2,,,,,0,0,,,\n"
        "token-level,Case,finnish,1,0,0,1,,,,,0,0,,,\n"
    )
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[2].split() == [
        "task", "language", "train", "dev", "test", "labels", "majority", "suffix", "upper", "bound",
        "overlap", "duplicates", "conflicts", "ambiguous", "rare", "seen", "forms",
    ]  # fmt: skip
    assert lines[4].split() == (
        ["Case", "finnish", "3", "2", "3", "2", "33.3", "66.7", "33.3", "33.3", "0", "1", "–", "–"]
        + ["33.3"]
    )
    assert lines[5].split()[:6] == ["Case", "german", "3", "0", "–", "2"]
    assert shown.index("type-level (2") < shown.index("token-level (1") < shown.index("Not read: ")
    assert "german/test.txt, line 1: expected 2 tab-separated columns" in shown
    assert "Warning: " in shown and "'talossa' ('In', 'Gen')" in shown


def test_label_counts(data, capsys):
    run(data / "type_level/Case/finnish", "--labels")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["type-level", "Case", "finnish", "train", "dev", "test"] in lines
    assert ["In", "2", "1", "1"] in lines and ["Gen", "1", "1", "2"] in lines


def test_nothing_wrong(data, capsys):
    folder = data / "type_level/Case/finnish"
    (folder / "test.txt").write_text("purossa\tIn\npuron\tGen\nkotin\tIn\n")
    run(folder)
    assert capsys.readouterr().out.endswith("\n\nNothing looks wrong.\n")


def test_rare_words(data, capsys):
    """Two of eight items are of the one word that the list has."""
    (data / "list.txt").write_text("talossa\n")
    run(data, "--language", "fi", "--frequencies", data / "list.txt")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[4][:2] == ["Case", "finnish"] and lines[4][-2] == "75.0"
    with pytest.raises(ConfigurationError, match="choose one of finnish, german by --language"):
        run(data, "--frequencies", "list.txt")


def test_a_bar_where_there_are_many(data, capsys, monkeypatch):
    folder = data / "type_level/Case/finnish"
    run(folder)
    assert "describing tasks" not in capsys.readouterr().err
    monkeypatch.setattr(describe_tasks, "MANY", 0)
    run(folder)
    assert "describing tasks" in capsys.readouterr().err


def test_sentences_have_a_table_of_their_own(data, fixtures, capsys):
    """BiShift is at chance for all that does not see order."""
    senteval = fixtures / "sentence_level/senteval/toy_voice.txt"
    paths = data / "type_level/Case/finnish", fixtures / "sentence_level", senteval
    run(*paths, "--csv", data / "audit.csv")
    header, words, *rows = (data / "audit.csv").read_text().splitlines()
    assert header == (
        f"{HEADER},majority_f1,length,length_f1,unigram,unigram_f1,tokens,variants,empty"
    )
    assert words == "type-level,Case,finnish,3,2,3,2,33.3,66.7,33.3,33.3,0,1,,,33.3" + 8 * ","
    assert [row.split(",")[:8] for row in rows] == [
        ["sentence-level", "BiShift", "finnish", "200", "60", "40", "2", "50.0"],
        ["sentence-level", "SentLen", "finnish", "200", "60", "40", "4", "32.5"],
        ["sentence-level", "toy_voice", "senteval", "80", "20", "20", "2", "75.0"],
    ]
    bishift = rows[0].split(",")
    assert bishift[8:-8] == ["", "", "0.0", "0", "0", "", "", ""]
    assert bishift[-8:] == ["33.3", "50.0", "33.3", "50.0", "33.3", "4.4", "0.0", "0"]
    shown = capsys.readouterr().out
    lines = [line.split() for line in shown.splitlines()]
    assert shown.index("type-level (1") < shown.index("sentence-level (3")
    assert [
        "task", "language", "train", "dev", "test", "labels", "majority", "majority", "f1", "length",
        "length", "f1", "unigram", "unigram", "f1", "tokens", "overlap", "variants", "duplicates",
        "conflicts", "empty",
    ] in lines  # fmt: skip
    assert ["BiShift", "finnish", "200", "60", "40", "2", "50.0", "33.3", "50.0", "33.3"] in [
        line[:10] for line in lines
    ]
    assert "SentLen/finnish: a short-cut: the number of tokens alone gets 100.0 % right" in shown
    assert shown.count("stable only from about 30,000 on") == 3


@pytest.mark.realdata
def test_released_sentences(real_data, capsys):
    path = real_data / "sentence_released/tr/sentence_length.txt"
    run(path, "--language", "turkish", "--labels")
    shown = capsys.readouterr().out
    rows = [line.split() for line in shown.splitlines()]
    (row,) = [row for row in rows if row[:1] == ["sentence_length"]]
    assert row[:7] == ["sentence_length", "tr", "9807", "1000", "1000", "10", "10.0"]
    assert row[-1] == "193"
    assert "193 of 12,000 lines have no sentence and are left out here" in shown
    counts = {row[0]: sum(map(int, row[1:])) for row in rows if row and row[0].isdigit()}
    assert counts == {"0": 1007, **{str(label): 1200 for label in range(1, 10)}}


def test_what_is_missing_is_said(data):
    with pytest.raises(ConfigurationError, match="needs DATA"):
        run()
    with pytest.raises(ConfigurationError, match="language 'finish', only finnish, german"):
        run(data, "--language", "finish")


@pytest.mark.realdata
def test_the_released_data(real_data, tmp_path, capsys):
    run(real_data / "linspector_released", "--csv", tmp_path / "audit.csv")
    with open(tmp_path / "audit.csv", encoding="utf-8", newline="") as file:
        rows = {(row["level"], row["task"], row["language"]): row for row in csv.DictReader(file)}
    case = rows["type-level", "Case", "finnish"]
    assert list(case.values())[3:] == (
        ["7000", "2000", "1000", "14", "30.0", "92.9", "30.0", "0.0", "0", "0"] + ["", "", "0.0"]
    )
    assert rows["type-level", "OddFeat", "finnish"]["majority"] == "22.7"
    # The released token-level tasks were not split by sentence.
    assert float(rows["token-level", "Case", "turkish"]["overlap"]) > 80
    printed = capsys.readouterr().out
    assert "items whose sentence is in train or dev too" in printed
    # Most of these pairs are in training in the other order, which a run's overlap_test sees too.
    assert "items whose pair is in train or dev too: 88 of 1000 (68 in train)" in printed
    pairs = real_data / "linspector_released/type_level/OddFeat/romanian"
    train, test = (
        [Item((row.form1, row.form2), "") for row in read_paired_forms(pairs / f"{split}.txt")]
        for split in ("train", "test")
    )
    assert sum(seen_forms(train, test)) == 68
    expected = json.loads(
        (Path(__file__).resolve().parents[3] / "benchmarks/released_baselines.json").read_text()
    )
    for column, languages in zip(("majority", "suffix"), expected.values()):
        for language, tasks in languages.items():
            for task, score in tasks.items():
                assert float(rows["type-level", task, language][column]) == score


def test_the_table_of_resources(tmp_path, capsys):
    raw = ROOT / "fixtures/raw"
    path = tmp_path / "resources.csv"
    words = ["--unimorph", raw / "finnish.tsv", "--treebank", *sorted(raw.glob("*.conllu"))]
    run(*words, "--csv", path)
    text = capsys.readouterr().out
    (row,) = read_resource_table(path).to_dict("records")
    assert row["language"] == "finnish"
    assert f"{row['paradigms']:,} paradigms, {row['rows']:,} rows" in text
    assert f"{row['sentences']:,} sentences, {row['tokens']:,} tokens" in text
    assert row["word_classes"] == text.split("Word classes: ")[1].split(".\n")[0].count(",") + 1
    assert f"set of tags{100 * row['ambiguity_of_sets']:>39.1f}" in text
