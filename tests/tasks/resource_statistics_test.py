import pytest

from linspector_allennlp.sources.analysed_sentences import AnalysedSentence
from linspector_allennlp.sources.schema import Schema
from linspector_allennlp.sources.unimorph import read_unimorph
from linspector_allennlp.tasks.resource_statistics import paradigm_statistics, treebank_statistics
from tests.tasks.paradigms import write_unimorph

ROWS = [
    ("talo", "talo", "N;NOM;SG"),
    ("talo", "talon", "N;GEN;SG"),
    ("talo", "talon", "N;ACC;SG"),
    ("talo", "talot", "N;NOM;PL"),
    ("olla", "olen", "V;PRS;1;SG"),
    ("olla", "olin", "V;PST;1;SG"),
    ("olla", "olen ollut", "V;PRS;PRF;1;SG"),
    ("olla", "olla", "V;NFIN"),
]


def test_paradigms_by_hand(tmp_path):
    found = paradigm_statistics(read_unimorph(write_unimorph(tmp_path / "fin", ROWS)))
    assert (found.paradigms, found.rows, found.forms) == (2, 8, 7)
    assert found.forms_of_several_words == 1
    assert found.parts_of_speech == ["Noun", "Verb"]
    features = {feature.feature: feature[1:] for feature in found.features}
    # Of talo, talon and talot the second is genitive and accusative; Aspect is in two words only.
    assert features == {
        "POS": (2, 6, 0.0),
        "Case": (3, 2, pytest.approx(1 / 3)),
        "Number": (2, 5, 0.0),
        "Person": (1, 2, 0.0),
        "Tense": (2, 2, 0.0),
        "Finiteness": (1, 1, 0.0),
    }
    # Over the four with two values or more.
    assert found.ambiguity == pytest.approx(1 / 3 / 4)


def test_treebanks_by_hand():
    noun, verb = Schema().read(["N", "NOM"]), Schema().read(["V", "PRS"])
    sentences = [
        AnalysedSentence(("kuusi", "palaa", "."), (noun, verb, None)),
        AnalysedSentence(("kuusi", "."), (verb, None)),
    ]
    assert treebank_statistics(sentences) == (2, 5, 3, pytest.approx(1 / 3))
