"""One seed for a run: its random representations have it, and a trained probe keeps it."""

import json
import subprocess
import sys

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations.words import encode_words
from linspector_allennlp.suite.job import Job
from linspector_allennlp.suite.settings import representation
from tests.representations.tiny_transformers import make_bert

WORDS = [("talo", "ui", "vedessä"), ("yö", "tuntematonsana", ".")]
LOAD = """
import json, sys
import linspector_allennlp
from allennlp.commands.evaluate import evaluate_from_archive
from allennlp.predictors import Predictor
found = {}
for archive in sys.argv[2:]:
    metrics = evaluate_from_archive(archive, sys.argv[1])
    predicted = Predictor.from_path(archive).predict_json({"sentence": "kala ui vedessä .", "index": 2})
    found[archive] = [metrics["loss"], predicted["probabilities"]]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """Every representation with something random in it."""
    folder = tmp_path_factory.mktemp("seeds")
    bert = make_bert(folder / "bert")
    vectors = folder / "one.vec"
    vectors.write_text("2 4\ntalo 1 2 3 4\ntyöläinen 4 3 2 1\n", encoding="utf-8")
    return {
        "random_vectors": "random_vectors:dimension=6",
        "char_ngrams": "char_ngrams:dimension=6",
        "random_transformer": f"random_transformer:{bert}:1",
        "random_bilstm": f"random_bilstm:transformer:{bert}:0",
        "random_bilstm over random": "random_bilstm:random_vectors:dimension=6",
        "word_vectors": f"word_vectors:{vectors}:unk=random",
    }


def build(name, **changes):
    settings = representation(name)["text_field_embedder"]["token_embedders"]["words"]
    return TokenEmbedder.from_params(Params({**settings, **changes}))


def vectors_of(embedder):
    return embedder(encode_words(WORDS))


@pytest.mark.parametrize(
    "kind",
    ["random_vectors", "char_ngrams", "random_transformer", "random_bilstm",
     "random_bilstm over random", "word_vectors"],
)  # fmt: skip
def test_the_seed_of_the_run_unless_it_is_given(kind, names):
    torch.manual_seed(1)
    trained = build(names[kind])
    vectors = vectors_of(trained)
    assert torch.equal(vectors, vectors_of(build(names[kind]))), "the same seed, the same vectors"
    if kind != "random_bilstm over random":
        assert torch.equal(vectors, vectors_of(build(names[kind], seed=1)))
    state = trained.state_dict()

    torch.manual_seed(2)  # as a process that knows nothing of the run
    loaded = build(names[kind])
    others = vectors_of(loaded)  # something may have been derived from another seed before
    assert not torch.allclose(vectors, others)
    loaded.load_state_dict(state)
    assert torch.equal(vectors_of(loaded), vectors)
    assert loaded.provenance() == trained.provenance()
    fresh = build(names[kind])
    fresh.load_state_dict(state)
    assert torch.equal(vectors_of(fresh), vectors)
    assert fresh.state_dict()["seed"] == 1
    build(names[kind], seed=1).load_state_dict(state)
    with pytest.raises(ConfigurationError, match="vectors of the seed 1, found seed 2"):
        build(names[kind], seed=2).load_state_dict(state)


@pytest.mark.parametrize("kind", ["random_vectors", "random_transformer", "random_bilstm"])
def test_archives_from_before_had_the_seed_13(kind, names):
    torch.manual_seed(13)
    former = build(names[kind])
    state = {key: value for key, value in former.state_dict().items() if not key.endswith("seed")}
    torch.manual_seed(2)
    loaded = build(names[kind])
    loaded.load_state_dict(state)
    assert torch.equal(vectors_of(loaded), vectors_of(former))
    if kind != "random_transformer":  # its fingerprint has the seed
        given = build(names[kind], seed=5)
        given.load_state_dict(state)
        assert given.state_dict()["seed"] == 5


def test_what_is_not_random_keeps_no_seed(names):
    embedder = build(names["word_vectors"], unk="mean")
    assert list(embedder.state_dict()) == ["fingerprint"]
    assert "seed" not in embedder.provenance()


def job(folder, name, seed=None, own=None, override=None):
    """A short run, its seed set in one of the three ways."""
    text = f"{name}:seed={own}" if own else name
    config = f"""
        local probe = import 'linspector/probe.libsonnet';
        local representations = import 'linspector/representations.libsonnet';
        probe.token_in_context {{
          data: probe.example + '/token_level/Case/finnish',
          representation: representations.named({json.dumps(text)}),
          trainer+: {{ num_epochs: 1 }},
          {f"seed: {seed}," if seed else ""}
        }}"""
    path = folder.with_suffix(".jsonnet")
    path.write_text(config)
    return Job(path, folder, overrides={} if override is None else {"seed": override})


def test_archives_in_a_fresh_process(names, tmp_path, fixtures):
    """Trained with a seed set in each way, they evaluate and predict with the same vectors."""
    ways = {
        **{f"{kind}, seed": (name, {"seed": 3}) for kind, name in names.items()},
        "random_vectors, override": (names["random_vectors"], {"override": 3}),
        "random_vectors, own": (names["random_vectors"], {"own": 5}),
        "random_vectors, other": (names["random_vectors"], {"seed": 4}),
        "char_ngrams, override": (names["char_ngrams"], {"override": 3}),
        "word_vectors, own": (names["word_vectors"], {"own": 5}),
    }  # fmt: skip
    runs = {way: job(tmp_path / way, name, **how).run() for way, (name, how) in ways.items()}
    archives = {way: str(run.path / "model.tar.gz") for way, run in runs.items()}
    data = str(fixtures / "token_level/Case/finnish/test.txt")
    result = subprocess.run(
        [sys.executable, "-c", LOAD, data, *archives.values()], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout.splitlines()[-1])
    loss = {way: run.metrics["test_loss"] for way, run in runs.items()}
    for way, archive in archives.items():
        assert found[archive][0] == pytest.approx(loss[way], rel=1e-6), way
        assert sum(found[archive][1].values()) == pytest.approx(1, abs=1e-5)
    for kind in ("random_vectors", "char_ngrams"):
        assert loss[f"{kind}, override"] == loss[f"{kind}, seed"], "the same as in the config"
    assert len({loss[f"random_vectors, {way}"] for way in ("seed", "own", "other")}) == 3
    seeds = {way: run.record.seed for way, run in runs.items()}
    assert (seeds["random_vectors, override"], seeds["random_vectors, own"]) == (3, 13)
    of_vectors = {way: run.record.representation[0].get("seed") for way, run in runs.items()}
    ways_of_one = [f"random_vectors, {way}" for way in ("seed", "override", "own", "other")]
    assert [of_vectors[way] for way in ways_of_one] == [3, 3, 5, 4]
