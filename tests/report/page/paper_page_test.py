"""The section of correlations, built from scores that papers have printed."""

import pandas
import pytest
from scipy.stats import spearmanr

from linspector_allennlp.report.page.model import PageFigure, Words
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections.correlation import correlation
from linspector_allennlp.report.page.sections.numbers import labels_and_dimensions
from tests.analysis.associations_test import DIMENSIONS
from tests.analysis.correlation_test import PAPER
from tests.analysis.paper_tables import linspector_scores, thesis_scores

pytestmark = pytest.mark.realdata


def section(tables, path, make):
    """Its figures by title, and its sentences."""
    pandas.concat(tables).to_csv(path, index=False)
    parts = list(make(ReportData.of_csv(path)))
    figures = {part.title: part.content for part in parts if isinstance(part, PageFigure)}
    return figures, [s for part in parts if isinstance(part, Words) for s in part.sentences]


def cell(heat, row, column, of="values"):
    return getattr(heat, of)[heat.rows.index(row)][heat.columns.index(column)]


def test_figure_1_of_linspector(real_data, tmp_path):
    """Each correlation in print, with p by t, exact and corrected beside it; then the marked cells only."""
    tables = linspector_scores(real_data)
    figures, said = section(tables, tmp_path / "paper.csv", correlation)
    probing, downstream = (t.set_index(["language", "task"])["value"] for t in tables)
    for language, rows in PAPER.items():
        heat = figures[f"Probing × downstream: type_level, {language}"]
        assert heat.columns == rows["columns"] and len(heat.rows) == 11
        for task in set(rows) - {"columns"}:
            for column, expected in zip(rows["columns"], rows[task]):
                assert cell(heat, task, column) == pytest.approx(expected, abs=0.0051)
                both = probing[language, task].tolist(), downstream[language, column].tolist()
                p = spearmanr(*both).pvalue
                sign = "●" if p < 0.1 else "○" if p < 0.2 else "·"
                assert cell(heat, task, column, "texts").split()[1][0] == sign, (
                    language,
                    task,
                    column,
                )
    finnish = figures["Probing × downstream: type_level, Finnish"]
    # ρ of 5 points: 1, .9, .8 and .7 have p 0, .04, .10 and .19 by t, and .02, .08, .13 and .23 exactly.
    assert cell(finnish, "Case", "POS", "texts")[:7] == "1.00 ●●"
    assert cell(finnish, "POS", "SRL", "texts")[:7] == "0.90 ●●"
    assert cell(finnish, "Case", "NER", "texts")[:7] == "0.80 ○○"
    assert cell(finnish, "Case", "SRL", "texts")[:7] == "0.70 ○·"
    masked = figures["Probing × downstream: type_level, Finnish, p < 0.1 only"]
    assert cell(masked, "Case", "POS") == pytest.approx(1) and "NER" in masked.columns
    assert cell(masked, "Case", "NER") is None and cell(masked, "Case", "NER", "texts") == ""
    languages = figures["Language × language, by task"]
    assert len(languages.columns) == 10 and languages.columns[0] == "Finnish ~ German"
    assert cell(languages, "type_level, Number", "Finnish ~ German") == pytest.approx(1)
    assert any(
        s.startswith("type_level, Turkish: of 55 pairs") and "CharacterBin ~ TagCount" in s
        for s in said
    )
    assert any("p < 0.1 takes |ρ| of 0.90 by t and |ρ| of 0.90 exactly" in s for s in said)


def test_figures_of_the_thesis(real_data, tmp_path):
    levels = zip(thesis_scores(real_data), ("sentence", "downstream"))
    tables = [table.assign(level=level) for table, level in levels]
    figures, _ = section(tables, tmp_path / "thesis.csv", correlation)
    georgian = figures["Probing × downstream: sentence, KA"]
    assert cell(georgian, "WO", "Senti", "texts") == "-0.73 ●–○"  # 12 points: no exact p-value
    english = figures["Probing × downstream: sentence, EN, |ρ| < 0.2 as 0"]
    plain = figures["Probing × downstream: sentence, EN"]
    assert cell(plain, "BiShift", english.columns[1]) == pytest.approx(-0.18, abs=0.0051)
    # Without a correction for ties that is more than 0.2; what is less is 0.
    assert cell(english, "BiShift", english.columns[1]) == pytest.approx(-0.217, abs=0.0005)
    values = [value for row in english.values for value in row]
    assert 0 in values and all(value == 0 or abs(value) >= 0.2 for value in values)
    russian = figures["Probing × downstream: sentence, RU, |ρ| < 0.2 as 0"]
    assert cell(russian, "SubjNum", "Senti") == pytest.approx(0.72, abs=0.0051)
    with_ties = figures["Probing × downstream: sentence, RU"]
    assert cell(with_ties, "SubjNum", "Senti") == pytest.approx(0.735, abs=0.0051)


def test_dimensions_of_the_thesis(real_data, tmp_path):
    """Figure 20: for word content the correlation with the dimension is negative in all languages."""
    probing, _ = thesis_scores(real_data)
    with_column = probing.assign(dimension=probing["representation"].map(DIMENSIONS))
    figures, said = section([with_column], tmp_path / "thesis.csv", labels_and_dimensions)
    heat = figures["Pearson’s correlation of score and dimension"]
    content = heat.values[heat.rows.index("WC")]
    assert len(content) == 5 and all(r < 0 for r in content)
    assert said[0].startswith("The table does not say how many labels")
