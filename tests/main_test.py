"""The front door: the command without arguments, its help, its versions, and what it says of mistakes."""

import argparse
import os
import subprocess
import sys
from importlib.metadata import version

import pytest
from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from linspector import main
from linspector_allennlp.commands import ALLENNLP_COMMANDS, COMMANDS, check_name
from linspector_allennlp.commands.mistakes import explain

LIGHT = [name for name, command in COMMANDS.items() if command.only_reads]

# Runs `linspector` with the words after it, in a process that cannot import AllenNLP or torch.
WITHOUT_ALLENNLP = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("allennlp", "torch"):
            raise ImportError("blocked: " + name)

sys.meta_path.insert(0, Blocked())
import linspector
linspector.main()
"""


@pytest.fixture
def linspector(monkeypatch, capsys):
    """Runs the command in this process; gives its exit code, its output and its errors."""
    monkeypatch.delenv("LINSPECTOR_TRACEBACK", raising=False)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["linspector", *map(str, arguments)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as exit:
            code = exit.code
        return (code, *capsys.readouterr())

    return run


def subprocess_of(root, *words, **settings):
    return subprocess.run(
        [sys.executable, *words], cwd=root, capture_output=True, text=True, **settings
    )


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_every_command_is_in_the_help(linspector, arguments):
    code, output, _ = linspector(*arguments)
    assert code == 0
    for name in Subcommand.list_available():
        assert f"\n  {name} " in output


def test_the_lists_of_commands_are_complete():
    assert {*COMMANDS, *ALLENNLP_COMMANDS} == set(Subcommand.list_available())


def test_the_versions(linspector):
    expected = [f"{name} {version(name)}" for name in ("linspector_allennlp", "allennlp")]
    assert linspector("--version")[:2] == (0, "\n".join(expected) + "\n")


def test_the_help_of_allennlp_with_our_commands(monkeypatch, capsys, root):
    """As `allennlp --help` in a folder with `.allennlp_plugins`."""
    from allennlp.commands import main as allennlp_main

    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "argv", ["allennlp", "--help"])
    with pytest.raises(SystemExit) as exit:
        allennlp_main()
    assert exit.value.code == 0
    output = capsys.readouterr().out
    assert all(name in output for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_and_its_parts(name):
    parser = argparse.ArgumentParser("linspector")
    COMMANDS[name].describe(parser)
    for each in _with_parts(parser):
        text = " ".join(each.format_help().split())
        assert "usage: linspector" in text
        for action in each._actions:
            parts = isinstance(action, argparse._SubParsersAction)
            assert action.help or parts, (each.prog, action.dest)


def _with_parts(parser):
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from _with_parts(part)


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_neither_allennlp_nor_torch_is_imported(root, arguments):
    result = subprocess_of(root, "-c", WITHOUT_ALLENNLP, *arguments)
    assert (result.returncode, result.stderr) == (0, "")


def test_commands_that_only_read_import_neither(root, train, tmp_path):
    train("case_fin", trainer={"num_epochs": 1})
    run = str(tmp_path / "run")
    words = {"probe-summary": [run], "probe-compare": [run, run], "probe-cache": ["list"]}
    for name in LIGHT:
        result = subprocess_of(root, "-c", WITHOUT_ALLENNLP, name, *words.get(name, ["--help"]))
        assert (result.returncode, result.stderr) == (0, ""), name
        assert result.stdout


def test_a_mistyped_command(linspector):
    code, _, error = linspector("probe-sumary", "runs/x")
    assert code == 1
    assert "there is no command probe-sumary. Did you mean probe-summary" in error


def test_a_reader_that_has_enough(root, tmp_path):
    """As in `linspector --help | head -1`: no error, whatever is left unread."""
    command = f'"{sys.executable}" -m linspector --help | head -n 1; exit "${{PIPESTATUS[0]}}"'
    result = subprocess.run(
        ["bash", "-c", command], cwd=root, capture_output=True, text=True, env={**os.environ}
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "usage: linspector COMMAND ...\n"


def test_a_mistake_gets_one_sentence(linspector, fixtures, root, tmp_path):
    path = fixtures / "broken/four_columns.txt"
    config = root / "training_configs/case_fin.jsonnet"
    override = f'{{"train_data_path": "{path}"}}'
    code, _, error = linspector("train", config, "-s", tmp_path / "run", "-o", override)
    assert code == 1
    assert f"linspector: error: {path}, line 1: expected 2 tab-separated columns" in error
    assert "Traceback" not in error


@pytest.mark.parametrize("broken", ["{trainer.num_epochs: 3}", "{", "nonsense", '{"a": }'])
def test_broken_overrides_are_named(linspector, root, tmp_path, broken):
    config = root / "training_configs/case_fin.jsonnet"
    code, _, error = linspector("train", config, "-s", tmp_path / "run", "-o", broken)
    assert code == 1
    assert "linspector: error: -o: expected JSON such as" in error


def test_the_traceback_can_be_seen(monkeypatch, linspector, tmp_path):
    monkeypatch.setenv("LINSPECTOR_TRACEBACK", "1")
    with pytest.raises(FileNotFoundError, match="not the folder of a finished run"):
        linspector("probe-summary", tmp_path)


def test_an_error_of_ours_is_not_hidden():
    assert explain(TypeError("ours")) is None
    assert explain(KeyError("ours")) is None


@pytest.mark.parametrize(
    "error, sentence",
    [
        (RuntimeError("RUNTIME ERROR: undefined external variable: VECTORS\n\tx"), "variable VECTORS,"),
        (
            RuntimeError("RUNTIME ERROR: layer: 9\n\tstd.jsonnet:1:2\tf\n\ta/my.jsonnet:4:1\tobject\n"),
            "a/my.jsonnet:4:1: layer: 9",
        ),
        (
            RuntimeError("RUNTIME ERROR: field does not exist: x\n\tmy.jsonnet:4:1-9\tobject\n"),
            "my.jsonnet:4:1-9: field does not exist: x (docs/configs.md lists",
        ),
        (RuntimeError("STATIC ERROR: my.jsonnet:2:1: expected token"), "my.jsonnet:2:1: expected token"),
        (ConfigurationError("a setting"), "a setting"),
        (PermissionError(13, "Permission denied", "runs/x"), "runs/x cannot be read or written"),
        (OSError(28, "No space left on device", "runs/x"), "runs/x: the disk is full"),
        (IsADirectoryError(21, "Is a directory", "runs"), "runs: Is a directory."),
        (ValueError("train.txt, line 3"), "train.txt, line 3"),
        (OSError(27, "File too large"), "the disk is full, or a limit is reached."),
        (RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos"), "the disk is full"),
        (TypeError("Expected dimension to be a int."), "another type was expected: Expected dimension"),
        (
            ConfigurationError("Extra parameters passed to LinearHead: {'haed': 3}"),
            "LinearHead has no such setting: 'haed': 3. Is its name mistyped?",
        ),
        (
            ConfigurationError("linaer not in acceptable choices for model.head.type: ['mlp', 'linear']. You"),
            "model.head.type: there is no linaer. Did you mean linear? There are: linear, mlp.",
        ),
    ],
)  # fmt: skip
def test_the_remedy_is_named(error, sentence):
    assert sentence in explain(error) and "\n" not in explain(error)


def test_importing_is_quiet(root):
    result = subprocess_of(root, "-c", "import linspector_allennlp", check=True)
    assert (result.stdout, result.stderr) == ("", "")


def test_a_command_of_another_plugin_is_not_a_mistake(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ValueError, match="there is no command retrain. Did you mean train?"):
        check_name("retrain")
    check_name("retrain", ["retrain", "--include-package", "allennlp_optuna"])
    (tmp_path / ".allennlp_plugins").write_text("linspector_allennlp\n")
    with pytest.raises(ValueError):
        check_name("retrain")
    (tmp_path / ".allennlp_plugins").write_text("allennlp_optuna\nlinspector_allennlp\n")
    check_name("retrain")


def test_work_whose_output_breaks_off_has_failed(root, tmp_path):
    """As if by SIGPIPE; what only reads has done its work."""
    for words, code in ((["train", "x.jsonnet", "-s", "x"], 141), (["--version"], 0)):
        script = (
            "import linspector, sys\n"
            "def broken(*_): raise BrokenPipeError\n"
            "linspector._run_light = linspector._run_allennlp = broken\n"
            f"sys.argv = ['linspector', *{words!r}]\n"
            "linspector.main()"
        )
        assert subprocess_of(root, "-c", script).returncode == code


def test_a_closed_output(root):
    closed = subprocess.run(f"{sys.executable} -m linspector --version >&-", shell=True, cwd=root)
    assert closed.returncode == 0
