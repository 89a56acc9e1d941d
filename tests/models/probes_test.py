import copy

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.models import Model
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding

from linspector_allennlp.dataset_readers import SingleFormReader
from linspector_allennlp.models import SingleFormProbe
from linspector_allennlp.modules import LayerMixHead, PieceAttentionHead
from linspector_allennlp.representations import (
    CharNgramsEmbedder,
    WordEmbedder,
    WordFormIndexer,
    WordVectorsEmbedder,
)
from linspector_allennlp.representations.word_embedder import direct_word_embedders
from tests.representations.hashed_layers import HashedLayersEmbedder
from tests.representations.tiny_transformers import make_bert, plain_vectors

KINDS = {
    "single_form": ("type_level", "Case"),
    "paired_forms": ("type_level", "OddFeat"),
    "token_in_context": ("token_level", "Case"),
    "paired_tokens": ("token_level", "OddFeat"),
}
VECTORS = {"type": "char_ngrams", "dimension": 12}


def batch_of(fixtures, kind, size=6):
    level, task = KINDS[kind]
    reader = DatasetReader.from_params(
        Params({"type": kind, "token_indexers": {"words": {"type": "word_form"}}})
    )
    instances = list(reader.read(str(fixtures / level / task / "finnish/train.txt")))
    vocab = Vocabulary.from_instances(instances)
    batch = Batch(instances[:size])
    batch.index_instances(vocab)
    return vocab, batch.as_tensor_dict()


def probe(vocab, kind, embedder=VECTORS, **settings):
    torch.manual_seed(0)
    params = {
        "type": f"{kind}_probe",
        "text_field_embedder": {"token_embedders": {"words": dict(embedder)}},
        **copy.deepcopy(settings),
    }
    return Model.from_params(Params(params), vocab=vocab)


@pytest.mark.parametrize("kind", KINDS)
def test_forward_is_the_two_halves_in_a_row(fixtures, kind):
    vocab, batch = batch_of(fixtures, kind)
    model = probe(vocab, kind).eval()
    output = model(**copy.deepcopy(batch))
    label = batch.pop("label")
    batch.pop("metadata")
    halves = model.apply_head(model.represent(**batch), label)
    assert torch.equal(output["logits"], halves["logits"])
    assert output["loss"] == halves["loss"]


def test_a_linear_probe_by_hand(fixtures):
    vocab, batch = batch_of(fixtures, "single_form")
    model = probe(vocab, "single_form", head={"type": "linear"}).eval()
    words = [data["input"]["form"] for data in batch["metadata"]]
    embedder = next(module for module in model.modules() if hasattr(module, "embed_forms"))
    weight, bias = (p.detach().numpy() for p in model.head.layers[1].parameters())
    logits = embedder.embed_forms(words) @ weight.T + bias
    exponentials = numpy.exp(logits)
    probabilities = exponentials / exponentials.sum(axis=1, keepdims=True)
    gold = batch["label"].numpy()
    output = model(**batch)
    assert output["probabilities"].detach().numpy() == pytest.approx(probabilities, abs=1e-5)
    loss = -numpy.log(probabilities[numpy.arange(len(gold)), gold]).mean()
    assert output["loss"].item() == pytest.approx(loss, abs=1e-5)
    metrics = model.get_metrics(reset=True)
    assert metrics["accuracy"] == (logits.argmax(axis=1) == gold).mean()


def test_the_token_at_the_index_is_the_one_that_is_probed(fixtures):
    vocab, batch = batch_of(fixtures, "token_in_context", size=50)
    model = probe(vocab, "token_in_context")
    features = model.represent(batch["tokens"], batch["index"])
    embedder = next(module for module in model.modules() if hasattr(module, "embed_forms"))
    words = [
        data["input"]["sentence"].split(" ")[data["input"]["index"]] for data in batch["metadata"]
    ]
    assert len({data["input"]["index"] for data in batch["metadata"]}) > 1
    assert (features.numpy() == embedder.embed_forms(words)).all()


def test_the_two_tokens_are_those_at_their_indices(fixtures):
    """The vector of each is that of its word in its own sentence."""
    vocab, batch = batch_of(fixtures, "paired_tokens", size=50)
    model = probe(vocab, "paired_tokens")
    names = ("tokens1", "index1", "tokens2", "index2")
    features = model.represent(*(batch[name] for name in names))
    embedder = next(module for module in model.modules() if hasattr(module, "embed_forms"))
    inputs = [data["input"] for data in batch["metadata"]]
    assert any(given["index1"] != given["index2"] for given in inputs)
    x, y = (
        embedder.embed_forms(
            [given[f"sentence{n}"].split(" ")[given[f"index{n}"]] for given in inputs]
        )
        for n in (1, 2)
    )
    assert (features.numpy() == numpy.concatenate([x, y], axis=1)).all()
    assert [data["words"] for data in batch["metadata"]] == [
        [given[f"sentence{n}"].split(" ")[given[f"index{n}"]] for n in (1, 2)] for given in inputs
    ]


@pytest.mark.parametrize(
    "combination, combine",
    [
        ("x,y", lambda x, y: [x, y]),
        ("x-y", lambda x, y: [x - y]),
        ("x*y", lambda x, y: [x * y]),
        ("x,y,x-y,x*y", lambda x, y: [x, y, x - y, x * y]),
    ],
)
def test_pair_combinations(fixtures, combination, combine):
    vocab, batch = batch_of(fixtures, "paired_forms")
    model = probe(vocab, "paired_forms", combination=combination)
    embedder = next(module for module in model.modules() if hasattr(module, "embed_forms"))
    x, y = (
        embedder.embed_forms([data["input"][form] for data in batch["metadata"]])
        for form in ("form1", "form2")
    )
    features = model.represent(batch["form1"], batch["form2"])
    assert features.numpy() == pytest.approx(numpy.concatenate(combine(x, y), axis=1))
    assert model(**batch)["logits"].size(1) == vocab.get_vocab_size("labels")


@pytest.mark.parametrize("combination", ["x^y", "x,", "concat", "xy", ""])
def test_a_combination_that_makes_no_sense(fixtures, combination):
    vocab, _ = batch_of(fixtures, "paired_forms")
    with pytest.raises(ConfigurationError, match="combination: expected parts like"):
        probe(vocab, "paired_forms", combination=combination)


@pytest.mark.parametrize("kind", KINDS)
def test_an_item_scores_the_same_alone_and_in_a_batch(fixtures, kind):
    level, task = KINDS[kind]
    vocab, batch = batch_of(fixtures, kind, size=6)
    model = probe(vocab, kind).eval()
    reader = DatasetReader.from_params(
        Params({"type": kind, "token_indexers": {"words": {"type": "word_form"}}})
    )
    instances = list(reader.read(str(fixtures / level / task / "finnish/train.txt")))[:6]
    together = model(**batch)["logits"]
    alone = torch.cat([model(**_tensors(instance, vocab))["logits"] for instance in instances])
    assert together.detach().numpy() == pytest.approx(alone.detach().numpy(), abs=1e-5)


def _tensors(instance, vocab):
    batch = Batch([instance])
    batch.index_instances(vocab)
    return batch.as_tensor_dict()


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_head_is_trained_and_the_rest_stays_in_evaluation_mode(kind, fixtures):
    vocab, batch = batch_of(fixtures, kind)
    words = {"type": "pass_through", "hidden_dim": 3}
    model = probe(vocab, kind, embedder=words)
    model.text_field_embedder.dropout = torch.nn.Dropout(0.5)
    model.text_field_embedder.weight = torch.nn.Parameter(torch.ones(1), requires_grad=False)
    model.train()
    assert model.head.training and not model.text_field_embedder.dropout.training
    trained = {name for name, p in model.named_parameters() if p.requires_grad}
    assert trained and all(name.startswith("head.") for name in trained)


def test_an_embedding_of_allennlps_own_is_frozen(fixtures):
    reader = DatasetReader.from_params(Params({"type": "single_form"}))
    instances = list(reader.read(str(fixtures / "type_level/Case/finnish/train.txt")))
    vocab = Vocabulary.from_instances(instances)
    params = {
        "type": "single_form_probe",
        "text_field_embedder": {
            "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}
        },
    }
    model = Model.from_params(Params(params), vocab=vocab)
    batch = Batch(instances[:4])
    batch.index_instances(vocab)
    model(**batch.as_tensor_dict())["loss"].backward()
    assert all(p.grad is None for p in model.text_field_embedder.parameters())
    assert all(p.grad is not None for p in model.head.parameters())


def test_labels_unseen_in_training_are_errors_and_have_no_loss(fixtures):
    vocab, batch = batch_of(fixtures, "single_form", size=4)
    model = probe(vocab, "single_form").eval()
    known = model(**copy.deepcopy(batch))["loss"].item()
    model.get_metrics(reset=True)
    features = model.represent(batch["tokens"])
    label = torch.cat([batch["label"], torch.tensor([-1])])
    output = model.apply_head(torch.cat([features, features[:1]]), label)
    assert output["loss"].item() == pytest.approx(known)
    assert model.apply_head(features, torch.full((4,), -1))["loss"].item() == 0


def test_one_label_is_no_task():
    vocab = Vocabulary(counter={"labels": {"Partitive": 5}})
    with pytest.raises(ConfigurationError, match="at least two labels.*have 1: Partitive"):
        probe(vocab, "single_form")


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return make_bert(tmp_path_factory.mktemp("bert"))


def transformer(folder, **settings):
    return {"type": "transformer_layer", "model": str(folder), **settings}


def embedders(folder):
    """Some that can be asked for a single word: static, in context, alone, over another."""
    return [
        VECTORS,
        transformer(folder),
        transformer(folder, layer=[0, 2]),
        transformer(folder, layer="mix"),
        transformer(folder, alone=True),
        {"type": "random_bilstm", "base": transformer(folder, layer=0)},
        {"type": "random_bilstm", "base": dict(VECTORS)},
    ]


@pytest.mark.parametrize("number", range(7))
def test_asking_for_the_probed_word_is_taking_it_from_the_whole_sentence(fixtures, bert, number):
    vocab, batch = batch_of(fixtures, "token_in_context", size=12)
    model = probe(vocab, "token_in_context", copy.deepcopy(embedders(bert)[number]))
    assert direct_word_embedders(model.text_field_embedder)
    everything = model.text_field_embedder(batch["tokens"])
    index = batch["index"].flatten()
    features = model.represent(batch["tokens"], batch["index"])
    expected = everything[torch.arange(len(index)), index]
    assert features.numpy() == pytest.approx(expected.numpy(), abs=1e-5)


def test_only_the_sentences_of_probed_words_are_asked_for(fixtures, bert, monkeypatch):
    vocab, batch = batch_of(fixtures, "token_in_context", size=3)
    model = probe(vocab, "token_in_context", transformer(bert, alone=True))
    embedder = next(m for m in model.modules() if isinstance(m, WordEmbedder))
    computed = []
    original = embedder.compute
    monkeypatch.setattr(
        embedder, "compute", lambda words: (computed.extend(words), original(words))[1]
    )
    model.represent(batch["tokens"], batch["index"])
    words = [
        data["input"]["sentence"].split(" ")[data["input"]["index"]] for data in batch["metadata"]
    ]
    assert {*computed} == {(word,) for word in words}  # batches are filled up with some of them


def test_beside_an_embedder_of_allennlps_own_whole_sentences_are_embedded(fixtures, bert):
    reader = DatasetReader.from_params(
        Params(
            {
                "type": "token_in_context",
                "token_indexers": {
                    "words": {"type": "word_form"},
                    "ids": {"type": "single_id", "namespace": "ids"},
                },
            }
        )
    )
    instances = list(reader.read(str(fixtures / "token_level/Case/finnish/train.txt")))
    vocab = Vocabulary.from_instances(instances)
    batch = Batch(instances[:5])
    batch.index_instances(vocab)
    tensors = batch.as_tensor_dict()
    ids = {"type": "embedding", "embedding_dim": 4, "vocab_namespace": "ids"}
    embedder = {"token_embedders": {"words": transformer(bert), "ids": ids}}
    params = {"type": "token_in_context_probe", "text_field_embedder": embedder}
    model = Model.from_params(Params(params), vocab=vocab)
    assert not direct_word_embedders(model.text_field_embedder)
    features = model.represent(tensors["tokens"], tensors["index"])
    assert features.shape == (5, 16)
    for row, data in zip(features.numpy(), tensors["metadata"]):
        words = data["input"]["sentence"].split(" ")
        expected = plain_vectors(bert, words)[-1][data["input"]["index"]]
        # Embedders are put side by side by their names.
        assert row[4:] == pytest.approx(expected, abs=1e-5)


def mixed(layers, model):
    """By hand. Shape: (num_layers, num_words, dimension) → (num_words, dimension)"""
    weights = numpy.array(model.layer_weights())
    return model.head.mix.gamma.item() * numpy.einsum("l,lwd->wd", weights, layers)


def set_mix(model, scalars):
    with torch.no_grad():
        model.head.mix.gamma.fill_(1.5)
        for parameter, value in zip(model.head.mix.scalar_parameters, scalars):
            parameter.fill_(value)


@pytest.mark.parametrize("kind", ["single_form", "token_in_context"])
def test_a_mix_of_layers_by_hand(fixtures, bert, kind):
    vocab, batch = batch_of(fixtures, kind)
    model = probe(vocab, kind, transformer(bert, layer="mix"), head={"type": "linear"}).eval()
    set_mix(model, [0.3, -1.0, 2.0])
    inputs = [data["input"] for data in batch["metadata"]]
    texts = [i["sentence"].split(" ") if "sentence" in i else [i["form"]] for i in inputs]
    words = numpy.stack(
        [
            mixed(plain_vectors(bert, text), model)[i.get("index", 0)]
            for text, i in zip(texts, inputs)
        ]
    )
    weight, bias = (p.detach().numpy() for p in model.head.head.layers[1].parameters())
    logits = model(**batch)["logits"].detach().numpy()
    assert logits == pytest.approx(words @ weight.T + bias, abs=1e-4)


@pytest.mark.parametrize("combination", ["x,y", "x*y", "x,y,x-y,x*y", "x", "y"])
def test_layers_are_mixed_before_two_forms_are_combined(fixtures, bert, combination):
    vocab, batch = batch_of(fixtures, "paired_forms")
    model = probe(
        vocab,
        "paired_forms",
        transformer(bert, layer="mix"),
        combination=combination,
        head={"type": "linear"},
    ).eval()
    set_mix(model, [0.3, -1.0, 2.0])
    x, y = (
        numpy.concatenate(
            [mixed(plain_vectors(bert, [d["input"][form]]), model) for d in batch["metadata"]]
        )
        for form in ("form1", "form2")
    )
    parts = {"x": x, "y": y, "x-y": x - y, "x*y": x * y}
    features = numpy.concatenate([parts[part] for part in combination.split(",")], axis=1)
    weight, bias = (p.detach().numpy() for p in model.head.head.layers[1].parameters())
    logits = model(**batch)["logits"].detach().numpy()
    assert logits == pytest.approx(features @ weight.T + bias, abs=1e-4)


def test_the_weights_of_a_mix_are_trained_with_the_head(fixtures, bert):
    vocab, batch = batch_of(fixtures, "single_form")
    model = probe(vocab, "single_form", transformer(bert, layer="mix"))
    assert isinstance(model.head, LayerMixHead)
    assert model.layer_weights() == pytest.approx([1 / 3] * 3)
    model(**batch)["loss"].backward()
    trained = {name for name, p in model.named_parameters() if p.grad is not None}
    assert "head.mix.gamma" in trained and all(name.startswith("head.") for name in trained)
    assert all(p.grad.item() != 0 for p in model.head.mix.scalar_parameters)


@pytest.mark.parametrize("layer", [0, [0, 1], "average"])
def test_without_a_mix_there_are_no_layer_weights(fixtures, bert, layer):
    vocab, _ = batch_of(fixtures, "single_form")
    model = probe(vocab, "single_form", transformer(bert, layer=layer))
    assert model.layer_weights() is None and not isinstance(model.head, LayerMixHead)


@pytest.mark.parametrize("kind", KINDS)
def test_attention_over_pieces_begins_as_their_mean(fixtures, bert, kind):
    vocab, batch = batch_of(fixtures, kind)
    settings = {"layer": 1, "pool": "attention", "max_pieces": 16}
    mean = probe(vocab, kind, transformer(bert, layer=1), head={"type": "linear"}).eval()
    model = probe(vocab, kind, transformer(bert, **settings), head={"type": "linear"}).eval()
    assert isinstance(model.head, PieceAttentionHead) and model.feature_dim == mean.feature_dim
    model.head.head.load_state_dict(mean.head.state_dict())
    expected = mean(**copy.deepcopy(batch))["logits"]
    output = model(**batch)
    assert torch.allclose(output["logits"], expected, atol=1e-5)
    output["loss"].backward()
    trained = {name for name, p in model.named_parameters() if p.grad is not None}
    assert all(name.startswith("head.") for name in trained)
    assert model.head.query.grad.abs().max() > 0
    assert model.layer_weights() is None


def test_attention_beside_another_representation_is_refused(fixtures, bert):
    vocab, _ = batch_of(fixtures, "single_form")
    both = {"words": transformer(bert, pool="attention"), "others": VECTORS}
    params = {"type": "single_form_probe", "text_field_embedder": {"token_embedders": both}}
    with pytest.raises(ConfigurationError, match="its pieces become one vector in the head"):
        Model.from_params(Params(copy.deepcopy(params)), vocab=vocab)


def test_a_mix_beside_another_representation_is_refused(fixtures, bert):
    vocab, _ = batch_of(fixtures, "single_form")
    both = {"words": transformer(bert, layer="mix"), "others": VECTORS}

    def build():
        params = {"type": "single_form_probe", "text_field_embedder": {"token_embedders": both}}
        return Model.from_params(Params(copy.deepcopy(params)), vocab=vocab)

    with pytest.raises(ConfigurationError, match="must be the only one of a probe"):
        build()
    both["words"]["layer"] = "average"
    assert build().layer_weights() is None


@pytest.mark.parametrize("embedder", ["char_ngrams", "word_vectors", "contextual", "alone", "mix"])
@pytest.mark.parametrize("kind", KINDS)
def test_instances_are_represented_as_their_tensors_are(fixtures, kind, embedder):
    vocab, batch = batch_of(fixtures, kind, size=40)
    level, task = KINDS[kind]
    reader = DatasetReader.from_params(
        Params({"type": kind, "token_indexers": {"words": {"type": "word_form"}}})
    )
    instances = list(reader.read(str(fixtures / level / task / "finnish/train.txt")))[:40]
    embedders = {
        "char_ngrams": lambda: CharNgramsEmbedder(12),
        "word_vectors": lambda: WordVectorsEmbedder(str(fixtures / "vectors/finnish.vec")),
        "contextual": lambda: HashedLayersEmbedder([0, 2]),
        "alone": lambda: HashedLayersEmbedder("average", alone=True),
        "mix": lambda: HashedLayersEmbedder("mix"),
    }
    model = Model.by_name(f"{kind}_probe")(
        vocab, BasicTextFieldEmbedder({"words": embedders[embedder]()})
    )
    for instance in instances:
        reader.apply_token_indexers(instance)
    inputs = {name: batch[name] for name in batch if name not in ("label", "metadata")}
    assert torch.equal(model.represent_instances(instances), model.represent(**inputs))


def test_instances_whose_words_reach_others_are_left_to_tensors(fixtures):
    vocab, _ = batch_of(fixtures, "single_form")
    reader = SingleFormReader({"words": WordFormIndexer(), "ids": SingleIdTokenIndexer()})
    instance = reader.text_to_instance("talossa", "None")
    reader.apply_token_indexers(instance)
    mixed = {"words": CharNgramsEmbedder(4), "ids": Embedding(2, num_embeddings=3)}
    for embedders in (mixed, {"words": CharNgramsEmbedder(4)}):
        model = SingleFormProbe(vocab, BasicTextFieldEmbedder(embedders))
        assert model.represent_instances([instance]) is None
