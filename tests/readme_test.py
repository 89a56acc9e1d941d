"""The README says what the code does: its commands run, its Python runs, its configs are real."""

import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import transformers
from allennlp.commands import main as allennlp_main

from linspector_allennlp.__main__ import main as linspector_main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


# The transformers of Python 3.10 cannot read the weights of MiniLM.
OLD_TRANSFORMERS = not hasattr(transformers.utils, "SAFE_WEIGHTS_NAME")
COMMANDS = [line for block in blocks("bash") for line in block.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What a user has who cloned the repository: the commands leave their runs there."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("training_configs", "fixtures"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / ".allennlp_plugins", folder)
    return folder


def run(command, folder):
    bin_folder = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    result = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def run_here(command, folder, monkeypatch, capsys):
    """The same in this process, where AllenNLP has already started: ten seconds less a command."""
    variables, program, arguments = re.match(r"((?:\w+=\S+ )*)(\S+) (.*)", command).groups()
    with monkeypatch.context() as changed:
        changed.chdir(folder)
        for variable in variables.split():
            changed.setenv(*variable.split("=", 1))
        words = [
            word for text in shlex.split(arguments) for word in (sorted(glob.glob(text)) or [text])
        ]
        changed.setattr(sys, "argv", [program, *words])
        {"allennlp": allennlp_main, "linspector": linspector_main}[program]()
    return capsys.readouterr().out


def test_the_commands_run_one_after_the_other(folder, monkeypatch, capsys):
    shown: dict[str, str] = {}
    started: set[str] = set()
    for command in COMMANDS:
        program = command.split()[0]
        if program == "make" or OLD_TRANSFORMERS and re.search("minilm|runs/mix", command):
            continue
        # Each program once as a user starts it, and what the shell has a part in.
        if program not in started and "=" not in program or "|" in command:
            started.add(program)
            shown[command] = run(command, folder)
        else:
            shown[command] = run_here(command, folder, monkeypatch, capsys)
    assert len(shown) > 10
    assert started >= {"allennlp", "linspector"}
    for command, output in shown.items():
        if "probe-summary" in command:
            assert "test accuracy" in output
        if "echo" in command:
            assert '"label"' in output or '"edges"' in output
    assert (folder / "runs/predictions.jsonl").read_text(encoding="utf-8").count("\n") == 100


@pytest.mark.skipif(
    Path(sys.prefix) != ROOT / ".venv", reason="make would build an environment of its own"
)
def test_make_demo(tmp_path):
    output = run(f"make --no-print-directory demo DEMO_DIR={tmp_path}/demo", ROOT)
    scores = output[output.index("run ") :].splitlines()[2].split()[1:]
    (shown,) = [line for line in README.splitlines() if line.startswith("runs/demo ")]
    assert shown.split()[1:] == scores
    assert "taken for" in output and '"label": "Essive+In"' in output


def test_make_targets_exist():
    for command in COMMANDS:
        if command.startswith("make"):
            run(f"make --dry-run {command.split()[1]}", ROOT)


def test_the_python_runs(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    for block in blocks("python"):
        exec(block, {})
    assert "LabelField with label: " in capsys.readouterr().out


def test_the_config_is_the_real_one():
    config = (ROOT / "training_configs/case_fin.jsonnet").read_text(encoding="utf-8")
    assert config in blocks("jsonnet")


def test_the_other_config_builds(folder):
    import _jsonnet

    (example,) = [block for block in blocks("jsonnet") if "seed: 7" in block]
    imports = "local probe = import 'lib/probe.libsonnet';\n"
    imports += "local representations = import 'lib/representations.libsonnet';\n"
    path = folder / "training_configs/example.jsonnet"
    path.write_text(imports + example, encoding="utf-8")
    assert '"type": "linear"' in _jsonnet.evaluate_file(str(path))


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_error_is_the_real_one():
    from linspector_allennlp.formats import read_tokens_in_context

    with pytest.raises(ValueError) as error:
        list(read_tokens_in_context(ROOT / "fixtures/broken/index_outside.txt"))
    assert str(error.value).replace(f"{ROOT}/", "") in README
