import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from linspector_allennlp.dataset_readers import TokenTagsReader
from linspector_allennlp.fields import metadata_of
from tests.dataset_readers.small_treebank import write_conllu

# Word 4 has nothing, word 5 no head; word 3 is what word 1 hangs on.
TREEBANK = """
    # sent_id = 1
    1 The the DET DT Definite=Def|PronType=Art 3 det
    2 old old ADJ JJ Degree=Pos 3 amod:attr
    3-4 dogsx
    3 dogs dog NOUN NNS Case=Nom|Number=Plur 5 nsubj:pass
    4 x
    5 saw see VERB VBD Tense=Past _ _
    6 it it PRON PRP Case=Acc|Number=Sing 5 obj

    # sent_id = 2
    1 . . PUNCT . _ 0 root
"""


@pytest.fixture
def path(tmp_path):
    return write_conllu(tmp_path / "x.conllu", TREEBANK)


def read(path, *settings, **more):
    """For each sentence that is kept the words and the labels."""
    instances = list(TokenTagsReader(*settings, **more).read(path))
    for instance in instances:
        assert len(instance["labels"].labels) == len(metadata_of(instance)["words"])
        assert len(instance["places"].tensor) == len(instance["labels"])
    return [
        " ".join(map("/".join, zip(metadata_of(each)["forms"], instance.labels)))
        for each in instances
        for instance in [each["labels"]]
    ]


FIRST = {
    "upos": "The/DET old/ADJ dogs/NOUN saw/VERB it/PRON",
    "xpos": "The/DT old/JJ dogs/NNS saw/VBD it/PRP",
    "deprel": "The/det old/amod:attr dogs/nsubj:pass it/obj",
    "headpos": "The/NOUN old/NOUN dogs/VERB it/VERB",
    "Case": "dogs/Nom it/Acc",
    "PronType": "The/Art",
}
SECOND = {"upos": "./PUNCT", "xpos": "./.", "deprel": "./root"}


@pytest.mark.parametrize("target", FIRST)
def test_targets(path, target):
    expected = [FIRST[target], *([SECOND[target]] if target in SECOND else [])]
    assert read(path, target) == expected
    assert read(path, [target]) == expected
    reader = TokenTagsReader(target)
    list(reader.read(path))
    assert reader.left_out == ({} if target in SECOND else {f"without {target}": 1})


def test_words_as_targets(path):
    """The first word has none before it, the last none after it; the others are there."""
    assert read(path, "identity") == ["The/The old/old dogs/dogs x/x saw/saw it/it", "./."]
    assert read(path, "next") == ["The/old old/dogs dogs/x x/saw saw/it"]
    assert read(path, "previous") == ["old/The dogs/old x/dogs saw/x it/saw"]
    reader = TokenTagsReader("next")
    list(reader.read(path))
    assert reader.left_out == {"without next": 1}
    with_ends = read(path, "next", missing="label")
    assert with_ends == ["The/old old/dogs dogs/x x/saw saw/it it/None", "./None"]


def test_upos_by_default(path):
    assert read(path) == [FIRST["upos"], SECOND["upos"]]


def test_several_targets_are_one_label(path):
    assert read(path, ["upos", "Case"]) == [
        "The/DET|_ old/ADJ|_ dogs/NOUN|Nom saw/VERB|_ it/PRON|Acc",
        "./PUNCT|_",
    ]
    assert read(path, ["Case", "Number"]) == ["dogs/Nom|Plur it/Acc|Sing"]
    assert read(path, ["Number", "Tense"]) == ["dogs/Plur|_ saw/_|Past it/Sing|_"]


def test_words_without_the_target_can_have_a_label(path):
    assert read(path, "Case", "label") == [
        "The/None old/None dogs/Nom x/None saw/None it/Acc",
        "./None",
    ]
    assert read(path, "headpos", missing="label") == [
        "The/NOUN old/NOUN dogs/VERB x/None saw/None it/VERB",
        "./None",
    ]
    assert read(path, ["Tense", "Number"], missing="label")[0].split()[3:5] == [
        "x/None", "saw/Past|_"
    ]  # fmt: skip


def test_relations_without_subtypes(path):
    assert read(path, "deprel", coarse=True) == ["The/det old/amod dogs/nsubj it/obj", "./root"]
    assert read(path, ["xpos", "deprel"], coarse=True)[0].split()[1] == "old/JJ|amod"


def test_coarse_is_of_relations_alone(tmp_path):
    path = write_conllu(tmp_path / "x", "1 a _ X:y N:1 Case=A:b 0 root:x")
    assert read(path, ["upos", "xpos", "Case"], coarse=True) == ["a/X:y|N:1|A:b"]
    assert read(path, "deprel", coarse=True) == ["a/root"]


def test_places_are_those_of_the_probed_words(path):
    (first,) = TokenTagsReader("Case").read(path)
    assert [token.text for token in first["tokens"]] == ["The", "old", "dogsx", "saw", "it"]
    assert first["places"].tensor.tolist() == [2, 4]
    metadata = metadata_of(first)
    assert (metadata["forms"], metadata["indices"]) == (["dogs", "it"], [2, 5])
    # What a representation, a baseline and a control task see is the token.
    assert (metadata["words"], metadata["multiword"]) == (["dogsx", "it"], [True, False])
    assert metadata["lines"] == [5, 8]
    (first,) = TokenTagsReader("Case", multiword_tokens="words").read(path)
    assert first["places"].tensor.tolist() == [2, 5]
    first, _ = TokenTagsReader("Case", "label").read(path)
    assert first["places"].tensor.tolist() == [0, 1, 2, 2, 3, 4]


def test_a_feature_with_an_equals_sign_in_its_value(tmp_path):
    path = write_conllu(tmp_path / "x", "1 a _ X _ Ref=a=b|Odd 0 root")
    assert read(path, "Ref") == ["a/a=b"]


def test_the_task_for_the_record():
    assert TokenTagsReader().task == {"level": "token", "target": "upos"}
    assert TokenTagsReader(["upos", "Case"]).task == {"level": "token", "target": "upos+Case"}


@pytest.mark.parametrize("target", ["Case", ["upos", "Case"]])
def test_from_params(path, target):
    params = Params({"type": "token_tags", "target": target, "token_indexers": {}})
    assert len(list(DatasetReader.from_params(params).read(path))) == (1 if target == "Case" else 2)


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"target": []}, "target: expected at least one, found an empty list"),
        ({"missing": "drop"}, "missing: expected mask or label, found 'drop'"),
    ],
)
def test_wrong_settings(settings, message):
    with pytest.raises(ConfigurationError, match=message):
        TokenTagsReader(**settings)


def test_a_target_that_the_treebank_does_not_have_is_named(path):
    with pytest.raises(ValueError, match="left out: 2 without Kase"):
        list(TokenTagsReader("Kase").read(path))
    with pytest.raises(ConfigurationError, match="target: expected 'upos', found 'UPOS'"):
        TokenTagsReader("UPOS")
