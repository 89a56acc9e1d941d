from linspector_allennlp.analysis.missing_runs import missing_runs
from linspector_allennlp.io.files import write_json
from linspector_allennlp.run_folders.study_folder import PlannedRow, StudyFolder


def test_missing_runs(tmp_path):
    study = StudyFolder(tmp_path)
    study.write_plan({}, [PlannedRow(name, f"digest of {name}", {}) for name in "abc"])
    (study.runs / "a").mkdir(parents=True)
    write_json(study.runs / "a/run.json", {"config": "digest of a"})
    write_json(study.runs / "a/metrics.json", {})
    study.failed.mkdir()
    write_json(study.failed / "b.json", {"error": "no memory"})
    assert missing_runs(study) == {"b": "failed: no memory", "c": "not run"}
