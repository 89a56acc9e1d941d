"""Every encoder that the library of the configs has: what it is made of, and by its name."""

import inspect
import json
import re

import allennlp.common.params
import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp import jsonnet
from linspector_allennlp.encoders import SentenceEncoder

COMMON = "unk='representation', unknown_sentences='error'"
FUNCTIONS = {
    "average": "",
    "max": "",
    "power_means": "p=['-inf', 3], normalize=true",
    "sif": "a=0.1",
    "gem": "window=2, num_directions=5, num_removed=3, sigma_power=2",
    "hierarchical_pooling": "window=3",
    "borep": "dimension=8, pooling='mean', seed=5",
    "random_bilstm": "dimension=8, seed=5",
    "random_esn": "dimension=8, spectral_radius=0.5, sparsity=0.1, leak=0.2, input_scale=0.3, seed=5",
    "sentence_vector": "",
}
IMPORTS = """
local encoders = import 'linspector/encoders.libsonnet';
local representations = import 'linspector/representations.libsonnet';
local words = representations.char_ngrams(6);
"""


def evaluate(expression, **variables):
    """As a config is evaluated that has these in its environment."""
    snippet = IMPORTS + expression
    return json.loads(allennlp.common.params.evaluate_snippet("test", snippet, ext_vars=variables))


def words():
    return evaluate("words")


def test_no_function_is_missing_here():
    fields = set(evaluate("std.objectFieldsAll(encoders)"))
    assert fields - {"named", "from_environment", "transformer", "precomputed"} == set(FUNCTIONS)
    assert set(FUNCTIONS) == set(SentenceEncoder.list_available())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_settings_are_those_of_the_encoder(name):
    others = ", ".join(filter(None, ["words", FUNCTIONS[name], COMMON]))
    shortest, longest = evaluate(f"encoders.{name}(words)"), evaluate(f"encoders.{name}({others})")
    assert shortest == {**words(), "encoder": {"type": name}, "sentence_settings": {}}
    assert longest["sentence_settings"] == {"unk": "representation", "unknown_sentences": "error"}
    parameters = inspect.signature(SentenceEncoder.by_name(name)).parameters
    keys = re.findall(r"(\w+)=", FUNCTIONS[name])
    assert set(keys) == set(parameters) - {"word_dim"} == set(longest["encoder"]) - {"type"}
    for key in keys:
        assert longest["encoder"][key] != parameters[key].default
    encoder = SentenceEncoder.from_params(Params(dict(longest["encoder"])), word_dim=6)
    assert encoder.registered_name == name
    # By its name, with the settings in any order.
    for separate in (keys, keys[::-1]):
        said = [f"{key}={json.dumps(longest['encoder'][key])}" for key in separate]
        text = ":".join([name, "unk=representation", *said, "unknown_sentences=error"])
        assert evaluate("encoders.named(std.extVar('text'), words)", text=text) == longest


def test_settings_by_their_place():
    found = evaluate("encoders.named('borep:1024:mean:3:skip', words)")
    assert found == evaluate("encoders.borep(words, 1024, 'mean', 3, 'skip')")
    assert found["encoder"] == {"type": "borep", "dimension": 1024, "pooling": "mean", "seed": 3}
    assert found["sentence_settings"] == {"unk": "skip"}


def test_from_the_environment():
    settings = {"ENCODER": 'power_means:["-inf",2]', "VECTORS": "char_ngrams:6"}
    found = evaluate("encoders.from_environment()", **settings)
    assert found == evaluate("encoders.power_means(words, ['-inf', 2])")
    del settings["VECTORS"]
    assert evaluate("encoders.from_environment(words)", **settings) == found


def test_several_spaces_side_by_side():
    found = evaluate("encoders.power_means([words, representations.random_vectors(4), words])")
    embedders = found["text_field_embedder"]["token_embedders"]
    assert list(embedders) == list(found["token_indexers"]) == ["words", "words_2", "words_3"]
    assert [embedder["type"] for embedder in embedders.values()] == [
        "char_ngrams", "random_vectors", "char_ngrams",
    ]  # fmt: skip
    assert found["encoder"] == {"type": "power_means", "normalize": True}
    one = evaluate("encoders.power_means([words], p=[1])")
    assert one == evaluate("encoders.power_means(words, p=[1])")
    two = evaluate("encoders.power_means([words, words], normalize=false)")
    assert two["encoder"]["normalize"] is False
    average = evaluate("encoders.average([words, words])")
    assert len(average["token_indexers"]) == 2 and average["encoder"] == {"type": "average"}


def test_whole_sentences():
    found = evaluate("encoders.transformer('M', layer=3, pool='cls')")
    assert found["encoder"] == {"type": "sentence_vector"}
    assert found["text_field_embedder"]["token_embedders"]["words"] == {
        "type": "transformer_layer", "model": "M", "layer": 3, "pool": "cls",
    }  # fmt: skip
    for pool in ("mean", "max"):
        found = evaluate(f"encoders.transformer('M', pool='{pool}')")
        words = found["text_field_embedder"]["token_embedders"]["words"]
        assert words == {"type": "transformer_layer", "model": "M", "pool": f"sentence_{pool}"}
    found = evaluate("encoders.precomputed('F', sentences='S')")
    assert found["encoder"] == {"type": "sentence_vector"}
    assert found["text_field_embedder"]["token_embedders"]["words"] == {
        "type": "precomputed", "file": "F", "sentences": "S", "per": "sentence",
    }  # fmt: skip


@pytest.mark.parametrize(
    "expression, message",
    [
        ("named('avrage', words)", "there is no encoder 'avrage'. Did you mean average\\?"),
        ("named('sif:b=3', words)", "there is no setting 'b'; sif takes a, unk, unknown_sentences"),
        ("named('sif:1:skip:zeros:4', words)", "says too much"),
        ("transformer('M', pool='first')", "pool: expected one of cls, max, mean, found 'first'"),
        ("average([])", "an encoder needs a representation"),
    ],
)
def test_mistakes(expression, message):
    with pytest.raises(ConfigurationError, match=message):
        jsonnet.evaluate(f"{IMPORTS} encoders.{expression}")
