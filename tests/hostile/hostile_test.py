"""The fast part of the attack: each format once, with a fixed seed. benchmarks/attack.py goes on."""

import importlib
import random
from pathlib import Path

import pytest

from tests.hostile.case import FINDING, judge

FORMATS = sorted(
    path.stem
    for path in Path(__file__).with_name("formats").glob("*.py")
    if not path.stem.startswith("_")
)


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_files_are_read_rightly_or_refused(name, tmp_path):
    module = importlib.import_module(f"tests.hostile.formats.{name}")
    verdicts = [(case.name, judge(case)) for case in module.cases(random.Random(18), tmp_path)]
    assert verdicts
    assert not [f"{case}: {each.detail}" for case, each in verdicts if each.verdict == FINDING]
