import math
from fractions import Fraction

import pytest
import torch
from allennlp.data import Vocabulary
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.dataset_readers import DependencyTreeReader
from linspector_allennlp.models import EdgeProbe, SingleFormProbe, TaggingProbe
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.representations import CharNgramsEmbedder, WordFormIndexer
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.online_code import block_ends, online_code, uniform_code
from tests.dataset_readers.small_treebank import write_conllu

SHARES = ["0.1", "0.2", "0.4", "0.8", "1.6", "3.2", "6.25", "12.5", "25", "50", "100"]


def test_block_ends_by_hand():
    assert block_ends(10_000) == [10, 20, 40, 80, 160, 320, 625, 1250, 2500, 5000, 10_000]
    assert block_ends(1000) == [1, 2, 4, 8, 16, 32, 63, 125, 250, 500, 1000]
    assert block_ends(100) == [1, 2, 4, 7, 13, 25, 50, 100]
    assert block_ends(10) == [1, 2, 3, 5, 10]
    assert block_ends(4) == [1, 2, 4]
    assert block_ends(2) == [1, 2]
    assert block_ends(1) == [1]


@given(st.integers(1, 3_000_000))
def test_block_ends(num_instances):
    ends = block_ends(num_instances)
    assert ends[-1] == num_instances and ends[0] >= 1
    assert all(first < second for first, second in zip(ends, ends[1:]))
    exact = {math.ceil(Fraction(share) / 100 * num_instances) for share in SHARES}
    assert ends == sorted(exact)


LABELS = ["A", "B", "C"]


def label_features(labels, values=None):
    """One row an instance, the features of which are its own number."""
    values = torch.arange(float(len(labels))).unsqueeze(1) if values is None else values
    ones = torch.ones(len(labels), dtype=torch.long)
    label = torch.tensor([LABELS.index(each) for each in labels])
    return Features(Ragged(values, ones), {"label": Ragged(label, ones)})


@pytest.fixture
def model():
    vocab = Vocabulary(counter={"labels": {"A": 3, "B": 2, "C": 1}})
    embedder = BasicTextFieldEmbedder({"words": CharNgramsEmbedder(dimension=1)})
    return SingleFormProbe(vocab, embedder)


class Table(torch.nn.Module):
    """Gives each item, which it knows by its number, the logarithms of some probabilities."""

    def __init__(self):
        super().__init__()
        self.probabilities = torch.full((3,), 1 / 3)
        self.asked = []

    def forward(self, features):
        self.asked.append(sorted(features.squeeze(1).int().tolist()))
        return self.probabilities.log().expand(len(features), 3)


def test_the_code_of_known_probabilities(model):
    """
    `fit` is the empirical distribution of what it is given, each label counted once more. Then the code
    is that of an adaptive coder, which can be written down from the labels alone.
    """
    labels = list("AABACBAAAABBCAAACABA" * 2)  # 40: blocks end at 1, 2, 3, 5, 10, 20, 40
    model.head = Table()
    parts = []

    def fit(part):
        numbers = part.tolist()
        parts.append(numbers)
        seen = [labels[number] for number in numbers]
        counts = [seen.count(label) + 1 for label in LABELS]
        model.head.probabilities = torch.tensor(counts) / sum(counts)

    blocks = online_code(model, label_features(labels), fit, seed=5)
    assert [(block.first, block.end) for block in blocks] == [
        (0, 1), (1, 2), (2, 3), (3, 5), (5, 10), (10, 20), (20, 40)
    ]  # fmt: skip
    # A block is learned from all before it, and coded is what comes next in the same order.
    order = parts[-1] + [n for n in range(40) if n not in parts[-1]]
    assert sorted(order) == [*range(40)] and order[:20] != [*range(20)]
    for part, block in zip(parts, blocks[1:]):
        assert part == order[: block.first]
    coded = [sorted(order[block.first : block.end]) for block in blocks[1:-1]]
    assert model.head.asked[:-1] == coded and len(model.head.asked[-1]) == 20
    expected = [math.log2(3)]
    for block in blocks[1:]:
        before = [labels[n] for n in order[: block.first]]
        counts = {label: before.count(label) + 1 for label in LABELS}
        now = [labels[n] for n in order[block.first : block.end]]
        expected.append(sum(-math.log2(counts[label] / (len(before) + 3)) for label in now))
    assert [block.bits for block in blocks] == pytest.approx(expected, rel=1e-5)
    assert uniform_code(model, label_features(labels)) == pytest.approx(40 * math.log2(3))


def test_a_uniform_probe_compresses_nothing(model):
    model.head = Table()
    features = label_features("ABC" * 30)
    blocks = online_code(model, features, lambda part: None, seed=1)
    uniform = uniform_code(model, features)
    assert sum(block.bits for block in blocks) == pytest.approx(uniform, rel=1e-6)


def test_the_order_is_drawn_from_the_seed(model):
    def first_part(seed):
        parts = []
        model.head = Table()
        fit = lambda part: parts.append(part.tolist())  # noqa: E731
        online_code(model, label_features("AB" * 50), fit, seed)
        return parts[-1]

    assert first_part(1) == first_part(1) != first_part(2)


def test_one_instance(model):
    blocks = online_code(model, label_features("A"), lambda part: pytest.fail("trained"), seed=1)
    assert [tuple(block) for block in blocks] == [(0, 1, pytest.approx(math.log2(3)))]


def test_words_of_sentences_are_coded_sentence_by_sentence():
    vocab = Vocabulary(counter={"labels": {"A": 3, "B": 2, "C": 1}})
    embedder = BasicTextFieldEmbedder({"words": CharNgramsEmbedder(dimension=1)})
    model = TaggingProbe(vocab, embedder)
    model.head = Table()
    lengths = torch.tensor([2, 0, 3, 1])
    label = torch.tensor([0, 1, 2, 2, 0, 1])
    features = Features(
        Ragged(torch.arange(6.0).unsqueeze(1), lengths),
        {"label": Ragged(label, lengths)},
    )
    sizes = []
    blocks = online_code(model, features, lambda part: sizes.append(len(part)), seed=3)
    assert sizes == [1, 2] and blocks[-1].end == 4
    assert sum(block.bits for block in blocks) == pytest.approx(6 * math.log2(3), rel=1e-5)
    assert uniform_code(model, features) == pytest.approx(6 * math.log2(3))


def test_the_uniform_code_of_heads(tmp_path):
    """A head is one of the words of its sentence; the root is not said: 2·log₂ 3 + 4·log₂ 5 + 1."""
    rows = {3: [2, 0, 2], 5: [2, 0, 2, 3, 3], 2: [0, 1], 1: [0]}
    text = "\n\n".join(
        "\n".join(f"{n} w _ X _ _ {head} dep" for n, head in enumerate(heads, start=1))
        for heads in rows.values()
    )
    reader = DependencyTreeReader({"words": WordFormIndexer()}, min_length=1)
    instances = list(reader.read(write_conllu(tmp_path / "x", text)))
    embedder = BasicTextFieldEmbedder({"words": CharNgramsEmbedder(dimension=4)})
    model = EdgeProbe(Vocabulary(), embedder)
    targets = model.targets(instances)
    lengths = targets["heads"].lengths
    features = Features(Ragged(torch.zeros(int(lengths.sum()), 4), lengths), targets)
    expected = 2 * math.log2(3) + 4 * math.log2(5) + 1
    assert uniform_code(model, features) == pytest.approx(expected)
    # Of vectors that are all the same, no head is more probable than another.
    blocks = online_code(model, features, lambda part: None, seed=1)
    assert sum(block.bits for block in blocks) == pytest.approx(expected, rel=1e-5)
