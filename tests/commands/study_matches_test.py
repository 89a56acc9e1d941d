"""`probe-compare` of a study."""

import csv
import json
import re

import numpy as np
import pytest

from linspector_allennlp.commands import probe_compare
from linspector_allennlp.commands.probe_compare import compare_study
from tests.commands.printed import printed
from tests.commands.written_runs import words, write_study

SHARES = {"chars": 0.5, "fasttext": 0.8, "bpe:200": 0.52}
TASKS = ("Case", "Number", "Person", "Tense", "Mood", "Voice")


def rights(share, *seed, num=100):
    draw = np.random.default_rng(seed)
    return (np.arange(num) % 20 / 20 + draw.normal(size=num) * 0.1 < share).astype(int)


def run_of(task, name, seed, **columns):
    number, place = TASKS.index(task), list(SHARES).index(name)
    predictions = words(rights(SHARES[name], number, place, seed), gold=task)
    return {
        "task": task,
        "language": "finnish",
        "representation": name,
        "seed": seed,
        **columns,
    }, predictions


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Six tasks, three representations, three seeds; a run of each control task, and one that is missing."""
    runs = [run_of(task, name, seed) for task in TASKS for name in SHARES for seed in (1, 2, 3)]
    runs.append(run_of("Case", "chars", 1, control=True))
    missing = {"task": "Case", "representation": "elmo", "seed": 1}
    return write_study(tmp_path_factory.mktemp("study") / "study", runs, [missing])


def test_all_pairs(study, tmp_path):
    files = {name: tmp_path / f"table.{name}" for name in ("json", "csv", "markdown", "latex")}
    printed(probe_compare, study, *(f"--{name}={path}" for name, path in files.items()))
    text = printed(probe_compare, study)
    numbers = json.loads(files["json"].read_text(encoding="utf-8"))
    found = numbers["comparisons"]
    pairs = [("chars", "fasttext"), ("chars", "bpe:200"), ("fasttext", "bpe:200")]
    assert [(each["setting"]["task"], each["a"]["name"], each["b"]["name"]) for each in found] == [
        (task, *pair) for task in TASKS for pair in pairs
    ]
    better = {(each["a"]["name"], each["b"]["name"], each["better"]) for each in found}
    assert {("chars", "fasttext", "b"), ("fasttext", "bpe:200", "a")} < better
    # All of the table is one family.
    assert all(each["holm_p_value"] >= each["p_value"] for each in found)
    left = sum(each["better"] is None for each in found)
    assert numbers["confidence"] == pytest.approx(1 - 0.05 / max(1, left))
    assert "Holm's correction is for the 18 comparisons of this table" in text
    assert "Runs of control tasks are not compared: 1." in numbers["notes"]
    assert "55 of 56 runs are there; 1 still to be trained." in text
    check_agreement(text)
    with open(files["csv"], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 18 and float(rows[0]["low"]) == found[0]["low"]
    assert rows[0]["better"] == "fasttext" and rows[0]["seeds_a"] == "3"
    assert len(files["markdown"].read_text(encoding="utf-8").splitlines()) == 20
    assert r"\toprule" in files["latex"].read_text(encoding="utf-8")
    assert printed(probe_compare, study, "--csv") == files["csv"].read_text("utf-8").rstrip("\n")


def check_agreement(text):
    """What is shown agrees, row by row: the interval, the p-value and the name of the better one."""
    rows = re.findall(r"\[(\S+), (\S+)\] +p (?:<|=) ([\d.]+) +(\S+)$", text, flags=re.MULTILINE)
    assert rows
    for low, high, p_value, better in rows:
        excludes = float(low) > 0 or float(high) < 0
        assert excludes == (float(p_value) < 0.05) == (better != "–")


def test_sign_tests_over_tasks(study):
    """Six of six tasks have 2 / 64; of three tests the smallest p-value is multiplied by 3."""
    tests = {(each["a"], each["b"]): each for each in compare_study(study)["sign_tests"]}
    ahead = tests["chars", "fasttext"]
    assert (ahead["ahead_a"], ahead["ahead_b"], ahead["ties"]) == (0, 6, 0)
    assert ahead["p_value"] == 2 / 64 and ahead["holm_p_value"] == 6 / 64
    text = printed(probe_compare, study, "--pairs", "chars:fasttext")
    (line,) = (line for line in text.splitlines() if line.startswith("chars") and "0.0312" in line)
    assert line.split() == ["chars", "fasttext", *"060", *"p = 0.0312 p = 0.0312 fasttext".split()]


def test_a_pair_does_not_depend_on_others_but_for_the_correction(study):
    alone = compare_study(study, where="task=Case", pairs=["chars:fasttext"])["comparisons"]
    (same,) = (
        each
        for each in compare_study(study, where="task=Case")["comparisons"]
        if (each["a"]["name"], each["b"]["name"]) == ("chars", "fasttext")
    )
    for key in ("difference", "low", "high", "p_value"):
        assert alone[0][key] == same[key]
    assert alone[0]["holm_p_value"] == alone[0]["p_value"] < same["holm_p_value"]


def test_what_is_compared_can_be_chosen(study):
    def names(**choice):
        found = compare_study(study, where="task=Case", **choice)["comparisons"]
        return [(each["a"]["name"], each["b"]["name"]) for each in found]

    assert names(baseline="fasttext") == [("fasttext", "chars"), ("fasttext", "bpe:200")]
    assert names(pairs=["bpe:200:chars"]) == [("bpe:200", "chars")]
    assert {
        each["setting"]["task"] for each in compare_study(study, where="task=*n*")["comparisons"]
    } == {
        "Person",
        "Tense",
    }
    by_task = pytest.raises(ValueError, match="not scored on the same items")
    with by_task:
        compare_study(study, by=["task"])


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--by", "layers"], "there is no column layers. Did you mean layer?"),
        (["--by", "seed"], "--by: runs that differ in their seed are not compared"),
        (["--by", "layer"], "there is nothing to compare: no two values of layer"),
        (["--where", "task=Cas"], "There are: no finished runs"),
        (["--where", "tasks=Case"], "there is no column tasks"),
        (["--baseline", "char"], "--baseline: there is no char. Did you mean chars?"),
        (["--pairs", "chars"], "--pairs: expected two names such as chars:fasttext, found 'chars'"),
        (["--pairs", "chars:fastext"], "--pairs: there is no fastext. Did you mean fasttext?"),
        (["--pairs", "chars:chars"], "--pairs: expected two different names"),
    ],
)
def test_choices_that_cannot_be(study, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        printed(probe_compare, study, *arguments)


def test_control_tasks_can_be_asked_for(tmp_path):
    runs = [
        run_of("Case", name, 1, control=control)
        for name in ("chars", "fasttext")
        for control in (False, True)
    ]
    study = write_study(tmp_path / "study", runs)
    paths = [
        compare_study(study, where=of)["comparisons"][0]["a"]["paths"][0][-4:]
        for of in ("", "control=true")
    ]
    assert paths == ["run0", "run1"]


def test_of_a_search_the_chosen_settings_are_compared(tmp_path):
    """By their scores on the validation data, which of one representation are others than of the other."""
    runs = []
    for name, best in (("chars", 50), ("fasttext", 200)):
        for size in (50, 200):
            score = {"best_validation_accuracy": 0.9 if size == best else 0.5}
            settings = {"settings": {"size": size}, "search": "accuracy", "metrics": score}
            runs.append(run_of("Case", name, 1, **settings))
    study = write_study(tmp_path / "study", runs)
    (found,) = compare_study(study)["comparisons"]
    assert [found[side]["paths"][0][-4:] for side in "ab"] == ["run0", "run3"]
    assert found["setting"] == {"task": "Case", "language": "finnish"}
    by_size = compare_study(study, by=["size"])["comparisons"]
    assert [(each["a"]["name"], each["b"]["name"]) for each in by_size] == [("50", "200")] * 2
