import json

import pytest

from linspector_allennlp.audit.task_audit import audit_task
from tests.audit.task_audit_test import write

TRAIN = ["the cat sleeps\tA", "a dog runs .\tB", "the dog runs .\tB"]
DEV = ["a cat eats\tA", "the dog eats .\tB"]
TEST = ["cats eat fish\tA", "dogs eat .\tB", "fish sleep !\tA", "fish run far .\tB"]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "Toy/english"


def about(audit, part):
    """The warnings of an audit that have this in them."""
    return [warning for warning in audit.warnings if part in warning]


def test_a_task_by_hand(folder):
    """B is the majority. Three tokens are A, four are B: only `dogs eat .` is taken for the other."""
    audit = audit_task(write(folder, train=TRAIN, dev=DEV, test=TEST))
    assert (audit.level, audit.kind) == ("sentence-level", "sentence")
    assert [audit.size(split) for split in ("train", "dev", "test")] == [3, 2, 4]
    facts = audit.sentences
    assert audit.majority == facts.baselines["baseline_majority"] == 2 / 4
    assert facts.baselines["baseline_length"] == 3 / 4
    # A is answered three times and twice right, B once and right.
    assert facts.baselines["baseline_length_macro_f1"] == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert facts.mean_length == (3 + 4 + 4 + 3 + 4 + 3 + 3 + 3 + 4) / 9
    assert (facts.variants, facts.empty) == ({"test": [], "dev": []}, 0)
    assert (audit.suffix, audit.upper_bound, audit.rare, audit.seen_forms) == (None,) * 4
    assert (audit.overlap, audit.duplicates, audit.conflicts) == (0, 0, 0)
    assert about(audit, "9 items: rankings of encoders")
    assert about(audit, "the number of tokens alone gets 75.0 % right")
    assert audit.malformed == []


def test_the_same_sentence_and_its_variants(folder):
    dev = ["sleeps the cat\tB", "x y\tA"]
    test = ["the cat sleeps\tB", "Cat the sleeps\tA", "z z\tA", "runs a dog .\tB", "x y\tA"]
    audit = audit_task(write(folder, train=TRAIN, dev=dev, test=test))
    assert audit.overlap == 2 / 5
    assert (audit.duplicates, audit.conflicts) == (1, 1)
    assert audit.sentences.variants == {
        "test": ["Cat the sleeps", "runs a dog ."], "dev": ["sleeps the cat"],
    }  # fmt: skip
    assert audit.sentences.share_of_variants(5) == 2 / 5
    assert audit.sentences.share_of_variants(0) is None
    (leak,) = about(audit, "items whose sentence is in train or dev too")
    assert leak.startswith(f"{folder / 'test.txt'}: ") and "2 of 5 (1 in train)" in leak
    in_test, in_dev = about(audit, "items whose tokens, in another order or case, are")
    assert in_test.endswith("in train or dev too: 2 of 5, such as 'Cat the sleeps'.")
    assert in_dev.endswith("in train too: 1 of 2, such as 'sleeps the cat'.")
    assert about(audit, "conflicts, inputs with more than one label: 1, such as 'the cat sleeps'")


def test_a_file_of_senteval(tmp_path):
    (tmp_path / "tr").mkdir()
    path = tmp_path / "tr/voice.txt"
    path.write_text(
        "tr\t0\ta b.\ntr\t1\tc d\ntr\t0\t\nva\t0\te f\nva\t1\tg h\nte\t0\ti j.\nte\t1\tk l\n"
    )
    audit = audit_task(path)
    assert (audit.task, audit.language, audit.level) == ("voice", "tr", "sentence-level")
    assert [audit.size(split) for split in ("train", "dev", "test")] == [2, 2, 2]
    assert audit.sentences.baselines["baseline_length"] == 1.0  # The point is a token of its own.
    assert audit.sentences.empty == 1
    assert about(audit, f"{path}: 1 of 7 lines have no sentence and are left out here")
    path.write_text("tr\t0\ta b\ntr\t1\tc d\n")
    audit = audit_task(path)
    assert about(audit, f"{path}: no line is of the split 'va'.")
    assert about(audit, f"{path}: no line is of the split 'te'.")
    assert (audit.majority, audit.sentences.baselines) == (None, {})


def test_a_broken_file_of_senteval_is_said_once(tmp_path):
    path = tmp_path / "voice.txt"
    path.write_text("tr\t0\ta b\ntr\t1\n")
    (message,) = audit_task(path).malformed
    assert message.startswith(f"{path}, line 2: expected 3 tab-separated columns")
    path.write_text("a b\t1\n")
    (message,) = audit_task(path).malformed
    assert "line 1: expected a split (tr, va or te) in the first column" in message
    assert audit_task(path).size("test") is None


def test_tokens_are_between_spaces_where_the_manifest_says_sentences(folder):
    write(folder, train=["... !?\tA", "a b c\tB"], dev=DEV, test=TEST)
    (folder / "manifest.json").write_text(
        json.dumps({"kind": "sentence", "level": "sentence-level"})
    )
    made = audit_task(folder).sentences.mean_length
    (folder / "manifest.json").unlink()
    assert audit_task(folder).sentences.mean_length - made == pytest.approx(3 / 8)


def test_topics(folder):
    """The same sentence about another topic is another input, but the sentence leaks."""
    rows = {
        "train": ["guns are bad\tguns\tcon", "guns are good\tguns\tpro"],
        "dev": ["so it is\tguns\tpro", "not at all\tguns\tcon"],
        "test": ["guns are bad\tuniforms\tpro", "uniforms are fine\tuniforms\tcon"],
    }
    audit = audit_task(write(folder, **rows))
    assert audit.kind == "sentence_with_topic" and audit.level == "sentence-level"
    assert (audit.overlap, audit.conflicts) == (1 / 2, 0)


def test_a_small_file_of_one_word_sentences_is_read_as_the_others(folder):
    audit = audit_task(write(folder, train=TRAIN, dev=["Yes\tA", "No\tB"], test=TEST))
    assert audit.malformed == [] and audit.size("dev") == 2


def test_a_header_is_seen_and_a_sentence_is_none(folder):
    audit = audit_task(write(folder, train=["sentence\tlabel", *TRAIN], dev=DEV, test=TEST))
    assert any("which names columns" in each for each in audit.malformed)
    audit = audit_task(write(folder, train=["Text me later\tC", *TRAIN]))
    assert not about(audit, "looks like a header")
