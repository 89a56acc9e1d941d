import pytest

from linspector_allennlp.suite.results import RunFolder


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
    with pytest.raises(FileNotFoundError, match="not the folder of a finished probe run"):
        RunFolder.read(tmp_path)
