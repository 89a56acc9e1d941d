"""What is published: the source distribution has everything, and its wheel is that of the repository."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

# What is made when somebody works in a clone, and what belongs to the place where it is kept.
NOT_SOURCE = shutil.ignore_patterns(
    *(".git", ".gitignore", ".ci", ".venv", ".*_cache", ".hypothesis", "__pycache__"),
    *("runs", "my_tasks", "build", "dist", "*.egg-info", "PKG-INFO", "*.store", "*.store.lock"),
)


def build(kind: str, source: Path, output: Path) -> Path:
    """A distribution of the folder, by what pyproject.toml names, in this environment."""
    script = f"from setuptools import build_meta; build_meta.build_{kind}({str(output)!r})"
    subprocess.run([sys.executable, "-c", script], cwd=source, check=True, capture_output=True)
    (file,) = output.iterdir()
    return file


def files_of(folder: Path) -> set[str]:
    """All files in a folder, those behind links too."""
    found = set()
    for path in folder.iterdir():
        if path.is_dir():
            found |= {f"{path.name}/{name}" for name in files_of(path)}
        else:
            found.add(path.name)
    return found


def content_of(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clone") / "clone"
    root = Path(__file__).resolve().parents[1]
    shutil.copytree(root, folder, symlinks=True, ignore=NOT_SOURCE)
    return folder


@pytest.fixture(scope="module")
def unpacked(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    expected = files_of(clone)
    with tarfile.open(build("sdist", clone, tmp_path_factory.mktemp("sdist"))) as file:
        file.extractall(folder, filter="data")  # refuses what points outside
    (source,) = folder.iterdir()
    made = {name for name in files_of(source) if ".egg-info/" in name} | {"PKG-INFO"}
    assert files_of(source) - made == expected
    return source


def test_the_source_distribution_is_complete(clone: Path, unpacked: Path) -> None:
    named = """LICENSE CHANGELOG.md CITATION.cff CONTRIBUTING.md Makefile pyproject.toml .allennlp_plugins
        requirements/modern.txt scripts/find_python.sh docs/pypi.md docs/tree.png tests/conftest.py
        fixtures/vectors/finnish.vec training_configs/case_fin.jsonnet configs/case_fin.jsonnet
        linspector_allennlp/example/configs/case_fin.jsonnet""".split()
    for name in named:
        assert (unpacked / name).read_bytes() == (clone / name).read_bytes()


def test_links_are_files_in_it(unpacked: Path) -> None:
    assert not [path for path in unpacked.rglob("*") if path.is_symlink()]


@pytest.fixture(scope="module")
def wheel(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return content_of(build("wheel", clone, tmp_path_factory.mktemp("wheel")))


def test_the_wheel_of_the_source_distribution_is_that_of_the_clone(
    unpacked: Path, wheel: dict[str, bytes], tmp_path: Path
) -> None:
    assert content_of(build("wheel", unpacked, tmp_path)) == wheel


def test_what_the_wheel_has(wheel: dict[str, bytes]) -> None:
    assert {"linspector.py", "linspector_allennlp/py.typed"} <= set(wheel)
    assert "linspector_allennlp/example/configs/case_fin.jsonnet" in wheel
    assert not [name for name in wheel if name.startswith(("tests", "fixtures", "docs"))]


def test_the_metadata(root: Path, wheel: dict[str, bytes]) -> None:
    (name,) = [name for name in wheel if name.endswith("METADATA")]
    text = wheel[name].decode()
    page = (root / "docs/pypi.md").read_text(encoding="utf-8")
    assert text.endswith("\n" + page) and "\nDescription-Content-Type: text/markdown\n" in text
    # PyPI has no folder that a link could start from, and shows no picture of ours.
    assert all("://" in link for link in re.findall(r"\]\(([^)]+)\)", page))
    for minor in (11, 12, 13):
        assert f"\nClassifier: Programming Language :: Python :: 3.{minor}\n" in text
    assert "\nClassifier: Programming Language :: Python :: 3.14\n" not in text
