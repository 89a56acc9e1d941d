"""A study in this process: what is trained, what is kept, and what is said."""

import json
import os
import resource
import shutil
from concurrent.futures import Executor, Future

import pytest
from filelock import FileLock

from linspector_allennlp.run_folders import work_folder
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite.train_study import list_others
from tests.suite.small_studies import Here, outcomes, small_runs, trained, with_changes


def names_of(runs):
    return sorted(run.name for run in runs)


def test_a_study_is_trained_and_only_what_is_missing_again(tmp_path):
    runs = small_runs(["Number", "Person"])
    folder = tmp_path / "new" / "study"
    lines = []
    observe = lambda p: lines.append((p.done, p.running, p.left, len(p.now)))  # noqa: E731
    progress = trained(folder, runs, observe=observe, suite={"seeds": 2})
    assert (progress.total, progress.done, progress.failed) == (4, 4, [])
    assert lines[0][0] == 0 and lines[-1] == (4, 0, 0, 0)
    assert all(done + running + left == 4 for done, running, left, _ in lines)
    study = StudyFolder(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["runs", "suite.json"]
    assert [row.name for row in study.plan()] == [run.name for run in runs]
    assert study.suite() == {"seeds": 2} and all(map(study.is_finished, study.plan()))
    before = outcomes(folder)
    assert list(before) == names_of(runs)

    shutil.rmtree(study.run_path(runs[2].name))
    (study.run_path(runs[1].name) / "run.json").unlink()  # half a run, whoever made it
    (study.run_path(runs[0].name) / "run.json").write_text("")  # as after a power cut
    lines.clear()
    assert trained(folder, runs, observe=observe).done == 4
    assert lines[0][0] == 1 and outcomes(folder) == before

    lines.clear()
    assert trained(folder, runs, observe=observe).done == 4 and not lines


def test_a_run_is_like_one_that_is_trained_alone(tmp_path):
    run = small_runs()[1]
    trained(tmp_path / "study", small_runs(["Number", "Person"]))
    trained(tmp_path / "alone", [run])
    assert outcomes(tmp_path / "study")[run.name] == outcomes(tmp_path / "alone")[run.name]


def test_a_failing_run_is_recorded_and_tried_again(tmp_path):
    runs = small_runs(seeds=3)
    data = tmp_path / "train.txt"
    bad = with_changes(runs[1], train_data_path=str(data))
    runs[1] = bad
    study = StudyFolder(tmp_path / "study")
    for _ in range(2):
        progress = trained(study.path, runs)
        assert progress.failed == [bad.name] and progress.done == 2
        (file,) = study.failed.iterdir()
        failure = json.loads(file.read_text())
        assert file.name == f"{bad.name}.json" and str(data) in failure["error"]
        assert "Traceback" in failure["traceback"] and failure["config"] == bad.settings
        assert not (study.path / ".unfinished").exists()
    shutil.copy(runs[0].settings["train_data_path"], data)
    assert trained(study.path, runs).failed == []
    assert not study.failed.exists() and len(outcomes(study.path)) == 3


def test_a_changed_suite_runs_what_is_new_and_says_what_is_not_its(tmp_path):
    study, runs = StudyFolder(tmp_path / "a study"), small_runs(seeds=3)
    trained(study.path, runs[:2])
    assert list_others(study, runs[:2]) is None
    before = outcomes(study.path)
    assert trained(study.path, runs[1:]).done == 2
    kept = study.run_path(runs[1].name)
    shutil.copytree(kept, f"{kept} copy")  # a name with a blank is one name
    note = list_others(study, runs[1:])
    assert note.startswith("2 folders are not of this suite") and "'" in note
    assert outcomes(study.path) == {**outcomes(study.path), **before}, "an old run was touched"
    command = note[note.index("(cd") :]
    assert os.system(command) == 0
    assert sorted(outcomes(study.path)) == names_of(runs[1:])
    assert list_others(study, runs[1:]) is None and not (study.path / "others.txt").exists()


def test_only_some_runs(tmp_path):
    runs = small_runs(seeds=3)
    assert trained(tmp_path / "study", runs, wanted=runs[:1]).total == 1
    assert len(StudyFolder(tmp_path / "study").plan()) == 3
    assert list(outcomes(tmp_path / "study")) == [runs[0].name]


def test_archives(tmp_path):
    runs = small_runs(["Number", "Person"])
    folders = {run.name: StudyFolder(tmp_path / "study").run_path(run.name) for run in runs}
    archived = lambda: {n for n, f in folders.items() if (f / "model.tar.gz").exists()}  # noqa: E731
    trained(tmp_path / "study", runs, archives="best")
    scores = {}
    for run in runs:
        metrics = json.loads((folders[run.name] / "metrics.json").read_text())
        scores.setdefault(run.columns["task"], {})[run.name] = metrics["best_validation_accuracy"]
    best = {max(of_task, key=of_task.get) for of_task in scores.values()}
    assert len(best) == 2 and archived() >= best
    for name in best:
        (folders[name] / "model.tar.gz").unlink()
    trained(tmp_path / "study", runs, archives="best")
    assert archived() >= best
    trained(tmp_path / "study", runs, archives="all")
    assert archived() == set(folders), "those that were finished without one, too"


def test_somebody_elses_folder_is_refused(tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "study/.suite.json.77.tmp").write_text("")
    assert trained(tmp_path / "study", small_runs(seeds=1)).done == 1, "a start that was killed"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/diary.txt").write_text("x")
    with pytest.raises(
        ValueError, match="mine is not a study, and is left as it is: it holds diary"
    ):
        trained(tmp_path / "mine", small_runs())
    with pytest.raises(ValueError, match="diary.txt is a file"):
        trained(tmp_path / "mine/diary.txt", small_runs())
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["diary.txt"]


def test_two_at_once_are_refused(tmp_path):
    runs = small_runs()

    class Another(Here):
        def submit(self, *args):
            with pytest.raises(ValueError, match="another process is at work there"):
                trained(tmp_path / "study", runs)
            return super().submit(*args)

    assert trained(tmp_path / "study", runs, Another()).done == 2


def test_a_full_disk_stops_the_study(tmp_path):
    runs = small_runs(seeds=3)
    wide = {"type": "mlp", "hidden_dims": [4000], "dropout": 0.0}
    runs[2] = with_changes(runs[2], model={**runs[2].settings["model"], "head": wide})
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limit[1]))
    try:
        with pytest.raises(OSError, match="The disk is full.*What is finished stays"):
            trained(tmp_path / "study", runs, workers=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    study = StudyFolder(tmp_path / "study")
    assert list(outcomes(study.path)) == names_of(runs[:2])
    assert not study.unfinished.exists() and len(list(study.failed.iterdir())) == 1
    assert trained(study.path, runs).done == 3


def test_what_killed_processes_left_is_swept(tmp_path, monkeypatch):
    monkeypatch.setattr(work_folder, "DYING_SECONDS", 0.1)
    runs = small_runs(seeds=3)
    trained(tmp_path / "study", runs)
    study, before = StudyFolder(tmp_path / "study"), outcomes(tmp_path / "study")
    with study.work_folder() as dead:
        elsewhere = study.unfinished / "elsewhere-0123456789ab"
        for folder in (dead, elsewhere):
            shutil.copytree(study.run_path(runs[0].name), folder / runs[0].name)
        (dead / f".{runs[1].name}.77.tmp").mkdir()
        copied = shutil.copytree(dead, study.unfinished / (dead.name[:-12] + "0" * 12))
        shutil.rmtree(study.run_path(runs[0].name))
        shutil.rmtree(study.run_path(runs[1].name))
        # Cut off while the third took the place of an older one.
        os.rename(study.run_path(runs[2].name), study.runs / f".{runs[2].name}.77.old")
        study.sweep(study.plan())
        assert dead.exists() and elsewhere.exists(), "that of somebody who is alive"
        assert not copied.exists()
        assert list(outcomes(study.path)) == names_of([runs[0], runs[2]]), "what was whole is kept"
    os.utime(elsewhere, (0, 0))
    trained(study.path, runs)
    assert outcomes(study.path) == before and not study.unfinished.exists()


def test_who_comes_second_discards_its_own(tmp_path):
    runs = small_runs(seeds=1)
    trained(tmp_path / "study", runs)
    study = StudyFolder(tmp_path / "study")
    mine = shutil.copytree(study.run_path(runs[0].name), tmp_path / "mine")
    (mine / "metrics.json").write_text("{}")
    study.take_in(mine, runs[0].row)
    assert not mine.exists() and "test_accuracy" in next(iter(outcomes(study.path).values()))[0]


def test_a_representation_that_cannot_be_prepared_fails_its_runs_alone(tmp_path, monkeypatch):
    runs = small_runs(representations=["char_ngrams", "random_vectors"])
    for run in runs[:2]:
        embedder = run.settings["model"]["text_field_embedder"]["token_embedders"]
        embedder["words"] = {"type": "word_vectors", "pretrained_file": "x"}
    progress = trained(tmp_path / "study", runs)
    assert progress.failed == names_of(runs[:2]) and progress.done == 2


def test_a_scheduler_that_is_gone(tmp_path):
    class Gone(Executor):
        def submit(self, *args):
            future = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    with pytest.raises(RuntimeError, match="The scheduler has given up"):
        trained(tmp_path / "study", small_runs(), Gone())
    lock = FileLock(tmp_path / ".study.suite.lock")
    lock.acquire(timeout=0)


def test_somebody_elses_files_are_never_swept(tmp_path):
    runs = small_runs(seeds=1)
    trained(tmp_path / "study", runs)
    study, mine = StudyFolder(tmp_path / "study"), tmp_path / "mine"
    for folder in (mine / "elsewhere-0123456789ab", mine / "diary"):
        folder.mkdir(parents=True)
        os.utime(folder, (0, 0))
    study.unfinished.symlink_to(mine)
    study.sweep(study.plan())
    assert len(list(mine.iterdir())) == 2, "behind a link"
    study.unfinished.unlink()
    (study.unfinished / "diary").mkdir(parents=True)
    os.utime(study.unfinished / "diary", (0, 0))
    (study.unfinished / ".nfs001").write_text("")
    (study.path / ".notes.2024.tmp").mkdir()
    study.sweep(study.plan())
    assert (study.unfinished / "diary").exists() and (study.path / ".notes.2024.tmp").exists()


@pytest.mark.parametrize("name", ["metrics.json", "run.json"])
def test_half_a_run_is_none(tmp_path, name):
    runs = small_runs(seeds=1)
    trained(tmp_path / "study", runs)
    study = StudyFolder(tmp_path / "study")
    for content in ("", "[]", "[" * 100_000):
        (study.run_path(runs[0].name) / name).write_text(content)
        assert not study.is_finished(runs[0].row)
    (study.run_path(runs[0].name) / name).unlink()
    (study.run_path(runs[0].name) / name).mkdir()
    assert not study.is_finished(runs[0].row)
