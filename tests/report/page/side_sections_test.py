"""Sections of two scores side by side, and of scores against numbers."""

import pandas
import pytest

from linspector_allennlp.report.page.build import build_page
from linspector_allennlp.report.page.printed_figures import write_figure
from tests.report.page.made_pages import data, figures, sentences


def levels_table():
    """Two representations, one of them with words alone; Case at both levels, Tense at one."""
    scores = {"elmo": (0.534, 0.808), "elmo, alone": (0.534, 0.55), "fasttext": (0.6, 0.62)}
    rows = [
        {
            "level": level, "task": "Case", "representation": name, "probe": probe, "value": value,
            "low": value - 0.02, "high": value + 0.02, "labels": labels,
        }
        for name, values in scores.items()
        for level, probe, value, labels in zip(
            ("type", "token"), ("single_form", "token_in_context"), values, (5, 4)
        )
    ]  # fmt: skip
    tense = {**rows[0], "task": "Tense", "value": 0.9}
    return pandas.DataFrame([*rows, tense]).assign(language="german", metric="accuracy", seed=1)


def trees_table(layers=(1, 2), languages=("english", "basque")):
    values = {"distance": (0.70, 0.80, 0.60), "perceptron": (0.75, 0.60, 0.65)}
    rows = [
        {
            "language": language, "layer": layer, "probe": probe, "metric": metric, "split": split,
            "value": value + 0.02 * layer - 0.1 * number, "is_main": metric == "uuas", "adjacent": 0.4,
        }
        for number, language in enumerate(languages)
        for layer in layers
        for probe, of_metrics in values.items()
        for metric, value in zip(("uuas", "dspr", "dspr_pfw"), of_metrics)
        for split in ("test", "validation")
    ]  # fmt: skip
    ends = {"low": lambda t: t["value"] - 0.01, "high": lambda t: t["value"] + 0.01}
    return pandas.DataFrame(rows).assign(
        level="token", task="trees", representation="bert", seed=1, **ends
    )


def labels_table(dimensions=(50, 100, 300)):
    labels = {"Case": 12, "Number": 2, "words": 1000}
    rows = [
        {
            "task": task, "labels": number, "representation": f"r{dimension}", "dimension": dimension,
            "value": 0.9 - 0.001 * place - number / 2000,
        }
        for task, number in labels.items()
        for place, dimension in enumerate(dimensions)
    ]  # fmt: skip
    return pandas.DataFrame(rows).assign(language="finnish", metric="accuracy", seed=1)


def rows_of(table):
    names = [column.name for column in table.columns]
    return [dict(zip(names, row)) for row in table.rows]


def test_types_and_tokens():
    page = build_page(data(levels_table()))
    levels, alone = figures(page, "levels")
    first, second = levels.content.series
    assert (first.name, second.name) == ("type level", "token level")
    assert first.x == ["elmo", "elmo, alone", "fasttext"]
    assert first.y == [0.534, 0.534, 0.6] and second.y == [0.808, 0.55, 0.62]
    assert second.low == pytest.approx([0.788, 0.53, 0.60])
    row = rows_of(levels.table)[0]
    assert row["difference"] == pytest.approx(0.274) and (row["a_labels"], row["b_labels"]) == (
        5,
        4,
    )
    assert row["difference_low"] == pytest.approx(0.274 - 0.02 * 2**0.5)
    said = sentences(page, "levels")
    assert said[0] == (
        "3 of 3 scores are higher at token level than at type level; in 1 of 3 the interval of the difference "
        "does not hold 0."
    )
    assert said[1] == "At type level only: german Tense."
    assert said[2].startswith("The levels differ in the number of labels: Case.")
    # Words alone and in their sentences: at token level only, and each bar is of its own representation.
    first, second = alone.content.series
    assert (first.x, first.y, second.y) == (["Case"], [0.55], [0.808])
    assert first.of_points["representation"] == ["elmo, alone"]
    assert second.of_points["representation"] == ["elmo"]


def test_one_level_draws_nothing():
    table = levels_table()
    page = build_page(data(table[table["level"] == "type"]))
    assert not figures(page, "levels")
    one, two = sentences(page, "levels")
    assert one.startswith("No task is there at type level and at token level")
    assert two.startswith("No representation is there with words alone")
    page = build_page(
        data(levels_table().drop(columns="level").drop_duplicates(["task", "representation"]))
    )
    assert (
        sentences(page, "levels")[0]
        == "The table has no column level: types and tokens cannot be told."
    )


def test_many_pairs_are_a_chart_for_each_task():
    table = levels_table().query("task == 'Case'")
    several = [table.assign(representation=table["representation"] + str(n)) for n in range(7)]
    page = build_page(data(pandas.concat([*several, *(t.assign(task="Mood") for t in several)])))
    types = [f for f in figures(page, "levels") if f.key.startswith("levels")]
    assert [f.title.rpartition(", ")[2] for f in types] == ["Case", "Mood"]
    assert len({f.key for f in types}) == 2


def test_probe_and_parser():
    page = build_page(data(trees_table()))
    uuas, dspr, pfw, *layers = figures(page, "parser")
    assert [f.title for f in (uuas, dspr, pfw)] == [
        "Probe and parser: UUAS", "Probe and parser: DSpr", "Probe and parser: DSpr (P+FW)",
    ]  # fmt: skip
    probe, parser, bound = uuas.content.series
    assert (probe.x, probe.name, parser.name) == (["english", "basque"], "probe", "parser")
    assert probe.y == pytest.approx([0.74, 0.64]) and parser.y == pytest.approx(
        [0.79, 0.69]
    )  # layer 2
    assert bound.is_bound and bound.y == [0.4, 0.4]
    assert uuas.content.percent and not dspr.content.percent
    assert len(layers) == 6 and layers[0].content.series[0].x == [1, 2]
    said = sentences(page, "parser")
    assert said[0] == (
        "UUAS: the parser is ahead in 2 of 2; the difference is +5.0 points in the mean "
        "(+5.0 to +5.0)."
    )
    assert said[1].startswith("DSpr: the parser is ahead in 0 of 2; the difference is -0.200")
    assert said[-1].endswith("the best UUAS on the validation data.")
    assert len(rows_of(next(t for t in page.tables if t.key == "parser"))) == 12


def test_a_parser_alone():
    table = trees_table()
    page = build_page(data(table[table["probe"] == "perceptron"]))
    assert not figures(page, "parser") and sentences(page, "parser")[0].startswith(
        "There is no probe"
    )
    without = trees_table(layers=[3]).query("metric != 'dspr' and split == 'test'")
    page = build_page(data(without))
    assert len(figures(page, "parser")) == 2
    assert "DSpr is not in the table for both." in sentences(page, "parser")


def test_labels_and_dimensions():
    page = build_page(data(labels_table()))
    labels, dimensions = figures(page, "numbers")
    assert labels.content.x_log and labels.content.series[0].x == [2, 12, 1000]
    assert "The axis of labels is logarithmic." in labels.words
    table = rows_of(next(t for t in page.tables if t.key == "labels"))
    assert [row["rho"] for row in table] == pytest.approx([-1, -1, -1])
    assert dimensions.content.rows == ["Case", "Number", "words"]
    expected = pandas.Series([50, 100, 300]).corr(pandas.Series([0, -1, -2]))
    assert [row[0] for row in dimensions.content.values] == pytest.approx([expected] * 3)
    said = sentences(page, "numbers")
    assert "it is negative in 3 of 3 tasks; in 0 of 3 it has p < .05 (exactly)." in said[2]


def test_labels_and_dimensions_that_do_not_vary():
    table = labels_table(dimensions=(50, 100))
    page = build_page(data(table[table["task"] != "words"]))
    assert not figures(page, "numbers")
    assert [sentence.split(":")[0] for sentence in sentences(page, "numbers")] == [
        "No language has tasks with three numbers of labels",
        "No task has three representations of several dimensions",
    ]
    page = build_page(data(table.drop(columns=["labels", "dimension"])))
    labels, dimensions = sentences(page, "numbers")
    assert "(column labels)" in labels and "(column dimension)" in dimensions


@pytest.mark.parametrize("table", [levels_table, trees_table, labels_table])
def test_all_of_it_can_be_printed(table, tmp_path):
    page = build_page(data(table()))
    made = [f for key in ("levels", "parser", "numbers") for f in figures(page, key)]
    assert made and all(write_figure(figure, tmp_path) for figure in made[:4])


def test_a_model_is_one_point_in_all_languages():
    """Its best layer is 1 in Finnish and 2 in Turkish; by the validation data it is 1 in both."""
    rows = [
        {"language": language, "task": "Case", "representation": name, "layer": layer, "value": value}
        for language, values in (("finnish", (0.9, 0.8, 0.5, 0.4)), ("turkish", (0.7, 0.8, 0.5, 0.3)))
        for (name, layer), value in zip((("bert", 1), ("bert", 2), ("w2v", None), ("random", None)), values)
    ]  # fmt: skip
    table = pandas.DataFrame(rows).assign(
        level="token", metric="accuracy", is_main=True, seed=1, split="test"
    )
    page = build_page(data(table))
    (languages,) = figures(page, "correlation")
    (pair,) = rows_of(languages.table)
    assert (pair["n"], pair["rho"]) == (3, 1)
    assert any("best mean on the test data" in each for each in sentences(page, "correlation"))
    validation = table.assign(split="validation", value=table["value"] - table["layer"].fillna(0))
    both = data(pandas.concat([table, validation], ignore_index=True))
    assert both.of_one_layer["layer"].dropna().tolist() == [1, 1]
    said = sentences(build_page(both), "correlation")
    assert any("best mean on the validation data" in each for each in said)


def test_the_largest_gap_is_above_the_majorities_of_as_many_labels():
    """Random vectors gain .3, as the majority does; bert gains .2 above it; Tense has other labels."""
    rows = [
        {
            "level": level, "task": task, "representation": name, "value": value, "majority": majority,
            "labels": labels,
        }
        for task, name, values, majorities, of_levels in (
            ("Case", "random", (0.3, 0.6), (0.3, 0.6), (5, 5)),
            ("Case", "bert", (0.5, 1.0), (0.3, 0.6), (5, 5)),
            ("Tense", "bert", (0.1, 0.9), (0.1, 0.1), (9, 2)),
        )
        for level, value, majority, labels in zip(("type", "token"), values, majorities, of_levels)
    ]  # fmt: skip
    table = pandas.DataFrame(rows).assign(language="german", metric="accuracy", seed=1)
    said = " ".join(sentences(build_page(data(table)), "levels"))
    assert (
        "The largest gap above the majorities is that of german, Case, bert: 50.0 type level (majority 30.0), "
        "100.0 token level (majority 60.0)."
        in said.replace(" at type", " type").replace(" at token", " token")
    )


def test_the_dimension_of_an_encoder_is_its_own():
    """Of one representation, by itself of 50 dimensions and in an encoder of 100."""
    rows = [
        {"task": task, "representation": "a", "encoder": encoder, "dimension": dimension, "value": value}
        for task, value in (("Case", 0.5), ("Tense", 0.6))
        for encoder, dimension in (("average", 50), ("lstm", 100))
    ]  # fmt: skip
    table = pandas.DataFrame(rows).assign(
        language="finnish", metric="accuracy", probe="mlp", seed=1
    )
    page = build_page(data(table))
    found = rows_of(next(t for t in page.tables if t.key == "recommendations"))
    assert any("2 dimensions (50, 100)" in str(row["evidence"]) for row in found)
