import subprocess
import sys

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.__main__ import explain, main


def linspector(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["linspector", *map(str, arguments)])
    main()


def test_a_mistake_gets_one_sentence(monkeypatch, capsys, fixtures, root, tmp_path):
    monkeypatch.delenv("LINSPECTOR_TRACEBACK", raising=False)
    path = fixtures / "broken/four_columns.txt"
    config = root / "training_configs/case_fin.jsonnet"
    override = f'{{"train_data_path": "{path}"}}'
    with pytest.raises(SystemExit) as exit:
        linspector(monkeypatch, "train", config, "-s", tmp_path / "run", "-o", override)
    assert exit.value.code == 1
    error = capsys.readouterr().err
    assert f"linspector: error: {path}, line 1: expected 2 tab-separated columns" in error
    assert "Traceback" not in error


def test_the_traceback_can_be_seen(monkeypatch, tmp_path):
    monkeypatch.setenv("LINSPECTOR_TRACEBACK", "1")
    with pytest.raises(FileNotFoundError, match="not the folder of a finished run"):
        linspector(monkeypatch, "probe-summary", tmp_path)


@pytest.mark.parametrize(
    "error, sentence",
    [
        (RuntimeError("RUNTIME ERROR: undefined external variable: VECTORS\n\tx"), "variable VECTORS,"),
        (
            ConfigurationError("Serialization directory (runs/x) already exists and is not empty."),
            "runs/x is there and not empty. -f starts anew",
        ),
        (
            RuntimeError("RUNTIME ERROR: layer: 9\n\tstd.jsonnet:1:2\tf\n\ta/my.jsonnet:4:1\tobject\n"),
            "a/my.jsonnet:4:1: layer: 9",
        ),
        (
            RuntimeError("RUNTIME ERROR: field does not exist: x\n\tmy.jsonnet:4:1-9\tobject\n"),
            "my.jsonnet:4:1-9: field does not exist: x (training_configs/lib has",
        ),
        (ConfigurationError("does not match the configuration we're"), "-f starts anew"),
        (ValueError("train.txt, line 3"), "train.txt, line 3"),
    ],
)  # fmt: skip
def test_the_remedy_is_named(error, sentence):
    assert sentence in explain(error) and "\n" not in explain(error)


def test_importing_is_quiet(root):
    result = subprocess.run(
        [sys.executable, "-c", "import linspector_allennlp"],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (result.stdout, result.stderr) == ("", "")


def test_help_explains(monkeypatch, capsys):
    with pytest.raises(SystemExit):
        linspector(monkeypatch, "probe-summary", "--help")
    assert "beside their baselines" in capsys.readouterr().out
