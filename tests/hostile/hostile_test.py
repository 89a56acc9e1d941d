"""The fast part of the attack: each format once, with a fixed seed. benchmarks/attack.py goes on."""

import importlib
import random
from pathlib import Path

import pytest

from tests.hostile.case import FINDING, judge

MOST_BYTES = 2 << 30  # beyond what the process has

FORMATS = sorted(
    path.stem
    for path in Path(__file__).with_name("formats").glob("*.py")
    if not path.stem.startswith("_")
)


@pytest.fixture
def little_memory():
    """What asks for more than two gigabytes gets a MemoryError, which is a finding."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        yield
        return
    old = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MOST_BYTES, old[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, old)


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_files_are_read_rightly_or_refused(name, tmp_path, little_memory):
    module = importlib.import_module(f"tests.hostile.formats.{name}")
    verdicts = [(case.name, judge(case)) for case in module.cases(random.Random(18), tmp_path)]
    assert verdicts
    assert not [f"{case}: {each.detail}" for case, each in verdicts if each.verdict == FINDING]
