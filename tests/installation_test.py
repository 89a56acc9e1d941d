"""What the package says where AllenNLP is missing, as after a bare `pip install`; and its version."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import linspector_allennlp
from linspector_allennlp.commands.mistakes import explain
from linspector_allennlp.installation import BESIDE, missing

LINE = "pip install --no-deps " + " ".join(BESIDE.values())

# A process in which AllenNLP is not installed: neither its modules nor its metadata are found.
WITHOUT_ALLENNLP = """
import sys
from importlib.machinery import PathFinder

class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] == "allennlp" else PathFinder.find_spec(name, path, target)

    @classmethod
    def find_distributions(cls, *context):
        found = PathFinder.find_distributions(*context)
        return (each for each in found if each.metadata["Name"] != "allennlp")

sys.meta_path[sys.meta_path.index(PathFinder)] = Hiding
"""


def without_allennlp(root, script, *arguments):
    words = [sys.executable, "-c", f"{WITHOUT_ALLENNLP}\n{script}", *arguments]
    return subprocess.run(words, cwd=root, capture_output=True, text=True)


def test_the_version():
    assert linspector_allennlp.__version__ == version("linspector_allennlp")
    with pytest.raises(AttributeError, match="'linspector_allennlp' has no attribute 'nothing'"):
        linspector_allennlp.nothing  # noqa: B018


def test_the_version_is_that_of_the_citation(root):
    (line,) = [
        line
        for line in (root / "setup.cfg").read_text(encoding="utf-8").splitlines()
        if line.startswith("version = ")
    ]
    citation = (root / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert line.replace(" =", ":") in citation


def test_what_is_named_is_what_is_tested(root):
    pins = (root / "requirements/modern-no-deps.txt").read_text(encoding="utf-8").splitlines()
    assert set(BESIDE.values()) <= set(pins)
    page = (root / "docs/pypi.md").read_text(encoding="utf-8")
    assert f"\n{LINE}\n" in page
    assert missing() is None


@pytest.mark.parametrize("module", ["linspector_allennlp", "linspector_allennlp.suite"])
def test_an_import_names_the_remedy(root, module):
    result = without_allennlp(root, f"import {module}")
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: allennlp is not installed.")
    assert last.endswith(f"Type: {LINE}")
    assert "No module named" not in result.stderr


@pytest.mark.parametrize("arguments", [("train", "x.jsonnet", "-s", "x"), ("probe-data", "--help")])
def test_a_command_prints_it(root, arguments):
    result = without_allennlp(root, "import linspector\nlinspector.main()", *arguments)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.splitlines()[1].startswith("linspector: error: allennlp is not installed.")
    assert LINE in result.stderr and "Traceback (" not in result.stderr


def test_the_versions_say_it(root):
    result = without_allennlp(root, "import linspector\nlinspector.main()", "--version")
    ours, others = result.stdout.splitlines()
    assert (result.returncode, result.stderr) == (0, "")
    assert ours == f"linspector_allennlp {version('linspector_allennlp')}"
    assert others.endswith(f"Type: {LINE}")


def test_what_only_reads_does_without(root):
    result = without_allennlp(root, "import linspector\nlinspector.main()", "new-config")
    assert (result.returncode, result.stderr) == (0, "")


def test_another_missing_module_is_an_error_of_ours():
    assert explain(ModuleNotFoundError("No module named 'x'", name="x")) is None
