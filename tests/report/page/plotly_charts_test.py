"""Charts as Plotly takes them: it knows every word of them."""

import pytest
from plotly.graph_objects import Figure

from linspector_allennlp.report.page.model import Drawing
from linspector_allennlp.report.page.plotly_charts import figure_object, label, plotly_figure
from tests.report.page.made_pages import EVIL, small_page


def drawn(key, name="Case"):
    return plotly_figure(next(f for f in small_page(name).figures if f.key == key))


def test_an_object_of_plotlys():
    """Plotly itself judges the data and the layout: it refuses what it does not know."""
    for figure in small_page().figures:
        made = figure_object(figure)
        assert len(made.data) == len(plotly_figure(figure)["data"])
        assert made.layout.height == plotly_figure(figure)["layout"]["height"]


@pytest.mark.parametrize("key", ["bars", "radar", "lines", "points", "heat", "diverging"])
def test_plotly_knows_it(key):
    figure = drawn(key)
    Figure(data=figure["data"], layout=figure["layout"])  # refuses what it does not know
    assert len(figure["parts"]) == len(figure["data"])


def test_bars():
    first, second, bound = drawn("bars")["data"]
    assert (first["x"], first["y"]) == (["Case", "Number", "Tense"], [50, None, 70])
    assert first["error_y"]["array"] == pytest.approx([10, None, 10])
    assert first["error_y"]["arrayminus"] == pytest.approx([10, None, 10])
    assert "error_y" not in second and (bound["type"], bound["mode"]) == ("scatter", "markers")
    assert first["marker"]["color"] != second["marker"]["color"]
    assert first["marker"]["pattern"]["shape"] != second["marker"]["pattern"]["shape"]


def test_lines_of_layers_have_whole_ticks():
    assert drawn("lines")["layout"]["xaxis"]["dtick"] == 1


def test_points_in_percent():
    (points,) = drawn("points")["data"]
    assert (points["x"], points["y"]) == ([0, 100, 200], [10, 20, 30])


def test_a_heat_map_with_a_middle():
    (plain,), (diverging,) = (drawn(key)["data"] for key in ("heat", "diverging"))
    assert "zmin" not in plain and (diverging["zmin"], diverging["zmax"]) == (-1, 1)
    assert plain["z"] == [[0.1, None, 0.3], [0.4, 0.5, 0.6]]
    assert plain["colorscale"] != diverging["colorscale"]


def test_what_plotly_would_read_as_html():
    assert label("<b>&amp;") == "&lt;b&gt;&amp;amp;"
    assert "<" not in str(drawn("heat", EVIL)["data"][0]["x"])


def test_a_drawing_is_drawn_already():
    figure = small_page().figures[0]._replace(content=Drawing(None))
    with pytest.raises(TypeError, match="bars: a Drawing is drawn already"):
        plotly_figure(figure)
