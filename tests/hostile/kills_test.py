"""The attack's kills fall where a file is written, and find who does not write with care."""

import importlib
import os
import sys
from pathlib import Path

import pytest


@pytest.fixture
def attack(root, monkeypatch):
    """The modules of the attack by name."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(root / "benchmarks")])
    return importlib.import_module


def careless(path: Path) -> None:
    if path.exists():  # it was made before
        return
    with open(path, "w") as file:
        for number in range(200_000):
            print(number, file=file)


def careful(path: Path) -> None:
    temporary = path.with_suffix(".tmp")
    careless(temporary)
    os.rename(temporary, path)


def restarted(path: Path) -> None:
    path.with_suffix(".tmp").unlink(missing_ok=True)
    careful(path)


@pytest.mark.parametrize(
    "work, details", [(careless, "not as undisturbed"), (careful, "not as undisturbed"), (restarted, "")]
)  # fmt: skip
def test_half_a_file_is_found(attack, tmp_path, monkeypatch, work, details):
    commands, kills = attack("attack_commands"), attack("attack_kills")

    def in_its_place(place):
        (place / "out").mkdir(exist_ok=True)
        return lambda: work(place / "out/file.txt")

    monkeypatch.setitem(commands.COMMANDS, "made up", in_its_place)
    monkeypatch.setattr(kills, "BY_CLOCK", 0)
    expected = kills.undisturbed("made up", commands.new_place(tmp_path, "undisturbed"))
    assert expected.changes == {careless: 1, careful: 2, restarted: 3}[work]
    found = [kills.killed_and_again("made up", tmp_path, n, 1, expected) for n in range(5)]
    parts = [part for part, _, _ in found]
    assert "kill made up, writing" in parts
    if details:
        assert any(verdict == "finding" and details in text for _, verdict, text in found)
    else:
        assert {verdict for _, verdict, _ in found} == {"right"}


def test_the_marker_counts_changes_of_results_only(attack):
    of = attack("attack_marker").is_of_results
    assert of("/a/out/x.json", "/a") and of(Path("/a/out/.x.tmp"), "/a") and of(b"/a/x", "/a")
    assert not any(of(each, "/a") for each in ("/ab/x", "/a/log", "/a/out.log", "/a/x.lock", 3))
