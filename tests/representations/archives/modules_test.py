import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model
from allennlp.modules import TimeDistributed
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from linspector_allennlp.representations.archives.modules import (
    ModuleHook,
    describe,
    list_modules,
    rows_of,
)
from tests.representations.tagger_archive import save_run


class Example(nn.Module):
    """Runs its parts in all ways that are of interest."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 3)
        self.lstm = nn.LSTM(3, 4, batch_first=True)
        self.folded = TimeDistributed(nn.Linear(3, 5))
        self.twice = nn.Tanh()
        self.never = nn.Linear(2, 2)
        self.named = Named()
        self.pool = Pool()

    def forward(self, x, lengths):
        x = self.linear(x)
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        self.lstm(packed)
        self.folded(x)
        self.twice(self.twice(x))
        self.pool(x)
        self.named(inputs=x, mask=None)
        x += 100  # what was caught must not change with it


class Named(nn.Module):
    def forward(self, inputs, mask):
        return {"inputs": inputs}


class Pool(nn.Module):
    def forward(self, x):
        return x.mean(dim=1)


@pytest.fixture
def example():
    torch.manual_seed(0)
    return Example().requires_grad_(False)


X = torch.arange(12.0).view(2, 3, 2) / 7
LENGTHS = [2, 3]


def words_of(padded):
    return torch.cat([padded[0, :2], padded[1, :3]])


def caught(example, path, side="output"):
    with ModuleHook(example, path, side) as hook:
        example(X.clone(), torch.tensor(LENGTHS))
    return hook.rows(LENGTHS)


def test_rows_of_words_by_hand(example):
    linear = X @ example.linear.weight.T + example.linear.bias
    assert torch.allclose(caught(example, "linear"), words_of(linear))
    assert torch.equal(caught(example, "linear", "input"), words_of(X))
    assert torch.allclose(caught(example, "lstm", "input"), words_of(linear))
    assert torch.allclose(caught(example, "folded._module", "input"), words_of(linear))
    assert torch.allclose(caught(example, "folded"), words_of(example.folded._module(linear)))
    for row, words in zip((0, 1), caught(example, "lstm").split(LENGTHS)):
        alone, _ = example.lstm(linear[row : row + 1, : LENGTHS[row]])
        assert torch.allclose(words, alone[0], atol=1e-6)


def test_an_input_that_is_given_by_name(example):
    assert torch.equal(caught(example, "named", "input"), caught(example, "linear"))


@pytest.mark.parametrize(
    "path, side, message",
    [
        ("never", "output", "the output of never: .*runs once.*it did not run"),
        ("twice", "input", "the input of twice: .*runs once.*it ran 2 times"),
        ("named", "output", "one row for each token of 2 sentences of 2, 3 words, found dict"),
        ("pool", "output", "2 sentences of 2, 3 words, found 2×3"),
    ],
)
def test_what_is_not_one_row_for_each_word(example, path, side, message):
    with pytest.raises(ValueError, match=message):
        caught(example, path, side)


def test_wrong_settings(example):
    with pytest.raises(ConfigurationError, match="tensor: expected output or input, found 'both'"):
        ModuleHook(example, "linear", "both")
    with pytest.raises(ConfigurationError, match="no 'linaer'; do you mean one of linear"):
        ModuleHook(example, "linaer")
    with pytest.raises(ConfigurationError, match="do you mean one of folded._module"):
        ModuleHook(example, "somewhere.else._module")
    with pytest.raises(ConfigurationError, match="no ''; do you mean one of linear"):
        ModuleHook(example, "")


def test_the_hook_is_removed_in_any_case(example):
    hook = ModuleHook(example, "linear")
    with pytest.raises(ZeroDivisionError), hook:
        _ = 1 / 0
    for side in ("output", "input"):
        caught(example, "linear", side)
    assert not example.linear._forward_hooks and not example.linear._forward_pre_hooks
    example(X.clone(), torch.tensor(LENGTHS))
    with pytest.raises(ValueError, match="did not run"):
        hook.rows(LENGTHS)


def test_it_can_be_used_again(example):
    hook = ModuleHook(example, "linear")
    for _ in range(2):
        with hook:
            example(X.clone(), torch.tensor(LENGTHS))
        assert hook.rows(LENGTHS).shape == (5, 3)


lengths_of_sentences = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@given(lengths=lengths_of_sentences, padding=st.integers(0, 2), dimension=st.integers(1, 3))
def test_layouts(lengths, padding, dimension):
    """Padded, folded and packed rows are the same rows, one for each word."""
    width = max(lengths) + padding
    padded = torch.randn(len(lengths), width, dimension)
    expected = torch.stack(
        [padded[i, j] for i, length in enumerate(lengths) for j in range(length)]
    )
    folded = padded.view(-1, dimension)
    packed = pack_padded_sequence(padded, torch.tensor(lengths), True, enforce_sorted=False)
    for value in (padded, folded, packed):
        rows = rows_of(value, lengths, width)
        assert rows is not None and torch.equal(rows, expected)


@given(lengths=lengths_of_sentences)
def test_tokens_come_first_only_where_that_is_certain(lengths):
    width = max(lengths)
    tokens_first = torch.randn(width, len(lengths), 2)
    rows = rows_of(tokens_first, lengths, width)
    if len(lengths) == 1:
        assert rows is not None and torch.equal(rows, tokens_first[:, 0])
    elif len(lengths) != width:
        assert rows is None


def test_a_packed_sequence_in_another_order_than_the_batch():
    """AllenNLP's encoders sort the batch themselves: what is inside cannot be told apart."""
    padded = torch.randn(2, 3, 2)
    sorted_alone = pack_padded_sequence(padded, torch.tensor([3, 2]), True)
    assert rows_of(sorted_alone, [2, 3], 3) is None


@pytest.mark.parametrize(
    "value",
    [None, "x", torch.zeros(3), torch.zeros(1, 3, dtype=torch.long), torch.zeros(1, 3, 2, 2),
     torch.zeros(1, 4, 2), torch.zeros(2, 3, 2), torch.zeros(0, 3, 2), torch.tensor(1.0)],
    ids=describe,
)  # fmt: skip
def test_no_rows(value):
    assert rows_of(value, [3], 3) is None


def test_descriptions():
    packed = pack_padded_sequence(torch.zeros(1, 3, 2), torch.tensor([3]), True)
    values = [torch.zeros(1, 3), torch.tensor(1.0), packed, None, {}]
    assert [describe(v) for v in values] == ["1×3", "a number", "packed 3×2", "nothing", "dict"]


@Model.register("tests_listed_model", exist_ok=True)
class ListedModel(Model):
    def __init__(self, vocab):
        super().__init__(vocab)
        self.embed = nn.Embedding(vocab.get_vocab_size(), 3)
        self.outer = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
        self.twice = nn.Tanh()
        self.never = nn.Tanh()
        self.square = nn.Identity()
        self.constant = nn.Identity()

    def forward(self, tokens, metadata=None):
        x = self.outer(self.embed(tokens["tokens"]["tokens"]))
        self.twice(self.twice(x))
        self.square(x @ x.transpose(1, 2))
        self.constant(torch.zeros(1, 2, 4))  # has two rows whatever the sentence is
        return {}


@pytest.fixture
def box(tmp_path):
    return BlackBoxModel(save_run(tmp_path / "run", "tests_listed_model", ["a", "b"]))


def test_all_that_ran(box):
    records = {record.path: record for record in list_modules(box, ("a", "b"))}
    assert list(records) == ["embed", "outer", "outer.0", "outer.1", "twice", "square", "constant"]
    assert records["embed"].shapes == {"output": "1×2×3", "input": "1×2"}
    assert records["embed"].sizes == {"output": 3, "input": None}
    assert records["outer.0"].kind == "Linear"
    assert records["outer.0"].sizes == {"output": 4, "input": 3}
    assert records["outer.0"].probed_sides == ["output", "input"]
    assert records["twice"].num_runs == 2 and records["twice"].probed_sides == []


def test_what_is_right_by_chance(box):
    records = {record.path: record for record in list_modules(box, ("a", "b"))}
    for path in ("square", "constant"):
        assert records[path].shapes["output"] in ("1×2×2", "1×2×4")
        assert records[path].probed_sides == []


def test_no_hooks_stay(box, monkeypatch):
    list_modules(box, ("a",))
    monkeypatch.setattr(box, "run", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list_modules(box, ("a",))
    for module in box.model.modules():
        assert not module._forward_hooks and not module._forward_pre_hooks
