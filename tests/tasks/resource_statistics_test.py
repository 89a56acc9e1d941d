import pytest

from linspector_allennlp.sources.unimorph import read_unimorph
from linspector_allennlp.tasks.resource_statistics import paradigm_statistics, treebank_statistics
from linspector_allennlp.treebanks import TreebankCounts, read_treebank
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


def conllu(*sentences):
    """A treebank of words with their tags."""
    blocks = (
        "".join(
            f"{number}\t{form}\t{form}\t_\t_\t{tags}\t_\t_\t_\t_\n"
            for number, (form, tags) in enumerate(sentence, 1)
        )
        for sentence in sentences
    )
    return "\n".join([*blocks, ""])


def statistics(*paths):
    counts = TreebankCounts()
    return treebank_statistics(read_treebank(paths, counts), counts)


def test_treebanks_by_hand(tmp_path):
    path = tmp_path / "xx.conllu"
    path.write_text(
        conllu(
            [("kuusi", "N;NOM"), ("palaa", "V;PRS"), ("taas", "ADV"), (".", "_")],
            [("kuusi", "V;PRS"), ("palaa", "PRS;V"), (".", "_")],
        )
    )
    # Of kuusi, palaa, taas and the full stop the first has two sets; palaa has one, in two orders.
    assert statistics(path) == (2, 7, 4, 1 / 4, 1 / 2)


@pytest.mark.realdata
def test_the_ambiguity_of_the_study(real_data):
    """Table 5 has 19.28 for the Turkish treebank of its time."""
    found = statistics(*sorted((real_data / "ud_unimorph").glob("tr_imst-um-*.conllu")))
    assert (found.vocabulary, found.ambiguity, found.printed_ambiguity) == (
        18_581,
        pytest.approx(0.0439, abs=1e-4),
        pytest.approx(0.1974, abs=1e-4),
    )
