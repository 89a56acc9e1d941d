import json

from linspector_allennlp.commands.probe_summary import summarize


def test_one_run_with_its_labels(train, tmp_path):
    metrics = train("case_fin")
    text = summarize([str(tmp_path / "run")])
    lines = text.splitlines()
    assert lines[0].split("  ")[0] == "run"
    shown = lines[2].split()
    assert shown[1:3] == ["Case/finnish", "char_ngrams"]
    assert shown[3] == f"{100 * metrics['test_accuracy']:.1f}"
    assert f"{100 * metrics['baseline_majority']:.1f}" in shown
    assert f"{100 * metrics['baseline_suffix']:.1f}" in shown
    report = (tmp_path / "run/test_report.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for row in report:
        label, precision, *_, support = row.split("\t")
        (line,) = [line for line in lines if line.startswith(f"{label} ") and "taken" not in line]
        assert f"{100 * float(precision):.1f}" in line.split()
        assert line.split()[-1] == support
    assert "Most frequent confusions:" in text
    assert "(700 train, 200 validation, 100 test; 14 labels)" in text


def test_several_runs_in_one_table(train, tmp_path):
    for folder in ("first", "second"):
        train("case_fin", folder, trainer={"num_epochs": 1})
    table, warnings = summarize([str(tmp_path / "first"), str(tmp_path / "second")]).split("\n\n")
    assert len(table.splitlines()) == 4
    assert len({len(line) for line in table.splitlines()}) == 1
    # The same of both is said once.
    (warning,) = warnings.splitlines()
    assert "% is below what needs no representation: suffix" in warning.replace(" %,", " %")
    assert warning.endswith(f"({tmp_path / 'first'}, {tmp_path / 'second'})")


def test_warnings_and_unfinished_runs_are_mentioned(train, tmp_path, fixtures):
    folder = fixtures / "broken/unseen_label"
    paths = {
        f"{split}_data_path": str(folder / f"{file}.txt")
        for split, file in (("train", "train"), ("validation", "dev"), ("test", "test"))
    }
    train("case_fin", trainer={"num_epochs": 1}, **paths)
    text = summarize([str(tmp_path / "run")])
    assert "have a label that is not in the training data" in text
    assert "(label unseen in training)" in text
    both = summarize([str(tmp_path / "run"), str(tmp_path / "nothing")])
    assert "nothing: there is no such folder" in both
    assert len([line for line in both.splitlines() if line.startswith(str(tmp_path / "run"))]) == 1


def test_a_run_without_test_data(train, tmp_path):
    train("case_fin", trainer={"num_epochs": 1}, test_data_path=None)
    text = summarize([str(tmp_path / "run")])
    assert "Validation data: " in text and "(700 train, 200 validation; 14 labels)" in text


def test_a_representation_that_cannot_say_what_it_knows(train, tmp_path):
    train("case_fin", trainer={"num_epochs": 1})
    path = tmp_path / "run/metrics.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "oov_test": None}))
    assert summarize([str(tmp_path / "run")]).splitlines()[2].endswith("–")


def test_scores_without_an_interval(train, tmp_path):
    train("case_fin", trainer={"num_epochs": 1})
    path = tmp_path / "run/metrics.json"
    none = {"test_accuracy_low": None, "test_accuracy_high": None}
    path.write_text(json.dumps({**json.loads(path.read_text()), **none}))
    assert "– –" not in summarize([str(tmp_path / "run")])
