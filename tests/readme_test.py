"""The README and the pages in docs/ say what the code does: their commands run, their configs are real."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from linspector_allennlp.formats import read_tokens_in_context
from tests.pages import (
    BLOCKS,
    INDEX,
    LISTED,
    PAGES,
    README,
    ROOT,
    Reader,
    commands_of,
    in_shell,
)

MOST_BYTES = 9000
OTHERS = "classifier"  # the run of a model of AllenNLP's, which has keys of its own


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a user has who cloned the repository: the commands leave their runs there."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("training_configs", "fixtures"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / ".allennlp_plugins", folder)
    (folder / "configs").symlink_to("training_configs")  # a source distribution has a copy
    (folder / "runs").mkdir()
    return folder


@pytest.fixture(scope="module")
def keys(folder: Path) -> set[str]:
    """The keys of `metrics.json` in all runs that the pages make; they are there after that test."""
    runs = (path for path in folder.glob("runs/**/metrics.json") if path.parent.name != OTHERS)
    return {key for path in runs for key in json.loads(path.read_text(encoding="utf-8"))}


def test_commands_and_python_run_page_by_page(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = Reader(folder, monkeypatch, capsys)
    for block in BLOCKS:
        reader.follow(block)
    assert reader.started >= {"allennlp", "linspector"}
    for command, output in reader.shown.items():
        if "probe-summary" in command:
            assert "test accuracy" in output
        if "probe-selectivity" in command:
            page = (ROOT / "docs/control_tasks.md").read_text(encoding="utf-8")
            assert page.split("```\n")[2].rstrip() in output
        if command.startswith("echo"):
            assert any(f'"{key}"' in output for key in ("label", "edges", "tags", "roles"))
    printed = "".join(reader.shown.values())
    assert "LabelField with label: " in printed and "torch.Size([1, 2, 50])" in printed
    assert (folder / "runs/predictions.jsonl").read_text(encoding="utf-8").count("\n") == 100


def documented_keys() -> dict[str, str]:
    """By the key of metrics.json as docs/formats.md has it, a regular expression for what it covers."""
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    section = text.partition("## metrics.json")[2].partition("\n## ")[0]
    first, second = section.split("\n| key |")
    names = re.findall(r"^\| `(\w+)` \|", first, re.MULTILINE)
    covers = {"{metric}": f"({'|'.join(names)})", "{split}": "(train|validation|test)"}
    cells = re.findall(r"^\| (`[^|]+`) \|", second, re.MULTILINE)
    keys = [key for cell in cells for key in re.findall(r"`([\w{}]+)`", cell)]
    return {key: re.sub(r"{\w+}", lambda match: covers[match.group()], key) for key in keys}


def test_every_metric_is_documented_and_every_documented_one_is_real(keys: set[str]) -> None:
    if not keys:
        pytest.skip("the pages were not run before")
    documented = documented_keys()
    undocumented = [
        key for key in keys if not any(re.fullmatch(each, key) for each in documented.values())
    ]
    assert not undocumented
    invented = {
        key
        for key, pattern in documented.items()
        if not any(re.fullmatch(pattern, written) for written in keys)
    }
    assert not invented


def test_every_key_of_predictions_is_documented(folder: Path) -> None:
    found = folder.glob("runs/**/*_predictions.jsonl")
    paths = [path for path in found if path.parent.name != OTHERS]
    if not paths:
        pytest.skip("the pages were not run before")
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    written = {key for line in lines for key in json.loads(line)}
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    section = text.partition("## Predictions")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| .*? \| (.*) \|$", section, re.MULTILINE)
    documented = {key for row in rows for cell in row for key in re.findall(r"`(\w+)`", cell)}
    assert written <= documented
    named = {key for cell, _ in rows for key in re.findall(r"`(\w+)`", cell)}
    assert named <= written


@pytest.mark.skipif(
    Path(sys.prefix) != ROOT / ".venv", reason="make would build an environment of its own"
)
def test_make_demo(tmp_path: Path) -> None:
    output = in_shell(f"make --no-print-directory demo DEMO_DIR={tmp_path}/demo", ROOT, {})
    scores = output[output.index("run ") :].splitlines()[2].split()[1:]
    lines = README.read_text(encoding="utf-8").splitlines()
    (shown,) = [line for line in lines if line.startswith("runs/demo ")]
    assert shown.split()[1:] == scores
    assert "taken for" in output and '"label": "Essive+In"' in output


def test_make_targets_exist() -> None:
    for command in (each for block in BLOCKS for each in commands_of(block)):
        if command.startswith("make "):
            in_shell(f"make --dry-run {command.split()[1]}", ROOT, {})


def test_the_config_is_the_real_one() -> None:
    config = (ROOT / "training_configs/case_fin.jsonnet").read_text(encoding="utf-8")
    assert config in README.read_text(encoding="utf-8")


def test_the_readme_is_short() -> None:
    assert len(README.read_bytes()) <= MOST_BYTES


def test_every_page_is_in_the_index() -> None:
    assert sorted(LISTED) == sorted({p.name for p in INDEX.parent.glob("*.md")} - {INDEX.name})


def anchors_of(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            assert target.exists(), link
            assert not anchor or anchor in anchors_of(target), link


def test_the_error_is_the_real_one() -> None:
    with pytest.raises(ValueError) as error:
        list(read_tokens_in_context(ROOT / "fixtures/broken/index_outside.txt"))
    assert str(error.value).replace(f"{ROOT}/", "") in README.read_text(encoding="utf-8")
