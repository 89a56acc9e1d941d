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
    text = summarize([str(tmp_path / "first"), str(tmp_path / "second")])
    table, legend, warnings = text.split("\n\n")
    caption, *rows = table.splitlines()
    assert caption.startswith("All rows: level type, language finnish, task Case,")
    assert len(rows) == 4
    assert [row.split()[0] for row in rows[2:]] == [str(tmp_path / n) for n in ("first", "second")]
    # Both have the same score, and the same seed, so that there is no mean of them.
    assert table.count("*") == 2 and legend == "* is the best of its task, as rounded."
    # The same of both is said once.
    learned, warning = warnings.splitlines()
    assert "of its training data right" in learned
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


def test_trained_runs_of_several_seeds(train, tmp_path):
    folders = [str(tmp_path / name) for name in ("a", "b", "c", "d")]
    settings = [(1, 0.5), (2, 0.5), (1, 0), (2, 0)]
    scores = [
        train("case_fin", name, trainer={"num_epochs": 1}, random_seed=seed, numpy_seed=seed,
              pytorch_seed=seed, model={"head": {"dropout": dropout}})["test_accuracy"]
        for name, (seed, dropout) in zip("abcd", settings)
    ]  # fmt: skip
    text = summarize(folders)
    assert "probe mlp, 2 seeds, " in text.splitlines()[0]
    rows = [line.split() for line in text.splitlines()[3:5]]
    for row, (first, second), dropout in zip(rows, (scores[:2], scores[2:]), ("0.5", "0")):
        mean, sd = 50 * (first + second), 100 * abs(first - second) / 2**0.5
        assert row[:4] == [
            f"dropout={dropout}",
            f"{mean:.1f}",
            "±",
            f"{sd:.1f}" + "*" * ("*" in row[3]),
        ]
