import pytest

from linspector_allennlp.audit.task_audit import audit_task
from linspector_allennlp.audit.task_folders import (
    find_task_folders,
    find_tasks,
    task_and_language,
)
from linspector_allennlp.audit.task_kinds import kind_of
from linspector_allennlp.audit.task_rows import read_task
from tests.audit.task_audit_test import TRAIN, write


@pytest.mark.parametrize(
    "rows, kind",
    [
        (["a b"], "single_form"),
        (["a\tb c"], "single_form"),
        (["a b X"], "paired_forms"),
        (["1984 1985 X", "a b X"], "paired_forms"),
        (["a b\t1\tX", "a\t0\tX"], "token_in_context"),
        (["a b\t1\tc d\t0\tX", "a\t0\tb c\t7\tX"], "paired_tokens"),
        (["a b c d e"], None),
        (["a b\tX", "a b c\tX", "a\tY"], "sentence"),
        (["a b\tX", "a\tY"], "single_form"),
        (["tr\t1\ta b", "va\t0\ta b c"], "sentence"),
        (["tr\tyes\ta b", "te\tno\ta"], "sentence"),
        (["te the X", "a b X", "c d X"], "paired_forms"),
        (["a b\tguns\tpro", "a b c\tguns\tcon"], "sentence_with_topic"),
        (["tr\tpro\tguns\ta b"], "sentence_with_topic"),
        (["a b c d"], None),
        ([], None),
    ],
)
def test_the_kind_shows(tmp_path, rows, kind):
    assert kind_of(write(tmp_path, train=rows) / "train.txt") == kind


def test_the_manifest_says_the_kind(tmp_path):
    """Numbers in pairs look like tokens in context."""
    rows = [f"{number} {number + 1} X" for number in range(5)]
    folder = write(tmp_path, train=rows, dev=rows, test=rows)
    assert read_task(folder, {}).kind == "token_in_context"
    assert read_task(folder, {"kind": "paired_forms"}).kind == "paired_forms"
    (tmp_path / "manifest.json").write_text('{"kind": "paired_forms"}')
    audit = audit_task(folder)
    assert audit.kind == "paired_forms" and not audit.malformed


def test_a_kind_that_is_none(tmp_path):
    folder = write(tmp_path, train=["the dog sleeps .\tX"])
    (tmp_path / "manifest.json").write_text('{"kind": "limerick"}')
    audit = audit_task(folder)
    assert audit.malformed == [
        f"{tmp_path}/manifest.json: expected a kind (single_form, paired_forms, token_in_context, "
        "paired_tokens, sentence, sentence_with_topic), found 'limerick'."
    ]
    assert audit.size("train") is None and audit.kind == "limerick"


def test_folders_are_found_at_any_depth(tmp_path, monkeypatch):
    folders = [
        write(tmp_path / path, train=TRAIN)
        for path in (
            "token_level/Case/finnish",
            "type_level/Case/finnish",
            "type_level/POS/turkish",
        )
    ]
    (tmp_path / "type_level/notes").mkdir()
    (tmp_path / "type_level/again").symlink_to(tmp_path, target_is_directory=True)
    assert find_task_folders(tmp_path) == folders
    assert find_task_folders(tmp_path / "type_level/Case") == [folders[1]]
    assert find_task_folders(folders[2]) == [folders[2]]
    assert [audit_task(folder).level for folder in folders] == [
        "token-level", "type-level", "type-level",
    ]  # fmt: skip
    monkeypatch.chdir(folders[2])
    audit = audit_task(find_task_folders(".")[0])
    assert (audit.level, audit.task, audit.language) == ("type-level", "POS", "turkish")


def test_files_of_senteval_are_tasks(tmp_path):
    folder = tmp_path / "Voice/finnish"
    folder.mkdir(parents=True)
    (folder / "senteval.txt").write_text("tr\t1\ta b\n")
    (tmp_path / "tr").mkdir()
    voice = tmp_path / "tr/voice.txt"
    voice.write_text("tr\t1\ta b\n")
    assert find_task_folders(tmp_path) == [folder]
    assert find_tasks([folder / "senteval.txt", voice, tmp_path]) == [folder, voice]
    assert task_and_language(voice) == ("voice", "tr")
    assert task_and_language(folder) == ("Voice", "finnish")
    # Files of splits are more than a file beside them.
    write(folder, train=TRAIN)
    assert read_task(folder, {}).kind == "single_form"


def test_nothing_to_be_found(tmp_path):
    with pytest.raises(ValueError, match="expected TASK/LANGUAGE folders with train.txt"):
        find_task_folders(tmp_path)
    with pytest.raises(ValueError, match="found no folder of that name"):
        find_task_folders(tmp_path / "typo")


def test_what_a_killed_process_was_about_to_write_is_no_task(tmp_path):
    for name in ("finnish", ".german.99.tmp"):
        (tmp_path / "Case" / name).mkdir(parents=True)
        (tmp_path / "Case" / name / "train.txt").write_text("a\tX\n")
    assert find_task_folders(tmp_path) == [tmp_path / "Case" / "finnish"]
