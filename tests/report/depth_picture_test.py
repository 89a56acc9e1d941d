import pytest

from linspector_allennlp.report.depth_picture import Depths, depth_picture
from linspector_allennlp.report.figures import GREY
from tests.report.svg_files import SVG, groups, saved, style, texts, words

WORDS = ["Koira", "$juoksi_", "<koti>", "."]
GOLD, PREDICTED = Depths([1, 0, 1, 1], 2), Depths([0.2, 0.4, 1.5, 2.0], 1)


def test_lines_over_the_words(tmp_path):
    figure = depth_picture(WORDS, PREDICTED, GOLD, "dev.1", "root wrong", [True] * 3 + [False])
    lines = {line.get_gid(): line for axes in figure.axes for line in axes.lines if line.get_gid()}
    assert list(lines["depths-gold"].get_ydata()) == GOLD.values
    assert list(lines["depths-predicted"].get_ydata()) == PREDICTED.values
    # Rings around the roots.
    for name, depths in (("gold", GOLD), ("predicted", PREDICTED)):
        line, ring = lines[f"depths-{name}"], lines[f"root-{name}-{depths.root}"]
        assert list(ring.get_xdata()) == [line.get_xdata()[depths.root - 1]]
        assert list(ring.get_ydata()) == [depths.values[depths.root - 1]]
    bottom, top = lines["depths-gold"].axes.get_ylim()
    assert bottom > 2 and top < 0  # the root is on top

    svg = saved(figure, tmp_path)
    assert [word for word, _ in words(svg)] == WORDS
    assert words(svg)[-1][1] == GREY
    assert {"dev.1", "root wrong", "gold", "predicted", "ring: root", "depth"} < set(texts(svg))
    drawn = groups(svg, "depths-")
    assert "stroke-dasharray" in style(drawn["depths-predicted"])
    assert "stroke-dasharray" not in style(drawn["depths-gold"])
    # The points are where the words are.
    xs = [float(group.find(f"{SVG}text").get("x")) for group in groups(svg, "word-").values()]
    markers = list(drawn["depths-gold"].iter(f"{SVG}use"))
    assert [float(marker.get("x")) for marker in markers] == pytest.approx(sorted(xs))


def test_without_gold(tmp_path):
    svg = saved(depth_picture(WORDS, PREDICTED), tmp_path)
    assert set(groups(svg, "depths-")) == {"depths-predicted"}
    assert "gold" not in texts(svg)


def test_all_depths_zero(tmp_path):
    assert words(saved(depth_picture(["Hei"], Depths([0], 1), Depths([0], 1)), tmp_path))


@pytest.mark.parametrize(
    "depths, message",
    [
        (Depths([1, 0], 2), r"4 finite {} depths, found \[1, 0\]"),
        (Depths([1, 0, float("inf"), 1], 2), "4 finite {} depths"),
        (Depths([1, 0, 1, 1], 0), "{} root from 1 to 4, found 0"),
        (Depths([1, 0, 1, 1], 5), "{} root from 1 to 4, found 5"),
    ],
)
def test_broken_depths(depths, message):
    with pytest.raises(ValueError, match=message.format("predicted")):
        depth_picture(WORDS, depths)
    with pytest.raises(ValueError, match=message.format("gold")):
        depth_picture(WORDS, PREDICTED, depths)
