"""`probe-data sentence-level` from raw files to tasks, as a user calls it."""

import json

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.data import probe_data
from linspector_allennlp.sentence_files import read_labelled_sentences
from tests.commands.printed import parsed, printed

SPLITS = ("train", "dev", "test")


@pytest.fixture
def treebank(fixtures):
    return [fixtures / f"raw/finnish-ud-{split}.conllu" for split in SPLITS]


@pytest.fixture
def make(treebank, tmp_path):
    """Runs the command on the example treebank, and gives what it prints."""

    def run(*options, output=tmp_path / "data", inputs=("--treebank", *treebank)):
        return printed(probe_data, "sentence-level", "--language", "fi", *inputs, "--output", output,
                       "--size", 100, *options)  # fmt: skip

    return run


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}


def test_the_table_says_what_is_made_and_what_is_not(make, tmp_path):
    shown = make("--tasks", "SentLen", "BiShift", "Spelling", "WC", "WO")
    table, not_made, where = shown.split("\n\n")
    lines = [line.split() for line in table.splitlines()]
    assert lines[2][:3] == ["SentLen", "100", "2"] and lines[3][:3] == ["BiShift", "100", "2"]
    assert "  WO: no noun in a sentence of 13 tokens or more" in not_made.splitlines()
    assert where.startswith(f"In {tmp_path}/data; the manifest.json there says how.")
    for task in ("SentLen", "BiShift", "Spelling"):
        folder = tmp_path / "data" / task / "finnish"
        rows = {split: list(read_labelled_sentences(folder / f"{split}.txt")) for split in SPLITS}
        assert [len(some) for some in rows.values()] == [70, 20, 10]
        sentences = [{row.sentence for row in some} for some in rows.values()]
        assert len(set.union(*sentences)) == 100
    entry = manifest(tmp_path / "data")["sentence-level finnish"]
    assert set(entry["not_made"]) == {"WC", "WO"} and entry["settings"]["size"] == 100


def test_the_same_bytes_in_another_order(make, treebank, tmp_path):
    names = ("--tasks", "SentLen", "BiShift", "Spelling")
    make(*names)
    make(*names, output=tmp_path / "other", inputs=("--treebank", *treebank[::-1]))
    assert content(tmp_path / "data") == content(tmp_path / "other")


def test_settings_as_arguments(make, tmp_path):
    verbs = tmp_path / "pronouns.txt"
    verbs.write_text("minä\nhän\nte\nme\nsinä\n", encoding="utf-8")
    make("--tasks", "SentLen", "BiShift", "Pronouns", "--bins", "1-4,5+", "--both-versions",
         "--replace", f"Pronouns={verbs}", "--format", "senteval", "--balance", "1:2",
         "--setting", "skip_punctuation=true", "wc_skip=3", "--min-label-count", 3)  # fmt: skip
    data = tmp_path / "data"
    found = {task: manifest(data / task / "finnish") for task in ("SentLen", "BiShift", "Pronouns")}
    assert found["SentLen"]["settings"]["sentlen_bins"] == "1-4,5+"
    assert set(found["SentLen"]["labels"]) == {"1-4", "5+"}
    settings = found["BiShift"]["settings"]
    assert settings["bishift_both"] is settings["skip_punctuation"] is True
    assert settings["balance"] == "1:2" and settings["format"] == "senteval"
    assert len(set(found["BiShift"]["labels"].values())) == 1
    assert set(found["Pronouns"]["labels"]) == {"O", "C"}
    assert set(found["Pronouns"]["files"]) == {"senteval.txt"}
    rows = read_labelled_sentences(data / "Pronouns/finnish/senteval.txt", split="te")
    assert {row.label for row in rows} == {"O", "C"}


@pytest.mark.parametrize("options, expected", [
    (["--replace", "Verbs"], "--replace: expected NAME=LIST.txt, found 'Verbs'"),
    (["--replace", "A=x", "A=y"], "--replace: each NAME can have one list"),
    (["--setting", "=1"], "--setting: expected NAME=VALUE, found '=1'"),
    (["--setting", "colour=1"], "no task reads 'colour'"),
    (["--bins", "4-1"], "sentlen_bins: the bin 4-1 is upside down"),
    (["--wo-zone", "9"], "wo_zone is 9"),
])  # fmt: skip
def test_settings_that_make_no_sense(options, expected, make, tmp_path):
    with pytest.raises(ConfigurationError, match=expected):
        make(*options)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "option", [("--balance", "2:1"), ("--format", "json"), ("--wc-count", "0")]
)
def test_values_that_make_no_sense(option, capsys, tmp_path):
    with pytest.raises(SystemExit):
        parsed(probe_data, "sentence-level", "--output", tmp_path, *option)
    assert option[0] in capsys.readouterr().err


def test_nothing_made_is_an_error_with_reasons(make, tmp_path):
    with pytest.raises(ValueError, match="no task was made") as error:
        make("--tasks", "WO", "EOS")
    assert "  WO: no noun in a sentence of 13 tokens or more" in str(error.value).splitlines()
    assert not list(tmp_path.rglob("*.txt"))


def test_broken_inputs(make, fixtures, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=f"{empty} has no sentence"):
        make(inputs=("--text", empty))
    broken = fixtures / "broken/nine_columns.conllu"
    with pytest.raises(ValueError, match=f"{broken}, line 4: expected 10 tab-separated columns"):
        make(inputs=("--treebank", broken))
    assert not (tmp_path / "data").exists()
