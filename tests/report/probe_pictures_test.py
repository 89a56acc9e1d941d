import pytest

from linspector_allennlp.report.probe_pictures import file_stem, probe_pictures
from tests.report.svg_files import groups, saved, texts

WORDS = {"forms": ["Koira", "juoksi", "kotiin"], "sent_id": "dev.1"}
TREE = {"edges": [[0, 1], [0, 2]], "distances": [[0, 1, 2], [1, 0, 3], [2, 3, 0]]}
GOLD_TREE = {
    "gold_edges": [[0, 1], [1, 2]],
    "gold_distances": [[0, 1, 2], [1, 0, 1], [2, 1, 0]],
    "scored": [True, True, True],
}
HEADS, GOLD_HEADS = {"heads": [1, 1, 0]}, {"gold_heads": [1, -1, 1]}
DEPTHS, GOLD_DEPTHS = (
    {"depths": [0.1, 0.4, 1.2], "root": 0},
    {"gold_depths": [1, 0, 1], "gold_root": 1},
)


def kinds_and_scores(*parts, **settings):
    prediction = {key: value for part in (WORDS, *parts) for key, value in part.items()}
    pictures = probe_pictures(prediction, "dev.1", **settings)
    return [(picture.kind, picture.score) for picture in pictures]


def test_what_is_drawn_depends_on_what_there_is():
    score = "UUAS 1/2"
    assert kinds_and_scores(TREE, GOLD_TREE) == [("tree", score), ("distances", score)]
    assert kinds_and_scores(TREE, GOLD_TREE, heat_maps=False) == [("tree", score)]
    assert kinds_and_scores(TREE) == [("tree", ""), ("distances", "")]
    assert kinds_and_scores(HEADS, GOLD_HEADS) == [("heads", "heads 1/2")]
    assert kinds_and_scores(HEADS) == [("heads", "")]
    assert kinds_and_scores(DEPTHS, GOLD_DEPTHS) == [("depths", "root wrong")]
    assert kinds_and_scores(DEPTHS, GOLD_DEPTHS, {"root": 1}) == [("depths", "root right")]
    # A sentence of punctuation has no word that could be the root.
    assert kinds_and_scores(DEPTHS, GOLD_DEPTHS, {"root": None}) == [("depths", "root wrong")]
    assert kinds_and_scores(DEPTHS) == [("depths", "")]


def test_heads_are_arrows_to_the_words(tmp_path):
    (picture,) = probe_pictures({**WORDS, **HEADS, **GOLD_HEADS}, "dev.1")
    svg = saved(picture.figure, tmp_path)
    assert {name for name in groups(svg, "gold-") if name.endswith("-head")} == {
        "gold-2-1-right-head", "gold-0-2-unscored-head", "gold-2-3-missed-head",
    }  # fmt: skip
    assert {"dev.1", "heads 1/2"} < set(texts(svg))


@pytest.mark.parametrize("prediction", [{}, {"label": "N"}, {"edges": []}, WORDS])
def test_other_probes(prediction):
    with pytest.raises(ValueError, match="distance_probe, perceptron_probe, depth_probe"):
        probe_pictures(prediction)


@pytest.mark.parametrize("part", [{"heads": [1, 1]}, {**HEADS, "gold_heads": [1, -1, 1, 1]}])
def test_too_few_heads(part):
    with pytest.raises(ValueError, match="Expected 3 (predicted|gold) heads"):
        probe_pictures({**WORDS, **part})


def test_file_names():
    taken: set[str] = set()
    ids = [
        "dev.1",
        "DEV.1",
        "a/b:c",
        "a\\b*c",
        "",
        "日本",
        "..",
        "con.1",
        "dev.1-2",
        "dev.1",
        "x" * 300,
    ]
    stems = [file_stem(sent_id, number, taken) for number, sent_id in enumerate(ids, start=1)]
    assert stems == [
        "dev.1", "DEV.1-2", "a_b_c", "a_b_c-2", "sentence-5", "sentence-6", "sentence-7", "_con.1",
        "dev.1-2-2", "dev.1-3", "x" * 100,
    ]  # fmt: skip
    assert len({stem.lower() for stem in stems}) == len(stems)


def test_an_edge_to_no_word():
    """The last word of three has the index 2."""
    with pytest.raises(ValueError, match=r"predicted edges of words 0 to 2, found \[\[0, 3\]\]"):
        probe_pictures({**WORDS, "edges": [[0, 3]]})
