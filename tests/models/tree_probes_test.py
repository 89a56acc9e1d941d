import json
import math

import numpy as np
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.evaluation import SimpleEvaluator
from allennlp.models import Model
from allennlp.models.archival import load_archive
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from linspector_allennlp.dataset_readers import ControlTaskReader, DependencyTreeReader
from linspector_allennlp.models.tree_geometry import SMALLEST_SQUARE
from linspector_allennlp.modules.padding import mask_of, padded, pair_mask
from linspector_allennlp.representations import (
    CharNgramsEmbedder,
    WordFormIndexer,
    WordVectorsEmbedder,
)
from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.feature_source import compute_features
from linspector_allennlp.training.split import Split
from linspector_allennlp.trees import ROOT, path_lengths
from tests.representations.hashed_layers import HashedLayersEmbedder, layers_of

KINDS = ["distance", "perceptron", "depth"]

# 1 ← 2 → 3 → 4: from 0, the edges 01, 12, 23; Δ 01: 1, 02: 2, 03: 3, 12: 1, 13: 2, 23: 1.
FOUR = [1, ROOT, 1, 2]
FOUR_VECTORS = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [3.0, 1.0]]

# 1 ← 2 → 3 and 2 → 5 → 4: 01, 12, 14, 34.
# Δ 01: 1, 02: 2, 03: 3, 04: 2, 12: 1, 13: 2, 14: 1, 23: 3, 24: 2, 34: 1.
FIVE = [1, ROOT, 1, 4, 1]
FIVE_VECTORS = [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.0, 3.0], [4.0, 0.0]]

# With B = (1 2) words are points on a line. Four: 0, 1, 3, 5, so that
# d 01: 1, 02: 3, 03: 5, 12: 2, 13: 4, 23: 2. Five: 1, 0, 3, 6, 4, so that
# d 01: 1, 02: 2, 03: 5, 04: 3, 12: 3, 13: 6, 14: 4, 23: 3, 24: 1, 34: 2.
LINE = [[1.0, 2.0]]

# Word 4 of the first sentence is punctuation; the second has the multiword token 2-3.
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
4 e e ADV _ _ 2 advmod _ _
"""


def probe(kind, embedder=None, weight=None, **settings):
    torch.manual_seed(0)
    model = Model.by_name(f"{kind}_probe")(
        Vocabulary(),
        BasicTextFieldEmbedder({"words": embedder or CharNgramsEmbedder(2)}),
        **settings,
    )
    if weight is not None:
        with torch.no_grad():
            model.head.weight = torch.nn.Parameter(torch.tensor(weight))
    return model.eval()


def targets_of(*trees):
    """What `apply_head` of all tree probes takes, as the fields of instances would give it."""
    lengths = torch.tensor(list(map(len, trees)))
    arrays = [np.array([heads]) for heads in trees]
    distances = [path_lengths(heads, np.ones_like(heads, dtype=bool))[0] for heads in arrays]
    depths = [each[heads.index(ROOT)] for each, heads in zip(distances, trees)]
    return {
        "lengths": lengths,
        "heads": torch.tensor([head for heads in trees for head in heads]),
        "distances": torch.from_numpy(np.concatenate([each.ravel() for each in distances])),
        "depths": torch.from_numpy(np.concatenate(depths)),
        "punctuation": torch.zeros(int(lengths.sum()), dtype=torch.bool),
    }


def treebank_of(tmp_path, text=TREES):
    lines = ["" if not line else line if line[0] == "#" else "\t".join(line.split(" "))
             for line in text.strip().splitlines()]  # fmt: skip
    path = tmp_path / "trees.conllu"
    path.write_text("\n".join(lines) + "\n\n")
    return str(path)


def vectors_of(tmp_path):
    """The vectors of FIVE, and one for the token of two words."""
    rows = zip(["a", "b", "c", "d", "e", "bc"], [*FIVE_VECTORS, [2.0, 0.5]])
    path = tmp_path / "words.vec"
    path.write_text("6 2\n" + "".join(f"{word} {x} {y}\n" for word, (x, y) in rows))
    return WordVectorsEmbedder(str(path))


def instances_of(path, **settings):
    reader = DependencyTreeReader({"words": WordFormIndexer()}, **settings)
    instances = list(reader.read(str(path)))
    for instance in instances:
        reader.apply_token_indexers(instance)
    return instances


def tensors_of(instances, vocab=None):
    batch = Batch(instances)
    batch.index_instances(vocab or Vocabulary())
    return batch.as_tensor_dict()


def finnish(fixtures):
    """Sentences of 4 to 8 words, one of them with a multiword token."""
    return instances_of(fixtures / "raw/finnish-ud-train.conllu")[-12:]


def test_the_structural_probe_by_hand():
    # B = diag(1, 2): words at (0, 0), (1, 0), (1, 2), (3, 2). d² 01: 1, 02: 5, 03: 13, 12: 4, 13: 8, 23: 4.
    weight = [[1.0, 0.0], [0.0, 2.0]]
    features, targets = torch.tensor(FOUR_VECTORS), targets_of(FOUR)
    # |1 − 1| + |2 − 5| + |3 − 13| + |1 − 4| + |2 − 8| + |1 − 4| = 25, over 4².
    output = probe("distance", weight=weight).apply_head(features, **targets)
    assert output["loss"].item() == pytest.approx(25 / 16) and output["count"] == 1
    squares = [[0, 1, 5, 13], [1, 0, 4, 8], [5, 4, 0, 4], [13, 8, 4, 0]]
    assert output["distances"].tolist() == [squares]
    # Plain: 0 + (√5 − 2) + (√13 − 3) + (2 − 1) + (√8 − 2) + (2 − 1).
    output = probe("distance", weight=weight, squared=False).apply_head(features, **targets)
    expected = (math.sqrt(5) + math.sqrt(13) + math.sqrt(8) - 7 + 2) / 16
    assert output["loss"].item() == pytest.approx(expected, abs=1e-6)


def test_the_structural_probe_by_hand_on_five_words():
    features, targets = torch.tensor(FIVE_VECTORS), targets_of(FIVE)
    # Plain: 0 + 0 + 2 + 1 + 2 + 4 + 3 + 0 + 1 + 1 = 14, over 5².
    output = probe("distance", weight=LINE, squared=False).apply_head(features, **targets)
    assert output["loss"].item() == pytest.approx(14 / 25, abs=1e-6)
    # Squares 1, 4, 25, 9, 9, 36, 16, 9, 1, 4: 0 + 2 + 22 + 7 + 8 + 34 + 15 + 6 + 1 + 3 = 98.
    output = probe("distance", weight=LINE).apply_head(features, **targets)
    assert output["loss"].item() == pytest.approx(98 / 25)


@pytest.mark.parametrize(
    "settings, of_five",
    [
        # The tree: 01, 12, 34, 14: 1 + 3 + 2 + 4 = 10. The lightest one along the line: 01, 02, 24, 34: 6.
        ({}, 4),
        ({"scale_free": True}, 4 / 10),
        # 1 + 9 + 4 + 16 = 30, and 1 + 4 + 1 + 4 = 10.
        ({"squared": True}, 20),
        ({"squared": True, "scale_free": True}, 20 / 30),
    ],
)
def test_the_perceptron_by_hand(settings, of_five):
    model = probe("perceptron", weight=LINE, **settings)
    output = model.apply_head(torch.tensor(FIVE_VECTORS), **targets_of(FIVE))
    assert output["loss"].item() == pytest.approx(of_five)
    # Of the four words the lightest tree is the right one: exactly nothing.
    output = model.apply_head(torch.tensor(FOUR_VECTORS), **targets_of(FOUR))
    assert output["loss"].item() == 0
    # A batch has the mean over its sentences, in either order.
    for trees, vectors in [
        ((FIVE, FOUR), FIVE_VECTORS + FOUR_VECTORS),
        ((FOUR, FIVE), FOUR_VECTORS + FIVE_VECTORS),
    ]:
        output = model.apply_head(torch.tensor(vectors), **targets_of(*trees))
        assert output["loss"].item() == pytest.approx(of_five / 2) and output["count"] == 2


def test_depths_by_hand():
    model = probe("depth", weight=LINE)
    # Norms² 1, 0, 9, 36, 16; depths 1, 0, 1, 2, 1: (0 + 0 + 8 + 34 + 15) / 5.
    output = model.apply_head(torch.tensor(FIVE_VECTORS), **targets_of(FIVE))
    assert output["loss"].item() == pytest.approx(57 / 5)
    assert output["depths"].tolist() == [[1, 0, 9, 36, 16]]
    # Norms² 0, 1, 9, 25; depths 1, 0, 1, 2: (1 + 1 + 8 + 23) / 4.
    output = model.apply_head(torch.tensor(FOUR_VECTORS + FIVE_VECTORS), **targets_of(FOUR, FIVE))
    assert output["loss"].item() == pytest.approx((33 / 4 + 57 / 5) / 2) and output["count"] == 2
    assert output["depths"].tolist() == [[0, 1, 9, 25, 0], [1, 0, 9, 36, 16]]


def test_a_batch_of_distances_by_hand():
    # Four words along the line: 0 + 1 + 2 + 1 + 2 + 1 = 7, over 16.
    output = probe("distance", weight=LINE, squared=False).apply_head(
        torch.tensor(FOUR_VECTORS + FIVE_VECTORS), **targets_of(FOUR, FIVE)
    )
    assert output["loss"].item() == pytest.approx((7 / 16 + 14 / 25) / 2, abs=1e-6)


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_of_losses(kind, squared):
    settings = {} if kind == "depth" else {"squared": squared}
    model = probe(kind, rank=2, **settings).double()
    features = torch.randn(9, 2, dtype=torch.double)
    targets = targets_of(FOUR, FIVE)

    def loss(weight):
        del model.head.weight
        model.head.weight = weight
        return model.apply_head(features, **targets)["loss"]

    weight = torch.randn(2, 2, dtype=torch.double, requires_grad=True)
    del model.head._parameters["weight"]
    model.head.weight = None
    assert loss(weight).item() > 0
    assert torch.autograd.gradcheck(loss, (weight,))


def test_the_scale_free_perceptron_has_the_right_gradient():
    model = probe("perceptron", scale_free=True).double()
    targets = targets_of(FOUR, FIVE)
    torch.manual_seed(3)
    features = torch.randn(9, 2, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda f: model.apply_head(f, **targets)["loss"], (features,))


def test_the_perceptron_pushes_the_edges_in_which_the_trees_differ():
    model = probe("perceptron", weight=LINE)
    targets = targets_of(FIVE)
    output = model.apply_head(torch.tensor(FIVE_VECTORS), **targets)
    predicted = output["distances"].detach().requires_grad_()
    mask = mask_of(targets["lengths"])
    heads, distances = targets["heads"][None], targets["distances"].view(1, 5, 5)
    model.losses(predicted, distances, heads, mask).sum().backward()
    # 12 and 14 are to become lighter, 02 and 24 heavier; 01 and 34 are in both trees.
    expected = torch.zeros(1, 5, 5)
    expected[0, 1, 2] = expected[0, 1, 4] = 1
    expected[0, 0, 2] = expected[0, 2, 4] = -1
    assert torch.equal(predicted.grad, expected)
    # By B: ±(h − h′) of these pairs, so that d grows: 12 (1, 1), 14 (4, 0), 02 (0, 1), 24 (3, −1).
    output["loss"].backward()
    assert model.head.weight.grad.tolist() == [pytest.approx([1 + 4 - 0 - 3, 1 + 0 - 1 + 1])]


@st.composite
def sentences(draw, values):
    """Vectors of one to three sentences in three dimensions, and any trees of them."""
    trees = []
    for length in draw(st.lists(st.integers(1, 7), min_size=1, max_size=3)):
        order = draw(st.permutations(range(length)))
        heads = [ROOT] * length
        for place, word in enumerate(order[1:], start=1):
            heads[word] = order[draw(st.integers(0, place - 1))]
        trees.append(heads)
    size = 3 * sum(map(len, trees))
    vectors = draw(st.lists(values, min_size=size, max_size=size))
    return torch.tensor(vectors, dtype=torch.float).view(-1, 3), trees


VALUES = st.one_of(
    st.integers(-2, 2).map(float),
    st.floats(-1000, 1000, width=32),
    st.floats(-(2**-10), 2**-10, width=32),
)


@given(sentences(VALUES), st.booleans(), st.booleans())
def test_the_loss_of_a_perceptron_is_never_below_0(drawn, squared, scale_free):
    features, trees = drawn
    model = probe("perceptron", CharNgramsEmbedder(3), squared=squared, scale_free=scale_free)
    with torch.no_grad():
        model.head.weight.copy_(torch.eye(3))
    targets = targets_of(*trees)
    predicted = model.apply_head(features, lengths=targets["lengths"])["distances"]
    mask = mask_of(targets["lengths"])
    distances = padded(targets["distances"], pair_mask(mask))
    losses = model.losses(predicted, distances, padded(targets["heads"], mask), mask)
    assert losses.dtype == torch.float and torch.isfinite(losses).all() and (losses >= 0).all()
    if scale_free:
        assert (losses <= 1).all()


@given(sentences(st.just(0.0)), st.data())
def test_trees_of_one_weight_have_no_loss_however_large_their_edges_differ(drawn, data):
    _, trees = drawn
    model = probe("perceptron")
    targets = targets_of(*trees)
    mask = mask_of(targets["lengths"])
    pairs = pair_mask(mask)
    # Two weights alone: there are many lightest trees. The smallest is that of words with one vector.
    weights = st.sampled_from([math.sqrt(SMALLEST_SQUARE), 0.7, 900.1])
    size = int(pairs.sum())
    drawn_weights = data.draw(st.lists(weights, min_size=size, max_size=size))
    predicted = padded(torch.tensor(drawn_weights), pairs)
    distances, heads = padded(targets["distances"], pairs), padded(targets["heads"], mask)
    assert (model.losses(predicted, distances, heads, mask) >= 0).all()


@given(sentences(st.just(0.0)), st.integers(0, 1000), st.booleans())
def test_the_loss_of_a_perceptron_is_0_when_the_trees_agree(drawn, seed, scale_free):
    _, trees = drawn
    model = probe("perceptron", scale_free=scale_free)
    targets = targets_of(*trees)
    mask = mask_of(targets["lengths"])
    distances, heads = padded(targets["distances"], pair_mask(mask)), padded(targets["heads"], mask)
    torch.manual_seed(seed)
    # A little noise leaves the gold tree the lightest.
    predicted = (distances + 0.3 * torch.rand(distances.shape)).requires_grad_()
    losses = model.losses(predicted, distances, heads, mask)
    assert losses.tolist() == [0] * len(trees)
    losses.sum().backward()
    assert not predicted.grad.any()


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("factor", [1e-3, 0.25, 7.0, 1000.0])
def test_a_scale_free_loss_does_not_know_the_scale(factor, squared):
    torch.manual_seed(1)
    features, targets = torch.randn(9, 2), targets_of(FOUR, FIVE)

    def loss(times, **settings):
        weight = [[times * 0.3, times * -0.8], [times * 0.5, times * 0.1]]
        model = probe("perceptron", weight=weight, squared=squared, **settings)
        return model.apply_head(features, **targets)["loss"].item()

    assert 0 < loss(1, scale_free=True) < 1
    assert loss(factor, scale_free=True) == pytest.approx(loss(1, scale_free=True), rel=1e-4)
    # The loss of the paper does, and so falls when B vanishes.
    assert loss(factor) == pytest.approx(factor ** (2 if squared else 1) * loss(1), rel=1e-4)


def test_words_at_one_place_have_a_loss_and_a_gradient():
    """As the parts of a multiword token are; the root of 0 has no slope."""
    for kind in ("distance", "perceptron"):
        for settings in ({"squared": False}, {"squared": True}):
            model = probe(kind, weight=LINE, **settings)
            features = torch.tensor([FIVE_VECTORS[0]] * 5)
            loss = model.apply_head(features, **targets_of(FIVE))["loss"]
            loss.backward()
            assert torch.isfinite(loss) and torch.isfinite(model.head.weight.grad).all()


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_of_one_word_have_no_loss(kind):
    model = probe(kind, weight=LINE, **({"scale_free": True} if kind == "perceptron" else {}))
    loss = model.apply_head(torch.zeros(1, 2), **targets_of([ROOT]))["loss"]
    loss.backward()
    assert loss.item() == 0 and torch.isfinite(model.head.weight.grad).all()


def test_distances_and_trees_from_text_by_hand(tmp_path):
    model = probe("perceptron", vectors_of(tmp_path), weight=LINE)
    output = model(**tensors_of(instances_of(treebank_of(tmp_path))[:1]))
    assert output["loss"].item() == pytest.approx(4)
    # Without d: the tree 01, 12, 14; along the line 1, 0, 3, 4: 01, 02, 24. One of three.
    distances = np.abs(np.subtract.outer([1, 0, 3, 6, 4], [1, 0, 3, 6, 4]))
    gold = [[0, 1, 2, 3, 2], [1, 0, 1, 2, 1], [2, 1, 0, 3, 2], [3, 2, 3, 0, 1], [2, 1, 2, 1, 0]]
    # All words are in the correlations. In the lightest tree, 1 – 0 – 2 – 4 – 3, from 0: 0, 1, 1, 3, 2 …
    steps = [[0, 1, 1, 3, 2], [1, 0, 2, 4, 3], [1, 2, 0, 2, 1], [3, 4, 2, 0, 1], [2, 3, 1, 1, 0]]
    assert model.get_metrics(reset=True) == {
        "uuas": pytest.approx(1 / 3),
        "dspr": pytest.approx(np.mean([spearmanr(*row).statistic for row in zip(distances, gold)])),
        "dspr_pfw": pytest.approx(np.mean([spearmanr(*row).statistic for row in zip(steps, gold)])),
    }
    expected = {
        "edges": [[0, 1], [0, 2], [2, 4]],
        "gold_edges": [[0, 1], [1, 2], [1, 4]],
        "scored": [True, True, True, False, True],
        "sent_id": "five",
        "forms": ["a", "b", "c", "d", "e"],
        "input": {"sentence": "a b c d e"},
    }
    assert sum(model.predictions(output), []) == [{"line": 1, "sentence": 0, **expected}]
    readable = model.make_output_human_readable(output)
    (found,) = readable.pop("distances")
    assert np.array(found) == pytest.approx(distances, abs=1e-4)
    assert readable.pop("gold_distances") == [gold]
    assert readable == {name: [value] for name, value in expected.items()}


def test_punctuation_counts_where_it_is_to_count(tmp_path):
    # With d: 01, 12, 34, 14 against 01, 02, 24, 34: two of four.
    model = probe("distance", vectors_of(tmp_path), weight=LINE, score_punctuation=True)
    output = model(**tensors_of(instances_of(treebank_of(tmp_path))[:1]))
    assert model.get_metrics()["uuas"] == pytest.approx(0.5)
    (record,) = sum(model.predictions(output), [])
    assert record["edges"] == [[0, 1], [0, 2], [2, 4], [3, 4]] and all(record["scored"])
    assert record["gold_edges"] == [[0, 1], [1, 2], [1, 4], [3, 4]]


def test_depths_and_roots_from_text_by_hand(tmp_path):
    path = treebank_of(tmp_path)
    model = probe("depth", vectors_of(tmp_path), weight=LINE)
    output = model(**tensors_of(instances_of(path)[:1]))
    depths = [1, 0, 9, 36, 16]
    nspr = spearmanr(depths, [1, 0, 1, 2, 1]).statistic
    assert model.get_metrics(reset=True) == {"root_accuracy": 1, "nspr": pytest.approx(nspr)}
    expected = {
        "root": 1,
        "depths": depths,
        "gold_root": 1,
        "correct": True,
        "gold_depths": [1, 0, 1, 2, 1],
        "scored": [True, True, True, False, True],
        "sent_id": "five",
        "forms": ["a", "b", "c", "d", "e"],
        "input": {"sentence": "a b c d e"},
    }
    assert sum(model.predictions(output), []) == [{"line": 1, "sentence": 0, **expected}]
    readable = model.make_output_human_readable(output)
    assert readable == {name: [value] for name, value in expected.items()}
    # With B = (0 1) a, b and e are at 0, and the first of them is the root; d would be with B = (1 0) …
    model = probe("depth", vectors_of(tmp_path), weight=[[0.0, 1.0]])
    (record,) = sum(model.predictions(model(**tensors_of(instances_of(path)[:1]))), [])
    assert record["root"] == 0 and model.get_metrics(reset=True)["root_accuracy"] == 0
    # … beside b, were it not punctuation: b + d/3 is 0 for a B that sends d there alone.
    for score_punctuation, root in [(False, 0), (True, 3)]:
        text = TREES.replace("4 d d PUNCT _ _ 5 punct", "4 b b PUNCT _ _ 5 punct")
        text = text.replace("2 b b VERB", "2 e e VERB")
        instances = instances_of(treebank_of(tmp_path, text))[:1]
        model = probe("depth", vectors_of(tmp_path), LINE, score_punctuation=score_punctuation)
        (record,) = sum(model.predictions(model(**tensors_of(instances))), [])
        assert record["root"] == root and record["scored"][3] is score_punctuation


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_of_a_multiword_token_have_its_vector(tmp_path, kind):
    instances = instances_of(treebank_of(tmp_path))
    model = probe(kind, vectors_of(tmp_path))
    tensors = tensors_of(instances)
    features = model.represent(tensors["tokens"], tensors["places"])
    bc, a, e = [2.0, 0.5], FIVE_VECTORS[0], FIVE_VECTORS[4]
    assert features.tolist() == [*FIVE_VECTORS, a, bc, bc, e]
    assert model.represent_instances(instances).tolist() == features.tolist()
    # Written apart, they have their own.
    instances = instances_of(treebank_of(tmp_path), multiword_tokens="words")
    assert model.represent_instances(instances)[5:].tolist() == [
        FIVE_VECTORS[number] for number in (0, 1, 2, 4)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_forward_is_the_two_halves_in_a_row(fixtures, kind):
    instances = finnish(fixtures)
    model = probe(kind, CharNgramsEmbedder(12))
    tensors = tensors_of(instances)
    output = model(**tensors)
    model.get_metrics(reset=True)
    target = output["target"]
    halves = model.apply_head(model.represent(tensors["tokens"], tensors["places"]), **target)
    name = "depths" if kind == "depth" else "distances"
    assert torch.equal(output[name], halves[name]) and output["loss"] == halves["loss"]
    # What the tensors of a batch say is what the instances say.
    of_instances = model.targets(instances)
    for field, ragged in of_instances.items():
        assert torch.equal(ragged.values, target[field])
    assert {"heads", "punctuation", name} == set(of_instances)
    assert len(set(target["lengths"].tolist())) > 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_scores_the_same_alone_and_in_a_batch(fixtures, kind):
    instances = finnish(fixtures)
    model = probe(kind, CharNgramsEmbedder(12))
    together = model(**tensors_of(instances))
    metrics = model.get_metrics(reset=True)
    records = model.make_output_human_readable(together)
    losses = []
    for number, instance in enumerate(instances):
        output = model(**tensors_of([instance]))
        losses.append(output["loss"].item())
        for name, (value,) in model.make_output_human_readable(output).items():
            value, expected = (
                np.array(each, dtype=float) if name in ("distances", "depths") else each
                for each in (value, records[name][number])
            )
            assert value == (
                pytest.approx(expected, abs=1e-4) if name in ("distances", "depths") else expected
            )
    assert together["loss"].item() == pytest.approx(np.mean(losses), rel=1e-5)
    assert model.get_metrics(reset=True) == pytest.approx(metrics)


@pytest.mark.parametrize("layer", [1, "mix"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_trainer_scores_as_forward_does(fixtures, kind, layer):
    instances = finnish(fixtures)
    model = probe(kind, HashedLayersEmbedder(layer))
    output = model(**tensors_of(instances))
    expected = {**model.get_metrics(reset=True), "loss": output["loss"].item()}
    loader = SimpleDataLoader(instances, 5, vocab=model.vocab)
    features = compute_features(model, Split(loader), torch.device("cpu"), 5, 1e9)
    assert evaluate(model, features).metrics == pytest.approx(expected, rel=1e-5)
    assert features.values.lengths.tolist() == output["target"]["lengths"].tolist()


@pytest.mark.parametrize("squared", [True, False])
def test_words_with_one_vector_are_as_far_from_any_other(squared):
    """Whatever stands before them in a batch, rounding must not rank one of them before the other."""
    torch.manual_seed(0)
    model = probe("distance", CharNgramsEmbedder(5), squared=squared)
    vectors = 20 * torch.randn(8, 5)
    vectors[4] = vectors[3]  # as of a token of two words
    tree = [1, ROOT, 6, 6, 6, 6, 1, 1]
    found = []
    for num_before in range(9):
        features = torch.cat([20 * torch.randn(num_before, 5), vectors])
        targets = targets_of(*[[ROOT]] * num_before, tree)
        scores = model.new_scores()
        model.observe(scores, [model.apply_head(features, **targets)], [targets])
        found.append(scores.get_metric())
    # In double precision, with ties.
    points = (vectors.double() @ model.head.weight.double().T).detach().numpy()
    distances = ((points[:, None] - points) ** 2).sum(axis=2)
    distances[:, 4], distances[3, 4] = distances[:, 3], 0
    gold = path_lengths(np.array([tree]), np.ones((1, 8), bool))[0]
    dspr = np.mean([spearmanr(*rows).statistic for rows in zip(distances, gold)])
    assert [metrics["dspr"] for metrics in found] == [pytest.approx(dspr, abs=1e-9)] * 9


@pytest.mark.parametrize("kind", KINDS)
def test_a_mix_of_layers_by_hand(tmp_path, kind):
    instances = instances_of(treebank_of(tmp_path))
    model = probe(kind, HashedLayersEmbedder("mix"), rank=2)
    with torch.no_grad():
        model.head.mix.gamma.fill_(0.1)
        for parameter, value in zip(model.head.mix.scalar_parameters, [0.3, -1.0, 2.0]):
            parameter.fill_(value)
    shares = np.exp([0.3, -1.0, 2.0])
    shares = shares / shares.sum()
    assert model.layer_weights() == pytest.approx(shares.tolist())
    weight = model.head.head.weight.detach().numpy()
    assert weight.shape == (2, 5)
    # Of the second sentence words 1 and 2 are one token.
    layers = layers_of(("a", "bc", "e"))[:, [0, 1, 1, 2]]
    points = 0.1 * np.einsum("l,lwd->wd", shares, layers) @ weight.T
    output = model(**tensors_of(instances))
    if kind == "depth":
        expected, found = (points**2).sum(axis=1), output["depths"][1, :4]
    else:
        expected = ((points[:, None] - points) ** 2).sum(axis=2)
        expected = np.sqrt(expected) if kind == "perceptron" else expected
        found = output["distances"][1, :4, :4]
    assert found.detach().numpy() == pytest.approx(expected, abs=1e-3)
    output["loss"].backward()
    trained = {name for name, p in model.named_parameters() if p.grad is not None}
    assert {"head.mix.gamma", "head.head.weight"} < trained
    assert all(name.startswith("head.") for name in trained)
    assert all(p.grad.item() != 0 for p in model.head.mix.scalar_parameters)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_without_a_tree(kind):
    reader = DependencyTreeReader({"words": WordFormIndexer()})
    instance = reader.text_to_instance(["Hän", "osti", "kirjan", "."])
    reader.apply_token_indexers(instance)
    model = probe(kind, CharNgramsEmbedder(12))
    output = model.forward_on_instance(instance)
    assert "loss" not in output and model.get_metrics() == {}
    assert not any(name.startswith("gold") for name in output)
    assert output["forms"] == ["Hän", "osti", "kirjan", "."]
    if kind == "depth":
        assert output["root"] == int(np.argmin(output["depths"][:3]))
    else:
        # The full stop is left out, as it is where its UPOS is known.
        assert len(output["edges"]) == 2 and len(output["distances"]) == 4
        assert {word for edge in output["edges"] for word in edge} == {0, 1, 2}
        assert output["scored"] == [True, True, True, False]


@pytest.mark.parametrize("kind", KINDS)
def test_what_knows_nothing_but_the_order_of_words(tmp_path, kind):
    """The baseline, by hand."""
    instances = instances_of(treebank_of(tmp_path), min_length=5)
    found = probe(kind).baselines([], [], instances)
    if kind == "depth":
        nspr = spearmanr([0, 1, 2, 3, 4], [1, 0, 1, 2, 1]).statistic
        assert found == {
            "baseline_first_root_accuracy": 0,
            "baseline_first_nspr": pytest.approx(nspr),
            "baseline_last_root_accuracy": 0,
            "baseline_last_nspr": pytest.approx(-nspr),
        }
    else:
        # 01, 12 and 24 (for 3 is punctuation) against 01, 12, 14.
        assert found["baseline_adjacent_uuas"] == pytest.approx(2 / 3)
        places = np.arange(5)
        gold = path_lengths(np.array([FIVE]), np.ones((1, 5), bool))[0]
        dspr = [spearmanr(np.abs(places - word), gold[word]).statistic for word in range(5)]
        assert found["baseline_adjacent_dspr"] == pytest.approx(np.mean(dspr))
        assert found["baseline_adjacent_dspr_pfw"] == pytest.approx(np.mean(dspr))


@pytest.mark.parametrize("kind", KINDS)
def test_correlations_are_averaged_by_length_for_the_probe_and_its_baseline(fixtures, kind):
    instances = finnish(fixtures)  # of 5 or more words: 6 of 5, one of 8, one of 7
    model = probe(kind, CharNgramsEmbedder(12))
    records = model.make_output_human_readable(model(**tensors_of(instances)))
    found, of_places = {}, {}
    for number, words in enumerate(records["forms"]):
        n = len(words)
        places = np.arange(n)
        if kind == "depth":
            rows = [(records["depths"][number], records["gold_depths"][number], places)]
        else:
            adjacent = np.abs(places[:, None] - places)
            rows = zip(records["distances"][number], records["gold_distances"][number], adjacent)
        for answer, gold, place in rows:
            if n >= 5:
                found.setdefault(n, []).append(spearmanr(answer, gold).statistic)
                of_places.setdefault(n, []).append(spearmanr(place, gold).statistic)
    assert sorted(found) == [5, 7, 8]
    name = "nspr" if kind == "depth" else "dspr"
    mean, of_baseline = (
        np.mean([np.mean(r) for r in each.values()]) for each in (found, of_places)
    )
    assert model.get_metrics()[name] == pytest.approx(mean, abs=5e-3)  # distances are rounded
    prefix = "first" if kind == "depth" else "adjacent"
    assert model.baselines([], [], instances)[f"baseline_{prefix}_{name}"] == pytest.approx(
        of_baseline
    )
    # Not that of all words together.
    together = np.mean(sum(of_places.values(), []))
    assert (
        abs(together - of_baseline) > 0.01 and abs(np.mean(sum(found.values(), [])) - mean) > 0.01
    )


def test_a_sentence_of_punctuation_has_no_root_to_find(tmp_path):
    text = "1 d d PUNCT _ _ 0 root _ _\n2 d d PUNCT _ _ 1 punct _ _"
    instances = instances_of(treebank_of(tmp_path, text))
    for score_punctuation, root in [(False, None), (True, 0)]:
        model = probe("depth", vectors_of(tmp_path), LINE, score_punctuation=score_punctuation)
        (record,) = sum(model.predictions(model(**tensors_of(instances))), [])
        assert record["root"] == root and record["gold_root"] == 0
        assert model.get_metrics() == {"root_accuracy": float(score_punctuation)}
    # Nor edges; UUAS has nothing to say of it.
    model = probe("distance", vectors_of(tmp_path), LINE)
    (record,) = sum(model.predictions(model(**tensors_of(instances))), [])
    assert record["edges"] == record["gold_edges"] == [] and model.get_metrics() == {}


@pytest.mark.parametrize("kind", KINDS)
def test_dropout_is_on_the_vectors_in_training(kind):
    model = probe(kind, weight=LINE, dropout=1.0)
    name = "depths" if kind == "depth" else "distances"
    features, lengths = torch.tensor(FIVE_VECTORS), torch.tensor([5])
    assert model.apply_head(features, lengths)[name].max() > 1
    # Without their vectors, all words are at one place.
    assert model.train().apply_head(features, lengths)[name].max() < 1e-5


@pytest.mark.parametrize("kind", KINDS)
def test_training_does_not_score(fixtures, kind):
    model = probe(kind)
    assert not model.scores_training
    assert model.main_metric == ("root_accuracy" if kind == "depth" else "uuas")
    tensors = tensors_of(finnish(fixtures))
    assert "loss" in model.train()(**tensors) and model.get_metrics() == {}
    model.eval()(**tensors)
    assert model.main_metric in model.get_metrics()


@pytest.mark.parametrize("kind", KINDS)
def test_it_trains_saves_and_loads(train, treebank, tmp_path, kind):
    treebank()
    metrics = train(kind, trainer={"num_epochs": 4}, model={"rank": 9})
    archive = load_archive(str(tmp_path / "run"))
    model = archive.model
    assert model.head.weight.shape[0] == 9
    for split in ("dev", "test"):
        path = archive.config["test_data_path"].replace("-test.", f"-{split}.")
        instances = instances_of(path, max_length=50)
        loader = SimpleDataLoader(instances, 256, vocab=model.vocab)
        found = SimpleEvaluator(cuda_device=-1)(model, loader)
        name = "best_validation" if split == "dev" else "test"
        assert found == {key: pytest.approx(metrics[f"{name}_{key}"], rel=1e-5) for key in found}
        assert {"loss", model.main_metric} < set(found)
    # The file of predictions has what the archive says, in the order of the data.
    lines = (tmp_path / "run/test_predictions.jsonl").read_text().splitlines()
    output = model(**tensors_of(instances, model.vocab))
    expected = sum(model.predictions(output), [])
    for line, record in zip(lines, expected):
        written = json.loads(line)
        for name, value in record.items():
            assert written[name] == (pytest.approx(value, abs=2e-4) if name == "depths" else value)
    assert len(lines) == len(expected) == 12 == metrics["num_test_sentences"]
    for name in model.get_metrics():
        if f"test_{name}_low" in metrics:
            low, high = metrics[f"test_{name}_low"], metrics[f"test_{name}_high"]
            assert low <= metrics[f"test_{name}"] <= high
    for name, value in model.baselines([], [], instances).items():
        assert metrics[name] == pytest.approx(value)
    assert f"test_{model.main_metric}_low" in metrics


def test_the_uuas_of_a_run_is_that_of_its_predictions(train, treebank, tmp_path):
    treebank()
    metrics = train("perceptron", trainer={"num_epochs": 2})
    lines = (tmp_path / "run/test_predictions.jsonl").read_text().splitlines()
    right = possible = 0
    for record in map(json.loads, lines):
        gold = {tuple(edge) for edge in record["gold_edges"]}
        right += len(gold & {tuple(edge) for edge in record["edges"]})
        possible += len(gold)
    assert metrics["test_uuas"] == pytest.approx(right / possible)
    table = [line.split("\t") for line in (tmp_path / "run/test_lengths.tsv").open()]
    assert table[0][:3] == ["length", "sentences", "uuas"]
    assert sum(int(row[1]) for row in table[1:]) == len(lines)


@pytest.mark.parametrize("kind", KINDS)
def test_it_learns(train, treebank, kind):
    treebank()
    metrics = train(kind, trainer={"num_epochs": 30})
    first = train(kind, "first", trainer={"num_epochs": 1})
    assert metrics["training_loss"] < 0.7 * first["training_loss"]


@pytest.mark.parametrize("kind, missing", [("distance", "distances"), ("depth", "depths")])
def test_a_control_task_has_no_trees(fixtures, kind, missing):
    path = str(fixtures / "raw/finnish-ud-test.conllu")
    reader = ControlTaskReader(DependencyTreeReader({"words": WordFormIndexer()}), path)
    instances = list(reader.read(path))
    with pytest.raises(ConfigurationError, match=f"has no {missing}.*it is for edge_probe"):
        probe(kind).targets(instances)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("trainer", ["frozen_probe", "gradient_descent"])
def test_a_control_task_is_refused_before_training(train, treebank, fixtures, kind, trainer):
    treebank()
    reader = {
        "type": "control_task",
        "reader": {"type": "dependency_tree", "token_indexers": {"words": {"type": "word_form"}}},
        "train_data_path": str(fixtures / "raw/finnish-ud-train.conllu"),
        "token_indexers": None,
        "max_length": None,
    }
    with pytest.raises(ConfigurationError, match="needs dependency trees"):
        train(kind, dataset_reader=reader, test_data_path=None, trainer={"type": trainer})


@pytest.mark.parametrize("kind", KINDS)
def test_a_rank_that_makes_no_sense(kind):
    with pytest.raises(ConfigurationError, match="rank: expected at least 1, found 0"):
        probe(kind, rank=0)
