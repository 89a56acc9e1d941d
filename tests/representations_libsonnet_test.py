"""Every representation that the library of the configs has: what it is made of, and runs with it."""

import importlib
import inspect
import json
import re
import shutil
from pathlib import Path

import allennlp.common.params
import pytest
import transformers
from allennlp.commands.evaluate import evaluate_from_archive
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive
from allennlp.modules import TokenEmbedder
from allennlp.predictors import Predictor
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linspector_allennlp.commands.mistakes import explain
from linspector_allennlp.suite.job import Job
from linspector_allennlp.suite.settings import representation
from tests.representations.tiny_transformers import make_bert

# For each function the arguments that it needs, and those that it takes besides.
FUNCTIONS = {
    "word_vectors": ("'V'", "unk='zeros', lowercase=true, words='W', seed=5"),
    "fasttext": ("'V'", "unk='mean', lowercase=true, seed=5"),
    "bpe": ("'M', 'V'", "unk='zeros', lowercase=false, digits_to_zero=false, seed=5"),
    "transformer": (
        "'M'",
        "layer=[0, 2], pool='first', alone=true, long_sentences='error', max_length=9, precision='float16'",
    ),
    "elmo": ("'O', 'W'", "layer='mix', alone=true"),
    "elmo_for_many_langs": ("'F'", "layer=[0, 2], alone=true, options_file='O'"),
    "archive": (
        "'A', 'encoder'",
        "tensor='x', weights_file='best.th', packages=['p'], extra_inputs={ tags: 'O' }",
    ),
    "precomputed": ("'F'", "sentences=['S', 'T'], layer='mix', per='sentence'"),
    "char_ngrams": ("", "dimension=8, seed=5, lowercase=true"),
    "random_vectors": ("", "dimension=8, seed=5, lowercase=true"),
    "random_transformer": ("'M'", "layer=0, pool='last', seed=5"),
    "random_bilstm": ("representations.char_ngrams(8)", "seed=5, dimension=4"),
}


IMPORTS = "".join(
    f"local {name} = import 'linspector/{name}.libsonnet';\n"
    for name in ("probe", "representations")
)


def evaluate(expression, **variables):
    """As a config is evaluated that has these in its environment."""
    snippet = IMPORTS + expression
    return json.loads(allennlp.common.params.evaluate_snippet("test", snippet, ext_vars=variables))


def embedder_of(representation):
    return representation["text_field_embedder"]["token_embedders"]["words"]


def embedder_class(settings):
    """The modules have the names that their classes are registered by."""
    importlib.import_module(f"linspector_allennlp.representations.{settings['type']}")
    return TokenEmbedder.by_name(settings["type"])


def test_no_function_is_missing_here():
    fields = evaluate("std.objectFieldsAll(representations)")
    assert {name for name in fields if name not in ("named", "from_environment")} == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_settings_are_those_of_the_embedder(name):
    needed, others = FUNCTIONS[name]
    shortest = evaluate(f"representations.{name}({needed})")
    longest = evaluate(f"representations.{name}({', '.join(filter(None, [needed, others]))})")
    for found in (shortest, longest):
        assert found["token_indexers"] == {"words": {"type": "word_form"}}
        settings = embedder_of(found)
        parameters = inspect.signature(embedder_class(settings)).parameters
        assert set(settings) - {"type"} <= set(parameters)
        required = {key for key, p in parameters.items() if p.default is p.empty}
        assert required <= set(settings)
        assert None not in settings.values()
    # Each argument has its effect, and what is left out is as the embedder has it.
    for key in re.findall(r"(\w+)=", others):
        default = embedder_of(shortest).get(key)
        assert embedder_of(longest)[key] != default
        assert default in (None, parameters[key].default)


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return make_bert(tmp_path_factory.mktemp("bert"))


@pytest.mark.parametrize(
    "expression, dimension",
    [
        ("representations.transformer('{bert}')", 12),
        ("representations.transformer('{bert}', layer=[0, 1], alone=true)", 24),
        ("representations.random_transformer('{bert}', layer='average')", 12),
        ("representations.random_bilstm(representations.transformer('{bert}', layer=0))", 12),
        ("representations.random_bilstm(representations.random_vectors(6))", 6),
        ("representations.char_ngrams()", 300),
        ("representations.random_vectors(5)", 5),
        ("representations.word_vectors('{vectors}')", 20),
        ("representations.random_bilstm(representations.word_vectors('{vectors}'), seed=2)", 20),
    ],
)
def test_it_builds(bert, fixtures, tmp_path, expression, dimension):
    vectors = shutil.copy(fixtures / "vectors/finnish.vec", tmp_path / "finnish.vec")
    settings = embedder_of(evaluate(expression.format(bert=bert, vectors=vectors)))
    assert embedder_class(settings)
    assert TokenEmbedder.from_params(Params(settings)).get_output_dim() == dimension


NAMES = {
    "char_ngrams": "char_ngrams()",
    "char_ngrams:50": "char_ngrams(50)",
    "char_ngrams:dimension=50:seed=3": "char_ngrams(50, seed=3)",
    "random_vectors:seed=3:6": "random_vectors(6, seed=3)",
    "fi.vec": "word_vectors('fi.vec')",
    "a/b:c.vec": "word_vectors('a/b:c.vec')",
    "https://host/fi.vec": "word_vectors('https://host/fi.vec')",
    "fi.vec:unk=zeros": "word_vectors('fi.vec', 'zeros')",
    r"a/b\:c.vec": "word_vectors('a/b:c.vec')",
    "char_ngrams:1e999": "char_ngrams('1e999')",
    "char_ngrams:1e2": "char_ngrams(100)",
    "word_vectors:fi.vec:unk=zeros:lowercase=true": "word_vectors('fi.vec', 'zeros', true)",
    "fasttext:cc.fi.bin": "fasttext('cc.fi.bin')",
    r"fasttext:a/b\:c.bin:unk=mean": "fasttext('a/b:c.bin', 'mean')",
    "bpe:MODEL:VECTORS": "bpe('MODEL', 'VECTORS')",
    "transformer:o/m": "transformer('o/m')",
    "transformer:o/m:8:pool=first": "transformer('o/m', 8, 'first')",
    "transformer:m:[0,6]": "transformer('m', layer=[0, 6])",
    "transformer:m:-1": "transformer('m', layer=-1)",
    "transformer:m:mix": "transformer('m', layer='mix')",
    'transformer:"12":0': "transformer('12', layer=0)",
    "elmo:O:W:average": "elmo('O', 'W', 'average')",
    "elmo_for_many_langs:F:1": "elmo_for_many_langs('F', 1)",
    "archive:F:text.encoder:tensor=input": "archive('F', 'text.encoder', 'input')",
    r'archive:F:M:extra_inputs={"tags"\: "O"}': "archive('F', 'M', extra_inputs={ tags: 'O' })",
    "precomputed:F:sentences=S": "precomputed('F', sentences='S')",
    "random_transformer:M:3": "random_transformer('M', 3)",
    "random_bilstm:fi.vec": "random_bilstm(representations.word_vectors('fi.vec'))",
    "random_bilstm:transformer:M:0": "random_bilstm(representations.transformer('M', 0))",
    r"random_bilstm:seed=3:dimension=8:bpe:a\:b:V:seed=4": "random_bilstm("
    "representations.bpe('a:b', 'V', seed=4), 3, 8)",
}  # fmt: skip


def test_a_representation_by_its_name():
    """In the environment of a config, and from Python."""
    assert {name.split(":")[0] for name in NAMES} >= set(FUNCTIONS)
    for name, call in NAMES.items():
        expected = evaluate(f"representations.{call}")
        assert evaluate("representations.from_environment()", VECTORS=name) == expected, name
        assert representation(name) == expected, name


def test_the_table_has_the_parameters_of_the_functions():
    """Values go to the settings by their place, so each by its name must be the same."""
    for name, (needed, others) in FUNCTIONS.items():
        if name == "random_bilstm":
            continue
        by_call = evaluate(f"representations.{name}({', '.join(filter(None, [needed, others]))})")
        others = re.sub(r", (?=\w+=)", ":", others.replace("'", '"').replace("tags:", r'"tags"\:'))
        text = ":".join(filter(None, [name, *re.findall(r"'(\w+)'", needed), others]))
        assert representation(text) == by_call, text


numbers = st.integers(-(2**50), 2**50) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=30)
@given(st.lists(values, min_size=1, max_size=3))
def test_any_value_can_be_said(given_values):
    """As JSON, with its colons escaped; in order and by name."""
    keys = ["file", "unk", "lowercase"]
    said = [json.dumps(value).replace(":", r"\:") for value in given_values]
    expected = {key: value for key, value in zip(keys, given_values) if value is not None}
    by_order = ":".join(["word_vectors", *said])
    by_name = ":".join(["word_vectors", *map("=".join, zip(keys, said))])
    for text in (by_order, by_name):
        found = embedder_of(representation(text))
        assert found == {"type": "word_vectors", **expected}


@settings(max_examples=50)
@given(st.text(alphabet="abAB01.-_/+ \\:=e[", min_size=1))
def test_text_is_text(text):
    """What is no JSON comes as it is, but for the escape."""
    assume(text[0] not in '[{"' and not text.endswith("\\") and r"\:" not in text)
    assume(not re.match(r"-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$", text, re.IGNORECASE))
    found = embedder_of(representation("word_vectors:file=" + text.replace(":", r"\:")))
    assert found == {"type": "word_vectors", "file": text}


@pytest.mark.parametrize(
    "vectors, message",
    [
        ("char_ngram", "'char_ngram'. Did you mean char_ngrams? Expected one of archive, bpe, "),
        ("transfomer:o/m:4", "Did you mean transformer?"),
        ("bert", "no representation 'bert'. Expected one of"),
        ("x" * 300, "Expected one of"),
        ("char_ngrams:dim=3", "there is no setting 'dim'; char_ngrams takes dimension, seed"),
        ("transformer", "'transformer' does not say its model; transformer takes model, layer,"),
        ("transformer:m:", "nothing comes after one of its colons"),
        ("random_vectors:1:2:true:4", r"lowercase. A colon inside an argument is written as '\:'."),
        ("fasttext:a:file=b", "says something twice"),
        ("random_bilstm:seed=2", "does not say its base, as random_bilstm:seed=3:char_ngrams."),
        ("random_bilstm:sed=2:char_ngrams", "there is no setting 'sed'; random_bilstm takes seed, dimension."),
        ("random_bilstm:char_ngram", "Did you mean char_ngrams?"),
    ],
)  # fmt: skip
def test_a_name_that_there_is_not(vectors, message):
    with pytest.raises(RuntimeError) as raised:
        evaluate("representations.from_environment()", VECTORS=vectors)
    assert message in str(raised.value)
    assert message in explain(raised.value) and "RUNTIME" not in explain(raised.value)
    with pytest.raises(ConfigurationError) as from_python:
        representation(vectors)
    assert message in from_python.value.message and "\n" not in from_python.value.message


DATA = {
    "single_form": ("type_level/Case/finnish", {"form": "talossa"}),
    "paired_forms": ("type_level/OddFeat/finnish", {"form1": "talossa", "form2": "taloissa"}),
    "token_in_context": ("token_level/Case/finnish", {"sentence": "kala ui vedessä .", "index": 2}),
    "paired_tokens": (
        "token_level/OddFeat/finnish",
        {"sentence1": "kala ui vedessä .", "index1": 2, "sentence2": "vesi on", "index2": 0},
    ),
}
LAYERS = ["1", "[0, 2]", "'average'", "'mix'"]


def run(folder, kind, representation, trainer="{}"):
    """Trains a probe for two epochs; gives what it wrote into metrics.json."""
    config = folder.with_suffix(".jsonnet")
    config.write_text(
        f"""{IMPORTS}
        probe.{kind} {{
          data: probe.example + '/{DATA[kind][0]}',
          representation: {representation},
          trainer+: {{ num_epochs: 2 }} + {trainer},
        }}
        """,
        encoding="utf-8",
    )
    return Job(config, folder).run().metrics


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("kind", DATA)
def test_a_run_with_a_transformer(tmp_path, bert, fixtures, kind, layer):
    trained = run(tmp_path / "run", kind, f"representations.transformer('{bert}', layer={layer})")
    assert 0 <= trained["oov_test"] < 1
    if layer == "'mix'":
        assert len(trained["layer_weights"]) == 3
        assert sum(trained["layer_weights"]) == pytest.approx(1)
        assert len(set(trained["layer_weights"])) == 3  # they have been trained
    else:
        assert "layer_weights" not in trained
    archive = str(tmp_path / "run/model.tar.gz")
    data_folder, unseen = DATA[kind]
    evaluated = evaluate_from_archive(archive, str(fixtures / data_folder / "test.txt"))
    assert evaluated["accuracy"] == trained["test_accuracy"]
    prediction = Predictor.from_path(archive).predict_json(unseen)
    assert sum(prediction["probabilities"].values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    "representation",
    [
        "representations.random_transformer('{bert}')",
        "representations.random_bilstm(representations.transformer('{bert}', layer=0))",
        "representations.random_bilstm(representations.char_ngrams(10))",
        "representations.transformer('{bert}', alone=true, precision='float16')",
    ],
)
def test_a_run_with_a_control(tmp_path, bert, representation):
    metrics = run(tmp_path / "run", "token_in_context", representation.format(bert=bert))
    assert metrics["test_accuracy"] > 0


ALLENNLPS_TRAINER = "{ type: 'gradient_descent', optimizer: 'adam' }"


def test_a_mix_with_allennlps_own_trainer(tmp_path, bert):
    metrics = run(
        tmp_path / "run",
        "paired_forms",
        f"representations.transformer('{bert}', layer='mix')",
        ALLENNLPS_TRAINER,
    )
    assert sum(metrics["layer_weights"]) == pytest.approx(1)


def test_a_run_does_not_depend_on_whether_its_features_were_there(tmp_path, bert):
    """
    A model that was trained to guess words has no pooler, and one is drawn when it is loaded; this
    trainer draws random numbers, too.
    """
    folder = shutil.copytree(bert, tmp_path / "guesses_words")
    transformers.BertForMaskedLM.from_pretrained(str(bert)).save_pretrained(str(folder))
    first, second = (
        run(
            tmp_path / name,
            "token_in_context",
            f"representations.transformer('{folder}')",
            ALLENNLPS_TRAINER,
        )
        for name in ("first", "second")
    )
    for metrics in (first, second):
        for key in [key for key in metrics if "duration" in key or "memory" in key]:
            del metrics[key]
    assert first == second


def test_an_archive_wants_the_model_that_it_was_trained_with(tmp_path, bert):
    folder = Path(shutil.copytree(bert, tmp_path / "model"))
    run(tmp_path / "run", "single_form", f"representations.transformer('{folder}', layer='mix')")
    archive = str(tmp_path / "run/model.tar.gz")
    weights = load_archive(archive).model.state_dict()
    assert [name for name in weights if not name.startswith("head.")] == [
        "text_field_embedder.token_embedder_words.fingerprint"
    ]
    moved = folder.rename(tmp_path / "moved")
    with pytest.raises(ValueError, match="there is no such folder") as raised:
        load_archive(archive)
    assert '-o \'{"model.text_field_embedder.token_embedders.words.model": "PATH"}\'' in str(
        raised.value
    )
    key = "model.text_field_embedder.token_embedders.words.model"
    assert load_archive(archive, overrides=json.dumps({key: str(moved)}))
    make_bert(folder, seed=9)
    with pytest.raises(ConfigurationError, match="is not what this probe was trained with"):
        load_archive(archive)
