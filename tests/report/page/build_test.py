"""The page of a table of scores: what it says, and that it says what it cannot say."""

import json
import re

import numpy
import pandas
import pytest

from linspector_allennlp.report.page import build
from linspector_allennlp.report.page.build import SECTIONS, build_page
from linspector_allennlp.report.page.html_page import html_page
from linspector_allennlp.report.page.model import Chart, Heat, PageFigure, PageTable, Words
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.run_folders.study_folder import PlannedRow, StudyFolder
from tests.conftest import ROOT
from tests.report.page.made_pages import data, figures, parts, scores, sentences

STUDY = ROOT / "fixtures/study"


def table_of(page, key):
    table = next(table for table in page.tables if table.key == key)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row)) for row in table.rows]


@pytest.fixture(scope="module")
def page():
    return build_page(data())


def test_all_sections_are_there(page):
    keys = [section.key for section in page.sections]
    assert [key for key in SECTIONS if key in keys] == [key for key in keys if key != "cannot"]
    assert keys[-2:] == ["cannot", "provenance"]
    assert all(section.parts for section in page.sections)
    assert all(sentences(page, key) for key in SECTIONS if key not in keys)
    assert (
        "Trees: There are no run folders: no trees to draw." in parts(page, "cannot")[0].sentences
    )
    assert page.subtitle == "3 tasks, 1 language, 2 representations, 12 runs"
    keys = [table.key for table in page.tables]
    assert len(set(keys)) == len(keys)


def test_the_table_of_scores(page):
    rows = table_of(page, "scores")
    assert len(rows) == 6
    assert rows[0]["representation"] == "vectors" and rows[0]["task"] == "Case"
    assert rows[0]["value"] == pytest.approx(0.81) and rows[0]["seeds"] == 2
    assert rows[0]["gain"] == pytest.approx(0.06)  # over the suffix, 0.75
    assert [row["place"] for row in rows] == [1, 2, 2, 1, 1, 2]


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


def test_nothing_is_said_of_columns_that_are_not_there():
    """A paper's printed scores: no seeds, no intervals, no look-up of words."""
    columns = ["language", "task", "representation", "metric", "value", "majority"]
    page = build_page(data(scores(seeds=[1])[columns]))
    said = " ".join(sentences(page, "scores"))
    assert "best baseline" in said
    assert not any(word in said for word in ("seeds", "interval", "Same word"))
    assert figures(page, "bars")[0].words == "Scores by task, beside their baselines."
    without = build_page(data(scores(seeds=[1])[columns[:-1]]))
    assert figures(without, "bars")[0].words == "Scores by task."
    row = table_of(page, "scores")[0]
    assert "seeds" not in row and "without_score" not in row


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


@pytest.fixture
def small_study(tmp_path):
    """A folder of runs of a probe of distances."""
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
    return study


def test_a_study(small_study):
    """The words of its folder: what is missing, versions, data files; trees of a probe of distances."""
    page = build_page(ReportData.of_study(small_study.path))
    assert "1 run is not here (not run): gone." in sentences(page, "summary")
    assert table_of(page, "versions")[0] == {"package": "torch", "version": "2.0", "runs": 3}
    assert [row["file"] for row in table_of(page, "data-files")] == ["a/b/c/test.txt"]
    trees = figures(page, "trees")
    assert len(trees) == 3  # a task each
    assert trees[0].table.rows[1] == [2, "b", "1, 3", "1, 3, 4"]
    assert "UUAS 2/3" in trees[0].words


def test_a_mistake_costs_a_section_only(monkeypatch, caplog):
    def broken(data):
        yield from ()
        raise KeyError("x")

    monkeypatch.setitem(build.SECTIONS, "bars", ("Bars", broken))
    with pytest.raises(KeyError):  # as in all tests of pages
        build_page(data())
    monkeypatch.setattr(build, "UNFORESEEN", (KeyError,))
    page = build_page(data())
    (sentence,) = sentences(page, "bars")
    assert sentence.startswith("Not shown") and sentence.endswith("(KeyError: 'x').")
    assert figures(page, "heat") and "Traceback" in caplog.text


DEEP = b"[" * 100_000


@pytest.mark.parametrize("content, reason", [
    (b"[1]", "failed"),
    (b'{"er', "failed; gone.json cannot be read"),
    (b"", "failed; gone.json cannot be read"),
    (b"\xff\xfe", "failed; gone.json cannot be read"),
    (DEEP, "failed; gone.json cannot be read"),
    (b'{"error": "\\ud800 <b>"}', "failed: � <b>"),
    (None, "failed; gone.json is no file"),
])  # fmt: skip
def test_a_damaged_file_of_a_failed_run(small_study, content, reason):
    small_study.failed.mkdir()
    place = small_study.failed / "gone.json"
    if content is None:
        place.mkdir()
    else:
        place.write_bytes(content)
    assert ReportData.of_study(small_study.path).missing == {"gone": reason}


TREE = {"forms": ["a", "b", "c", "d"], "edges": [[0, 1]]}


@pytest.mark.parametrize("wrong", [
    {"edges": 5}, {"edges": [[0, "x"]]}, {"edges": [[0, 9]]}, {"edges": [[0]]}, {"edges": None},
    {"forms": 5}, {"forms": ["a", "\ud800", "c", "d"]}, {"scored": [True]}, {"heads": [1e9, None]},
    {"depths": [float("nan"), 1, 2, 3]}, {"depths": [0, 1, 2, 3]}, {"depths": [0, 1, 2, 3], "root": 99},
    {"gold_edges": [None]},
])  # fmt: skip
def test_a_damaged_prediction_of_a_tree(small_study, wrong):
    name = small_study.plan()[0].name
    path = small_study.run_path(name) / "test_predictions.jsonl"
    path.write_text(json.dumps({**TREE, **wrong}) + "\n")
    parts = list(SECTIONS["trees"][1](ReportData.of_study(small_study.path)))
    assert len(parts) == 3  # two trees of the others, and what is wrong
    assert parts[-1].sentences[0].startswith(f"{name}: test_predictions.jsonl, line 1: Expected ")


@pytest.mark.parametrize("content, said", [
    ({"data": [1]}, "expected data by split, found data: [1]"),
    ({"versions": 5}, "expected versions by name, found 5"),
    ([], "expected a JSON object, found []"),
])  # fmt: skip
def test_a_damaged_provenance(small_study, content, said):
    path = small_study.run_path(small_study.plan()[0].name) / "provenance.json"
    path.write_text(json.dumps(content))
    page = build_page(ReportData.of_study(small_study.path))
    assert any(said in sentence for sentence in sentences(page, "provenance"))


def test_a_study_whose_name_is_no_text(tmp_path):
    path = tmp_path / "bad\udcff.csv"
    scores(seeds=[1]).to_csv(path, index=False)
    page = build_page(ReportData.of_csv(path))
    assert page.title == "bad�"
    html_page(page).encode()


def test_hundreds_of_tasks_have_a_table_and_no_matrix():
    numbers = numpy.random.default_rng(1).random((5, 41)).round(3)
    rows = [
        {"language": "l", "task": f"t{task}", "representation": f"r{name}", "metric": "accuracy", "value": value}
        for (name, task), value in numpy.ndenumerate(numbers)
    ]  # fmt: skip
    parts = list(SECTIONS["correlation"][1](data(pandas.DataFrame(rows))))
    (table,) = (part for part in parts if isinstance(part, PageTable))
    assert not any(isinstance(part, PageFigure) for part in parts)
    assert len(table.rows) == 500 and table.title == "Task × task: l, the 500 strongest"
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row)) for row in table.rows]
    all_rho = pandas.DataFrame(numbers).corr("spearman").abs().to_numpy()
    strongest = sorted(all_rho[numpy.triu_indices(41, 1)], reverse=True)[:500]
    assert [abs(row["rho"]) for row in rows] == pytest.approx(strongest)
    said = " ".join(s for part in parts if isinstance(part, Words) for s in part.sentences)
    assert "Task × task: l: 820 pairs are too many for a matrix. The table has the 500 with" in said


def test_a_very_long_name_is_there_once(tmp_path):
    names = {end: "é" * 300 + end for end in "ab"}
    values = {names["a"]: (0.8, 0.6, 0.9), names["b"]: (0.7, 0.65, 0.5), "c": (0.1, 0.2, 0.3)}
    scores(values=values).to_csv(tmp_path / "long.csv", index=False)
    page = build_page(ReportData.of_csv(tmp_path / "long.csv"))
    shown = {row["representation"] for row in table_of(page, "scores")}
    assert len(shown) == 3 and max(map(len, shown)) < 200
    assert {row["whole name"] for row in table_of(page, "long-names")} == {*names.values()}
    html = html_page(page)
    assert html.count("é" * 300) == 2 and html.count("é" * 150) > 20


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
