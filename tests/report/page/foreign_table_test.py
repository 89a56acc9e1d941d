"""Tables that somebody else has written: what is wrong is said with its lines."""

import pytest

from linspector_allennlp.report.page.foreign_table import foreign_table

HEADER = "language,task,representation,metric,value,majority"
GOOD = ["fi,Case,a,accuracy,81.5,29", "fi,Case,b,accuracy,90.3,29", "fi,POS,a,accuracy,88,50.2"]


def write(path, rows, header=HEADER):
    file = path / "t.csv"
    file.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return file


def test_percents_become_fractions_but_for_what_is_no_share(tmp_path):
    rows = [*GOOD, "fi,tree,a,dspr,0.8,"]
    table, notes = foreign_table(write(tmp_path, rows))
    assert table["value"].tolist() == pytest.approx([0.815, 0.903, 0.88, 0.8])
    assert table["majority"].tolist()[:3] == pytest.approx([0.29, 0.29, 0.502])
    assert notes == ["Scores above 1 are there: all are taken as percent."]


def test_fractions_stay(tmp_path):
    rows = ["fi,Case,a,accuracy,1,0.5", "fi,Case,b,accuracy,0,0.5"]
    table, notes = foreign_table(write(tmp_path, rows))
    assert table["value"].tolist() == [1, 0] and notes == []


@pytest.mark.parametrize(
    "row, message",
    [
        (GOOD[1], r"t\.csv: line 5 repeats line 3; remove one"),
        (
            "fi,Case,b,accuracy,91,29",
            r"lines 3 and 5 are scores of the same \(fi, Case, b, accuracy\): 90\.3 and 91\. Expected a column",
        ),
        ("fi,POS,b,accuracy,599,50", "line 5: value: expected accuracy .* found 599"),
        ("fi,POS,b,accuracy,-3,50", "line 5: value: expected accuracy .* found -3"),
        ("fi,POS,b,accuracy,59,-1", "line 5: majority: expected accuracy .* found -1"),
    ],
)
def test_what_cannot_be(tmp_path, row, message):
    with pytest.raises(ValueError, match=message):
        foreign_table(write(tmp_path, [*GOOD, row]))


def test_fractions_among_percents_are_named(tmp_path):
    _, notes = foreign_table(write(tmp_path, [*GOOD, "fi,POS,b,accuracy,0.59,0.5"]))
    assert [note.split(" beside")[0] for note in notes[1:]] == [
        "Line 5: value is 1 % or less", "Line 5: majority is 1 % or less",
    ]  # fmt: skip


def test_a_percent_among_fractions_is_an_error(tmp_path):
    rows = ["fi,Case,a,accuracy,0.5,", "fi,Case,b,accuracy,0.6,", "fi,POS,a,accuracy,59.9,"]
    with pytest.raises(ValueError, match="line 4: value: expected a fraction as in the other"):
        foreign_table(write(tmp_path, rows))


def test_no_number(tmp_path):
    _, notes = foreign_table(write(tmp_path, [*GOOD, "fi,POS,b,accuracy,nan,50"]))
    assert notes[0].startswith("Line 5: the value is no number")


def test_what_tells_scores_apart(tmp_path):
    """Seeds, control tasks, splits, and columns of one's own."""
    header = f"{HEADER},seed,control,split,size"
    cells = ["1,false,test,5k", "2,false,test,5k", "1,true,test,5k", "1,false,validation,5k"]
    rows = [f"{GOOD[0]},{end}" for end in (*cells, "1,false,test,9k")]
    assert len(foreign_table(write(tmp_path, rows, header))[0]) == 5


def test_semicolons(tmp_path):
    rows = [row.replace(",", ";") for row in GOOD]
    with pytest.raises(ValueError, match="between commas, found semicolons"):
        foreign_table(write(tmp_path, rows, HEADER.replace(",", ";")))
