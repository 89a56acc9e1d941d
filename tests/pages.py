"""The README and the pages in docs/, and somebody who types what they say."""

import glob
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from allennlp.commands import main as allennlp_main

from linspector import main as linspector_main
from linspector_allennlp.suite import planned_runs, read_suite

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
INDEX = ROOT / "docs/index.md"

# The README first, then the pages in the order of the index: some use the runs of those before them.
LISTED = re.findall(r"^\| \[[^]]+\]\((\w+\.md)\)", INDEX.read_text(encoding="utf-8"), re.MULTILINE)
PAGES = [README, INDEX, *(INDEX.with_name(name) for name in LISTED)]


OURS = {"allennlp", "linspector"}


class Block(NamedTuple):
    page: Path
    language: str
    text: str


def blocks_of(page: Path) -> Iterator[Block]:
    """The blocks of a page that have a language; those without are output, or need a download."""
    text = page.read_text(encoding="utf-8")
    for language, code in re.findall(r"^ *```(\w+)\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE):
        yield Block(page, language, code)


def commands_of(block: Block) -> list[str]:
    """The commands of a block, those of several lines in one."""
    return re.sub(r" \\\n +", " ", block.text).splitlines()


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def in_shell(command: str, folder: Path, variables: dict[str, str]) -> str:
    bin_folder = Path(sys.executable).parent
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, **variables, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


class Reader:
    """Somebody who types what the pages say, page by page, in one folder."""

    def __init__(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self._folder, self._monkeypatch, self._capsys = folder, monkeypatch, capsys
        self._page = README
        self._exported: dict[str, str] = {}
        self._python: dict[str, object] = {}
        self.started: set[str] = set()
        self.shown: dict[str, str] = {}

    def follow(self, block: Block) -> None:
        if block.page != self._page:
            self._page, self._exported, self._python = block.page, {}, {}
        if block.language == "python":
            with self._monkeypatch.context() as changed:
                changed.chdir(self._folder)
                exec(compile(block.text, str(block.page), "exec"), self._python)
            self.shown[block.text] = self._capsys.readouterr().out
        elif block.language == "jsonnet":
            config = self._folder / "example.jsonnet"
            config.write_text(block.text, encoding="utf-8")
            settings = read_suite(config)
            with self._monkeypatch.context() as changed:
                changed.chdir(self._folder)
                assert settings.get("type") == "probe_run" or planned_runs(settings)
        else:
            assert block.language == "bash", block
            for command in commands_of(block):
                self._type(command)

    def _type(self, command: str) -> None:
        program = command.split()[0]
        if program == "make":
            return
        if program == "export":
            self._exported.update(word.split("=", 1) for word in command.split()[1:])
        # Each of ours once as a user starts it, other programs, and what the shell has a part in.
        elif "|" in command or "=" not in program and program not in self.started & OURS:
            self.started.add(program)
            self.shown[command] = in_shell(command, self._folder, self._exported)
        else:
            self.shown[command] = self._run_here(command)

    def _run_here(self, command: str) -> str:
        """The same in this process, where AllenNLP has already started: seconds less a command."""
        match = re.match(r"((?:\w+=\S+ )*)(\S+) ?(.*)", command)
        assert match is not None
        variables, program, arguments = match.groups()
        given = dict(word.split("=", 1) for word in variables.split())
        with self._monkeypatch.context() as changed:
            changed.chdir(self._folder)
            for variable, value in {**self._exported, **given}.items():
                changed.setenv(variable, value)
            words = [
                word
                for text in shlex.split(arguments)
                for word in (sorted(glob.glob(text)) or [text])
            ]
            changed.setattr(sys, "argv", [program, *words])
            try:
                {"allennlp": allennlp_main, "linspector": linspector_main}[program]()
            except SystemExit:
                pytest.fail(f"{self._page.name}: {command}\n{self._capsys.readouterr().err}")
        return self._capsys.readouterr().out
