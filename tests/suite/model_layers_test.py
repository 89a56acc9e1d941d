import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite import representation
from linspector_allennlp.suite.model_layers import by_layer, source_of
from tests.representations.tiny_transformers import make_bert


def layers(name, chosen):
    """The layers of a representation, and where they stand in its config."""
    found = list(by_layer(representation(name), chosen))
    embedders = [each["text_field_embedder"]["token_embedders"]["words"] for _, each in found]
    return [
        (layer, each.get("base", each).get("layer")) for (layer, _), each in zip(found, embedders)
    ]


@pytest.mark.parametrize(
    "name, chosen, expected",
    [
        ("transformer:M", [0, -1], [(0, 0), (-1, -1)]),
        ("transformer:M", None, [(None, None)]),
        ("transformer:M:4", [0, 1], [(4, 4)]),
        ("transformer:M:mix", [0, 1], [(None, "mix")]),
        ("random_transformer:M", [1], [(1, 1)]),
        ("elmo:o.json:w.hdf5", "all", [(0, 0), (1, 1), (2, 2)]),
        ("elmo_for_many_langs:folder", [2], [(2, 2)]),
        ("random_bilstm:transformer:M", [0], [(0, 0)]),
        ("random_bilstm:transformer:M:3", [0], [(3, 3)]),
        ("random_bilstm:char_ngrams", [0], [(None, None)]),
        ("precomputed:x.h5", [0, 1], [(None, None)]),
        ("fi.vec", "all", [(None, None)]),
    ],
)  # fmt: skip
def test_layers(name, chosen, expected):
    assert layers(name, chosen) == expected


def test_all_layers_of_a_transformer(tmp_path):
    model = make_bert(tmp_path / "bert")
    assert [layer for layer, _ in layers(f"transformer:{model}", "all")] == [0, 1, 2]


def test_a_model_of_which_nobody_knows_how_many():
    field = {"token_embedders": {"words": {"type": "elmo_layer"}}}
    field["token_embedders"]["words"] = {"type": "transformer_layer"}
    with pytest.raises(ConfigurationError, match="expected numbers, not 'all'"):
        list(by_layer({"text_field_embedder": field}, "all"))


def test_one_source_for_all_layers():
    sources = {source_of(representation(f"transformer:M{layer}")) for layer in ("", ":1", ":mix")}
    assert len(sources) == 1 and source_of(representation("transformer:N")) not in sources
