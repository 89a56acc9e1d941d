"""Every representation that the library of the configs has: what it is made of, and runs with it."""

import importlib
import inspect
import json
import re
import shutil
from pathlib import Path

import pytest
import transformers
from _jsonnet import evaluate_snippet
from allennlp.commands.evaluate import evaluate_from_archive
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive
from allennlp.modules import TokenEmbedder
from allennlp.predictors import Predictor

from linspector_allennlp.__main__ import explain
from linspector_allennlp.suite.job import Job
from tests.representations.tiny_transformers import make_bert

LIBRARY = Path(__file__).resolve().parents[1] / "training_configs/lib"

# For each function the arguments that it needs, and those that it takes besides.
FUNCTIONS = {
    "word_vectors": ("'V'", "unk='zeros', lowercase=true, words='W'"),
    "fasttext": ("'V'", "unk='mean', lowercase=true"),
    "bpe": ("'M', 'V'", "unk='zeros'"),
    "transformer": ("'M'", "layer=[0, 2], pool='first', alone=true, precision='float16'"),
    "elmo": ("'O', 'W'", "layer='mix', alone=true"),
    "archive": (
        "'A', 'encoder'",
        "tensor='x', weights_file='best.th', packages=['p'], extra_inputs={ tags: 'O' }",
    ),
    "precomputed": ("'F'", "sentences='S', layer='mix', per='sentence'"),
    "char_ngrams": ("", "dimension=8"),
    "random_vectors": ("", "dimension=8, seed=5"),
    "random_transformer": ("'M'", "layer=0, pool='last', seed=5"),
    "random_bilstm": ("representations.char_ngrams(8)", "seed=5"),
}


IMPORTS = "".join(
    f"local {name} = import {json.dumps(str(LIBRARY / f'{name}.libsonnet'))};\n"
    for name in ("probe", "representations")
)


def evaluate(expression):
    return json.loads(evaluate_snippet("test", IMPORTS + expression))


def embedder_of(representation):
    return representation["text_field_embedder"]["token_embedders"]["words"]


def embedder_class(settings):
    """The modules have the names that their classes are registered by."""
    importlib.import_module(f"linspector_allennlp.representations.{settings['type']}")
    return TokenEmbedder.by_name(settings["type"])


def test_no_function_is_missing_here():
    fields = evaluate("std.objectFieldsAll(representations)")
    assert {name for name in fields if not name.endswith("from_environment")} == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_settings_are_those_of_the_embedder(name):
    needed, others = FUNCTIONS[name]
    shortest = evaluate(f"representations.{name}({needed})")
    longest = evaluate(f"representations.{name}({', '.join(filter(None, [needed, others]))})")
    for representation in (shortest, longest):
        assert representation["token_indexers"] == {"words": {"type": "word_form"}}
        settings = embedder_of(representation)
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


@pytest.mark.parametrize(
    "vectors, expression",
    [
        ("char_ngrams", "char_ngrams()"),
        ("random_vectors", "random_vectors()"),
        ("fasttext:a/b:c.bin", "fasttext('a/b:c.bin')"),
        ("a/b.vec", "word_vectors('a/b.vec')"),
        ("transformer:o/m:4", "transformer('o/m', layer=4)"),
        ("transformer:m:-1", "transformer('m')"),
        ("transformer:m:[1,4]", "transformer('m', layer=[1, 4])"),
        ("transformer:m:mix", "transformer('m', layer='mix')"),
    ],
)
def test_what_the_environment_says(vectors, expression):
    snippet = f"{IMPORTS} representations.from_environment()"
    found = json.loads(evaluate_snippet("test", snippet, ext_vars={"VECTORS": vectors}))
    assert found == evaluate(f"representations.{expression}")


@pytest.mark.parametrize(
    "vectors, message",
    [
        ("transformer:m", "VECTORS: expected transformer:MODEL:LAYER, found 'transformer:m'."),
        ("transformer:m:last", "layer: expected a number, a list such as [0,6], average or mix"),
        ("transformer:m:", "found ''."),
    ],
)
def test_what_the_environment_says_wrongly(vectors, message):
    snippet = f"{IMPORTS} representations.from_environment()"
    with pytest.raises(RuntimeError) as raised:
        evaluate_snippet("test", snippet, ext_vars={"VECTORS": vectors})
    assert message in str(raised.value)
    assert message in explain(raised.value) and "RUNTIME" not in explain(raised.value)


DATA = {
    "single_form": ("type_level/Case/finnish", {"form": "talossa"}),
    "paired_forms": ("type_level/OddFeat/finnish", {"form1": "talossa", "form2": "taloissa"}),
    "token_in_context": ("token_level/Case/finnish", {"sentence": "kala ui vedessä .", "index": 2}),
}
LAYERS = ["1", "[0, 2]", "'average'", "'mix'"]


def run(folder, kind, representation, trainer="{}"):
    """Trains a probe for two epochs; gives what it wrote into metrics.json."""
    config = folder.with_suffix(".jsonnet")
    config.write_text(
        f"""{IMPORTS}
        probe.{kind} {{
          data: probe.fixtures + '/{DATA[kind][0]}',
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
    with pytest.raises(FileNotFoundError, match="there is no such folder") as raised:
        load_archive(archive)
    assert '-o \'{"model.text_field_embedder.token_embedders.words.model": "PATH"}\'' in str(
        raised.value
    )
    key = "model.text_field_embedder.token_embedders.words.model"
    assert load_archive(archive, overrides=json.dumps({key: str(moved)}))
    make_bert(folder, seed=9)
    with pytest.raises(ConfigurationError, match="is not what this probe was trained with"):
        load_archive(archive)
