import os
import shutil
import time

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.results import read_results
from linspector_allennlp.suite.suite import Suite
from tests.suite.small_studies import Here


def settings(fixtures, **changes):
    return {
        "data": str(fixtures / "type_level"),
        "tasks": ["Number", "Person"],
        "representations": {
            "chars": "char_ngrams:dimension=8",
            "random": "random_vectors:dimension=8",
        },
        "seeds": 2,
        "settings": {"trainer.num_epochs": [1]},
        **changes,
    }


def test_a_table_from_python(fixtures, tmp_path):
    suite = Suite(settings(fixtures), tmp_path / "study")
    seen = []
    table = suite.run(executor=Here(), only="task=Number", observe=lambda p: seen.append(p.done))
    assert seen[-1] == 4 and not suite.failed and not suite.notes
    of_test = table[(table.metric == "accuracy") & (table.split == "test")]
    assert set(zip(of_test.task, of_test.representation, of_test.seed)) == {
        ("Number", name, seed) for name in ("chars", "random") for seed in (13, 14)
    }
    table = suite.run(executor=Here())
    assert set(table.task) == {"Number", "Person"} and table.equals(
        read_results(tmp_path / "study")
    )

    fewer = Suite(settings(fixtures, tasks=["Person"]), tmp_path / "study")
    table = fewer.run(executor=Here())
    assert set(table.task) == {"Person"} and fewer.notes[0].startswith(
        "4 folders are not of this suite"
    )
    fewer.run(executor=Here())
    assert len(fewer.notes) == 1


def test_nothing_is_trained_where_something_is_wrong(fixtures, tmp_path):
    def refused(message, error=ConfigurationError, executor=Here(), **given):
        changes = {key: given.pop(key) for key in ("representations", "archives") if key in given}
        with pytest.raises(error, match=message):
            Suite(settings(fixtures, **changes), tmp_path / "study").run(executor=executor, **given)
        assert not (tmp_path / "study").exists()

    refused("archives", archives="some")
    refused("no run has task=Cas", only="task=Cas")
    refused("executor: expected one of", executor="threads")
    refused("no file *.vec|no such file", FileNotFoundError, representations={"a": "./nowhere.vec"})


def test_runs_whose_files_have_changed_are_named(fixtures, tmp_path, monkeypatch):
    shutil.copytree(fixtures / "type_level/Number", tmp_path / "one/data/Number")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    monkeypatch.chdir(tmp_path / "one")
    suite = Suite(settings(tmp_path, data="data", tasks="*"), tmp_path / "study")
    suite.run(executor=Here())
    dev = "data/Number/finnish/dev.txt"
    os.utime(dev, (time.time() + 100,) * 2)  # a new copy of the same
    suite.run(executor=Here())
    assert not suite.notes
    monkeypatch.chdir(tmp_path / "two")
    with open(dev, "a", encoding="utf-8") as file:
        file.write("talot\tPlural\n")
    os.utime(dev, (1, 1))
    suite.run(executor=Here())
    (note,) = suite.notes
    assert note.startswith("4 finished runs were made from other files") and dev in note


def test_vectors_that_have_changed(fixtures, tmp_path):
    vectors = tmp_path / "fi.vec"
    shutil.copy(fixtures / "vectors/finnish.vec", vectors)
    suite = Suite(
        settings(fixtures, tasks="Number", representations={"a": str(vectors)}, seeds=1),
        tmp_path / "study",
    )
    suite.run(executor=Here())
    assert not suite.notes
    os.utime(vectors, (time.time() + 100,) * 2)
    suite.run(executor=Here())
    assert suite.notes[0].startswith("1 finished run was") and str(vectors) in suite.notes[0]
