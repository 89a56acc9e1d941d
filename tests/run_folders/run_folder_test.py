import json
from pathlib import Path

import pytest

from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.run_record import RunRecord


def test_a_run_folder_is_read(train, tmp_path):
    metrics = train("case_fin", trainer={"num_epochs": 2})
    run = RunFolder.read(tmp_path / "run")
    assert run.metrics == metrics
    report = run.label_report("test")
    assert len(report) == metrics["num_labels"]
    assert sum(int(row["support"]) for row in report) == 100
    confusions = run.confusions("test")
    assert sum(count for count, *_ in confusions) == round(100 * (1 - metrics["test_accuracy"]))
    assert [count for count, *_ in confusions] == sorted((c for c, *_ in confusions), reverse=True)
    assert all(gold != predicted for _, gold, predicted in confusions)


def test_another_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="not the folder of a finished run"):
        RunFolder.read(tmp_path)


@pytest.mark.parametrize(
    "representation, name",
    [
        ([{"type": "char_ngrams", "seed": 1}], "char_ngrams"),
        ([{"type": "word_vectors", "path": "a/fi.vec"}], "word_vectors fi.vec"),
        (
            [{"type": "transformer_layer", "model": "o/bert", "layer": 4, "weights": "pretrained"}],
            "transformer_layer bert, layer 4",
        ),
        (
            [
                {
                    "type": "random_bilstm",
                    "base": {
                        "type": "transformer_layer",
                        "model": "bert",
                        "layer": 0,
                        "weights": "random, seed 13",
                    },
                    "alone": True,
                }
            ],
            "random_bilstm, alone, over transformer_layer bert, layer 0, random weights",
        ),
        (
            [
                {"type": "archive_layer", "path": "m.tar.gz", "module": "encoder"},
                {"type": "char_ngrams"},
            ],
            "archive_layer m.tar.gz, module encoder + char_ngrams",
        ),
        ([], "–"),
    ],
)
def test_the_name_of_what_was_probed(representation, name):
    record = RunRecord("probe", "Case", "accuracy", 1, "", representation=representation)
    assert RunFolder(Path(), record, {}, {}).representation == name


@pytest.mark.parametrize(
    "target, of_test, tested_in, name",
    [
        (None, None, None, "Case/finnish"),
        (None, {"task": "Case", "language": "turkish"}, "turkish", "Case/finnish → turkish"),
        (
            None,
            {"task": "News", "language": "finnish"},
            "News/finnish",
            "Case/finnish → News/finnish",
        ),
        (
            "upos",
            {"task": "tr_imst-ud", "language": "turkish"},
            "tr_imst-ud",
            "upos/Case → tr_imst-ud",
        ),
    ],
)
def test_where_a_run_was_tested(target, of_test, tested_in, name, tmp_path):
    record = RunRecord(
        "probe", "Case", "accuracy", 1, "", language="finnish", target=target, transfer=of_test
    )
    record.write(tmp_path)
    assert RunRecord.read(tmp_path) == record
    assert (record.tested_in, record.name) == (tested_in, name)


def test_a_record_from_before_there_were_transfers(tmp_path):
    record = RunRecord("probe", "Case", "accuracy", 1, "", language="finnish")
    record.write(tmp_path)
    content = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    del content["transfer"]
    (tmp_path / "run.json").write_text(json.dumps(content), encoding="utf-8")
    assert RunRecord.read(tmp_path) == record and record.tested_in is None
