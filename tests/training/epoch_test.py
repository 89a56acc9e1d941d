import copy

import pytest
import torch
from allennlp.data import Vocabulary
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from linspector_allennlp.models import SingleFormProbe
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.representations import CharNgramsEmbedder
from linspector_allennlp.training.epoch import GradientSteps, train_epoch
from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.features import Features


@pytest.fixture
def model():
    torch.manual_seed(0)
    vocab = Vocabulary(counter={"labels": {"X": 2, "Y": 1}})
    embedder = BasicTextFieldEmbedder({"words": CharNgramsEmbedder(dimension=3)})
    return SingleFormProbe(vocab, embedder)


@pytest.fixture
def features():
    values = torch.randn(40, 3, generator=torch.Generator().manual_seed(1))
    return item_features(values, (values[:, 0] > 0).long())


def item_features(values, labels):
    """One row an instance."""
    ones = torch.ones(len(labels), dtype=torch.long)
    return Features(Ragged(values, ones), {"label": Ragged(labels, ones)})


def test_one_step_is_what_torch_does(model, features):
    model.head.layers[2].p = 0.0
    reference = copy.deepcopy(model.head.layers)
    optimizer = torch.optim.Adam(reference.parameters(), lr=0.01)
    for rows in torch.arange(40).split(16):
        loss = torch.nn.functional.cross_entropy(
            reference(features.values.values[rows]), features.targets["label"].values[rows]
        )
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(reference.parameters(), 0.001)
        optimizer.step()
    parameters = list(model.head.parameters())
    steps = GradientSteps(torch.optim.Adam(parameters, lr=0.01), parameters, grad_clipping=0.001)
    train_epoch(model, features, torch.arange(40), 16, steps)
    assert steps.taken == 3
    for ours, theirs in zip(parameters, reference.parameters()):
        assert torch.allclose(ours, theirs)


def test_the_limit_of_steps(model, features):
    parameters = list(model.head.parameters())
    steps = GradientSteps(torch.optim.Adam(parameters), parameters, limit=2)
    metrics = train_epoch(model, features, torch.arange(40), 10, steps)
    assert steps.taken == 2 and steps.exhausted
    assert metrics["accuracy"] * 20 == round(metrics["accuracy"] * 20)  # 20 items were seen


def test_metrics_of_an_evaluation(model, features):
    labels = features.targets["label"].values.clone()
    labels[:4] = -1
    metrics = evaluate(model, item_features(features.values.values, labels)).metrics
    with torch.no_grad():
        logits = model.head(features.values.values)
    assert metrics["accuracy"] == (logits.argmax(1) == labels).sum().item() / 40
    expected = torch.nn.functional.cross_entropy(logits[4:], labels[4:])
    assert metrics["loss"] == pytest.approx(expected.item(), rel=1e-5)


def test_divergence_is_said(model, features):
    with torch.no_grad():
        model.head.layers[0].weight.fill_(float("inf"))
    with pytest.raises(ValueError, match="lower learning rate"):
        evaluate(model, features)
