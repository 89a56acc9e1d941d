"""The harness finds what it looks for: what hangs, eats memory, dies, or answers wrongly."""

import os
import sys
import time
from types import ModuleType

from tests.hostile import guarded_child
from tests.hostile.case import Case
from tests.hostile.guarded_child import judged_cases


def refuse(path):
    raise ValueError(f"{path}: no")


def fail(path):
    raise TypeError("oops")


OPENED = {
    "right": lambda path: 3,
    "refused": refuse,
    "wrong": lambda path: 4,
    "hangs": lambda path: time.sleep(100),
    "eats memory": lambda path: bytearray(3 << 30),
    "no sentence": fail,
    "no place": lambda path: refuse("a file"),
    "dies": lambda path: os._exit(3),
    "is lost": lambda path: 3,
}


def test_what_is_found(tmp_path, monkeypatch):
    module = ModuleType("made_up")
    module.cases = lambda rng, folder: (
        Case(
            name,
            folder / "file.txt",
            lambda read=read: read(folder / "file.txt"),
            "either",
            (3).__eq__,
        )
        for name, read in OPENED.items()
    )
    monkeypatch.setitem(sys.modules, "tests.hostile.formats.made_up", module)
    monkeypatch.setattr(guarded_child, "SECONDS", 1)
    found = {each.case: each for each in judged_cases("made_up", 1, tmp_path)}
    assert list(found) == list(OPENED)[:-1]
    assert {name: each.verdict for name, each in found.items() if each.verdict != "finding"} == {
        "right": "right",
        "refused": "refused",
    }
    for name, detail in (
        ("wrong", "it was read wrongly: 4"),
        ("hangs", "still at work after 1 s"),
        ("eats memory", "MemoryError"),
        ("no sentence", "TypeError: oops"),
        ("no place", "the file is not named"),
        ("dies", "the process ended with 3"),
    ):
        assert detail in found[name].detail
