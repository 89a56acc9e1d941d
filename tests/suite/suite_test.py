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


def test_runs_that_are_older_than_their_data_are_named(fixtures, tmp_path):
    shutil.copytree(fixtures / "type_level/Number", tmp_path / "data/Number")
    suite = Suite(settings(tmp_path, data=str(tmp_path / "data"), tasks="*"), tmp_path / "study")
    suite.run(executor=Here())
    assert not suite.notes
    dev = tmp_path / "data/Number/finnish/dev.txt"
    later = time.time() + 100
    os.utime(dev, (later, later))
    suite.run(executor=Here())
    (note,) = suite.notes
    assert note.startswith("4 finished runs are older than a file") and str(dev) in note
