"""Orders, changes and recommendations; on the page of the thesis' numbers, its matrices."""

import pandas
import pytest
from scipy.stats import spearmanr

from linspector_allennlp.report.page.build import build_page
from linspector_allennlp.report.page.report_data import ReportData
from tests.analysis.correlation_test import CLASSIFIERS, SIZES
from tests.analysis.paper_tables import stability_scores
from tests.report.page.made_pages import data, figures, parts, scores, sentences

VALUES = {"nn": (1, 2, 3, 4), "nn_h": (2, 1, 3, 4)}


def table_of(page, key):
    table = next(table for table in page.tables if table.key == key)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row)) for row in table.rows]


def small(tmp_path, **columns):
    rows = [
        {"language": "x", "task": task, "representation": name, "probe": probe, "metric": "macro_f1",
         "value": value / 10 + 0.1 * balanced, "balanced": balanced}
        for task in ("WC", "Voice")
        for balanced in (False, True)
        for probe, values in VALUES.items()
        for name, value in zip("abcd", values)
    ]  # fmt: skip
    path = tmp_path / "small.csv"
    pandas.DataFrame(rows).assign(**columns).to_csv(path, index=False)
    return build_page(ReportData.of_csv(path))


def test_orders_and_changes(tmp_path):
    page = small(tmp_path)
    drawn = {figure.title: figure.content for figure in figures(page, "stability")}
    matrix = drawn["Between classifiers: x, balanced yes"]
    assert matrix.rows == ["nn", "nn_h"] and matrix.texts[0] == ["1.00", "0.80"]
    pairs = table_of(page, "stability-probe")
    assert [row["rho"] for row in pairs] == pytest.approx([0.8] * 4)
    change = drawn["classifier nn → nn_h: x, balanced no"]
    assert [series.name for series in change.series] == ["WC", "Voice"]
    assert list(change.series[0].x) == list("abcd")
    assert change.series[0].y == pytest.approx([0.1, -0.1, 0, 0])
    assert drawn["balanced False → True: x, nn"].series[0].y == pytest.approx([0.1] * 4)
    holds = {row["recommendation"]: row["verdict"] for row in table_of(page, "recommendations")}
    assert holds["Balance the classes"] == "supported"


def test_nothing_varies():
    page = build_page(data(scores(seeds=[1])))
    said = sentences(page, "stability")
    assert "Nothing varies that an order of three or more representations could depend on." in said
    assert "No scores differ in one thing of the setup only: no change is to be seen." in said
    assert not figures(page, "stability") and len(parts(page, "stability")) == 3


def test_the_top_three_are_drawn():
    """Of three representations all are."""
    values = {name: (score, score, score) for name, score in zip("abcd", (0.9, 0.8, 0.7, 0.6))}
    (figure,) = figures(build_page(data(scores(values=values))), "scores")
    assert figure.key == "top-places" and figure.content.series[0].y == [1.0, 1.0, 1.0, 0.0]
    assert not figures(build_page(data()), "scores")


def thesis_page(table, tmp_path):
    table.assign(size=table["size"].str.replace("k", "000")).drop(columns="rank").to_csv(
        tmp_path / "wc.csv", index=False
    )
    return build_page(ReportData.of_csv(tmp_path / "wc.csv"))


@pytest.mark.realdata
def test_the_matrices_of_the_thesis(real_data, tmp_path):
    """By the printed ranks as scores, and ties as the thesis has them."""
    table = stability_scores(real_data)
    page = thesis_page(table.assign(value=1 - table["rank"] / 100), tmp_path)
    by_probe = {
        (row["language"], row["settings"], row["row"], row["column"]): row["rho_min"]
        for row in table_of(page, "stability-probe")
    }
    names = ["LR", "NN", "NN_H", "RF", "SVM", "NB"]
    for language, rows in CLASSIFIERS.items():
        for place, expected in enumerate(rows, start=1):
            at = [(language, '{"size": 10000}', other, names[place]) for other in names[:place]]
            assert [round(by_probe[key], 2) for key in at] == pytest.approx(expected)
    by_size = {
        (row["language"], row["probe"], row["row"], row["column"]): row["rho_min"]
        for row in table_of(page, "stability-size")
    }
    for language, probes in SIZES.items():
        for probe, expected in probes.items():
            found = [by_size[language, probe, size, 60_000] for size in (5_000, 30_000)]
            assert found == pytest.approx(expected, abs=0.0051)


@pytest.mark.realdata
def test_the_figures_of_the_printed_scores(real_data, tmp_path):
    """Against SciPy, ties corrected."""
    table = stability_scores(real_data)
    page = thesis_page(table, tmp_path)
    drawn = {figure.title: figure.content for figure in figures(page, "stability")}
    matrix = drawn["Between classifiers: KA, size 10000"]
    assert matrix.rows == ["LR", "NN", "NN_H", "RF", "SVM", "NB"]
    at = table[(table["language"] == "KA") & (table["size"] == "10k")]
    wide = at.pivot(index="representation", columns="probe", values="value")
    for row, values in zip(matrix.rows, matrix.values):
        for column, value in zip(matrix.columns, values):
            assert value == pytest.approx(spearmanr(wide[row], wide[column]).statistic)
    panel = drawn["Change of size: EN, NN_H, WC"]
    assert [series.name for series in panel.series] == [
        "size 5000 → 10000", "size 10000 → 30000", "size 30000 → 60000",
    ]  # fmt: skip
    assert panel.series[0].y[0] == pytest.approx(0.58 - 0.42)
    (stable,) = [
        row
        for row in table_of(page, "recommendations")
        if row["recommendation"].startswith("Train on")
    ]
    assert stable["verdict"] == "supported"
