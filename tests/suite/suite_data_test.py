import os

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.analysis.selectivity import can_be_learned
from linspector_allennlp.suite import Job, planned_runs
from linspector_allennlp.suite.suite_data import find_data
from tests.conftest import ROOT

FIXTURES = str(ROOT / "fixtures")


def found(*tasks, data=FIXTURES):
    return find_data([data], tasks, [])


def test_the_kind_follows_from_the_files():
    kinds = {(each.task, each.kind) for each in found("*_level/*", "sentence_level/senteval/*.txt")}
    assert kinds == {
        ("Case", "single_form"), ("Number", "single_form"), ("Person", "single_form"),
        ("OddFeat", "paired_forms"), ("SameFeat", "paired_forms"),
        ("Case", "token_in_context"), ("OddFeat", "paired_tokens"),
        ("SentLen", "sentence"), ("BiShift", "sentence"), ("toy_voice", "sentence"),
    }  # fmt: skip


def test_a_folder_of_a_task_and_none_twice():
    (one,) = found("type_level/Case/finnish", "type_level/Case", "type_level/C*")
    assert (one.task, one.language, one.data) == (
        "Case", "finnish", f"{FIXTURES}/type_level/Case/finnish",
    )  # fmt: skip


def test_senteval_in_a_folder(tmp_path):
    folder = tmp_path / "Voice/finnish"
    folder.mkdir(parents=True)
    (folder / "senteval.txt").symlink_to(f"{FIXTURES}/sentence_level/senteval/toy_voice.txt")
    (one,) = found("*", data=str(tmp_path))
    assert (one.task, one.language, one.data) == ("Voice", "finnish", f"{folder}/senteval.txt")
    (run,) = planned_runs(
        {"data": str(tmp_path), "representations": ["char_ngrams"], "encoders": ["average"], "control": False}
    )  # fmt: skip
    assert run.settings["test_data_path"] == f"{folder}/senteval.txt#te"


@pytest.mark.parametrize(
    "task", ["type_level/Case", "token_level/Case", "token_level/OddFeat", "sentence_level/SentLen"]
)
def test_whether_the_control_can_be_learned_is_what_a_run_says(task, tmp_path):
    (data,) = found(task)
    shared = {"data": FIXTURES, "tasks": task, "representations": ["char_ngrams:dimension=4"]}
    config = {"trainer": {"num_epochs": 1}}
    run, control = planned_runs({**shared, "encoders": ["max"], "config": config, "control": True})
    metrics = Job(run.settings, tmp_path / "run").run().metrics
    assert data.control_can_be_learned == can_be_learned(metrics)
    on_training_data = (
        control.settings["validation_data_path"] == control.settings["train_data_path"]
    )
    assert on_training_data != data.control_can_be_learned


def test_treebanks(tmp_path):
    for name in ("UD_Finnish-A/fi_a-ud", "UD_Turkish-B/tr_b-ud"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / f"{name}-train.conllu").touch()
    both = found({"treebank": f"{tmp_path}/UD_*/*-ud", "targets": "upos"})
    assert [(each.language, each.targets) for each in both] == [
        ("finnish", ["upos"]),
        ("turkish", ["upos"]),
    ]
    (one,) = found(
        {"treebank": {"files": f"{tmp_path}/UD_Turkish-B/*.conllu"}, "targets": ["Case"]}
    )
    assert one.language == "turkish" and one.control_can_be_learned
    (one,) = found({"treebank": {"files": ["a.conllu", "b.conllu"]}, "language": "old"})
    assert one.language == "old"


def test_files_that_are_no_task(tmp_path):
    (tmp_path / "Case/finnish").mkdir(parents=True)
    (tmp_path / "Case/finnish/train.txt").write_text("a\tb\tc\td\te\tf\n")
    with pytest.raises(ConfigurationError, match="Case/finnish: expected task files"):
        found("Case", data=str(tmp_path))
    with pytest.raises(ConfigurationError, match="tasks: expected names or treebanks, found 3"):
        found(3)


def test_names_that_are_not_in_utf8(tmp_path):
    for name in (b"Case/s\xe4", b"UD_Finnish-\xe4"):
        os.makedirs(os.path.join(os.fsencode(tmp_path), name))
    for path in (b"Case/s\xe4/train.txt", b"UD_Finnish-\xe4/fi-ud-train.conllu"):
        open(os.path.join(os.fsencode(tmp_path), path), "w").close()
    with pytest.raises(ConfigurationError, match=r"Case/s\\xe4: expected a name in UTF-8"):
        found("Case", data=str(tmp_path))
    with pytest.raises(ConfigurationError, match=r"Finnish-\\xe4/fi-ud: expected a name in UTF-8"):
        found({"treebank": f"{tmp_path}/UD_*/*-ud"})
