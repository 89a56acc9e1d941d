import pytest
import torch
from allennlp.data import Batch, Instance, Vocabulary
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.fields import UNSEEN_LABEL, ProbeLabelField, ProbeLabelsField

VOCAB = Vocabulary(counter={"labels": {"Nom": 3, "Gen": 2, "Par": 1}, "other_labels": {"Par": 1}})


def indexed(labels, vocab=VOCAB, **settings):
    field = ProbeLabelsField(labels, **settings)
    field.index(vocab)
    return field


def test_a_label_that_the_vocabulary_lacks_has_its_own_index():
    vocab = Vocabulary(counter={"labels": {"Partitive": 2, "Genitive": 1}})
    indices = []
    for label in ("Partitive", "Genitive", "Elative"):
        field = ProbeLabelField(label)
        field.index(vocab)
        indices.append(field.as_tensor({}).item())
    assert indices == [0, 1, UNSEEN_LABEL]


def test_an_unseen_label_is_minus_one():
    assert UNSEEN_LABEL == -1
    assert indexed(["Gen", "Ela", "Nom", "Nom"]).label_ids == [1, -1, 0, 0]
    assert indexed(["Par", "Nom"], label_namespace="other_labels").label_ids == [0, -1]
    assert indexed(["x"], label_namespace="no_such_labels").label_ids == [-1]


def test_the_vocabulary_counts_labels_in_their_namespace():
    instances = [
        Instance({"labels": ProbeLabelsField(["a", "b", "a"]), "x": ProbeLabelsField(["c"], "x_labels")}),
        Instance({"labels": ProbeLabelsField(["b", "a"]), "x": ProbeLabelsField([], "x_labels")}),
    ]  # fmt: skip
    vocab = Vocabulary.from_instances(instances)
    assert vocab.get_index_to_token_vocabulary("labels") == {0: "a", 1: "b"}
    assert vocab.get_index_to_token_vocabulary("x_labels") == {0: "c"}


def test_padding():
    field = indexed(["Gen", "Ela"])
    assert field.get_padding_lengths() == {"num_labels": 2}
    tensor = field.as_tensor({"num_labels": 4})
    assert tensor.tolist() == [1, -1, 0, 0] and tensor.dtype == torch.long
    assert indexed([]).as_tensor({"num_labels": 2}).tolist() == [0, 0]
    assert indexed([]).as_tensor({"num_labels": 0}).dtype == torch.long


def test_a_batch():
    rows = [["Nom"], ["Par", "Gen", "?"], []]
    batch = Batch([Instance({"labels": ProbeLabelsField(row)}) for row in rows])
    batch.index_instances(VOCAB)
    assert batch.as_tensor_dict()["labels"].tolist() == [[0, 0, 0], [2, 1, -1], [0, 0, 0]]


def test_the_empty_field():
    empty = ProbeLabelsField(["Par"], "other_labels").empty_field()
    assert (empty.labels, len(empty)) == ([], 0)
    assert empty == ProbeLabelsField([], "other_labels") != ProbeLabelsField([])


def test_ids_before_they_are_known():
    with pytest.raises(RuntimeError, match="have not been indexed"):
        _ = ProbeLabelsField(["Nom"]).label_ids
    with pytest.raises(RuntimeError, match="have not been indexed"):
        ProbeLabelsField(["Nom"]).as_tensor({"num_labels": 1})


def test_what_it_says_of_itself():
    assert len(ProbeLabelsField(["a", "b"])) == 2
    assert str(ProbeLabelsField(["a", "b"])) == "ProbeLabelsField with labels: a b"


@given(st.lists(st.sampled_from(["Nom", "Gen", "Par", "Ela", "Ill"])))
def test_labels_that_are_known_come_back(labels):
    names = VOCAB.get_index_to_token_vocabulary("labels")
    known = set(names.values())
    assert [names.get(i) for i in indexed(labels).label_ids] == [
        label if label in known else None for label in labels
    ]
