"""The page of a table of scores: what it says, and that it says what it cannot say."""

import json
import re

import numpy
import pandas
import pytest

from linspector_allennlp.report.page import build
from linspector_allennlp.report.page.build import SECTIONS, build_page
from linspector_allennlp.report.page.model import Chart, Heat, PageTable
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.run_folders.study_folder import PlannedRow, StudyFolder
from tests.conftest import ROOT
from tests.report.page.made_pages import data, figures, scores, sentences

STUDY = ROOT / "fixtures/study"


def table_of(page, key):
    table = next(table for table in page.tables if table.key == key)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row)) for row in table.rows]


@pytest.fixture(scope="module")
def page():
    return build_page(data())


def test_all_sections_are_there(page):
    assert [section.key for section in page.sections] == list(SECTIONS)
    assert all(section.parts for section in page.sections)
    assert page.subtitle == "3 tasks, 1 language, 2 representations, 12 runs"
    keys = [table.key for table in page.tables]
    assert len(set(keys)) == len(keys)


def test_the_table_of_scores(page):
    rows = table_of(page, "scores")
    assert len(rows) == 6
    assert rows[0]["representation"] == "vectors" and rows[0]["task"] == "Case"
    assert rows[0]["value"] == pytest.approx(0.81) and rows[0]["seeds"] == 2
    assert rows[0]["gain"] == pytest.approx(0.06)  # over the suffix, 0.75
    assert [row["place"] for row in rows] == [1, 2, 1, 2, 1, 2]


def test_bars_have_scores_and_baselines(page):
    (figure,) = figures(page, "bars")
    assert isinstance(figure.content, Chart)
    assert [series.name for series in figure.content.series] == [
        "vectors", "spelling", "baseline: majority", "baseline: suffix",
    ]  # fmt: skip
    vectors = figure.content.series[0]
    assert vectors.x == ["Case", "Number", "Tense"]
    assert vectors.y == pytest.approx([0.81, 0.61, 0.91])
    assert (vectors.low, vectors.high) == (
        pytest.approx([0.75, 0.55, 0.85]),
        pytest.approx([0.85, 0.65, 0.95]),
    )
    assert vectors.facets == {"representation": "vectors"}
    assert len(figure.table.rows) == 6


def test_the_heat_map(page):
    (figure,) = figures(page, "heat")
    assert isinstance(figure.content, Heat)
    assert figure.content.rows == ["vectors", "spelling"]
    assert figure.content.texts[1] == ["71.0", "66.0", "51.0"]


def test_the_summary_is_that_of_the_findings(page):
    said = " ".join(sentences(page, "summary"))
    assert "the best of 3 tasks: vectors in 2 (Case, Tense); spelling in 1 (Number)" in said
    assert (
        "Differences were not tested" in said
        and "4 of 6 scores are below the best baseline" in said
    )


def test_a_small_study():
    """The fixtures: layers, control tasks, downstream tasks, predictions."""
    predictions = pandas.read_csv(STUDY / "predictions.csv", keep_default_na=False)
    read = ReportData.of_csv(STUDY / "results.csv")
    page = build_page(ReportData("study", read.table, predictions))
    drawn = {key: len(figures(page, key)) for key in SECTIONS}
    expected = {
        "bars": 4,
        "radar": 2,
        "heat": 4,
        "curves": 2,
        "selectivity": 9,
        "numbers": 3,
        "correlation": 14,
        "confusions": 1,
        "scores": 1,
        "stability": 2,
        "tasks": 2,
    }
    assert {key: number for key, number in drawn.items() if number} == {
        **expected,
        "differences": 1,
    }
    confusion = figures(page, "confusions")[0].content
    of_best = predictions[predictions["run"].str.startswith("Case-finnish-fasttext")]
    for gold, row in zip(confusion.rows, confusion.values):
        share = (of_best[of_best["gold"] == gold]["label"] == gold).mean()
        assert row[confusion.columns.index(gold)] == pytest.approx(share)
    matrix = figures(page, "correlation")[0].content
    assert matrix.values[0][1] == pytest.approx(0.9) and matrix.texts[0][1] == "0.90 ●●●"
    (wins,) = figures(page, "differences")
    assert wins.content.texts == [["", "0/1"], ["1/1", ""]]  # word2vec and fasttext


def test_one_seed():
    page = build_page(data(scores(seeds=[1])))
    assert any("of one seed" in sentence for sentence in sentences(page, "summary"))
    assert "sd" not in table_of(page, "scores")[0]


def test_one_representation():
    page = build_page(data(scores(values={"vectors": (0.8, 0.6, 0.9)})))
    assert "There is one representation: nothing is compared." in sentences(page, "summary")
    assert not figures(page, "correlation") and not figures(page, "differences")


def test_two_representations_have_no_correlation(page):
    assert not figures(page, "correlation")
    assert any("fewer than 3 points" in sentence for sentence in sentences(page, "correlation"))


def test_a_score_that_is_no_number():
    table = scores()
    table.loc[table["task"] == "Case", "value"] = numpy.nan
    page = build_page(data(table))
    assert any("no number as a score" in sentence for sentence in sentences(page, "summary"))
    (bars,) = figures(page, "bars")
    assert all("Case" not in series.x for series in bars.content.series)
    assert table_of(page, "scores")[0]["value"] is None


def test_no_score_at_all():
    page = build_page(data(scores().assign(value=numpy.nan)))
    assert not page.figures
    assert "Not shown: There is no score." in sentences(page, "scores")


@pytest.mark.parametrize("column", ["task", "representation", "value"])
def test_a_missing_column_is_named(column):
    page = build_page(data(scores().drop(columns=column)))
    assert not figures(page, "bars")
    (sentence,) = sentences(page, "bars")
    assert sentence.startswith("Not shown: ") and f"there is no {column}" in sentence


def test_printed_percents(tmp_path):
    table = scores(seeds=[1])
    numbers = ["value", "low", "high", "majority", "suffix"]
    table[numbers] *= 100
    table.to_csv(tmp_path / "paper.csv", index=False)
    page = build_page(ReportData.of_csv(tmp_path / "paper.csv"))
    assert page.title == "paper"
    assert "Scores above 1 are there: all are taken as percent." in sentences(page, "summary")
    assert table_of(page, "scores")[0]["value"] == pytest.approx(0.8)


def test_several_metrics_of_a_task(tmp_path):
    """The page is there, and says what it cannot choose."""
    both = [scores(seeds=[1]), scores(seeds=[1]).assign(metric="macro_f1")]
    pandas.concat(both).to_csv(tmp_path / "both.csv", index=False)
    page = build_page(ReportData.of_csv(tmp_path / "both.csv"))
    assert "expected one metric, or a column is_main" in sentences(page, "scores")[-1]
    assert [figure.key for figure in page.figures] == ["task-matrix"]


def test_a_study_without_a_finished_run(tmp_path):
    study = StudyFolder(tmp_path / "study")
    study.write_plan({}, [PlannedRow("a-run", "0", {}), PlannedRow("b-run", "1", {})])
    study.write_failure("a-run", {"error": "the disk is full"})
    page = build_page(ReportData.of_study(study.path))
    said = sentences(page, "summary")
    assert "a-run: failed: the disk is full" in said and "b-run: not run" in said
    assert not page.figures


def test_a_study(tmp_path):
    """The words of its folder: what is missing, versions, data files; trees of a probe of distances."""
    table = scores(seeds=[1], values={"vectors": (0.8, 0.6, 0.9)})
    study = StudyFolder(tmp_path / "study")
    names = list(table["run"])
    study.write_plan({}, [PlannedRow(name, name, {}) for name in [*names, "gone"]])
    for name in names:
        folder = study.run_path(name)
        folder.mkdir(parents=True)
        record = {
            "format": 2,
            "kind": "probe",
            "task": "t",
            "main_metric": "uuas",
            "seed": 1,
            "config": name,
        }
        versions = {"torch": "2.0", "linspector_allennlp": "9"}
        source = {"path": "/home/me/secret/a/b/c/test.txt", "sha256": "f00", "items": 3}
        (folder / "run.json").write_text(json.dumps(record))
        (folder / "metrics.json").write_text("{}")
        (folder / "provenance.json").write_text(
            json.dumps({"versions": versions, "data": {"test": source}})
        )
        tree = {
            "forms": ["a", "b", "c", "d"],
            "edges": [[0, 1], [1, 2], [1, 3]],
            "gold_edges": [[0, 1], [1, 2], [2, 3]],
        }
        (folder / "test_predictions.jsonl").write_text(json.dumps(tree) + "\n")
    table.to_csv(study.path / "results.csv", index=False)
    page = build_page(ReportData.of_study(study.path))
    assert "1 run is not here (not run): gone." in sentences(page, "summary")
    assert table_of(page, "versions")[0] == {"package": "torch", "version": "2.0", "runs": 3}
    assert [row["file"] for row in table_of(page, "data-files")] == ["a/b/c/test.txt"]
    trees = figures(page, "trees")
    assert len(trees) == 3  # a task each
    assert trees[0].table.rows[1] == [2, "b", "1, 3", "1, 3, 4"]
    assert "UUAS 2/3" in trees[0].words


def test_names_of_files():
    """Of a setting or a level with a slash in its name, too; no two are the same."""
    rows = [
        {
            "level": level, "language": "all", "task": task, "representation": name, "metric": "accuracy",
            "settings": json.dumps({"size/k": size}), "seed": 1,
            "value": 0.1 * number + 0.01 * place + 0.001 * size,
        }
        for level in ("type/x", "type x", "type, all")
        for task in ("Case", "Tense")
        for size in (10, 20)
        for number, name in enumerate(("a", "b", "c", "d"), start=len(task))
        for place in [(number * size) % 7]
    ]  # fmt: skip
    page = build_page(data(pandas.DataFrame(rows)))
    keys = [table.key for table in page.tables]
    assert any("curve-size-k" in key for key in keys) and any("order-size-k" in key for key in keys)
    assert any("task-matrix-type-x" in key for key in keys)
    assert [key for key in keys if not re.fullmatch("[a-z0-9_-]+", key)] == []
    assert len(set(keys)) == len(keys)


def test_two_tables_of_one_name(monkeypatch):
    def make(_):
        yield PageTable("x", "X", [], [])

    monkeypatch.setattr(build, "SECTIONS", {"one": ("One", make), "two": ("Two", make)})
    with pytest.raises(ValueError, match="a name for each table, found x several times"):
        build_page(data())
