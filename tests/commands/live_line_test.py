import io
import os
from collections import Counter

import pytest

from linspector_allennlp.commands.live_line import LiveLine, line
from linspector_allennlp.suite.study_progress import Pace, StudyProgress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_line():
    pace = Pace(Counter(linear=120, parser=2), workers=2)
    progress = StudyProgress(132, done=10, pace=pace)
    assert line(progress) == "10 done, 0 running, 122 left"
    for _ in range(20):
        pace.note("linear", 2.0)
    progress.done, progress.failed, progress.running = 30, ["a"], 16
    progress.now = ["Case-finnish and 15 more"]
    pace.note("linear")  # it failed, and tells nothing
    assert line(progress) == (
        "30 done, 1 failed, 16 running, 85 left; now Case-finnish and 15 more"
    ), "nobody knows yet how long a parser takes"
    pace.note("parser", 10_602.0)
    progress.done = 31
    # 99 × 2 s and 10,602 s: of two processes one has the parser.
    assert "84 left; 2:56:42 to go" in line(progress)
    pace.left["parser"] = 3
    # 99 × 2 s and 3 × 10,602 s, in two processes.
    assert "84 left; 4:26:42 to go" in line(progress)


def test_where_there_is_no_terminal_it_says_little():
    file, progress = io.StringIO(), StudyProgress(1000)
    progress.now = ["x"]
    live = LiveLine(file)
    for done in range(1000):
        progress.done = done
        live(progress)
        live(progress)
    progress.failed.append("a run")
    live(progress)
    live.end()
    lines = file.getvalue().splitlines()
    assert len(lines) == 22 and "failed: a run" in lines[-2:] and lines[1].startswith("50 done")


def test_nobody_reads_any_longer():
    read, write = os.pipe()
    os.close(read)
    progress = StudyProgress(10)
    progress.now = ["x"]
    file = open(write, "w")
    live = LiveLine(file)
    for done in range(10):
        progress.done = done
        live(progress)
    live.end()
    with pytest.raises(BrokenPipeError):
        file.close()


def test_on_a_terminal_one_line_changes(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    file, progress = Terminal(), StudyProgress(10)
    live = LiveLine(file)
    progress.now = ["something with a long name that does not fit"]
    live(progress)
    progress.failed.append("a run")
    live(progress)
    live.end()
    text = file.getvalue()
    assert text.count("\n") == 1 and "failed: a run\n" in text and text.endswith("\r\x1b[K")
    assert all(len(each.replace("\x1b[K", "")) < 40 for each in text.split("\r"))
