"""The evaluation on features gives what `forward` gives from raw text, for every kind of probe."""

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model

from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.feature_source import FeatureSource

TREEBANK = "raw/finnish-ud-{}.conllu"

# By the name of a model its settings, and the reader and the file of its data.
KINDS = {
    "single_form_probe": ({}, {"type": "single_form"}, "type_level/Case/finnish/{}.txt"),
    "paired_forms_probe": (
        {"combination": "x,y,x-y"}, {"type": "paired_forms"}, "type_level/OddFeat/finnish/{}.txt"
    ),
    "token_in_context_probe": (
        {}, {"type": "token_in_context"}, "token_level/Case/finnish/{}.txt"
    ),
    "paired_tokens_probe": (
        {"combination": "x,x*y"}, {"type": "paired_tokens"}, "token_level/OddFeat/finnish/{}.txt"
    ),
    "tagging_probe": ({}, {"type": "token_tags", "target": "Case"}, TREEBANK),
    "edge_probe": ({"relation_head": "linear"}, {"type": "dependency_tree"}, TREEBANK),
    "distance_probe": ({"rank": 7}, {"type": "dependency_tree"}, TREEBANK),
    "perceptron_probe": ({"scale_free": True}, {"type": "dependency_tree"}, TREEBANK),
    "depth_probe": ({}, {"type": "dependency_tree"}, TREEBANK),
}  # fmt: skip


@pytest.fixture(params=KINDS)
def probe_and_data(request, fixtures):
    """A probe that knows the labels of the training data, and the instances of the test data."""
    settings, reader, path = KINDS[request.param]
    indexers = {"token_indexers": {"words": {"type": "word_form"}}}
    reader = DatasetReader.from_params(Params({**reader, **indexers}))
    train, test = (list(reader.read(str(fixtures / path.format(s)))) for s in ("train", "test"))
    # Fewer labels than the test data have: some of these are unseen.
    vocab = Vocabulary.from_instances(train[: len(train) // 8])
    for instance in test:
        reader.apply_token_indexers(instance)
    embedder = {"token_embedders": {"words": {"type": "char_ngrams", "dimension": 12}}}
    torch.manual_seed(3)
    params = Params({"type": request.param, "text_field_embedder": embedder, **settings})
    return Model.from_params(params, vocab=vocab).eval(), test


def forward_outputs(model, instances, size):
    for start in range(0, len(instances), size):
        batch = Batch(instances[start : start + size])
        batch.index_instances(model.vocab)
        with torch.no_grad():
            yield model(**batch.as_tensor_dict())


def test_the_two_ways_are_one(probe_and_data):
    model, instances = probe_and_data
    features = FeatureSource(model, torch.device("cpu")).of(SimpleDataLoader(instances, 4))
    outcome = evaluate(model, features, with_predictions=True)
    losses, nats, records = [], 0.0, []
    for output in forward_outputs(model, instances, 5):
        losses.append((output["loss"].item(), int(output["count"])))
        nats += float(output.get("nats", 0.0))
        records += sum(model.predictions(output), [])
    assert outcome.scores.get_metric() == pytest.approx(model.get_metrics(), rel=1e-5)
    assert outcome.scores.tables() == model.scores.tables()
    intervals = model.scores.intervals()
    assert outcome.scores.intervals().keys() == intervals.keys()
    for name, interval in outcome.scores.intervals().items():
        assert interval == pytest.approx(intervals[name], rel=1e-5)
    total = sum(loss * count for loss, count in losses) / sum(count for _, count in losses)
    assert outcome.loss == pytest.approx(total, rel=1e-5)
    assert outcome.nats == pytest.approx(nats, rel=1e-5)
    assert len(outcome.predictions) == len(records) > 0
    for found, expected in zip(outcome.predictions, records):
        if expected.get("gold") == "(label unseen in training)":
            expected["gold"] = found["gold"]  # from features it has its name
            assert found["gold"] not in model.label_names
        assert rounded(found) == rounded(expected)


def rounded(value):
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


def test_parts_add_up_to_the_whole(probe_and_data):
    """As folds and the blocks of the online code need it."""
    model, instances = probe_and_data
    features = FeatureSource(model, torch.device("cpu")).of(SimpleDataLoader(instances, 4))
    whole = evaluate(model, features, with_predictions=True)
    order = torch.randperm(len(instances), generator=torch.Generator().manual_seed(1))
    cut = len(instances) // 3
    first, second = (
        evaluate(model, features, part, with_predictions=True)
        for part in (order[:cut], order[cut:])
    )
    assert first.nats + second.nats == pytest.approx(whole.nats, rel=1e-5)
    lines = [[record["line"] for record in part.predictions] for part in (first, second, whole)]
    assert sorted(lines[0] + lines[1]) == lines[2] == sorted(lines[2])
    assert all(line == sorted(line) for line in lines), "in the order of the file"
    alone = evaluate(model, features, order[:cut])
    assert alone.metrics == first.metrics and alone.predictions == []


def test_nothing_of_the_model_changes(probe_and_data):
    model, instances = probe_and_data
    features = FeatureSource(model, torch.device("cpu")).of(SimpleDataLoader(instances, 4))
    list(forward_outputs(model, instances, 50))
    before = model.get_metrics()
    evaluate(model, features, torch.tensor([0]))
    assert model.get_metrics() == before, "the metrics of forward are its own"
