"""Tables of others, as the printed scores of a paper."""

import csv
import os

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.run_folders.results_file import (
    as_text_cell,
    of_text_cell,
    read_predictions,
    read_results,
    write_csv_row,
)


def read(folder, text):
    (folder / "paper.csv").write_text(text, encoding="utf-8")
    return read_results(folder / "paper.csv")


def test_few_columns_are_enough(tmp_path):
    text = "\ufefftask,language,representation,metric,value,page,layer\nCase,nan,None,accuracy,.5,12,\n"
    frame = read(tmp_path, text + '"a ""b""\nc",fin,x,accuracy,1e-1,,3\n')
    assert frame.task.tolist() == ["Case", 'a "b"\nc'] and frame.language[0] == "nan"
    assert frame.representation[0] == "None" and frame.value.tolist() == [0.5, 0.1]
    assert pandas.isna(frame.layer[0]) and frame.layer[1] == 3
    assert frame.page[0] == "12" and pandas.isna(frame.page[1])
    assert frame.split.tolist() == ["test"] * 2 and frame.chosen.all() and not frame.control.any()


HEADER = "task,language,representation,metric,value,seed,control\n"


@pytest.mark.parametrize("text, message", [
    ("", "there is no language, task, representation, metric, value. Found: nothing"),
    ("task,language,metric,value,x\n", "there is no representation. Found: task, language"),
    (HEADER[:-1] + ",task\n", "the column task is there more than once"),
    (HEADER + "a,b,c,d,1,1,true\na,b,c,d,5 %,1,true\n", "line 3: value: expected a number, found '5 %'"),
    (HEADER + "a,b,c,d,1,1.5,true\n", "line 2: seed: expected a whole number of at most 64 bits, found '1.5'"),
    (HEADER + f"a,b,c,d,1,{2**70},true\n", "line 2: seed: expected a whole number of at most 64 bits"),
    (HEADER + "a,b,c,d,1,1_3,true\n", "line 2: seed: expected a whole number of at most 64 bits, found '1_3'"),
    (HEADER + "a,b,c,d,1,١,true\n", "line 2: seed: expected a whole number"),
    (HEADER + "a,b,c,d,1_0.5,1,true\n", "line 2: value: expected a number, found '1_0.5'"),
    (HEADER + "a,b,c,d,1,1,maybe\n", "line 2: control: expected true or false, found 'maybe'"),
    (HEADER + "a,b,c,d,1\n", "line 2: expected 7 cells, found 5"),
    (HEADER + 'a,b,c,d,1,1,"true\n', "line 2: expected CSV"),
])  # fmt: skip
def test_broken_tables(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read(tmp_path, text)


def test_other_encodings(tmp_path):
    (tmp_path / "paper.csv").write_bytes(HEADER.encode() + "ä".encode("latin-1"))
    with pytest.raises(ValueError, match="paper.csv, line [12]: expected CSV"):
        read_results(tmp_path / "paper.csv")
    with pytest.raises(FileNotFoundError):
        read_results(tmp_path)


def test_long_cells(tmp_path):
    """Longer than the standard library would read; a setting may be so long."""
    assert read(tmp_path, HEADER + f"{'a' * 200_000},b,c,d,1,1,true\n").task[0] == "a" * 200_000


@pytest.mark.parametrize("end", [0, 4, 300])
def test_a_damaged_parquet_file_is_named(tmp_path, end):
    path = tmp_path / "results.parquet"
    pandas.DataFrame({"task": ["a"] * 9}).to_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:end] + whole[-8:] * bool(end))
    with pytest.raises(ValueError, match=r"results\.parquet: expected Parquet; "):
        read_results(path)
    with pytest.raises(FileNotFoundError, match="nothing.parquet"):
        read_results(tmp_path / "nothing.parquet")


@pytest.mark.parametrize(
    "text", ["=1+1", "+a", "-a", "@x", "'=1", "''@", "＝x", "\t=x", "'a", "-1", "+2.5"]
)
def test_no_formula_for_a_spreadsheet(tmp_path, text):
    """What would be calculated has a quote before it in the file, and is read back as it was."""
    path = tmp_path / "results.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        write_csv_row(file, ["language", "task", "representation", "metric", "value", text])
        write_csv_row(file, ["fin", text, "a", "accuracy", -0.0, "b"])
    cells = next(csv.reader(path.read_text(encoding="utf-8").splitlines()[1:]))
    assert cells[1][0] not in "=@\t＝" and cells[1][:2] not in ("+a", "-a")
    table = read_results(path)
    assert table["task"].tolist() == [text] and text in table.columns


@given(st.text(st.sampled_from("'=+-@1a\t"), max_size=6))
def test_quotes_before_formulas_are_told_from_others(text):
    assert of_text_cell(as_text_cell(text)) == text


@pytest.mark.parametrize("value, whole", [(7, 100), (-3, 100), (101, 100)])
def test_an_accuracy_that_is_none(tmp_path, value, whole):
    path = tmp_path / "table.csv"
    lines = ["language,task,representation,metric,value", "fin,Case,a,loss,900"]
    path.write_text("\n".join([*lines, f"fin,Case,a,accuracy,{value}"]) + "\n")
    if value == 7:  # in percent
        assert read_results(path)["value"].tolist() == [900, 7]
        path.rename(tmp_path / "results.csv")
        path, whole = tmp_path, 1
    with pytest.raises(
        ValueError, match=f"row 2: value: expected accuracy from 0 to {whole}, found"
    ):
        read_results(path)


def test_a_pipe_in_place_of_a_table_is_named(tmp_path):
    for name, read in (
        ("results.parquet", read_results),
        ("predictions.parquet", read_predictions),
    ):
        os.mkfifo(tmp_path / name)
        with pytest.raises(ValueError, match=rf"{name} is a pipe \(FIFO\): expected a file"):
            read(tmp_path)
