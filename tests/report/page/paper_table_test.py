"""Tasks × representations, the best and the second marked."""

import pandas
import pytest

from linspector_allennlp.commands.page_latex import page_latex
from linspector_allennlp.commands.page_text import table_text
from linspector_allennlp.report.page.build import build_page
from linspector_allennlp.report.page.html_page import html_page
from linspector_allennlp.report.page.model import PageTable, TableColumn
from linspector_allennlp.report.page.sections.paper_table import paper_tables
from tests.report.page.made_pages import data, scores


def test_a_row_for_each_task():
    (table,) = paper_tables(data())
    titles = [column.title for column in table.columns]
    assert titles == ["language", "task", "majority", "suffix", "vectors", "spelling"]
    assert table.rows[1] == ["finnish", "Number", 0.3, 0.75, *map(pytest.approx, (0.61, 0.66))]
    assert table.marks == {(0, 4): 1, (0, 5): 2, (1, 5): 1, (1, 4): 2, (2, 4): 1, (2, 5): 2}
    lines = table_text(table).splitlines()
    assert lines[1] == "All rows: language finnish, majority 30.0, suffix 75.0."
    assert lines[4:] == [
        "Case      81.0*     71.0°", "Number    61.0°     66.0*", "Tense     91.0*     51.0°",
    ]  # fmt: skip


def test_other_things_that_vary_are_rows():
    both = pandas.concat([scores().assign(train_share=share) for share in (0.5, 1.0)])
    (table,) = paper_tables(data(both))
    assert [row[2] for row in table.rows] == [0.5, 1, 0.5, 1, 0.5, 1] and len(table.marks) == 12


def test_one_representation_has_none():
    assert paper_tables(data(scores(values={"vectors": (0.8, 0.6, 0.9)}))) == []


def test_latex():
    (table,) = paper_tables(data())
    lines = page_latex(table).splitlines()
    assert lines[:3] == [r"% \usepackage{booktabs,graphicx}", r"\begin{table}", r"\centering"]
    assert lines[3] == (
        r"\caption{Tasks and representations. All rows: language finnish, majority 30.0, suffix 75.0.}"
        r"\label{tab:paper}"
    )
    assert lines[5] == r"\begin{tabular}{lrr}"
    assert lines[9] == r"Case & \textbf{81.0} & \underline{71.0} \\"
    assert lines[-3:] == [r"\end{tabular}", "}", r"\end{table}"]


def test_the_minus_of_a_number():
    columns = [TableColumn("task", "task", "text"), TableColumn("gain", "gain", "percent")]
    rows = [["a-b", -0.123], ["c", 0.2]]
    assert r"a-b & $-$12.3 \\" in page_latex(PageTable("k", "T", columns, rows))


def test_the_page_marks_them():
    assert '"marks":[[0,0,0],[0,0,0]' in html_page(build_page(data()))
