"""Frequency lists and tables of resources for a page."""

import pandas
import pytest

from linspector_allennlp.commands.probe_report import study_page
from linspector_allennlp.commands.report_inputs import with_ranks, with_resources
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.run_folders.resource_tables import write_resource_table
from tests.conftest import ROOT

TABLE = pandas.DataFrame({"run": ["a", "b"], "language": ["turkish", "finnish"]})
ITEMS = pandas.DataFrame(
    {"run": ["a", "a", "b"], "form": ["Işık", "ev", "talo"], "form2": ["su", None, None]}
)
DATA = ReportData("x", TABLE, ITEMS)


@pytest.fixture
def word_list(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("ve 90\nışık 40\nsu 7\ntalo 3\n", encoding="utf-8")
    return path


def test_ranks_of_the_words_that_are_there(word_list):
    found = with_ranks(DATA, [f"tr={word_list}", f"finnish={word_list}"])
    assert found.ranks == {"turkish": {"Işık": 2, "su": 3}, "finnish": {"talo": 4}}
    only = ReportData("x", TABLE[:1], ITEMS[:2])
    assert with_ranks(only, [str(word_list)]).ranks == {"turkish": {"Işık": 2, "su": 3}}


@pytest.mark.parametrize(
    "lists, message",
    [
        (["{}"], "is of one language, and the predictions are of 2"),
        (
            ["german={}"],
            r"expected a language of the predictions \(turkish, finnish\), found german",
        ),
        (["tr={}", "turkish={}"], "expected one list of turkish, found two"),
    ],
)
def test_whose_list(lists, message, word_list):
    with pytest.raises(ValueError, match=message):
        with_ranks(DATA, [each.format(word_list) for each in lists])


def test_no_words(word_list):
    with pytest.raises(ValueError, match="there are no predictions of words"):
        with_ranks(ReportData("x", TABLE), [str(word_list)])


def test_resources(tmp_path):
    for number, name in enumerate(("turkish", "finnish")):
        rows = [
            {
                "language": name,
                "paradigms": 7,
                "ambiguity_of_sets": 4.4,
                "ambiguity_as_printed": 19.7,
            }
        ]
        write_resource_table(rows, tmp_path / f"{number}.csv")
    found = with_resources(DATA, [tmp_path / "0.csv", tmp_path / "1.csv"]).resources
    assert found["language"].tolist() == ["turkish", "finnish"]
    page = study_page(csv=ROOT / "fixtures/study/results.csv", resources=[tmp_path / "0.csv"])
    figure = next(figure for figure in page.figures if figure.key == "resources")
    assert [series.y for series in figure.content.series] == [
        [pytest.approx(0.044)],
        [pytest.approx(0.197)],
    ]
    matrices = [figure for figure in page.figures if figure.key.startswith("task-matrix")]
    table = pandas.read_csv(ROOT / "fixtures/study/results.csv", dtype=str)
    pairs = {tuple(row) for row in table[["level", "task", "language"]].values}
    drawn = {
        (figure.facets["level"], task, language)
        for figure in matrices
        for task, texts in zip(figure.content.rows, figure.content.texts)
        for language, text in zip(figure.content.columns, texts)
        if text == "×"
    }
    assert drawn == pairs and len(pairs) > 4
