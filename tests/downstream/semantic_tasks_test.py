"""Roles, entities and inference: records, scores and baselines by hand."""

import pytest
from allennlp.data import Instance, Token
from allennlp.data.fields import SequenceLabelField, TextField
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.dataset_readers import NliReader, SemanticRolesReader
from linspector_allennlp.dataset_readers.named_entities import recoded
from linspector_allennlp.downstream import EntitiesTask, InferenceTask, RolesTask
from linspector_allennlp.downstream.entities import spans
from linspector_allennlp.downstream.scores import baseline_scores, task_scores
from linspector_allennlp.fields import metadata_of


def with_roles(words, predicate, roles, sentence=None):
    instance = SemanticRolesReader().text_to_instance(words.split(), predicate, roles.split())
    if sentence is not None:
        metadata_of(instance)["sentence"] = sentence
    return instance


ROLES = [
    with_roles("Nainen osti kirjan", 1, "A0 _ A1", 0),
    with_roles("Nainen osti ja nukkui", 1, "A0 _ _ _", 1),
    with_roles("Nainen osti ja nukkui", 3, "A0|A1 _ _ _", 1),
]


def test_roles_by_hand():
    task = RolesTask()
    answers = ["A0 O A2", "O O A0 O", "A1 O O O"]
    records = [
        task.records(each, {"roles": answer.split()}) for each, answer in zip(ROLES, answers)
    ]
    assert records[0][2] == {
        "sentence": 0, "index": 2, "form": "kirjan", "predicate": 1, "label": "A2", "gold": "A1",
        "correct": False,
    }  # fmt: skip
    scores = task_scores(task, records)
    assert scores["role_precision"] == 2 / 4 and scores["role_recall"] == 2 / 5
    assert scores["role_f1"] == pytest.approx(4 / 9)
    assert scores["unlabelled_f1"] == pytest.approx(2 * 3 / 9)
    assert scores["proposition_f1"] == 0


def test_the_predicates_of_a_sentence_are_one_sample():
    """An interval is over sentences: two predicates of one do not make it narrower."""
    task = RolesTask()
    words, answers = "Nainen osti kirjan", [["A0", "O", "A2"], ["A0", "O", "A1"], ["O", "O", "A1"]]

    def interval(sentences):
        records = []
        for sentence, answer in zip(sentences, answers * 4):
            instance = with_roles(words, 1, "A0 _ A1", sentence)
            records.append(task.records(instance, {"roles": answer}))
        scores = task_scores(task, records)
        return scores["role_f1"], scores["role_f1_high"] - scores["role_f1_low"]

    score, width = interval(range(12))
    same, wider = interval([n // 3 % 4 * 3 + n % 3 for n in range(12)])
    assert (same, wider) == (score, width), "the same sentences by other numbers"
    by_kind = interval([n % 3 for n in range(12)])
    assert by_kind[0] == pytest.approx(score) and by_kind[1] > width * 1.5


def test_the_baselines_of_roles():
    train = [with_roles("Nainen osti kirjan", 1, "A0 _ A1"), with_roles("Koiran nukkui", 1, "A1 _")]
    found = baseline_scores(RolesTask(), train, [with_roles("Nainen söi koiran", 1, "A0 _ A1")])
    # The ending of "koiran" is that of a word with A1; its form is not known, and O is most frequent.
    assert found["baseline_majority"] == 0
    assert found["baseline_suffix"] == pytest.approx(1)
    assert found["baseline_form"] == pytest.approx(2 / 3)


def tagged(words, tags):
    text = TextField([Token(word) for word in words.split()])
    return Instance({"tokens": text, "tags": SequenceLabelField(tags.split(), text)})


def test_entities_by_hand():
    task = EntitiesTask()
    instance = tagged("Aino Virtala asuu Salossa .", "B-PER L-PER O U-LOC O")
    records = task.records(instance, {"tags": "U-PER U-PER O U-LOC O".split()})
    assert task.shares(records) == {
        "accuracy": (3, 5),
        "precision-overall": (1, 3),
        "recall-overall": (1, 2),
        "f1-measure-overall": (2, 5),
    }
    train = [tagged("Aino Virtala on Salossa", "B-PER L-PER O U-LOC")]
    found = baseline_scores(task, train, [instance])
    # Of equally frequent tags the first: what is not known is a person, too. Two of four are right.
    assert found["baseline_form"] == pytest.approx(4 / 6)


@given(st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])))
def test_spans_are_those_of_either_scheme(tags):
    assert spans(recoded(tags, "BIOUL")) == spans(recoded(tags, "BIO"))


def test_spans_of_what_is_no_sequence():
    assert spans("L-X I-X U-Y L-Y O I-Z".split()) == {("X", (0, 1)), ("Y", (2, 3)), ("Z", (5, 5))}


def test_inference_by_hand():
    task, reader = InferenceTask(), NliReader()
    train = [
        reader.text_to_instance("Koira nukkuu", hypothesis, label)
        for hypothesis, label in [
            ("Koira ei nuku", "contradiction"), ("Kissa ei nuku", "contradiction"),
            ("Koira on", "entailment"), ("Kissa on", "entailment"), ("Koira tänään", "neutral"),
            ("Kissa ei syö", "contradiction"),
        ]
    ]  # fmt: skip
    test = [
        reader.text_to_instance("Koira on", "Kana ei nuku", "contradiction"),
        reader.text_to_instance("Kana ei nuku", "Kana on", "entailment"),
    ]
    (record,) = task.records(test[0], {"label": "neutral"})
    assert record == {
        "input": {"premise": "Koira on", "hypothesis": "Kana ei nuku"},
        "label": "neutral", "gold": "contradiction", "correct": False,
    }  # fmt: skip
    assert task_scores(task, [[record]])["accuracy"] == 0
    assert baseline_scores(task, train, test) == {"baseline_majority": 0.5, "baseline_unigram": 1}


def test_other_data():
    instance = tagged("Aino", "O")
    with pytest.raises(
        ValueError, match="expected instances with labels, a role .* semantic_roles"
    ):
        RolesTask().gold(instance)
    with pytest.raises(
        ValueError, match="expected instances with a label; .* Is the dataset_reader nli"
    ):
        InferenceTask().gold(instance)
    with pytest.raises(ValueError, match="expected instances with tags"):
        EntitiesTask().gold(ROLES[0])


def test_no_role_at_all():
    """There is no precision of nothing; the other scores are 0."""
    task = RolesTask()
    scores = task_scores(task, [task.records(ROLES[0], {"roles": ["O", "O", "O"]})])
    assert "role_precision" not in scores
    assert scores["role_f1"] == scores["role_recall"] == 0
