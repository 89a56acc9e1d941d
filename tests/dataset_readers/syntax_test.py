"""The readers for AllenNLP's taggers and parsers, and the gold morphology that a parser is given."""

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.dataset_readers import DependencyParsingReader, PosTaggingReader
from linspector_allennlp.dataset_readers.gold_morphology import GoldMorphology
from linspector_allennlp.fields import metadata_of
from tests.dataset_readers.small_treebank import write_conllu

TREEBANK = """
    # sent_id = one
    1-2 Don't _ _ _ _
    1 Do do AUX _ Tense=Pres 3 aux
    2 n't not PART _ Polarity=Neg 3 advmod
    3 go go VERB _ VerbForm=Inf 0 root
    4 , , PUNCT _ _ 3 punct

    1 Koirat koira NOUN N Case=Nom|Number=Plur|Number[psor]=Sing 0 root
"""


@pytest.fixture
def path(tmp_path):
    return write_conllu(tmp_path / "x.conllu", TREEBANK)


def texts(instances, name):
    return [[token.text for token in instance[name].tokens] for instance in instances]


def test_a_tagger_by_hand(path):
    instances = list(PosTaggingReader().read(path))
    assert texts(instances, "tokens") == [["Do", "n't", "go", ","], ["Koirat"]]
    assert [i["tags"].labels for i in instances] == [["AUX", "PART", "VERB", "PUNCT"], ["NOUN"]]
    metadata = metadata_of(instances[0])
    assert metadata["lines"] == [3, 4, 5, 6] and metadata["sent_id"] == "one"
    assert metadata["words"] == metadata["forms"] == ["Do", "n't", "go", ","]


def test_the_form_of_multiword_tokens(path):
    (first, _) = PosTaggingReader(multiword_tokens="surface").read(path)
    assert texts([first], "tokens") == [["Don't", "Don't", "go", ","]]
    assert len(first["tags"].labels) == 4
    assert metadata_of(first)["forms"] == ["Do", "n't", "go", ","]


def test_a_parser_by_hand(path):
    first, second = DependencyParsingReader().read(path)
    assert first["head_indices"].labels == [3, 3, 0, 3]
    assert first["head_tags"].labels == ["aux", "advmod", "root", "punct"]
    assert first["pos_tags"].labels == metadata_of(first)["pos"]
    assert second["head_indices"].labels == [0]
    assert all(token.tag_ is None for token in first["words"].tokens)


def test_sentences_without_tags_or_trees(tmp_path):
    text = "1 a a _ _ _ 0 root\n\n1 b b X _ _ 0 root\n2 c c X _ _ 1"
    path = write_conllu(tmp_path / "x.conllu", text)
    reader = PosTaggingReader()
    assert len(list(reader.read(path))) == 1
    assert reader.left_out == {"with a word without UPOS": 1}
    with pytest.raises(
        ValueError, match=r"x.conllu, line 4: expected a relation, found none for 'c'"
    ):
        list(DependencyParsingReader().read(path))
    reader = DependencyParsingReader(bad_sentences="skip")
    (only,) = reader.read(path)
    assert only["pos_tags"].labels == ["_"] and reader.left_out == {"no tree": 1}
    cycle = write_conllu(tmp_path / "y.conllu", "1 a a X _ _ 2 x\n2 b b X _ _ 1 x")
    with pytest.raises(ValueError, match=r"y.conllu, line \d: expected"):
        list(DependencyParsingReader().read(cycle))


@pytest.mark.parametrize(
    "given, expected",
    [
        ("all", "word|POS=NOUN|Case=Nom|Number=Plur|Number[psor]=Sing"),
        ("-case", "word|POS=NOUN|Number=Plur|Number[psor]=Sing"),
        ("-number", "word|POS=NOUN|Case=Nom"),
        ("-POS", "word|Case=Nom|Number=Plur|Number[psor]=Sing"),
        ("-pos,-Case,-number", "word"),
        ("-tense", "word|POS=NOUN|Case=Nom|Number=Plur|Number[psor]=Sing"),
        ("none", "word"),
    ],
)
def test_gold_morphology(given, expected, path):
    _, instance = DependencyParsingReader(gold_morphology=given).read(path)
    (token,) = instance["words"].tokens
    assert token.tag_ == expected
    assert instance["pos_tags"].labels == ["NOUN"], "which words are scored is the same"


@pytest.mark.parametrize("given", ["case", "-", "", "all,-case", "none,-case"])
def test_what_is_no_gold_morphology(given):
    with pytest.raises(ConfigurationError, match="gold_morphology: expected all, none, or what"):
        GoldMorphology(given)


def test_a_stripped_name_that_nothing_has(path, tmp_path):
    """One that UD has may be none of a treebank's; another must be there in the training data."""
    with pytest.raises(ConfigurationError, match=r"x.conllu: gold_morphology: .*found -cas, -pso,"):
        list(DependencyParsingReader(gold_morphology="-case,-cas,-pso").read(path))
    own = "1 a a X _ {}Case=Nom 0 root"
    train, test = (
        write_conllu(tmp_path / f"{name}.conllu", own.format(feature))
        for name, feature in [("train", "Clitic=Ko|"), ("test", "")]
    )
    reader = DependencyParsingReader(gold_morphology="-clitic")
    for each in (train, test):
        (instance,) = reader.read(each)
        assert instance["words"].tokens[0].tag_ == "word|POS=X|Case=Nom"


def test_features_of_another_kind(tmp_path):
    path = write_conllu(tmp_path / "x.conllu", "1 a a X _ N;NOM;SG 0 root")
    with pytest.raises(ValueError, match=r"x.conllu, line 1: expected UD features.*'N;NOM;SG'"):
        list(DependencyParsingReader(gold_morphology="all").read(path))
    assert list(DependencyParsingReader().read(path)), "nobody asks for them"


def test_a_sentence_of_ones_own():
    reader = DependencyParsingReader(gold_morphology="-case")
    instance = reader.text_to_instance(["a", "b"], ["X", "Y"], ["Case=Nom|Number=Sing", ""])
    assert [t.tag_ for t in instance["words"].tokens] == ["word|POS=X|Number=Sing", "word|POS=Y"]
    assert "head_tags" not in instance.fields
    assert texts([PosTaggingReader().text_to_instance(["a"])], "tokens") == [["a"]]
