import copy

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.models import Model

KINDS = {
    "single_form": ("type_level", "Case"),
    "paired_forms": ("type_level", "OddFeat"),
    "token_in_context": ("token_level", "Case"),
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
    halves = model.classify(model.represent(**batch), label)
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
    output = model.classify(torch.cat([features, features[:1]]), label)
    assert output["loss"].item() == pytest.approx(known)
    assert model.classify(features, torch.full((4,), -1))["loss"].item() == 0


def test_one_label_is_no_task():
    vocab = Vocabulary(counter={"labels": {"Partitive": 5}})
    with pytest.raises(ConfigurationError, match="at least two labels.*have 1: Partitive"):
        probe(vocab, "single_form")
