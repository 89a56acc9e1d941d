import numpy
import pytest

from linspector_allennlp.report.distance_picture import distance_picture
from linspector_allennlp.report.figures import BLACK, GREY
from tests.report.svg_files import SVG, saved, texts

WORDS = ["Koira", "$juoksi_", "<koti>"]
GOLD = numpy.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])


def scales(figure):
    return {
        axes.images[0].get_gid(): axes.images[0].get_clim() for axes in figure.axes if axes.images
    }


def test_maps(tmp_path):
    predicted = GOLD * 1.5
    figure = distance_picture(WORDS, predicted.tolist(), GOLD.tolist(), "dev.1", "UUAS 2/2")
    images = {axes.images[0].get_gid(): axes.images[0] for axes in figure.axes if axes.images}
    assert list(images) == ["map-gold", "map-predicted"]  # from left to right
    assert (images["map-gold"].get_array() == GOLD).all()
    assert (images["map-predicted"].get_array() == predicted).all()
    lefts = [images[name].axes.get_position().x0 for name in images]
    assert lefts == sorted(lefts)
    svg = saved(figure, tmp_path)
    for word in WORDS:
        assert texts(svg).count(word) == 4  # two axes of two maps
    assert {"dev.1", "UUAS 2/2", "gold", "predicted"} < set(texts(svg))
    assert len(list(svg.iter(f"{SVG}image"))) == 3  # with the bar of the one scale
    assert texts(svg).count("edges between two words") == 1


@pytest.mark.parametrize(
    "factor, title",
    [
        (1.9, "predicted"),
        (2.1, "predicted × 0.48"),
        (0.55, "predicted"),
        (0.1, "predicted × 10"),
        (50.0, "predicted × 0.02"),
    ],
)
def test_one_scale_that_says_what_it_shows(factor, title, tmp_path):
    figure = distance_picture(WORDS, GOLD * factor, GOLD)
    of_maps = scales(figure)
    longest = max(2, 2 * factor) if title == "predicted" else 2
    assert list(of_maps) == ["map-gold", "map-predicted"]
    assert all(limits == pytest.approx((0, longest)) for limits in of_maps.values())
    shown = texts(saved(figure, tmp_path))
    scaled = " (predicted: scaled)" * (title != "predicted")
    assert title in shown and shown.count(f"edges between two words{scaled}") == 1


def test_without_gold(tmp_path):
    figure = distance_picture(WORDS, GOLD)
    assert list(scales(figure)) == ["map-predicted"]
    shown = texts(saved(figure, tmp_path))
    assert shown.count("$juoksi_") == 2 and shown.count("distance") == 1


def test_all_distances_zero(tmp_path):
    """A collapsed projection is a picture, too."""
    figure = distance_picture(WORDS, numpy.zeros((3, 3)), GOLD)
    low, high = scales(figure)["map-predicted"]
    assert low == 0 < high
    assert "Koira" in texts(saved(figure, tmp_path))


def test_words_that_are_not_scored(tmp_path):
    svg = saved(distance_picture(WORDS, GOLD, scored=[True, False, True]), tmp_path)
    for element in svg.iter(f"{SVG}text"):
        if element.text in WORDS:
            colour = GREY if element.text == "$juoksi_" else BLACK.lower()
            assert f"fill: {colour}" in element.get("style")


def test_long_sentences_are_large():
    sizes = [
        distance_picture(["word"] * n, numpy.zeros((n, n))).get_size_inches()[0] * 72
        for n in (10, 50)
    ]
    assert sizes[1] > 50 * 10 and sizes[1] > 1.5 * sizes[0]


@pytest.mark.parametrize(
    "distances, message",
    [
        ([[0, 1], [1, 0]], "predicted distances of 3 words to 3 words, found 2 × 2"),
        ([0, 1, 2], "found 3"),
        ([[0, 1, 2], [1, 0], [2, 1, 0]], "not as many"),
        ([[0, "x", 2]] * 3, "no numbers"),
        (GOLD * float("nan"), "not finite"),
        (GOLD - 1, "negative"),
    ],
)
def test_broken_distances(distances, message):
    with pytest.raises(ValueError, match=message):
        distance_picture(WORDS, distances)
    with pytest.raises(ValueError, match="gold distances"):
        distance_picture(WORDS, GOLD, distances)


def test_no_words():
    with pytest.raises(ValueError, match="without words"):
        distance_picture([], [])
