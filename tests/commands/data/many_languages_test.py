"""The tasks of all languages of a folder, and the matrix of what was made."""

import json
import shutil
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.data import probe_data
from tests.commands.printed import parsed

ROOT = Path(__file__).resolve().parents[3]
RAW = ROOT / "fixtures/raw"


def run(*arguments):
    args = parsed(probe_data, *arguments)
    args.func(args)


@pytest.fixture
def folder(tmp_path):
    """Finnish paradigms and frequent words; Romanian ones are broken, and there is no such language."""
    for name, source in {
        "unimorph/fin": RAW / "finnish.tsv",
        "unimorph/ron.tsv": ROOT / "fixtures/broken/unimorph_two_columns.tsv",
        "frequencies/fi.txt": RAW / "finnish_frequent.txt",
        "frequencies/ro.txt": RAW / "finnish_frequent.txt",
        "treebanks/fi_x-ud-train.conllu": RAW / "finnish-ud-train.conllu",
        "treebanks/fi_x-ud-dev.conllu": RAW / "finnish-ud-dev.conllu",
        "treebanks/fi_x-ud-test.conllu": RAW / "finnish-ud-test.conllu",
        "treebanks/et_x-ud-dev.conllu": RAW / "finnish-ud-train.conllu",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(source, tmp_path / name)
    return tmp_path


def made_in(path):
    return {
        f"{task.parent.name}/{task.name}": json.loads((task / "manifest.json").read_text())
        for task in path.glob("*/*")
    }


def test_a_language_that_fails_does_not_stop_the_others(folder, capsys):
    (folder / "unimorph/xyz.tsv").write_text("")
    with pytest.raises(SystemExit) as exit:
        run("type-level", "--unimorph-folder", folder / "unimorph", "--frequencies",
            folder / "frequencies", "--size", 400, "--output", folder / "out")  # fmt: skip
    assert exit.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 of 2, finnish: 9 tasks made, 4 not (")
    assert lines[1].startswith("2 of 2, romanian: failed (")
    assert ["finnish", "1", "9", "0", "4", "3,600"] in [line.split() for line in lines]
    assert ["romanian", "1", *"––––", "failed"] in [line.split() for line in lines]
    (failure,) = [line for line in lines if line.startswith("  romanian: ")]
    assert "ron.tsv, line 4: expected at least 3 tab-separated columns" in failure
    assert f"  {folder}/unimorph/xyz.tsv: its name does not begin with a language" in lines
    made = made_in(folder / "out")
    assert len(made) == 9 and made["Case/finnish"]["inputs"]["frequencies"]["file"] == "fi.txt"


def test_the_same_as_one_by_one(folder, capsys):
    """Also a second time; and one language of the folder alone."""
    options = ["--tasks", "Case", "OddFeat", "--size", 60, "--min-label-count", 1]
    for _ in range(2):
        run("token-level", "--treebank-folder", folder / "treebanks", "--output", folder / "all",
            *options)  # fmt: skip
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["finnish", "3", "0", "2", "0", "120"] in shown
    assert ["estonian", "1", "0", "2", "0", "120"] in shown
    run("token-level", "--treebank", *sorted((folder / "treebanks").glob("fi_*")), "--output",
        folder / "one", *options)  # fmt: skip
    run("token-level", "--treebank-folder", folder / "treebanks", "--language", "fi", "--output",
        folder / "chosen", *options)  # fmt: skip
    assert made_in(folder / "one") == made_in(folder / "chosen")
    assert {**made_in(folder / "all"), **made_in(folder / "one")} == made_in(folder / "all")


def test_other_makers_of_treebanks(folder, capsys):
    for part, options in (
        ("syneval", ()),
        ("sentence-level", ("--size", 50, "--tasks", "SentLen")),
    ):
        run(part, "--treebank-folder", folder / "treebanks", "--output", folder / part, *options)
        lines = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
        assert ["estonian", "1"] in lines and ["finnish", "3"] in lines
        assert "finnish" in {name.split("/")[1] for name in made_in(folder / part)}


def test_what_cannot_be(folder, capsys):
    of_folder = ["type-level", "--unimorph-folder", folder / "unimorph", "--output", folder / "out"]
    with pytest.raises(ConfigurationError, match="--lexicon of one: give one or the other"):
        run(*of_folder, "--lexicon", RAW / "finnish_lexicon.txt")
    with pytest.raises(ConfigurationError, match="--language de: the folder has finnish, romanian"):
        run(*of_folder, "--language", "de")
    # Wrong for all of them: said once.
    with pytest.raises(ConfigurationError, match="no Kase. There are"):
        run(*of_folder, "--tasks", "Kase")
    with pytest.raises(ValueError, match="no task was made of any language"):
        run(*of_folder, "--language", "fi", "--tasks", "Case", "--size", 20_000)
    with pytest.raises(SystemExit):
        run(*of_folder, "--unimorph", RAW / "finnish.tsv")
    with pytest.raises(ConfigurationError, match="--text of one"):
        run("sentence-level", "--treebank-folder", folder / "treebanks", "--text", "x.txt", "--output",
            folder / "out")  # fmt: skip


@pytest.fixture
def tasks(tmp_path):
    for name, sizes in {
        "type_level/Case/finnish": (3, 2, 1), "type_level/Case/german": (4, 0, 0),
        "type_level/Number/german": (1, 1, 1), "token_level/Case/serbo-croatian": (2, 1, 1),
    }.items():  # fmt: skip
        (tmp_path / name).mkdir(parents=True)
        for split, size in zip(("train", "dev", "test"), sizes):
            row = "a b\t0\tX\n" if "token" in name else "a\tX\n"
            (tmp_path / name / f"{split}.txt").write_text(row * size + "\n")
    (tmp_path / "sentence_level/Voice/turkish").mkdir(parents=True)
    text = "tr\t0\ta b\nva\t1\ta c\nte\t1\ta d\ntr\t0\ta e\n"
    (tmp_path / "sentence_level/Voice/turkish/senteval.txt").write_text(text)
    return tmp_path


def test_the_matrix(tasks, capsys):
    run("describe", tasks, "--matrix", "--counts", "--csv", tasks / "matrix.csv")
    shown = capsys.readouterr().out
    assert "type-level (tasks: 2, languages: 2, both: 3)\n\n" in shown
    rows = [line.split() for line in shown.splitlines()]
    assert ["Case", "6", "4"] in rows and ["Number", "3"] in rows and ["tasks", "1", "2"] in rows
    assert ["Voice", "4"] in rows
    assert (tasks / "matrix.csv").read_text() == (
        "level,task,finnish,german,serbo-croatian,turkish\n"
        "type-level,Case,6,4,,\n"
        "type-level,Number,,3,,\n"
        "token-level,Case,,,4,\n"
        "sentence-level,Voice,,,,4\n"
    )
    run("describe", tasks, "--matrix", "--language", "de")
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Case", "×"] in rows and ["Number", "×"] in rows and ["tasks", "2"] in rows
    with pytest.raises(ConfigurationError, match="leave --labels out"):
        run("describe", tasks, "--matrix", "--labels")


def test_a_wide_matrix_has_codes(tmp_path, capsys):
    names = (
        "finnish german turkish russian hungarian estonian french italian polish spanish".split()
    )
    for name in [*names, "portuguese", "quenya"]:
        (tmp_path / "Case" / name).mkdir(parents=True)
        (tmp_path / "Case" / name / "train.txt").write_text("a\tX\n")
    run("describe", tmp_path, "--matrix")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("et estonian, fi finnish, fr french, ")
    assert lines[3].split() == "task et fi fr de hu it pl pt quenya ru es tr".split()


@pytest.mark.realdata
def test_the_matrix_of_what_was_released(real_data, capsys):
    """The tasks that the released folders have, by hand."""
    run("describe", real_data / "linspector_released", "--matrix", "--counts")
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Case", "10,000", "10,000"] in rows and ["Number", "10,000"] in rows
    assert ["tasks", "12", "9", "12"] in rows and ["tasks", "2"] in rows
