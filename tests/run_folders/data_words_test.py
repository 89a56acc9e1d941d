"""The words of data files, read again."""

import pytest

from linspector_allennlp.io.files import sha256
from linspector_allennlp.run_folders.data_words import data_words

FILES = {
    "single_form_probe": ("talo\tNom\n\ntalon\tGen\r\n", ["talo", "talon"]),
    "paired_forms_probe": ("talo\ttalon\tCase\n", ["talo", "talon"]),
    "token_in_context_probe": ("Talo on iso .\t2\tNom\n", ["iso"]),
    "paired_tokens_probe": ("a b\t1\tc d\t0\tx\n", ["b", "c"]),
    "sentence_probe": ("Talo on .\t1\n", ["Talo", "on", "."]),
    "tagging_probe": (
        "# text = x\n1-2\tab\t_\n1\ta\t_\n2\tb\t_\n2.1\tempty\t_\n\n",
        ["a", "b"],
    ),
}


@pytest.mark.parametrize("probe", FILES)
def test_each_kind(probe, tmp_path):
    text, words = FILES[probe]
    path = tmp_path / "train.txt"
    path.write_bytes(("\ufeff" + text).encode())
    assert data_words({"path": str(path), "sha256": sha256(path)}, probe) == words


def test_a_part_of_sentevals(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("tr\t1\ta b\nte\t0\tc\n", encoding="utf-8")
    source = {"path": f"{path}#te", "sha256": sha256(path)}
    assert data_words(source, "sentence_probe") == ["c"]


def test_what_is_no_longer_so(tmp_path):
    path = tmp_path / "train.txt"
    path.write_text("talo\tNom\n")
    source = {"path": str(path), "sha256": sha256(path)}
    path.write_text("kala\tNom\n")
    with pytest.raises(ValueError, match="train.txt: the file has changed since the run read it"):
        data_words(source, "single_form_probe")
    path.unlink()
    with pytest.raises(ValueError, match="the file is gone"):
        data_words(source, "single_form_probe")
    with pytest.raises(ValueError, match="not one file"):
        data_words({"path": "ud/*.conllu#train/8:1:1", "files": []}, "tagging_probe")
    with pytest.raises(ValueError, match="words of a my_model"):
        data_words(source, "my_model")
