import io
import os

import pytest

from linspector_allennlp.commands.live_line import LiveLine, line
from linspector_allennlp.suite.study_progress import StudyProgress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def at(progress, seconds):
    progress._began -= seconds
    return progress


def test_the_line():
    progress = at(StudyProgress(132, done=12), 60)
    assert line(progress) == "12 done, 0 running, 120 left"
    progress.done, progress.failed, progress.running = 41, ["a"], 16
    progress.now = ["Case-finnish and 15 more"]
    assert line(progress) == (
        "41 done, 1 failed, 16 running, 74 left; 3:00 to go; now Case-finnish and 15 more"
    )
    assert "; 1:30:00 to go" in line(at(progress, 1740))


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
