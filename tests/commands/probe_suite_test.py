import argparse
import json
import shutil

import pytest

from linspector_allennlp.commands import probe_suite
from linspector_allennlp.commands.probe_suite import _layers
from linspector_allennlp.suite.planned_run import PlannedRun
from tests.suite.small_studies import Here


@pytest.fixture
def command(tmp_path, fixtures, monkeypatch, capsys):
    """Runs the command on a suite with these changes; gives its exit code, output and errors."""

    def run(*arguments, **changes):
        suite = {
            "data": str(fixtures / "type_level"),
            "tasks": ["Number", "Person"],
            "representations": {"chars": "char_ngrams:dimension=8"},
            "seeds": 2,
            "settings": {"trainer.num_epochs": [1]},
            **changes,
        }
        (tmp_path / "suite.json").write_text(json.dumps(suite))
        parser = argparse.ArgumentParser()
        probe_suite.add_arguments(parser)
        args = parser.parse_args(
            [str(tmp_path / "suite.json"), "-s", str(tmp_path / "study"), *arguments]
        )
        code = 0
        try:
            args.func(args)
        except SystemExit as ending:
            code = ending.code
        return code, *capsys.readouterr()

    monkeypatch.setattr(
        "linspector_allennlp.suite.executors.LocalProcesses", lambda number, log: _Opened()
    )
    return run


class _Opened(Here):
    """In the place of processes."""


def test_a_study(command, tmp_path):
    code, out, _ = command("--dry-run")
    assert code == 0 and "4 runs, 0 of them done." in out and not (tmp_path / "study").exists()
    assert ["finnish", "Person", "chars", "2", "2", "0"] in [
        line.split() for line in out.splitlines()
    ]
    code, out, err = command("--only", "task=Number")
    assert code == 0 and "results.csv" in out and "Number" in out
    assert "0 done, 2 running, 0 left; now Number-finnish-chars" in err
    _, out, _ = command("--dry-run")
    assert ["finnish", "Number", "chars", "2", "2", "2"] in [
        line.split() for line in out.splitlines()
    ]
    code, out, _ = command("-o", '{"seeds": 1}')
    assert code == 0 and "1 folder is not of this suite" in out
    assert len(list((tmp_path / "study/runs").iterdir())) == 3


def test_the_plan_says_what_varies(command):
    code, out, _ = command("--dry-run", control=True, settings={"trainer.num_epochs": [1, 2]})
    (start,) = [n for n, line in enumerate(out.splitlines()) if line.startswith("language")]
    header, _, row = out.splitlines()[start : start + 3]
    assert header.split() == [
        "language", "task", "representation", "settings", "seeds", "control", "runs", "done",
    ]  # fmt: skip
    assert row.split()[3:] == ["trainer.num_epochs=1", "2", "yes", "4", "0"]


def test_layers_of_a_plan():
    def run(layer):
        return PlannedRun({}, {"layer": layer})

    assert _layers([run(layer) for layer in (0, 1, 2, 2)]) == "0–2"
    assert _layers([run(0), run(3)]) == "0, 3" and _layers([run(None)]) == "–"


def test_what_fails_is_listed(command, tmp_path, fixtures):
    data = shutil.copytree(fixtures / "type_level/Number", tmp_path / "data/Number")
    (data / "finnish/train.txt").write_text("talo\tNom\n" * 2 + "talo\n")
    code, out, err = command(data=str(tmp_path / "data"), tasks=["Number"])
    assert code == 1 and "results.csv" not in out
    assert "2 of the runs failed; the same command tries them again:" in err
    assert "train.txt" in err and "study/failed has a file for each" in err


def test_missing_files_are_said_at_once(command):
    code, out, _ = command("--dry-run", representations={"a": "./nowhere.vec"})
    assert "4 runs, 0 of them done.\nnowhere.vec: there is no such file" in out.replace("./", "")


def test_help_has_an_example():
    parser = argparse.ArgumentParser(description=probe_suite.DESCRIPTION)
    probe_suite.add_arguments(parser)
    assert "--only 'task=Case|Number" in parser.format_help()
