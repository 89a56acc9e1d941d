import csv
import json
import math

import numpy as np
import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.evaluation import SimpleEvaluator
from allennlp.models.archival import load_archive
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from linspector_allennlp.dataset_readers import (
    ControlTaskReader,
    DependencyTreeReader,
    SingleFormReader,
)
from linspector_allennlp.models import EdgeProbe
from linspector_allennlp.modules import EdgeScorer, ProbeHead
from linspector_allennlp.representations import (
    CharNgramsEmbedder,
    WordFormIndexer,
    WordVectorsEmbedder,
)
from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.feature_source import compute_features
from linspector_allennlp.training.split import Split
from linspector_allennlp.trees import ROOT
from tests.representations.hashed_layers import HashedLayersEmbedder, layers_of

# 1 ← 2 → 3 and 2 → 5 → 4.
HEADS = [1, ROOT, 1, 4, 1]
VECTORS = [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.0, 3.0], [4.0, 0.0]]
TREES = """
# sent_id = five
1 a a NOUN _ _ 2 nsubj _ _
2 b b VERB _ _ 0 root _ _
3 c c NOUN _ _ 2 obj _ _
4 d d PUNCT _ _ 5 punct _ _
5 e e ADV _ _ 2 advmod _ _

# sent_id = contracted
1 a a NOUN _ _ 2 nsubj _ _
2-3 bc _ _ _ _ _ _ _ _
2 b b VERB _ _ 0 root _ _
3 c c NOUN _ _ 2 obj _ _
"""
SCORERS = [
    {"type": "bilinear"},
    {"type": "bilinear", "rank": 3},
    {"type": "mlp", "hidden_dims": [7]},
    {"type": "mlp", "hidden_dims": [7, 5]},
]


def targets_of(model, instances):
    """The gold answers of instances, and how many words each has."""
    targets = {name: ragged.values for name, ragged in model.targets(instances).items()}
    return {**targets, "lengths": torch.tensor([len(i["places"].tensor) for i in instances])}


def probe(vocab=None, embedder=None, scorer=None, relation_head=None):
    torch.manual_seed(0)
    return EdgeProbe(
        vocab or Vocabulary(),
        BasicTextFieldEmbedder({"words": embedder or CharNgramsEmbedder(12)}),
        Lazy(EdgeScorer, Params(dict(scorer))) if scorer else None,
        Lazy(ProbeHead, Params(dict(relation_head))) if relation_head else None,
    ).eval()


def treebank_of(tmp_path, text=TREES):
    lines = [line if line[:1] == "#" else line.replace(" ", "\t") for line in text.splitlines()]
    path = tmp_path / "trees.conllu"
    path.write_text("\n".join(lines[1:]) + "\n\n")
    return str(path)


def vectors_of(tmp_path):
    rows = zip(["a", "b", "c", "d", "e", "bc"], [*VECTORS, [2.0, 0.5]])
    path = tmp_path / "words.vec"
    path.write_text("6 2\n" + "".join(f"{word} {x} {y}\n" for word, (x, y) in rows))
    return WordVectorsEmbedder(str(path))


def instances_of(path, reader=None):
    reader = reader or DependencyTreeReader({"words": WordFormIndexer()})
    instances = list(reader.read(str(path)))
    for instance in instances:
        reader.apply_token_indexers(instance)
    return instances


def tensors_of(instances, vocab):
    batch = Batch(instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()


def finnish(fixtures):
    """Sentences of 4 to 8 words, one of them with a multiword token."""
    return instances_of(fixtures / "raw/finnish-ud-train.conllu")[-12:]


def control_of(path):
    reader = ControlTaskReader(DependencyTreeReader({"words": WordFormIndexer()}), str(path))
    return list(reader.read(str(path)))


def set_weight(model, weight):
    with torch.no_grad():
        model.head.scorer.of_words.weight.copy_(torch.tensor(weight))


def test_heads_and_loss_by_hand(tmp_path):
    # A = −1: the score of a head is −h·w. Of a: −1, 0, −1, 0, −4; of c: −1, 0, −2, −3, −4;
    # of d: 0, 0, −3, −9, 0; of e: −4, 0, −4, 0, −16. The best are the words 2, 2, 1 and 2: of 1 and 2
    # and 5 the first; for d that is an error. b is the root.
    model = probe(embedder=vectors_of(tmp_path))
    set_weight(model, [[-1.0, 0.0], [0.0, -1.0]])
    instances = instances_of(treebank_of(tmp_path))[:1]
    output = model(**tensors_of(instances, model.vocab))
    e = math.exp
    right = [
        1 / (2 + 2 * e(-1) + e(-4)),
        1 / (1 + e(-1) + e(-2) + e(-3) + e(-4)),
        1 / (3 + e(-3) + e(-9)),
        1 / (2 + 2 * e(-4) + e(-16)),
    ]
    assert output["loss"].item() == pytest.approx(-np.log(right).sum() / 4)
    assert output["nats"].item() == pytest.approx(-np.log(right).sum()) and output["count"] == 4
    assert model.get_metrics() == {"accuracy": 3 / 4}
    assert model.scores.tables() == {
        "lengths": [["length", "sentences", "accuracy"], [5, 1, "0.7500"]]
    }
    assert model.scores.intervals() == {}  # one sentence cannot be resampled
    records = sum(model.predictions(output), [])
    probabilities = [record.pop("gold_probability") for record in records]
    assert probabilities == pytest.approx(right)
    assert [record.pop("probability") for record in records] == pytest.approx(right)
    of_sentence = {"sentence": 0, "sent_id": "five"}
    assert records == [
        {**of_sentence, "line": line, "index": index, "form": form}
        | {"label": label, "gold": gold, "correct": label == gold}
        for line, index, form, label, gold in [
            (2, 0, "a", 1, 1),
            (4, 2, "c", 1, 1),
            (5, 3, "d", 0, 4),
            (6, 4, "e", 1, 1),
        ]
    ]
    assert model.make_output_human_readable(output) == {
        "input": [{"sentence": "a b c d e"}],
        "sent_id": ["five"],
        "forms": [["a", "b", "c", "d", "e"]],
        "heads": [[1, 0, 1, 0, 1]],
        "gold_heads": [[1, -1, 1, 4, 1]],
    }
    # Four words with five candidates each.
    targets = targets_of(model, instances)
    assert model.uniform_bits(**targets) == pytest.approx(4 * math.log2(5))


def test_the_parts_of_a_multiword_token_have_its_vector(tmp_path):
    instances = instances_of(treebank_of(tmp_path))
    model = probe(embedder=vectors_of(tmp_path))
    tensors = tensors_of(instances, model.vocab)
    features = model.represent(tensors["tokens"], tensors["places"])
    assert features.tolist() == [*VECTORS, VECTORS[0], [2.0, 0.5], [2.0, 0.5]]
    assert model.represent_instances(instances).tolist() == features.tolist()
    # Two sentences: 4 · log₂ 5 + 2 · log₂ 3.
    targets = targets_of(model, instances)
    assert model.uniform_bits(**targets) == pytest.approx(4 * math.log2(5) + 2 * math.log2(3))


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("relation_head", [None, {"type": "linear"}])
def test_forward_is_the_two_halves_in_a_row(fixtures, scorer, relation_head):
    instances = finnish(fixtures)
    vocab = Vocabulary.from_instances(instances)
    model = probe(vocab, scorer=scorer, relation_head=relation_head)
    tensors = tensors_of(instances, vocab)
    output = model(**tensors)
    target = output["target"]
    halves = model.apply_head(model.represent(tensors["tokens"], tensors["places"]), **target)
    for name in ("logits", "loss", "nats", "count"):
        assert torch.equal(output[name], halves[name])
    assert ("relation_logits" in output) == bool(relation_head)
    of_instances = model.targets(instances)
    unused = set() if relation_head else {"relations"}
    assert set(of_instances) == {"heads", "relations"} - unused
    for name, ragged in of_instances.items():
        assert torch.equal(ragged.values, target[name])


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("relation_head", [None, {"type": "linear"}])
def test_a_sentence_scores_the_same_alone_and_in_a_batch(fixtures, scorer, relation_head):
    instances = finnish(fixtures)
    vocab = Vocabulary.from_instances(instances)
    model = probe(vocab, scorer=scorer, relation_head=relation_head)
    together = model(**tensors_of(instances, vocab))
    metrics = model.get_metrics(reset=True)
    records = sum(model.predictions(together), [])
    loss = 0
    for instance in instances:
        output = model(**tensors_of([instance], vocab))
        loss += output["loss"].item() * output["count"].item()
        for record in sum(model.predictions(output), []):
            expected = records.pop(0)
            for name in ("probability", "gold_probability"):
                assert record.pop(name) == pytest.approx(expected.pop(name), abs=1e-5)
            assert record == expected
    assert not records
    assert together["loss"].item() == pytest.approx(loss / together["count"].item(), rel=1e-5)
    assert model.get_metrics(reset=True) == pytest.approx(metrics)


@pytest.mark.parametrize("layer", [1, "mix"])
@pytest.mark.parametrize("relation_head", [None, {"type": "linear"}])
def test_the_trainer_scores_as_forward_does(fixtures, layer, relation_head):
    instances = finnish(fixtures)
    vocab = Vocabulary.from_instances(instances)
    model = probe(vocab, HashedLayersEmbedder(layer), relation_head=relation_head)
    output = model(**tensors_of(instances, vocab))
    expected = {**model.get_metrics(reset=True), "loss": output["loss"].item()}
    loader = SimpleDataLoader(instances, 5, vocab=vocab)
    features = compute_features(model, Split(loader), torch.device("cpu"), 5, 1e9)
    assert evaluate(model, features).metrics == pytest.approx(expected, rel=1e-5)
    bits = output["nats"].item() / math.log(2)
    assert evaluate(model, features).bits == pytest.approx(bits, rel=1e-5)
    # An instance at a time, in any order, is the same in sum.
    parts = [evaluate(model, features, torch.tensor([i])).bits for i in range(len(instances))]
    assert sum(parts) == pytest.approx(bits, rel=1e-5)


def test_a_mix_of_layers_by_hand(tmp_path):
    instances = instances_of(treebank_of(tmp_path))
    vocab = Vocabulary.from_instances(instances)
    model = probe(vocab, HashedLayersEmbedder("mix"), relation_head={"type": "linear"})
    with torch.no_grad():
        model.head.mix.gamma.fill_(0.1)
        for parameter, value in zip(model.head.mix.scalar_parameters, [0.3, -1.0, 2.0]):
            parameter.fill_(value)
    shares = np.exp([0.3, -1.0, 2.0])
    shares = shares / shares.sum()
    assert model.layer_weights() == pytest.approx(shares.tolist())
    layers = layers_of(("a", "bc"))[:, [0, 1, 1]]
    words = 0.1 * np.einsum("l,lwd->wd", shares, layers)
    matrix = model.head.head.scorer.of_words.weight.detach().numpy()
    output = model(**tensors_of(instances, vocab))
    found = output["logits"].detach().numpy()[5:, :3]
    assert found == pytest.approx(words @ matrix.T @ words.T, abs=1e-4)
    # a and c hang on b, whose vector is that of c. The word, then its head.
    weight, bias = (p.detach().numpy() for p in model.head.head.relations.parameters())
    pairs = np.concatenate([words, words[[1, 0, 1]]], axis=1)
    found = output["relation_logits"].detach().numpy()[5:]
    assert found == pytest.approx(pairs @ weight.T + bias, abs=1e-4)
    output["loss"].backward()
    assert all(p.grad.item() != 0 for p in model.head.mix.scalar_parameters)
    assert all(p.grad is not None for p in model.head.parameters())


def test_relations_by_hand(tmp_path):
    instances = instances_of(treebank_of(tmp_path))
    vocab = Vocabulary.from_instances(
        instances[1:]
    )  # nsubj, root, obj; punct and advmod are unseen
    model = probe(vocab, vectors_of(tmp_path), relation_head={"type": "linear"})
    assert sorted(model.relation_names) == ["nsubj", "obj", "root"]
    set_weight(model, [[-1.0, 0.0], [0.0, -1.0]])
    numbers = {name: number for number, name in enumerate(model.relation_names)}
    linear = [m for m in model.head.relations.modules() if isinstance(m, torch.nn.Linear)][0]
    with torch.no_grad():
        # nsubj gets 1 − y of the word, obj y of the word; what the head is does not matter.
        linear.weight.zero_()
        linear.bias.zero_()
        linear.bias[numbers["nsubj"]] = 1
        linear.bias[numbers["root"]] = -50
        linear.weight[numbers["nsubj"], 1] = -1
        linear.weight[numbers["obj"], 1] = 1
    output = model(**tensors_of(instances[:1], vocab))
    # a: nsubj 1, obj 0. b is the root. c: nsubj 0, obj 1. Both right, and so are their heads. The others
    # have relations that were not in training: errors without a loss; of d the head is wrong, too.
    assert model.get_metrics() == {
        "accuracy": 3 / 4,
        "relation_accuracy": 2 / 4,
        "labelled_accuracy": 2 / 4,
    }
    of_relations = 2 * math.log(1 + math.exp(-1))
    total = output["nats"].item() + of_relations
    assert output["loss"].item() == pytest.approx(total / 4)
    readable = model.make_output_human_readable(output)
    # d: y = 3, obj; b and e: y = 0, nsubj.
    assert readable["relations"] == [["nsubj", "nsubj", "obj", "obj", "nsubj"]]


def test_labelled_is_right_in_both():
    """Of a word with the right relation and the wrong head, and the other way round."""
    vocab = Vocabulary(counter={"relation_labels": {"x": 3, "y": 2}})
    model = probe(vocab, relation_head={"type": "linear"})
    x, y = (model.relation_names.index(name) for name in "xy")
    logits = torch.tensor([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]])
    relations = torch.nn.functional.one_hot(torch.tensor([x, x, y, x]), 2).float()
    target = {
        "lengths": torch.tensor([4]),
        "heads": torch.tensor([1, ROOT, 1, 1]),
        "relations": torch.tensor([x, x, y, y]),
    }
    # Word 0: both; 1: the root; 2: the relation alone; 3: the head alone.
    scores = model.new_scores()
    model.observe(scores, [{"logits": logits, "relation_logits": relations}], [target])
    assert scores.get_metric() == {
        "accuracy": pytest.approx(2 / 3),
        "relation_accuracy": pytest.approx(2 / 3),
        "labelled_accuracy": pytest.approx(1 / 3),
    }


def test_gradients_of_the_loss(fixtures):
    instances = finnish(fixtures)[-3:]
    vocab = Vocabulary.from_instances(instances)
    for scorer in SCORERS:
        model = probe(vocab, CharNgramsEmbedder(3), scorer, {"type": "linear"}).double()
        targets = targets_of(model, instances)
        features = torch.randn(len(targets["heads"]), 3, dtype=torch.double, requires_grad=True)
        assert torch.autograd.gradcheck(
            lambda f, m=model, t=targets: m.apply_head(f, **t)["loss"], (features,)
        )


@pytest.mark.parametrize("relation_head", [None, {"type": "linear"}])
def test_a_sentence_without_a_tree(fixtures, relation_head):
    instances = finnish(fixtures)
    vocab = Vocabulary.from_instances(instances)
    model = probe(vocab, relation_head=relation_head)
    reader = DependencyTreeReader({"words": WordFormIndexer()})
    instance = reader.text_to_instance(["Hän", "osti", "kirjan"])
    reader.apply_token_indexers(instance)
    output = model.forward_on_instance(instance)
    assert "loss" not in output and "gold_heads" not in output and model.get_metrics() == {}
    assert len(output["heads"]) == 3 and set(output["heads"]) <= {0, 1, 2}
    assert ("relations" in output) == bool(relation_head)
    # The relation is then that to the head which was found.
    if relation_head:
        features = model.represent_instances([instance])
        heads = torch.tensor(output["heads"])
        pairs = torch.cat([features, features[heads]], dim=1)
        best = model.head.relations(pairs).argmax(dim=1).tolist()
        assert output["relations"] == [model.relation_names[number] for number in best]


def test_a_control_task_is_learned_and_scored(fixtures):
    """Heads that make no tree: themselves, the first word, the last."""
    path = fixtures / "raw/finnish-ud-test.conllu"
    instances = control_of(path)
    model = probe()
    for instance in instances:
        instance["tokens"].token_indexers = {"words": WordFormIndexer()}
    output = model(**tensors_of(instances, model.vocab))
    assert torch.isfinite(output["loss"]) and len(sum(model.predictions(output), [])) == 38
    assert set(model.targets(instances)) == {"heads"}


def test_it_trains_saves_and_loads(train, treebank, tmp_path):
    treebank()
    metrics = train("edges", trainer={"num_epochs": 5}, model={"relation_head": {"type": "linear"}})
    archive = load_archive(str(tmp_path / "run"))
    model = archive.model
    for split, name in (("dev", "best_validation"), ("test", "test")):
        path = archive.config["test_data_path"].replace("-test.", f"-{split}.")
        instances = instances_of(path)
        loader = SimpleDataLoader(instances, 256, vocab=model.vocab)
        found = SimpleEvaluator(cuda_device=-1)(model, loader)
        assert found == {key: pytest.approx(metrics[f"{name}_{key}"], rel=1e-5) for key in found}
        assert set(found) == {"accuracy", "relation_accuracy", "labelled_accuracy", "loss"}
        assert found["labelled_accuracy"] <= min(found["accuracy"], found["relation_accuracy"])
    lines = (tmp_path / "run/test_predictions.jsonl").read_text().splitlines()
    written = [json.loads(line) for line in lines]
    expected = sum(model.predictions(model(**tensors_of(instances, model.vocab))), [])
    for number, (record, again) in enumerate(zip(written, expected)):
        assert record.pop("item") == number
        assert record.pop("known") in (True, False)
        for name in ("probability", "gold_probability"):
            assert record.pop(name) == pytest.approx(again.pop(name), abs=1e-5)
        assert record == again
    assert len(written) == len(expected) == metrics["num_test"] == 38
    right = [record["label"] == record["gold"] for record in written]
    assert metrics["test_accuracy"] == pytest.approx(np.mean(right))
    rows = list(csv.DictReader((tmp_path / "run/test_lengths.tsv").open(), delimiter="\t"))
    assert list(rows[0])[:3] == ["length", "sentences", "accuracy"]
    assert sum(int(row["sentences"]) for row in rows) == 12


@pytest.mark.parametrize("scorer", SCORERS[2:])
def test_it_learns(train, treebank, scorer):
    treebank()
    model = {"scorer": {**scorer, "hidden_dims": [20] * len(scorer["hidden_dims"])}}
    metrics = train("edges", trainer={"num_epochs": 40}, model=model)
    assert metrics["training_accuracy"] > 0.7 > metrics["baseline_majority"]


def test_relations_of_one_kind_are_no_task():
    vocab = Vocabulary(counter={"relation_labels": {"dep": 9}})
    with pytest.raises(ConfigurationError, match="relation_head: .* two relations .* found 1"):
        probe(vocab, relation_head={"type": "linear"})
    # Without a head for them they are not asked for.
    assert probe(vocab).relation_names == []


def test_a_control_task_has_no_relations(fixtures):
    vocab = Vocabulary.from_instances(control_of(fixtures / "raw/finnish-ud-test.conllu"))
    with pytest.raises(ConfigurationError, match="found 0. .A control task has none"):
        probe(vocab, relation_head={"type": "linear"})


def test_instances_without_heads():
    instance = SingleFormReader().text_to_instance("talossa", "None")
    with pytest.raises(ConfigurationError, match="edge_probe needs heads"):
        probe().targets([instance])
