import os

import pytest

from linspector_allennlp.run_folders.resource_tables import (
    COLUMNS,
    read_resource_table,
    write_resource_table,
)


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "resources.csv"
    write_resource_table([{"language": "turkish", "tokens": 7, "ambiguity_of_sets": "4.386"}], path)
    (row,) = read_resource_table(path).to_dict("records")
    assert row["tokens"] == 7 and row["ambiguity_of_sets"] == pytest.approx(0.04386)
    assert row["paradigms"] is None and list(row) == list(COLUMNS)


def test_another_table(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("language,task\na,b\n")
    with pytest.raises(ValueError, match="x.csv: expected a table of probe-data describe"):
        read_resource_table(path)
    path.write_text(",".join(COLUMNS) + "\nturkish,many,,,,,,,,,\n")
    with pytest.raises(
        ValueError, match="x.csv, line 2: paradigms: expected a number, found 'many'"
    ):
        read_resource_table(path)


def test_no_formula_reaches_a_spreadsheet_and_no_pipe_is_waited_for(tmp_path):
    path = tmp_path / "resources.csv"
    write_resource_table([{"language": "=1+1", "rows": 3}], path)
    assert path.read_text().splitlines()[1].startswith("'=1+1,")
    (row,) = read_resource_table(path).to_dict("records")
    assert row["language"] == "=1+1" and row["rows"] == 3
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="pipe is a pipe"):
        read_resource_table(tmp_path / "pipe")


@pytest.mark.parametrize("content, message", [
    (b"\xff\xfe", "line 1: expected CSV; 'utf-8' codec"),
    (b'language,"x\n', "line 1: expected CSV; unexpected end of data"),
    (",".join(COLUMNS).encode() + b"\nx,nan" + b"," * 9, "line 2: paradigms: expected a number, found 'nan'"),
    (",".join(COLUMNS).encode() + b"\nx,,,,,inf" + b"," * 5, "line 2: ambiguity: expected a number, found 'inf'"),
    (",".join(COLUMNS).encode() + b"\nx," + b"9" * 40 + b"," * 9, "line 2: paradigms: expected a number"),
])  # fmt: skip
def test_a_table_of_nonsense(tmp_path, content, message):
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(ValueError, match=f"x.csv, {message}"):
        read_resource_table(tmp_path / "x.csv")
