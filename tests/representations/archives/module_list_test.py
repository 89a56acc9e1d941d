import pytest
import torch
from allennlp.models import Model
from torch import nn

from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from linspector_allennlp.representations.archives.module_list import list_modules
from tests.representations.tagger_archive import save_run


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
