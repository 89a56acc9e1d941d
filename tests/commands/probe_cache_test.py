import os
import sys
import time

import pytest

from linspector import main
from linspector_allennlp.commands.probe_cache import listing, prune
from tests.representations.hashed_layers import HashedLayersEmbedder

GB = 10**9
DAY = 86400


@pytest.fixture
def probe_cache(monkeypatch, capsys):
    """Runs the command; gives the lines that it printed, or its error and its exit code."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["linspector", "probe-cache", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
        except SystemExit as exit:
            output = capsys.readouterr()
            return output.out + output.err, exit.code
        return capsys.readouterr().out.splitlines()

    return run


def made(private_cache, name, gigabytes, days_ago):
    """A file of a size, which takes no room, in the place of a segment."""
    place = private_cache / "features" / f"{name}.features"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch()
    os.truncate(place, int(gigabytes * GB))
    last_used = time.time() - days_ago * DAY
    os.utime(place, (last_used, last_used))


@pytest.fixture
def cache(private_cache):
    """15 GB of three representations."""
    made(private_cache, "bert-12/x", 6, 10)
    made(private_cache, "bert-12/y", 1, 1)
    made(private_cache, "elmo-34/x", 5, 5)
    made(private_cache, "lstm-56/x", 3, 0.1)
    return private_cache


def left(private_cache):
    places = (private_cache / "features").glob("*/*.features")
    return sorted(f"{place.parent.name}/{place.stem}" for place in places)


def test_an_empty_cache(probe_cache, private_cache):
    lines = [f"{private_cache}: 0.00 GB of features (at most 20.00)."]
    assert probe_cache() == probe_cache("list") == lines
    expected = [f"0.00 GB removed, 0.00 GB left in {private_cache}."]
    assert probe_cache("prune") == probe_cache("prune", "--all") == expected


@pytest.mark.parametrize("arguments", [[], ["list"]])
def test_the_list(probe_cache, private_cache, arguments, monkeypatch):
    monkeypatch.setenv("LINSPECTOR_CACHE_GB", "12.5")
    embedders = [HashedLayersEmbedder(name=n, precision="float16") for n in ("bert", "elmo")]
    embedders[0].prepare([("a", "b"), ("c",)])
    embedders[1].prepare([("a",)] * 2)
    used = time.mktime((2024, 2, 29, 12, 5, 0, 0, 0, -1))
    for embedder, last_used in zip(embedders, (used, used + 60)):
        for place in embedder._store.folder.glob("*.features"):
            os.utime(place, (last_used, last_used))
    made(private_cache, "foreign", 1.234, 0)
    made(private_cache, "unknown-78/x", 2.5, 3)
    first, empty, header, line, *rows = probe_cache(*arguments)
    assert first == f"{private_cache}: 2.50 GB of features (at most 12.50)." and empty == ""
    assert [cell.strip() for cell in header.split("  ") if cell] == [
        "name", "what it is", "sentences", "words", "GB", "last used",
    ]  # fmt: skip
    assert set(line) == {"─", " "}
    unknown, elmo, bert = [[cell.strip() for cell in row.split("  ") if cell] for row in rows]
    names = [embedder._store.folder.name for embedder in embedders]
    assert bert == [names[0], "a bert, float16, 3 × 5", "2", "3", "0.00", "2024-02-29 12:05"]
    assert elmo == [names[1], "a elmo, float16, 3 × 5", "1", "1", "0.00", "2024-02-29 12:06"]
    assert unknown[:5] == ["unknown-78", "? × ?", "0", "0", "2.50"]


def test_prune_to_the_limit(probe_cache, cache, monkeypatch):
    assert probe_cache("prune") == [f"0.00 GB removed, 15.00 GB left in {cache}."]
    monkeypatch.setenv("LINSPECTOR_CACHE_GB", "10")
    assert probe_cache("prune") == [f"6.00 GB removed, 9.00 GB left in {cache}."]
    assert left(cache) == ["bert-12/y", "elmo-34/x", "lstm-56/x"]


def test_prune_to_a_size(probe_cache, cache):
    assert probe_cache("prune", "--max-gb", 4) == [f"11.00 GB removed, 4.00 GB left in {cache}."]
    assert left(cache) == ["bert-12/y", "lstm-56/x"]
    assert sorted(p.name for p in (cache / "features").iterdir() if p.is_dir()) == [
        "bert-12", "lstm-56",
    ]  # fmt: skip
    assert probe_cache("prune", "--max-gb", 0.5) == [f"4.00 GB removed, 0.00 GB left in {cache}."]


def test_prune_what_is_old(probe_cache, cache):
    assert probe_cache("prune", "--days", 7) == [f"6.00 GB removed, 9.00 GB left in {cache}."]
    assert probe_cache("prune", "--days", 0.5, "--max-gb", 99) == [
        f"6.00 GB removed, 3.00 GB left in {cache}."
    ]
    assert left(cache) == ["lstm-56/x"]


def test_prune_by_name(probe_cache, cache, monkeypatch):
    monkeypatch.setenv("LINSPECTOR_CACHE_GB", "1")
    expected = [f"12.00 GB removed, 3.00 GB left in {cache}."]
    assert probe_cache("prune", "bert-12", "elmo-34") == expected, "and nothing else"
    assert left(cache) == ["lstm-56/x"]


def test_prune_by_name_and_size(probe_cache, cache):
    assert probe_cache("prune", "lstm-56", "--max-gb", 7) == [
        f"9.00 GB removed, 6.00 GB left in {cache}."
    ]
    assert left(cache) == ["bert-12/y", "elmo-34/x"]


def test_prune_everything(probe_cache, cache):
    made(cache, "bert-12/empty", 0, 0)
    assert probe_cache("prune", "--all") == [f"15.00 GB removed, 0.00 GB left in {cache}."]
    assert left(cache) == []
    assert not [path for path in (cache / "features").iterdir() if path.is_dir()]


def test_an_unknown_name(probe_cache, cache):
    error, code = probe_cache("prune", "bert-12", "bort")
    assert code == 1 and "Traceback" not in error
    assert f"bort: there are no features of this name in {cache / 'features'};" in error
    assert len(left(cache)) == 4, "nothing is removed where a name is wrong"


@pytest.mark.parametrize("option", ["--max-gb", "--days"])
@pytest.mark.parametrize("value", ["-1", "nan", "much"])
def test_numbers_that_make_no_sense(probe_cache, cache, option, value):
    error, code = probe_cache("prune", f"{option}={value}")
    assert code == 2 and f"argument {option}" in error and len(left(cache)) == 4


def test_a_wrong_limit(probe_cache, cache, monkeypatch):
    monkeypatch.setenv("LINSPECTOR_CACHE_GB", "much")
    for arguments in ([], ["list"], ["prune"]):
        error, code = probe_cache(*arguments)
        assert code == 1 and "LINSPECTOR_CACHE_GB: expected a number of gigabytes" in error
    assert len(left(cache)) == 4


@pytest.mark.parametrize(
    "arguments, texts",
    [
        (["--help"], ["LINSPECTOR_CACHE_GB", "the last used first", "All of it can be computed"]),
        (["prune", "--help"], ["--max-gb", "--days", "--all", "removes what exceeds"]),
        (["list", "--help"], ["usage: linspector probe-cache list"]),
    ],
)
def test_help(probe_cache, arguments, texts):
    text, code = probe_cache(*arguments)
    assert code == 0 and all(part in " ".join(text.split()) for part in texts)


def test_what_was_pruned_is_computed_again(probe_cache):
    embedder = HashedLayersEmbedder()
    embedder.prepare([("a", "b")])
    probe_cache("prune", embedder._store.folder.name)
    assert probe_cache("list")[1:] == []
    again = HashedLayersEmbedder()
    again.prepare([("a", "b")])
    assert again.computed == [[("a", "b")]] and len(probe_cache("list")) == 5


def test_the_functions_without_the_command(cache):
    assert listing().startswith(f"{cache}: 15.00 GB")
    assert prune(everything=True) == (15e9, 0)


def test_unpacked_archives_go_with_all(probe_cache, private_cache):
    weights = private_cache / "archives/12ab/weights.th"
    weights.parent.mkdir(parents=True)
    weights.touch()
    os.truncate(weights, 2 * GB)
    assert probe_cache() == [
        f"{private_cache}: 0.00 GB of features (at most 20.00), and 2.00 GB of unpacked archives (1)."
    ]
    assert probe_cache("prune") == [f"0.00 GB removed, 0.00 GB left in {private_cache}."]
    assert weights.exists()
    assert probe_cache("prune", "--all") == [f"2.00 GB removed, 0.00 GB left in {private_cache}."]
    assert not weights.exists()
