import pytest

from linspector_allennlp.formats import read_paired_forms, read_single_forms
from linspector_allennlp.io.lines import BadLines
from linspector_allennlp.sentence_files import read_labelled_sentences
from linspector_allennlp.sources.frequencies import read_frequencies
from linspector_allennlp.sources.lexicon import read_pseudowords
from linspector_allennlp.sources.unimorph import read_unimorph

READERS = {
    "form\tlabel\ntalo\tsg\n": read_single_forms,
    "Word\tPOS\ntalo\tNOUN\n": read_single_forms,
    "form1\tform2\tlabel\ntalo\ttalot\tNumber\n": read_paired_forms,
    "sentence\tlabel\nTämä on talo .\t1\n": read_labelled_sentences,
    "lemma\tform\tfeatures\ntalo\ttalot\tN;NOM;PL\n": read_unimorph,
    "word\tpseudoword\ntalo\ttila\n": read_pseudowords,
}


@pytest.mark.parametrize("content, read", READERS.items())
def test_a_line_of_names_is_no_item(tmp_path, content, read):
    path = tmp_path / "table.tsv"
    path.write_text(content)
    with pytest.raises(ValueError, match="table.tsv, line 1: expected rows .*names columns: take"):
        list(read(path) if read is not read_unimorph else [read(path)])
    path.write_text(content.partition("\n")[2])
    assert list(read(path) if read is not read_unimorph else [read(path)])


def test_it_can_be_skipped_where_bad_lines_can(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("lemma\tform\tfeatures\ntalo\ttalot\tN;NOM;PL\n")
    assert read_unimorph(path, skip_bad_lines=True).counts["bad_lines"] == 1
    path.write_text("word\tpseudoword\ntalo\ttila\n")
    bad = BadLines(skip=True)
    assert [row.pseudoword for row in read_pseudowords(path, bad)] == ["tila"] and bad.number == 1


def test_one_name_alone_may_be_a_word(tmp_path, caplog):
    path = tmp_path / "words.txt"
    path.write_text("word\ntalo\n")
    assert len(read_frequencies(str(path))) == 2
    assert "words.txt, line 1: 'word' is read as an item." in caplog.text
    caplog.clear()
    path.write_text("talo\nword\n")
    assert len(read_frequencies(str(path))) == 2 and not caplog.text


def test_a_word_that_is_such_a_name_has_another_label(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("form\tNOUN\ntalo\tNOUN\n")
    assert [row.form for row in read_single_forms(path)] == ["form", "talo"]
