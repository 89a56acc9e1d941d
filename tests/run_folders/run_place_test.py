import json
import os
import subprocess
import sys

import pytest

from linspector_allennlp.io.locks import refusing_others
from linspector_allennlp.run_folders.run_place import place_for_run

CONFIG = {"dataset_reader": {}, "model": {"type": "a"}, "trainer": {"num_epochs": 2}}


def begin(folder, config=CONFIG):
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "meta.json").write_text("{}")
    (folder / "out.log").write_text("")


def finish(folder, content="{}"):
    for name in ("best.th", "metrics.json", "model.tar.gz"):
        (folder / name).write_text("")
    (folder / "run.json").write_text(content)


@pytest.fixture
def old_run(tmp_path):
    folder = tmp_path / "run"
    begin(folder)
    finish(folder, "old")
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_run_is_trained_where_it_belongs(tmp_path):
    folder = tmp_path / "runs" / "new"
    with place_for_run(folder, CONFIG) as place:
        assert (place.folder, place.recover) == (folder, False)
        begin(place.folder)
        finish(place.folder)
    assert names(tmp_path / "runs") == ["new"]


def test_a_failed_start_leaves_nothing(tmp_path):
    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error), place_for_run(tmp_path / "run", CONFIG) as place:
            begin(place.folder)
            raise error
        assert names(tmp_path) == []


def test_an_interrupted_run_is_kept_and_resumed(tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt), place_for_run(folder, CONFIG) as place:
        begin(place.folder)
        (place.folder / "training_state.th").write_text("")
        raise KeyboardInterrupt
    with pytest.raises(ValueError, match="holds a run already. -f .* replaces it"):
        with place_for_run(folder, CONFIG):
            pass
    with place_for_run(folder, CONFIG, recover=True) as place:
        assert (place.folder, place.recover) == (folder, True)
    assert "training_state.th" in names(folder)


def test_a_start_that_was_killed_is_overwritten(tmp_path):
    begin(tmp_path / "run")
    with place_for_run(tmp_path / "run", CONFIG) as place:
        assert place.folder == tmp_path / "run" and not place.folder.exists()


def test_an_old_run_stays_until_the_new_one_is_finished(old_run):
    with place_for_run(old_run, CONFIG, force=True) as place:
        begin(place.folder)
        assert (old_run / "run.json").read_text() == "old"
        finish(place.folder, "new")
    assert (old_run / "run.json").read_text() == "new"
    assert names(old_run.parent) == ["run"]


def test_an_old_run_outlives_a_failure(old_run):
    with pytest.raises(ValueError), place_for_run(old_run, CONFIG, force=True) as place:
        begin(place.folder)
        raise ValueError
    assert (old_run / "run.json").read_text() == "old"
    assert names(old_run.parent) == ["run"]


def test_a_dry_run_replaces_nothing(old_run):
    with place_for_run(old_run, CONFIG, force=True) as place:
        begin(place.folder)
    assert (old_run / "run.json").read_text() == "old"
    assert names(old_run.parent) == ["run"]


def test_a_replacement_that_was_interrupted_is_resumed_or_replaced(old_run):
    def interrupted():
        with pytest.raises(KeyboardInterrupt):
            with place_for_run(old_run, CONFIG, force=True) as place:
                begin(place.folder)
                (place.folder / "training_state.th").write_text("")
                raise KeyboardInterrupt

    interrupted()
    assert names(old_run.parent) == ["run", "run.unfinished"]
    interrupted()  # -f once more
    with place_for_run(old_run, CONFIG, recover=True) as place:
        assert place.folder.name == "run.unfinished" and place.recover
        finish(place.folder, "new")
    assert (old_run / "run.json").read_text() == "new"
    assert names(old_run.parent) == ["run"]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    "files",
    [
        {"notes.txt": "mine"},
        {"config.json": json.dumps(CONFIG), "run.json": "{}", "notes.txt": "mine"},
        {"config.json": json.dumps(CONFIG)},  # somebody's, who keeps it where the run is to be
        {"config.json": '{"hidden_size": 3}', "model.safetensors": ""},
        {"config.json": '{"hidden_size": 3}'},
        {"config.json": "no JSON"},
    ],
)
def test_a_folder_that_is_no_run_is_left_alone(tmp_path, files, force):
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content)
    with pytest.raises(ValueError, match="mine is not the folder of a run, and is left as it is: "):
        with place_for_run(folder, CONFIG, force=force):
            pass
    assert {path.name: path.read_text() for path in folder.iterdir()} == files


def test_a_file_in_the_place_of_a_folder(tmp_path):
    (tmp_path / "run").write_text("mine")
    with pytest.raises(ValueError, match="it holds a file"):
        with place_for_run(tmp_path / "run", CONFIG, force=True):
            pass
    assert (tmp_path / "run").read_text() == "mine"


def test_resuming_with_another_config_says_what_differs(old_run):
    other = {"dataset_reader": {}, "model": {"type": "a", "rank": 3}, "trainer": {"num_epochs": 5}}
    with pytest.raises(ValueError) as error:
        with place_for_run(old_run, other, recover=True):
            pass
    assert "model.rank was not set, is 3; trainer.num_epochs was 2, is 5. " in str(error.value)
    assert names(old_run.parent) == ["run"]


def test_nothing_to_resume(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no run to resume"):
        with place_for_run(tmp_path / "run", CONFIG, recover=True):
            pass


def test_a_kill_between_the_two_renames(old_run):
    """The old run is put back."""
    os.rename(old_run, old_run.with_name(".run.123.old"))
    with pytest.raises(ValueError, match="holds a run already"):
        with place_for_run(old_run, CONFIG):
            pass
    assert (old_run / "run.json").read_text() == "old"


def test_a_link_stays_a_link(old_run, tmp_path):
    (tmp_path / "link").symlink_to(old_run)
    with place_for_run(tmp_path / "link", CONFIG, force=True) as place:
        begin(place.folder)
        finish(place.folder, "new")
    assert (tmp_path / "link").is_symlink()
    assert (old_run / "run.json").read_text() == "new"


def test_two_processes_do_not_train_in_one_folder(tmp_path):
    code = (
        "import sys; from pathlib import Path; import linspector;"
        "linspector._packages_without_their_code();"
        "from linspector_allennlp.run_folders.run_place import place_for_run;"
        "place_for_run(sys.argv[1], {}).__enter__()"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "run")]
    with refusing_others(tmp_path / "run", "train"):
        result = subprocess.run(command, capture_output=True, text=True)
    assert "another process is at work there" in result.stderr
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_a_run_with_other_files_in_it(old_run):
    for name in ("test_notes.tsv", "my_predictions.jsonl", "eval.json"):
        (old_run / name).write_text("mine")
        with pytest.raises(
            ValueError, match=f"run is a run, but it also holds {name}, and is left"
        ):
            with place_for_run(old_run, CONFIG, force=True):
                pass
        assert (old_run / name).read_text() == "mine"
        (old_run / name).unlink()


def test_a_dry_run_of_a_resumed_one_loses_nothing(old_run):
    with pytest.raises(KeyboardInterrupt):
        with place_for_run(old_run, CONFIG, force=True) as place:
            begin(place.folder)
            (place.folder / "training_state.th").write_text("")
            raise KeyboardInterrupt
    with place_for_run(old_run, CONFIG, recover=True):
        pass
    assert "training_state.th" in names(old_run.with_name("run.unfinished"))


def test_the_run_that_has_the_config_is_resumed(old_run):
    """Beside an interrupted replacement the run itself can be asked for, too."""
    other = {**CONFIG, "trainer": {"num_epochs": 9}}
    with pytest.raises(KeyboardInterrupt):
        with place_for_run(old_run, other, force=True) as place:
            begin(place.folder, other)
            (place.folder / "training_state.th").write_text("")
            raise KeyboardInterrupt
    with place_for_run(old_run, CONFIG, recover=True) as place:
        assert place.folder == old_run
    with place_for_run(old_run, other, recover=True) as place:
        assert place.folder.name == "run.unfinished"


def test_a_start_that_was_killed_in_its_first_moment(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/config.json").write_text("")
    with place_for_run(tmp_path / "run", CONFIG) as place:
        assert not place.folder.exists()


def test_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with place_for_run(".", CONFIG) as place:
        assert place.folder == tmp_path / "here"
        begin(place.folder)
        finish(place.folder)


def test_a_failed_start_takes_only_what_it_made(tmp_path):
    (tmp_path / "mine").mkdir()
    for folder in (tmp_path / "a/b/run", tmp_path / "mine"):
        with pytest.raises(ValueError), place_for_run(folder, CONFIG) as place:
            begin(place.folder)
            raise ValueError
    assert names(tmp_path) == ["mine"]


def test_an_old_folder_is_put_back_only_in_its_own_place(old_run, tmp_path):
    """`run.2` was killed between the two renames; `run` must not get its files."""
    os.rename(old_run, tmp_path / ".run.2.999.old")
    with place_for_run(tmp_path / "run", CONFIG) as place:
        assert not place.folder.exists()
        begin(place.folder)
        finish(place.folder, "new")
    with pytest.raises(ValueError, match="run.2 holds a run already"):
        with place_for_run(tmp_path / "run.2", CONFIG):
            pass
    assert (tmp_path / "run.2/run.json").read_text() == "old"


def test_remains_of_an_old_run_never_come_back(old_run, tmp_path):
    """A kill while the old run was being removed."""
    begin(tmp_path / ".run.77.old")
    with pytest.raises(ValueError, match="holds a run already"):
        with place_for_run(old_run, CONFIG):
            pass
    assert names(tmp_path) == ["run"]
