"""Tables of others, as the printed scores of a paper."""

import pandas
import pytest

from linspector_allennlp.run_folders.results_file import read_results


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
    (HEADER + "a,b,c,d,1,1.5,true\n", "line 2: seed: expected a whole number, found '1.5'"),
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
