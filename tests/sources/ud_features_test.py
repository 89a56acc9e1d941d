from collections import Counter
from importlib.resources import files

import pytest

from linspector_allennlp.sources.analysed_sentences import analysed
from linspector_allennlp.sources.schema import Schema, elementary
from linspector_allennlp.sources.ud_features import spellings, unimorph_tags, values_of
from linspector_allennlp.treebanks import (
    UD,
    UNIMORPH,
    Sentence,
    TreebankCounts,
    Word,
    read_treebank,
)

TABLE = files("linspector_allennlp.sources").joinpath("ud_features.tsv").read_text(encoding="utf-8")
ROWS = [line.split("\t") for line in TABLE.splitlines()]


def test_table():
    assert ROWS[0] == ["ud", "unimorph"]
    assert all(len(row) == 2 and row[0] for row in ROWS)
    features = [row[0] for row in ROWS[1:]]
    assert len(set(features)) == len(features)
    for feature in features:
        assert feature.split("|") == sorted(feature.split("|"))


@pytest.mark.parametrize("ud,tags", ROWS[1:])
def test_every_row(ud, tags):
    """Each tag is in the schema, and each row says what it says."""
    schema = Schema()
    tags = tuple(filter(None, tags.split(";")))
    assert all(not schema.read([tag]).unknown for tag in elementary(tags))
    upos = "".join(part[5:] for part in ud.split("|") if part.startswith("UPOS="))
    feats = "|".join(part for part in ud.split("|") if not part.startswith("UPOS="))
    assert unimorph_tags(feats, upos) == (tags, ())


@pytest.mark.parametrize(
    "feats,upos,tags,unknown",
    [
        ("", "", (), ()),
        ("Case=Nom|Number=Sing", "NOUN", ("NOM", "SG", "N"), ()),
        ("Case=Acc,Dat", "", ("ACC/DAT",), ()),
        ("Case=Acc,Foo", "", (), ("Case=Acc,Foo",)),
        ("Mood=CndPot", "", ("COND+POT",), ()),
        ("Mood=GenNec", "", (), ("Mood=GenNec",)),
        ("Voice=CauPass", "", ("CAUS+PASS",), ()),
        ("Number[psor]=Sing|Person[psor]=3", "", ("PSS3S",), ()),
        ("Gender[psor]=Fem|Number[psor]=Sing|Person[psor]=3", "", ("PSS3SF",), ()),
        ("Person[psor]=3", "", ("PSS3",), ()),
        ("Number[psor]=Sing", "", (), ("Number[psor]=Sing",)),
        ("PronType=Art", "DET", ("ART",), ()),
        ("NumType=Card", "NUM", ("NUM",), ("NumType=Card",)),
        ("Aspect=Imp|Tense=Imp", "", ("IPFV", "PST"), ()),
        ("Tense=Imp,Past", "", ("PST+IPFV/PST",), ()),
        ("Foreign", "", (), ("Foreign",)),
        ("", "PUNCT", (), ()),
    ],
)
def test_by_hand(feats, upos, tags, unknown):
    assert unimorph_tags(feats, upos) == (tags, unknown)


@pytest.mark.parametrize(
    "feature, names",
    [
        ("Case", {"Case", "case", "Cas", "KAS"}),
        ("Gender", {"Gender", "gender", "gen", "g"}),
        ("Number", {"Number", "number", "num", "Num", "NUM", "n"}),
        ("Tense", {"Tense", "tense", "t"}),
        ("Person", {"Person", "person", "per", "Per", "p"}),
        ("Animacy", {"Animacy"}),
        ("Foo", {"Foo"}),
    ],
)
def test_the_names_of_a_feature(feature, names):
    assert spellings(feature) == names


@pytest.mark.parametrize(
    "feats, tags",
    [
        ("case=nom|number=sg|gender=masc", {"NOM", "SG", "MASC"}),
        ("number=sg|person=3|tense=past|mood=ind", {"SG", "3", "PST", "IND"}),
        ("g=m|n=s|p=1|t=pst|m=ind", {"MASC", "SG", "1", "PRS", "IND"}),
        ("gen=F|num=S|per=3|tense=PAST", {"FEM", "SG", "3", "PST"}),
        ("Cas=n|Num=s|Per=none", {"NOM", "SG"}),
        ("KAS=ABS|NUM=S", {"ABS", "SG"}),
    ],
)
def test_spellings_of_spmrl(feats, tags):
    found = unimorph_tags(feats)
    assert set(found.tags) == tags and found.unknown == ()


@pytest.mark.parametrize(
    "feats, feature, values",
    [
        ("Case=Acc,Dat|Number=Sing", "Case", ("Acc,Dat",)),
        ("case=nom|number=sg", "Case", ("nom",)),
        ("case=loc", "Case", ("loc",)),  # the table need not have the value
        ("KAS=ZERO|NUM=P", "Number", ("P",)),
        ("Cas=none|Num=s", "Case", ()),
        ("num=P|num=S", "Number", ("P", "S")),
        ("num=S|num=S", "Number", ("S",)),
        ("Number[psor]=Sing", "Number", ()),
        ("g=m|s=c", "Case", ()),
        ("", "Case", ()),
    ],
)
def test_values_as_they_are_written(feats, feature, values):
    assert values_of(feats, feature) == values


def sentence(*words):
    words = [
        Word(n, form, "", upos, "", feats, None, "", n)
        for n, (form, upos, feats) in enumerate(words, start=1)
    ]
    return Sentence("x", 1, "", words)


def test_analysed():
    ud = [sentence(("kale", "NOUN", "Case=Nom"), (",", "PUNCT", ""), ("x", "X", "Foo=Bar"))]
    treebank = analysed(ud, TreebankCounts(features=UD))
    ((forms, (word, comma, strange), _),) = treebank.sentences
    assert forms == ("kale", ",", "x") and treebank.sentences[0].text == "kale , x"
    assert dict(word.values) == {"Case": ("Nominative",), "POS": ("Noun",)}
    assert comma is None and strange is None
    assert treebank.unknown == {"Foo=Bar": 1}


def test_analysed_unimorph():
    """UPOS says nothing where there are tags, and their order does not matter."""
    both = [sentence(("a", "X", "N;NOM;FOO"), ("b", "X", "NOM;FOO;N"), (".", "PUNCT", ""))]
    treebank = analysed(both, TreebankCounts(features=UNIMORPH))
    one, other, stop = treebank.sentences[0].analyses
    assert one is other and one.tags == ("FOO", "N", "NOM") and stop is None
    assert treebank.unknown == {"FOO": 2}


def old_ids(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split(" = ")[1] for line in lines if line.startswith("# old_sent_id")]


@pytest.mark.realdata
def test_agreement_with_the_unimorph_treebank(real_data):
    """The same sentences in both notations; what differs are mostly corrections between versions."""
    paths = sorted((real_data / "ud").glob("tr_imst-ud-*"))
    counts = TreebankCounts()
    ud = analysed(read_treebank(paths, counts), counts).sentences
    ours = dict(zip([id_ for path in paths for id_ in old_ids(path)], ud))
    sentences = list(
        read_treebank(
            sorted((real_data / "ud_unimorph").glob("tr_imst-um-*")), counts := TreebankCounts()
        )
    )
    theirs = zip(sentences, analysed(sentences, counts).sentences)
    same, either = Counter(), Counter()
    for raw, there in theirs:
        here = ours[raw.sent_id]
        if here.forms != there.forms:
            continue
        for one, other in zip(here.analyses, there.analyses):
            one, other = one.values if one else {}, other.values if other else {}
            for dimension in {*one, *other}:
                either[dimension] += 1
                same[dimension] += one.get(dimension) == other.get(dimension)
    agreement = {dimension: same[dimension] / either[dimension] for dimension in either}
    for dimension in ("Case", "Number", "Person", "Possession", "Tense", "Aspect", "Polarity"):
        assert agreement[dimension] > 0.99, dimension
    assert agreement["Mood"] > 0.98 and agreement["POS"] > 0.96 and agreement["Voice"] > 0.92
    assert agreement["Politeness"] == agreement["Evidentiality"] == 1
