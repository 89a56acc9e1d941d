import gzip

import pytest

from linspector_allennlp.tasks.sentences.corpus import read_corpus, text_sentences


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_treebank_as_it_is_written(fixtures):
    path = fixtures / "raw/finnish-ud-train.conllu"
    corpus = read_corpus([str(path)])
    assert len(corpus.treebank) == corpus.reading["treebank"]["sentences"] == 84
    assert not corpus.text and corpus.inputs["treebank"][0]["file"] == path.name
    sentences = {sentence.text: sentence for sentence in corpus.treebank}
    # A multiword token once, as it is written.
    found = sentences["Minä sanoin , ettei hän puhu ."]
    assert len(found.tokens) == 7 and len(found.annotated.words) == 8
    assert found.source == "treebank" and found.document == "finnish-ud-train.conllu 1"


def test_text_is_tokenised_or_split(tmp_path):
    path = write(tmp_path / "a.txt", "\ufeffKala ui, ja kivi ei.\n\n  Toinen \ufeff 3.14! \n")
    first, second = text_sentences(path)
    assert first.tokens == ("Kala", "ui", ",", "ja", "kivi", "ei", ".")
    assert second.tokens == ("Toinen", "3.14", "!")
    assert first.source == "text" and first.annotated is None
    # A blank line ends a document.
    assert (first.document, second.document) == ("a.txt 0", "a.txt 1")
    split = text_sentences(path, tokenized=True)
    assert [each.tokens for each in split] == [
        ("Kala", "ui,", "ja", "kivi", "ei."), ("Toinen", "3.14!"),
    ]  # fmt: skip


def test_compressed_text_and_both_sources(tmp_path, fixtures):
    path = tmp_path / "b.txt.gz"
    path.write_bytes(gzip.compress(b"Kala ui.\nKala ui.\n"))
    corpus = read_corpus([str(fixtures / "raw/finnish-ud-dev.conllu")], [path])
    assert len(corpus.treebank) == 24 and [s.text for s in corpus.text] == ["Kala ui ."] * 2
    assert corpus.inputs["text"][0]["file"] == "b.txt.gz"
    assert corpus.reading["text"] == {"sentences": 2, "bad_lines": 0}


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_empty_text(text, tmp_path):
    path = write(tmp_path / "a.txt", text)
    with pytest.raises(ValueError, match=f"{path} has no sentence: expected plain text, one"):
        read_corpus([], [path])


def test_broken_text(tmp_path, fixtures):
    with pytest.raises(ValueError, match="not_utf8.txt, line .: expected UTF-8 text"):
        read_corpus([], [fixtures / "broken/not_utf8.txt"])
    path = fixtures / "raw/finnish-ud-dev.conllu"
    with pytest.raises(ValueError, match="line 4: expected a sentence of plain text .CoNLL-U is"):
        read_corpus([], [path])
    path = tmp_path / "a.txt"
    path.write_bytes(b"Kala ui.\n\xff\xfe\nMeri on.\n")
    corpus = read_corpus([], [path], skip_bad_lines=True)
    assert corpus.reading["text"] == {"sentences": 2, "bad_lines": 1}
    with pytest.raises(FileNotFoundError):
        read_corpus([], [tmp_path / "nowhere.txt"])


def test_text_without_spaces_between_words_is_refused(tmp_path):
    path = tmp_path / "zh.txt"
    path.write_text("这是一个没有空格的句子它很长很长很长。\n" * 30, encoding="utf-8")
    with pytest.raises(ValueError, match="Is the language written without spaces"):
        read_corpus([], [path])
    assert len(read_corpus([], [path], tokenized=True).text) == 30
