import os

import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.data import Vocabulary
from allennlp.models import Model

from linspector_allennlp.runs.shared_work import SharedRun, SharedWork, depends_on_seed


class Features:
    num_bytes = 3


def settings(embedder, seed=1, **changes):
    return {
        "type": "probe_run",
        "pytorch_seed": seed,
        "train_data_path": "nowhere.txt",
        "model": {
            "type": "single_form_probe",
            "text_field_embedder": {"token_embedders": {"words": embedder}},
            **changes,
        },
        "trainer": {"type": "frozen_probe"},
    }


def built(work, run_settings):
    """The run and its model, as they are built after the seed has been set."""
    torch.manual_seed(run_settings["pytorch_seed"])
    run = SharedRun(work, run_settings)
    vocab = Vocabulary(counter={"labels": {"X": 2, "Y": 1}})
    lazy = Lazy(Model, params=Params(dict(run_settings["model"])))
    return run, run.model(lazy, vocab, "")


def test_the_oldest_goes_first():
    work, made = SharedWork(memory_gb=3e-9), []

    def once(key, size=1):
        return work.once(key, lambda: made.append(key) or key, lambda _: size)

    for key in "abcab":
        once(key)
    assert made == ["a", "b", "c"]
    once("d")  # instead of c, which was asked for the longest ago
    once("a"), once("c")
    assert made == ["a", "b", "c", "d", "c"]
    once("large", 100)
    assert list(work.results()) == ["large"]


def test_random_representations_belong_to_a_seed(fixtures):
    work = SharedWork(1)
    chars = {"type": "char_ngrams", "dimension": 5}
    models = [built(work, settings(chars, seed))[1] for seed in (1, 2, 1)]
    first, second, again = (model.text_field_embedder for model in models)
    assert first is again and first is not second
    assert depends_on_seed(first)
    fixed = {**chars, "seed": 7}
    fixed_ones = [built(work, settings(fixed, seed))[1].text_field_embedder for seed in (1, 2)]
    assert fixed_ones[0] is fixed_ones[1] and not depends_on_seed(fixed_ones[0])
    bilstm = {"type": "random_bilstm", "base": chars, "dimension": 4, "seed": 7}
    over = [built(work, settings(bilstm, seed))[1].text_field_embedder for seed in (1, 2)]
    assert over[0] is not over[1], "its base has the seed of the run"


def test_heads_begin_as_they_do_alone():
    """Whether the representation is built or taken, and whatever was drawn before."""
    work = SharedWork(1)
    chars = {"type": "char_ngrams", "dimension": 5, "seed": 3}
    first, second = (built(work, settings(chars, 4))[1] for _ in range(2))
    torch.manual_seed(4)
    vocab = Vocabulary(counter={"labels": {"X": 2, "Y": 1}})
    alone = Model.from_params(Params(settings(chars)["model"]), vocab=vocab)
    for model in (first, second):
        for ours, theirs in zip(model.head.parameters(), alone.head.parameters()):
            assert torch.equal(ours, theirs)


def test_what_is_not_ours_is_not_shared():
    work = SharedWork(1)
    embedding = {"type": "embedding", "embedding_dim": 4, "num_embeddings": 9}
    models = [built(work, settings(embedding, 1))[1] for _ in range(2)]
    assert models[0].text_field_embedder is not models[1].text_field_embedder
    weights = [model.text_field_embedder.state_dict() for model in models]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    run, model = built(work, settings(embedding, 1))
    assert run.features(model) is None


def test_features_are_found_by_heads_but_not_by_others():
    work = SharedWork(1)
    chars = {"type": "char_ngrams", "dimension": 5}

    run, model = built(work, settings(chars))
    run.features(model)["train"] = kept = Features()
    run, model = built(work, settings(chars, head={"type": "linear"}))
    assert run.features(model).get("train") is kept and run.features(model).get("test") is None
    for other in (settings(chars, 2), settings({**chars, "dimension": 6})):
        run, model = built(work, other)
        assert run.features(model).get("train") is None


@pytest.mark.parametrize("what", ["of_data", "of_representation"])
def test_what_depends_on_data_and_representation(what):
    work, made = SharedWork(1), []
    first = {"type": "char_ngrams", "dimension": 5}
    second = {"type": "random_vectors", "dimension": 5}
    for embedder, seed in ((first, 1), (first, 2), (second, 1)):
        run = SharedRun(work, settings(embedder, seed))
        getattr(run, what)("facts", lambda: made.append(1) or [1])
    assert len(made) == {"of_data": 1, "of_representation": 2}[what]


def test_what_a_probe_asks_decides_too():
    """The baselines of trees are others with punctuation."""
    work, made = SharedWork(1), []
    chars = {"type": "char_ngrams", "dimension": 5}
    for changes in ({"score_punctuation": True}, {"score_punctuation": False}, {"type": "other"}):
        SharedRun(work, settings(chars, **changes)).of_data("facts", lambda: made.append(1) or [1])
    SharedRun(work, settings(chars, type="other", head={"type": "linear"})).of_data(
        "facts", lambda: made.append(1) or [1]
    )
    assert len(made) == 3


def test_a_vector_file_that_has_changed_is_read_again(tmp_path):
    file = tmp_path / "a.vec"
    work, found = SharedWork(1), []
    for number in (1, 2):
        file.write_text(f"a {number} 0\nb 0 {number}\n", encoding="utf-8")
        os.utime(file, (number, number))
        embedder = {"type": "word_vectors", "file": str(file)}
        run, model = built(work, settings(embedder))
        assert run.features(model).get("train") is None
        run.features(model)["train"] = Features()
        found.append(model.text_field_embedder)
    assert found[0] is not found[1]
