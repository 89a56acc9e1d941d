import json
from pathlib import Path

import pytest

from linspector_allennlp.audit.task_audit import audit_task
from linspector_allennlp.io.files import sha256

TRAIN = ["talossa In", "autossa In", "talon Gen", "talo Nom", "autot Nom", "kissassa In"]
DEV = ["koiran Gen", "koirassa In"]
TEST = ["autossani Nom", "purossa In", "puron Gen", "koti Nom"]


def write(folder: Path, **splits: list[str]) -> Path:
    """Writes the splits, columns given with spaces between them."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, rows in splits.items():
        lines = [row if "\t" in row else row.replace(" ", "\t") for row in rows]
        (folder / f"{split}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return folder


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "Case/finnish"


def only(audit, *parts):
    """The audit has one warning, with these parts in it."""
    (warning,) = audit.warnings
    assert all(part in warning for part in parts), warning


def test_single_forms_by_hand(folder):
    audit = audit_task(write(folder, train=TRAIN, dev=DEV, test=TEST))
    assert (audit.level, audit.task, audit.language) == ("type-level", "Case", "finnish")
    assert audit.kind == "single_form"
    assert [audit.size(split) for split in ("train", "dev", "test")] == [6, 2, 4]
    assert audit.labels == ["Gen", "In", "Nom"]
    assert audit.label_counts["train"] == {"In": 3, "Gen": 1, "Nom": 2}
    assert audit.majority == 1 / 4
    # -i and -oti are not in training, so In by the empty ending; -ossa and -n decide the others.
    assert audit.suffix == 2 / 4
    assert audit.upper_bound == 1 / 4
    assert (audit.overlap, audit.duplicates, audit.conflicts) == (0, 0, 0)
    assert (audit.ambiguous, audit.rare) == (None, None)
    assert (audit.warnings, audit.malformed) == ([], [])


def test_a_test_file_with_one_label(folder):
    audit = audit_task(write(folder, train=TRAIN, dev=DEV, test=["puron Gen", "padan Gen"]))
    assert f"{folder / 'test.txt'}: all 2 items have one label, 'Gen'." in audit.warnings


def test_forms_that_leak_come_back_and_disagree(folder):
    """`talossa` from train and `koiran` from dev are in test; `talo` is twice in train."""
    test = ["talossa In", "koiran Nom", "puron Gen", "koti Nom"]
    audit = audit_task(write(folder, train=[*TRAIN, "talo Nom"], dev=DEV, test=test))
    assert (audit.overlap, audit.duplicates, audit.conflicts) == (2 / 4, 2, 1)
    assert audit.upper_bound == 1 / 4
    leak, duplicates, conflicts = audit.warnings
    assert "items whose form is in train or dev too: 2 of 4 (1 in train), such as 'talossa'" in leak
    assert "duplicates, items that repeat an earlier one: 2, such as 'talo'" in duplicates
    assert "with more than one label: 1, such as 'koiran' ('Gen', 'Nom')" in conflicts


def test_syneval_repeats_by_design(folder):
    write(folder, train=[*TRAIN, "talo Nom"], dev=DEV, test=["talo Gen", "talo Nom", "puron Gen"])
    (folder / "manifest.json").write_text(json.dumps({"level": "syneval"}))
    audit = audit_task(folder)
    assert audit.level == "syneval"
    assert (audit.overlap, audit.duplicates, audit.conflicts) == (2 / 3, 2, 1)
    assert audit.upper_bound == 1 / 3
    assert audit.warnings == []


def test_pairs_are_the_same_in_either_order(folder):
    train = ["talo talon Case", "talo talot Number", "a b lemma"]
    test = ["talon talo Case", "talot talo Case"]
    audit = audit_task(write(folder, train=train, dev=["c d lemma", "e f Case"], test=test))
    assert audit.kind == "paired_forms"
    assert (audit.level, audit.overlap, audit.duplicates) == ("type-level", 1, 1)
    assert (audit.conflicts, audit.upper_bound) == (1, 1 / 2)
    (leak,) = [warning for warning in audit.warnings if "in train or dev too" in warning]
    assert (
        "items whose pair is in train or dev too: 2 of 2 (2 in train), such as 'talo' / 'talon'"
        in leak
    )


def test_a_leaked_sentence(folder):
    """Another token of a sentence of train is no duplicate, but a leak."""
    train = ["Talo on tuolla\t0\tNom", "Talossa on joku\t0\tIn", "Talossa on joku\t2\tNom"]
    test = [
        "Talo on tuolla\t2\tIn",
        "Joku on talossa\t2\tIn",
        "Hän on talossa\t0\tIn",
        "Talon ovi\t0\tNom",
    ]
    dev = ["Joku on\t0\tNom", "Täällä on\t0\tIn"]
    audit = audit_task(write(folder, train=train, dev=dev, test=test))
    assert (audit.level, audit.kind) == ("token-level", "token_in_context")
    assert (audit.overlap, audit.duplicates, audit.conflicts) == (1 / 4, 0, 0)
    only(audit, "items whose sentence is in train or dev too: 1 of 4", "'Talo on tuolla'")


def test_a_sentence_of_a_pair_is_leaked(folder):
    """Either of the two; a pair is the same in either order, and the tokens are what is probed."""
    train = ["Talo on\t0\tTalot ovat\t0\tNumber", "Koira on\t0\tTalo on\t0\tlemma"]
    dev = ["Me olemme\t0\tTe olette\t0\tPerson", "Kuu on\t0\tSuu on\t0\tlemma"]
    test = [
        "Yö on\t0\tTalo on\t1\tNumber",
        "Talot ovat\t0\tTalo on\t0\tCase",
        "Yöt ovat\t0\tYössä on\t0\tCase",
    ]
    audit = audit_task(write(folder, train=train, dev=dev, test=test))
    assert (audit.level, audit.kind) == ("token-level", "paired_tokens")
    assert (audit.overlap, audit.duplicates, audit.conflicts) == (2 / 3, 0, 1)
    assert audit.upper_bound == audit.seen_forms == 1 / 3
    leak = next(warning for warning in audit.warnings if "in train or dev too" in warning)
    assert (
        "items whose sentence is in train or dev too: 2 of 3 (2 in train), such as 'Talo on'"
        in leak
    )


@pytest.mark.parametrize("content, said", [(None, "missing"), ("", "empty"), ("\n\n", "empty")])
def test_a_split_that_is_not_there(folder, content, said):
    write(folder, train=TRAIN, dev=DEV)
    if content is not None:
        (folder / "test.txt").write_text(content)
    audit = audit_task(folder)
    assert [audit.size(split) for split in ("train", "dev", "test")] == [6, 2, 0]
    assert {audit.majority, audit.suffix, audit.upper_bound, audit.overlap} == {None}
    only(audit, f"test.txt: the file is {said}")
    assert audit.malformed == []


@pytest.mark.parametrize(
    "row, said",
    [
        ("one\ttwo\tthree", "line 3: expected 2 tab-separated columns"),
        ("\tGen", "line 3: expected a form, found nothing"),
    ],
)
def test_a_malformed_file_does_not_stop_the_audit(folder, row, said):
    audit = audit_task(write(folder, train=TRAIN, dev=[*DEV, row, "a b"], test=TEST))
    (message,) = audit.malformed
    assert f"{folder / 'dev.txt'}, {said}" in message
    assert [audit.size(split) for split in ("train", "dev", "test")] == [6, None, 4]
    assert audit.suffix == 2 / 4


def test_files_of_two_kinds_and_files_without_labels(folder):
    audit = audit_task(write(folder, train=TRAIN, dev=["a b Case"], test=["puron", "koti"]))
    assert "expected the kind of the other files (single_form), found paired" in audit.malformed[0]
    assert "test.txt, line 1: expected a label" in audit.malformed[1]
    audit = audit_task(write(folder, train=["a b Case"], dev=["a b\t0\tCase"], test=["c d Case"]))
    assert "found token_in_context" in audit.malformed[0]


def test_a_wrong_index_is_malformed_and_no_pair(folder):
    rows = ["Talo on\t0\tNom", "Talon on\t2\tGen", "Talo oli\t0\tNom"]
    audit = audit_task(write(folder, train=rows))
    assert "line 2: expected an index from 0 to 1" in audit.malformed[0]


def test_labels_that_train_lacks_and_uneven_labels(folder):
    train = [f"a{i} X" for i in range(60)] + [f"b{i} Y" for i in range(40)]
    test = [f"c{i} X" for i in range(49)] + [f"d{i} Y" for i in range(51)]
    dev = ["e X", "f Z"]
    unseen, uneven = audit_task(write(folder, train=train, dev=dev, test=test)).warnings
    assert "dev.txt: 1 of 2 items have a label that is not in the training data" in unseen
    assert unseen.endswith("count as errors: 'Z' (1).")
    assert "total variation distance 0.11" in uneven
    only(audit_task(write(folder, test=test[:-1])), "'Z'")  # 99 items are too few to say


def test_many_labels_are_uneven_by_chance(folder):
    """20 labels, train 10 of each; in test half have 8 and half 4: distance 1/6."""
    train = [f"{label}a{i} L{label}" for label in range(20) for i in range(10)]
    test = [f"{label}b{i} L{label}" for label in range(20) for i in range(8 if label % 2 else 4)]
    audit = audit_task(write(folder, train=train, dev=["c L0", "d L1"], test=test))
    assert [warning for warning in audit.warnings if "unevenly" in warning] == []


def test_too_easy(folder):
    train = [f"{i}a X" for i in range(20)] + [f"{i}b Y" for i in range(10)]
    dev = ["ca X", "cb Y"]
    audit = audit_task(write(folder, train=train, dev=dev, test=["da X", "db Y"]))
    only(audit, "the form alone solves it", "100.0 %")
    test = [f"c{i}a X" for i in range(19)] + ["cb Y"]
    audit = audit_task(write(folder, dev=["ea X", "eb Y"], test=test))
    only(audit, "the majority label alone gets 95.0 %")


def test_rare_words_and_the_manifest(folder):
    write(folder, train=["talo talon Case", "talo x Case"], dev=["x y Case"], test=["y a Case"])
    (folder / "manifest.json").write_text(json.dumps({"facts": {"ambiguity": 0.25}}))
    audit = audit_task(folder, knows={"talo", "talon"}.__contains__)
    assert (audit.rare, audit.ambiguous) == (3 / 4, 0.25)
    (folder / "manifest.json").write_text("{")
    (message,) = audit_task(folder).malformed
    assert "manifest.json: expected JSON" in message


def test_a_file_that_is_not_the_one_that_was_made(folder):
    write(folder, train=TRAIN, dev=DEV, test=TEST)
    hashes = {
        f"{split}.txt": {"sha256": sha256(folder / f"{split}.txt")} for split in ("dev", "test")
    }
    (folder / "manifest.json").write_text(json.dumps({"files": hashes}))
    assert audit_task(folder).warnings == []
    write(folder, test=TEST[:-1])
    only(audit_task(folder), "test.txt: not the file that its manifest.json is about")


def test_forms_that_train_has_too(folder):
    """Pairs that are new of forms that are not."""
    rows = {
        "train": ["talo talon Case", "auto autot Number"],
        "dev": ["kissa kissan Case"],
        "test": ["talo autot lemma", "kissan koiran lemma", "puro koti lemma", "yö työ lemma"],
    }
    audit = audit_task(write(folder, **rows))
    assert audit.overlap == 0 and audit.seen_forms == 2 / 4


def test_dev_items_that_train_has_too(folder):
    audit = audit_task(write(folder, train=TRAIN, dev=["talossa In", "koiran Gen"], test=TEST))
    assert audit.overlap == 0
    leak, repeated = audit.warnings
    assert "dev.txt: items whose form is in train too: 1 of 2, such as 'talossa'" in leak
    assert "duplicates" in repeated
