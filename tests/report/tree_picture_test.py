import pytest

from linspector_allennlp.report.figures import (
    BLACK,
    BLUE,
    GAP,
    GREY,
    SIZE,
    VERMILION,
    in_house_style,
    text_width,
    word_centres,
)
from linspector_allennlp.report.tree_arcs import compare_trees
from linspector_allennlp.report.tree_picture import tree_picture
from tests.report.svg_files import groups, saved, style, texts, words

SENTENCE = ["Koira", "juoksi", "nopeasti", "kotiin", "."]
SCORED = [True, True, True, True, False]
GOLD = [[1, 2], [2, 3], [2, 4], [2, 5]]
PREDICTED = [[1, 2], [2, 3], [3, 4]]


@pytest.fixture
def undirected(tmp_path):
    trees = compare_trees(5, PREDICTED, GOLD, SCORED)
    return saved(tree_picture(SENTENCE, trees, "dev.1", "UUAS 2/3", SCORED), tmp_path)


def test_words_and_title(undirected):
    assert [word for word, _ in words(undirected)] == SENTENCE
    assert [colour for _, colour in words(undirected)] == [BLACK.lower()] * 4 + [GREY]
    assert {"dev.1", "UUAS 2/3", "gold", "predicted"} < set(texts(undirected))


def test_arcs(undirected):
    above, below = groups(undirected, "gold-"), groups(undirected, "predicted-")
    assert set(above) == {
        "gold-1-2-right", "gold-2-3-right", "gold-2-4-missed", "gold-2-5-unscored",
    }  # fmt: skip
    assert set(below) == {"predicted-1-2-right", "predicted-2-3-right", "predicted-3-4-wrong"}
    for name, arc in {**above, **below}.items():
        kind = name.rpartition("-")[2]
        colours = {"right": BLUE, "missed": VERMILION, "wrong": VERMILION, "unscored": GREY}
        assert style(arc)["stroke"] == colours[kind].lower()
        assert ("stroke-dasharray" in style(arc)) == (kind != "right")
    dashes = {name: style(arc).get("stroke-dasharray") for name, arc in above.items()}
    assert dashes["gold-2-4-missed"] != dashes["gold-2-5-unscored"]


def points(group):
    numbers = group[0].get("d").replace("\n", " ").split()
    numbers = [float(number) for number in numbers if number not in "MLQz"]
    return list(zip(numbers[::2], numbers[1::2]))


def test_places(undirected):
    word_y = float(groups(undirected, "word-")["word-1"][0].get("y"))
    above, below = groups(undirected, "gold-"), groups(undirected, "predicted-")
    assert all(y < word_y for arc in above.values() for _, y in points(arc))
    assert all(y > word_y for arc in below.values() for _, y in points(arc))
    tops = {name: min(y for _, y in points(arc)) for name, arc in above.items()}
    assert tops["gold-2-5-unscored"] < tops["gold-2-4-missed"] < tops["gold-2-3-right"]
    assert tops["gold-2-3-right"] == tops["gold-1-2-right"]


def test_the_legend_has_what_is_drawn(undirected, tmp_path):
    assert set(groups(undirected, "legend-")) == {
        "legend-right", "legend-missed", "legend-unscored",
    }  # fmt: skip
    svg = saved(tree_picture(SENTENCE, compare_trees(5, GOLD, GOLD)), tmp_path)
    assert set(groups(svg, "legend-")) == {"legend-right"}


def test_heads(tmp_path):
    heads = [(2, 1), (2, 2), (4, 3), (2, 4), (2, 5)]
    gold = [(2, 1), (0, 2), (2, 3), (2, 4), (2, 5)]
    trees = compare_trees(5, heads, gold, directed=True)
    svg = saved(tree_picture(SENTENCE, trees, directed=True), tmp_path)
    assert set(groups(svg, "gold-")) == {
        f"gold-{arc.start}-{arc.end}-{arc.kind}{part}"
        for arc in trees.gold
        for part in ("", "-head")
    }
    assert "predicted-2-2-unscored-head" in groups(svg, "predicted-")  # to itself
    assert texts(svg).count("root") == 1
    # The arrow points to the word, not to its head.
    line, head = (
        points(groups(svg, "gold-2-1")[f"gold-2-1-right{part}"]) for part in ("", "-head")
    )
    assert head[0][0] == line[-1][0] < line[0][0]
    assert head[0][1] > line[-1][1]


def test_without_gold(tmp_path):
    svg = saved(tree_picture(SENTENCE, compare_trees(5, PREDICTED), "text"), tmp_path)
    assert len(groups(svg, "predicted-")) == 3
    assert not groups(svg, "gold-") and not groups(svg, "legend-")
    assert "gold" not in texts(svg)


ODD = ["$x_1$", "a\\b", "<&>", '"', "]]>", "--", "日本語", "e\u0301", "שלום", "\\$", "%", "&amp;"]


def test_words_are_drawn_as_they_are(tmp_path):
    trees = compare_trees(len(ODD), [[1, 2]], [[2, 3]])
    svg = saved(tree_picture(ODD, trees, "$\\frac<&", "^_$"), tmp_path)
    assert [word for word, _ in words(svg)] == ODD
    assert {"$\\frac<&", "^_$"} < set(texts(svg))


def test_what_xml_cannot_have(tmp_path):
    svg = saved(tree_picture(["a\0b", "\ud800", "c\nd"], compare_trees(3, [])), tmp_path)
    assert [word for word, _ in words(svg)] == ["a\ufffdb", "\ufffd", "c d"]


@in_house_style
def test_words_do_not_overlap():
    sentence = ["I", "Donaudampfschifffahrtsgesellschaft", ".", "日本語日本語", "wwwwww"] * 10
    centres, row = word_centres(sentence, [0, 0, 60, 0, 0] * 10)
    widths = [max(text_width(word, SIZE), 60 if word == "." else 0) for word in sentence]
    ends = [(x - width / 2, x + width / 2) for x, width in zip(centres, widths)]
    assert ends[0][0] == pytest.approx(0) and ends[-1][1] == pytest.approx(row)
    for (_, end), (start, _) in zip(ends, ends[1:]):
        assert start - end == pytest.approx(GAP)
    assert text_width("日本語", 10) >= 30  # whether or not there is a font for it


def test_long_sentences_are_wide():
    short, long = (
        tree_picture(["word"] * n, compare_trees(n, [[i, i + 1] for i in range(1, n)]))
        for n in (5, 50)
    )
    assert long.get_size_inches()[0] > 7 * short.get_size_inches()[0]
    assert long.get_size_inches()[1] == short.get_size_inches()[1]


def test_a_sentence_of_one_word(tmp_path):
    svg = saved(tree_picture(["Hei"], compare_trees(1, [], []), "one", "UUAS 0/0"), tmp_path)
    assert words(svg) == [("Hei", BLACK.lower())]


def test_broken_input():
    with pytest.raises(ValueError, match="without words"):
        tree_picture([], compare_trees(0, []))
    with pytest.raises(ValueError, match="2 words to be scored or not, found 1"):
        tree_picture(["a", "b"], compare_trees(2, []), scored=[True])
