"""The command `probe-report`: a page, files, or tables in the terminal."""

import csv

import pytest

from linspector_allennlp.commands import probe_report
from linspector_allennlp.commands.page_text import page_text, table_text
from linspector_allennlp.commands.probe_report import export_page, study_page
from linspector_allennlp.report.page import build
from linspector_allennlp.report.page.model import PageTable, TableColumn
from tests.commands.printed import printed
from tests.conftest import ROOT
from tests.main_test import WITHOUT_ALLENNLP, subprocess_of

TABLE = ROOT / "fixtures/study/results.csv"


@pytest.fixture(autouse=True)
def every_mistake_is_one(monkeypatch):
    """What would cost a section of a page fails the test."""
    monkeypatch.setattr(build, "UNFORESEEN", ())


def report(*arguments):
    return printed(probe_report, *arguments)


def test_in_the_terminal():
    text = report("--csv", TABLE)
    assert text.startswith("results: 6 tasks, 2 languages, 5 representations, 384 runs\n")
    assert "What is best where\n" in text
    (row,) = [
        line
        for line in text.splitlines()
        if line.startswith("type_level  finnish   Case    fasttext")
    ]
    assert "89.1" in row


def test_tables_fit_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    lines = report("--csv", TABLE).splitlines()
    start = lines.index("All scores")
    shown = lines[start : start + 64]
    assert all(len(line) <= 100 for line in shown)
    assert "Left out for want of room: " in "\n".join(lines[start:]) and "24 more rows." in lines


def test_what_a_table_says_beside_its_rows():
    columns = [TableColumn(name, name, "text") for name in ("task", "language", "value", "other")]
    long = "a" * 20 + "b" * 20
    rows = [["Case", "finnish", "1", "x"], [long, "finnish", "2", "y"]]
    assert table_text(PageTable("k", "Title", columns, rows), 40).splitlines() == [
        "Title",
        "All rows: language finnish.",
        "task                            value",
        "──────────────────────────────  ─────",
        "Case                            1",
        "aaaaaaaaaaaaaa…bbbbbbbbbbbbbbb  2",
        "Left out for want of room: other.",
        "The page has all of it: -o report.html.",
    ]
    assert table_text(PageTable("k", "Title", columns, [])).startswith("Title\ntask")


def test_a_page(tmp_path):
    path = tmp_path / "report.html"
    text = report("--csv", TABLE, "-o", path)
    assert text.startswith(f"{path}: 43 figures, ") and "5.0 MB" in text
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_files(tmp_path):
    page = study_page(csv=TABLE)
    kept = [section for section in page.sections if section.key in ("scores", "radar")]
    paths = list(export_page(page._replace(sections=kept), tmp_path))
    assert len(paths) == len({*paths}) == 5 * 2 + 3 * 3
    assert all(path.stat().st_size for path in paths)
    with open(tmp_path / "scores.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 84 and float(rows[0]["value"]) == pytest.approx(0.347, abs=1e-3)
    lines = (tmp_path / "scores.tex").read_text(encoding="utf-8").splitlines()
    assert lines[1].startswith(r"\begin{longtable}{llllr") and lines[-1] == r"\end{longtable}"
    assert lines[2].startswith(r"\caption{All scores.}\label{tab:scores}")
    assert sum(line.endswith(r"\\") for line in lines) == 86  # one is that of the caption
    assert "type\\_level & finnish & Case & random" in lines[7]


def test_files_of_an_earlier_page_do_not_stay(tmp_path):
    """Only what it wrote itself is replaced or removed."""
    page = study_page(csv=TABLE)
    kept = [section for section in page.sections if section.key in ("tasks", "provenance")]
    two = page._replace(sections=kept)
    (tmp_path / "mine.txt").write_text("mine")
    list(export_page(two, tmp_path))
    assert (tmp_path / "task-matrix-downstream.csv").exists()
    list(export_page(two._replace(sections=kept[1:]), tmp_path))
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["facts.csv", "facts.tex", "mine.txt", "probe-report.files"]
    (tmp_path / "probe-report.files").unlink()
    with pytest.raises(ValueError, match="facts.csv is there, and no probe-report.files says"):
        list(export_page(two, tmp_path))


def test_without_arguments_there_is_the_usage(capsys):
    with pytest.raises(SystemExit) as stopped:
        report()
    assert stopped.value.code == 2 and "or --csv TABLE" in capsys.readouterr().err


def test_of_a_page_in_words():
    assert "All scores" in page_text(study_page(csv=TABLE))


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["study", "--csv", "x"], "and not both"),
        (["study", "--predictions", "x"], "--predictions is for --csv"),
        (["study", "--export", TABLE], "--export: expected a folder, found the file"),
        (["no-study"], "no-study is not a study"),
        (["--csv", TABLE, "-o", ROOT], "-o: expected a file to write, found the folder"),
        (["--csv", TABLE, "-o", "none/x.html"], "-o none/x.html: there is no folder none: make it"),
    ],
)
def test_mistakes(arguments, message):
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        report(*arguments)


def test_without_allennlp(tmp_path):
    """It only reads: neither AllenNLP nor torch is imported."""
    words = ["probe-report", "--csv", TABLE, "-o", tmp_path / "report.html"]
    done = subprocess_of(ROOT, "-c", WITHOUT_ALLENNLP, *map(str, words))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report.html").exists()
