"""Figures as files for a paper."""

import re
from xml.etree import ElementTree

import matplotlib.figure
import pytest
from PIL import Image

from linspector_allennlp.report.page.model import Drawing
from linspector_allennlp.report.page.printed_figures import FORMATS, write_figure
from tests.report.page.made_pages import small_page

KINDS = ["bars", "radar", "lines", "points", "heat", "diverging"]


def figure(key, name="Case"):
    return next(figure for figure in small_page(name).figures if figure.key == key)


@pytest.mark.parametrize("key", KINDS)
def test_all_kinds_in_all_formats(key, tmp_path):
    paths = write_figure(figure(key, "a $x$ & <b>"), tmp_path)
    assert [path.name for path in paths] == [f"{key}.{ending}" for ending in FORMATS]
    pdf, svg, png = paths
    content = pdf.read_bytes()
    assert content.startswith(b"%PDF") and b"/FontFile2" in content and b"/Type3" not in content
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.parse(svg).iter()}
    assert "path" in tags and "text" not in tags
    with Image.open(png) as picture:
        colours = picture.convert("RGB").getcolors(1 << 24)
        assert len(colours) > 10 and min(picture.size) > 200


def test_the_same_again(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        folder.mkdir()
        write_figure(figure("bars"), folder)
    for ending in FORMATS:
        assert (first / f"bars.{ending}").read_bytes() == (second / f"bars.{ending}").read_bytes()


def test_what_is_drawn_already(tmp_path):
    drawing = matplotlib.figure.Figure()
    drawing.add_subplot().plot([1, 2])
    made = figure("bars")._replace(key="tree-1", content=Drawing(drawing))
    assert len(write_figure(made, tmp_path)) == 3
    assert not re.search(r"<text", (tmp_path / "tree-1.svg").read_text())
