import builtins
import logging
import subprocess
import sys

import matplotlib
import pytest

from linspector_allennlp.report.figures import picture_format, save_figure
from linspector_allennlp.report.tree_arcs import compare_trees
from linspector_allennlp.report.tree_picture import tree_picture


def picture(*words):
    edges = [[i, i + 1] for i in range(1, len(words))]
    return tree_picture(words, compare_trees(len(words), edges, edges), "dev.1", "UUAS 2/2")


@pytest.mark.parametrize("ending", ["svg", "png", "PNG"])
def test_the_same_bytes_twice(ending, tmp_path):
    for name in ("one", "two"):
        save_figure(picture("a", "<b>", "c"), tmp_path / f"{name}.{ending}")
    one, two = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("one", "two"))
    assert one == two
    assert one.startswith(b"<?xml" if ending == "svg" else b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"one.{ending}", f"two.{ending}"]


def test_the_users_settings_play_no_part(tmp_path):
    save_figure(picture("a", "b"), tmp_path / "plain.svg")
    settings = {
        "font.size": 30,
        "svg.fonttype": "path",
        "lines.linewidth": 9,
        "axes.facecolor": "red",
    }
    with matplotlib.rc_context(settings):
        save_figure(picture("a", "b"), tmp_path / "other.svg")
        assert matplotlib.rcParams["font.size"] == 30
    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


@pytest.mark.parametrize("name", ["tree.pdf", "tree", "svg", "tree.svg.gz"])
def test_other_formats(name, tmp_path):
    with pytest.raises(ValueError, match=r"ends in \.svg or \.png"):
        picture_format(name)
    with pytest.raises(ValueError):
        save_figure(picture("a"), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_half_a_picture_replaces_nothing(tmp_path, monkeypatch):
    path = tmp_path / "tree.svg"
    path.write_text("old")

    def fail(file, **_):
        file.write_text("<svg")
        raise OSError("disk full")

    figure = picture("a", "b")
    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(OSError, match="disk full"):
        save_figure(figure, path)
    assert [file.name for file in tmp_path.iterdir()] == ["tree.svg"]
    assert path.read_text() == "old"


def test_letters_that_a_png_has_not(tmp_path, caplog, recwarn):
    caplog.set_level(logging.WARNING)
    odd = picture("\U000e0fff", "שלום")
    save_figure(odd, tmp_path / "tree.svg")
    assert not caplog.messages
    save_figure(odd, tmp_path / "tree.png")
    boxes, reversed_ = caplog.messages
    assert "boxes stand for \U000e0fff" in boxes and "Take .svg" in boxes
    assert "right to left" in reversed_
    assert not recwarn.list


def test_a_picture_of_many_words_fits_a_png(tmp_path, monkeypatch):
    monkeypatch.setattr("linspector_allennlp.report.figures.MOST_PIXELS", 300)
    save_figure(picture(*["word"] * 30), tmp_path / "tree.png")
    header = (tmp_path / "tree.png").read_bytes()[16:20]
    assert int.from_bytes(header, "big") <= 300


def test_without_matplotlib(monkeypatch):
    real = builtins.__import__

    def no_matplotlib(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError("No module named 'matplotlib'")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_matplotlib)
    with pytest.raises(ValueError, match="pip install matplotlib"):
        picture("a", "b")


def test_imported_where_it_is_used():
    """Neither matplotlib nor its global state come with the package."""
    script = (
        "import sys, linspector_allennlp.commands.probe_tree\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from linspector_allennlp.report.distance_picture import distance_picture\n"
        "distance_picture(['a'], [[0]])\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
