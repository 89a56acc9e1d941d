import csv

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.metrics.label_report import LabelReport
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.tab_tables import (
    as_tab_cell,
    of_tab_cell,
    read_tab_table,
    write_tab_table,
)
from tests.run_folders.made_runs import made_run

TEXTS = st.text(st.sampled_from("'\"=+-@1a\t\r\n\\u09\x1b\u2028\ud800 "), max_size=9)


@given(st.one_of(TEXTS, st.text(max_size=9)))
def test_a_label_is_read_as_it_was_written(text):
    cell = as_tab_cell(text)
    assert of_tab_cell(cell) == text
    cell.encode("utf-8")
    assert cell.splitlines() in ([], [cell])
    assert not set(cell) & set("\t\x1b\u2028") and cell[:1] not in set('=@"')


@pytest.mark.parametrize("text, cell", [
    ("a\tb", r"a\u0009b"), ("\x1b]0;owned\x07", r"\u001b]0;owned\u0007"), ("=1+1", "'=1+1"), ("'=1", "''=1"),
    ("\t=x", r"\u0009=x"), ('"', "'\""), ("'\"", "''\""), ("-", "'-"), ("-1", "-1"), ("'a", "'a"),
    ("Case=Nom", "Case=Nom"), (r"\u0009", r"\u005cu0009"), ("gold \\ predicted", "gold \\ predicted"),
    (-0.5, "-0.5"), (3, "3"),
])  # fmt: skip
def test_cells(text, cell):
    assert as_tab_cell(text) == cell
    assert of_tab_cell(cell) == str(text)


def test_any_reader_of_such_tables_finds_the_columns(tmp_path):
    path = tmp_path / "table.tsv"
    write_tab_table(path, [["label", "f1"], ['"', 1], ["a\nb\tc", 0], ["=1+1", 1]])
    with path.open(encoding="utf-8", newline="") as file:
        cells = list(csv.reader(file, delimiter="\t"))
    assert cells == [["label", "f1"], ["'\"", "1"], [r"a\u000ab\u0009c", "0"], ["'=1+1", "1"]]
    assert [row["label"] for row in read_tab_table(path)] == ['"', "a\nb\tc", "=1+1"]


LABELS = ["=1+1", "a\tb", "a\nb", '"', "None", "\x1b[31m"]


def test_labels_of_a_run(tmp_path):
    """What a run writes of strange labels is what its reader, and its tables, give."""
    run, number = made_run(tmp_path / "run"), len(LABELS)
    report, gold = LabelReport(number, LABELS), torch.arange(number)
    # Each is taken for the next one, and the last for itself.
    report(torch.nn.functional.one_hot((gold + 1).clamp(max=number - 1)).float(), gold)
    for name, rows in report.tables().items():
        write_tab_table(run / f"test_{name}.tsv", rows)
    folder = RunFolder.read(run)
    assert [row["label"] for row in folder.label_report("test")] == LABELS
    pairs = [(1, *pair) for pair in zip(LABELS, LABELS[1:])]
    assert folder.confusions("test") == sorted(pairs)
    table = folder.confusion_table("test")
    assert list(table.index) == list(table.columns) == LABELS
    assert [table.loc[pair] for pair in zip(LABELS, LABELS[1:])] == [1] * (number - 1)
    assert folder.label_report_table("test").loc["None", "support"] == 1


@pytest.mark.parametrize("name, text, message", [
    ("report", "label\tf1\nA\t1\n", "test_report.tsv, line 1: expected a column 'precision'"),
    ("report", "label\tprecision\trecall\tf1\tsupport\nA\t1\t1\t1\n", "line 2: expected 5 cells, found 4"),
    ("report", "label\tprecision\trecall\tf1\tsupport\nA\t1\t7\t1\t1\n", "line 2: recall: expected a share"),
    ("confusion", "x\tA\tA\nA\t1\t2\n", "test_confusion.tsv, line 1: expected each column once"),
    ("confusion", "x\tA\nA\tmany\n", "test_confusion.tsv, line 2: A: expected a number of items, found 'many'"),
    ("confusion", "x\tA\nA\0\t1\n", "test_confusion.tsv, line 2: expected text"),
])  # fmt: skip
def test_broken_tables(tmp_path, name, text, message):
    run = made_run(tmp_path / "run")
    (run / f"test_{name}.tsv").write_text(text)
    read = RunFolder.label_report_table if name == "report" else RunFolder.confusion_table
    with pytest.raises(ValueError, match=message):
        read(RunFolder.read(run), "test")
