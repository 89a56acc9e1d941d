"""What a stranger calls things does not reach the terminal, nor makes rows of its own."""

import pytest

from linspector_allennlp.commands.mistakes import explain
from linspector_allennlp.commands.probe_suite import failures
from linspector_allennlp.commands.tables import latex_table, markdown_table, table, visible
from linspector_allennlp.run_folders.study_folder import StudyFolder

EVIL = "\x1b[31mRED\x1b]0;pwn\x07\x7f\x9b1m\u202eabc\u2066\u2028\ud800\r\nrow"
SHOWN = "�[31mRED�]0;pwn���1m�abc�"


def test_what_a_terminal_would_obey():
    assert visible(EVIL) == SHOWN + "����row"
    assert visible("a\n\x1b\tb", keep="\n") == "a\n��b"
    assert visible("ä 日本 🙂 שלום") == "ä 日本 🙂 שלום"


@pytest.mark.parametrize("as_text", [table, markdown_table, latex_table])
def test_tables(as_text):
    plain = as_text([["a", "b"], ["x", "y"]])
    text = as_text([[EVIL, "b"], ["x", EVIL]])
    assert len(text.splitlines()) == len(plain.splitlines())
    assert text.count("�") > 10 and visible(text, keep="\n") == text


def test_sentences_of_errors(tmp_path):
    assert explain(ValueError(EVIL)) == SHOWN + "���\nrow"
    assert explain(ZeroDivisionError(EVIL)) is None
    study = StudyFolder(tmp_path)
    study.write_failure("run0", {"error": EVIL.replace("\ud800", "")})
    assert "  run0: " + SHOWN + " row" in failures(study, ["run0"]).splitlines()
