import gzip

import pytest

from linspector_allennlp.vectors import sentence_stream
from linspector_allennlp.vectors.sentence_stream import SentenceStream

TEXT = "Kala ui, ja kivi ei.\n\n  Kala nukkui.\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_it_can_be_walked_through_again_and_again(text):
    stream = SentenceStream([text])
    expected = [["Kala", "ui", ",", "ja", "kivi", "ei", "."], ["Kala", "nukkui", "."]]
    assert list(stream) == list(stream) == expected
    counts = stream.count()
    assert counts.words == {
        "Kala": 2, "ui": 1, ",": 1, "ja": 1, "kivi": 1, "ei": 1, ".": 2, "nukkui": 1,
    }  # fmt: skip
    assert (counts.sentences, counts.bad_lines) == (2, 0)
    # Words that are as frequent keep their order in the text.
    assert list(counts.words) == ["Kala", "ui", ",", "ja", "kivi", "ei", ".", "nukkui"]


def test_split_at_spaces_and_in_small_letters(text):
    stream = SentenceStream([text], tokenized=True, lowercase=True)
    assert list(stream)[1] == ["kala", "nukkui."]
    assert stream.count().words["kala"] == 2


def test_treebanks_before_text(text, tmp_path, fixtures):
    treebank = str(fixtures / "raw/finnish-ud-dev.conllu")
    packed = tmp_path / "b.txt.gz"
    packed.write_bytes(gzip.compress(b"Toinen.\n"))
    stream = SentenceStream([text, packed], [treebank])
    sentences = list(stream)
    assert len(sentences) == 24 + 2 + 1 and sentences[-1] == ["Toinen", "."]
    assert stream.count().sentences == 27
    inputs = stream.inputs()
    assert [file["file"] for file in inputs["text"]] == ["a.txt", "b.txt.gz"]
    assert inputs["treebank"][0]["file"] == "finnish-ud-dev.conllu"
    assert all(len(file["sha256"]) == 64 for files in inputs.values() for file in files)


def test_a_sentence_too_long_for_gensim_is_several(tmp_path, monkeypatch):
    monkeypatch.setattr(sentence_stream, "LONGEST", 3)
    path = tmp_path / "a.txt"
    path.write_text("a b c d e f g\nh\n")
    assert list(SentenceStream([path])) == [["a", "b", "c"], ["d", "e", "f"], ["g"], ["h"]]
    assert SentenceStream([path]).count().sentences == 2


def test_text_without_spaces(tmp_path):
    path = tmp_path / "zh.txt"
    path.write_text("今天天氣真好我們一起去公園散步吧\n" * 30, encoding="utf-8")
    with pytest.raises(ValueError, match=f"{path}: its words have 16 characters on average"):
        SentenceStream([path]).count()
    assert SentenceStream([path], tokenized=True).count().words.total() == 30


def test_bad_lines(tmp_path, fixtures, caplog):
    path = fixtures / "broken/not_utf8.txt"
    with pytest.raises(ValueError, match="not_utf8.txt, line .: expected UTF-8 text"):
        SentenceStream([path]).count()
    good = tmp_path / "a.txt"
    good.write_bytes(b"Kala ui.\n\xff\nKala ui.\n")
    stream = SentenceStream([good], skip_bad_lines=True)
    counts = stream.count()
    assert (counts.sentences, counts.bad_lines) == (2, 1)
    assert len(list(stream)) == 2
