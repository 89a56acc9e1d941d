"""Tagging and parsing: records, scores and baselines by hand, and against AllenNLP's own metrics."""

import numpy as np
import pytest
import torch
from allennlp.data import Instance, Token
from allennlp.data.fields import SequenceLabelField, TextField
from allennlp.training.metrics import AttachmentScores
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.downstream import DownstreamTask, ParsingTask, TaggingTask
from linspector_allennlp.downstream.scores import baseline_scores, scored_records, task_scores
from linspector_allennlp.metrics.baselines import (
    Item,
    form_accuracy,
    majority_accuracy,
    suffix_accuracy,
)
from linspector_allennlp.metrics.interval import share_interval


def tagged(*pairs):
    text = TextField([Token(word) for word, _ in pairs])
    return Instance({"tokens": text, "tags": SequenceLabelField([tag for _, tag in pairs], text)})


def parsed(*words):
    """Each as (form, part of speech, head, relation)."""
    text = TextField([Token(form) for form, *_ in words])
    _, tags, heads, relations = zip(*words)
    return Instance(
        {
            "words": text,
            "pos_tags": SequenceLabelField(list(tags), text, "pos"),
            "head_indices": SequenceLabelField(list(heads), text, "head_index_tags"),
            "head_tags": SequenceLabelField(list(relations), text, "head_tags"),
        }
    )


TRAIN = [
    tagged(("a", "X"), ("b", "Y"), ("ab", "Y")),
    tagged(("a", "X"), ("a", "Y"), ("c", "X"), ("d", "X")),
]
TEST = [tagged(("a", "X"), ("b", "X")), tagged(("zb", "Y"), ("d", "Y"), ("q", "X"))]

SENTENCE = parsed(
    ("The", "DET", 2, "det"), ("dog", "NOUN", 3, "nsubj"), ("barks", "VERB", 0, "root"),
    (".", "PUNCT", 3, "punct"),
)  # fmt: skip


def test_tagging_by_hand():
    task = TaggingTask()
    assert task.name == "pos" and isinstance(DownstreamTask.by_name("pos")(), TaggingTask)
    outputs = [{"tags": ["X", "Y"]}, {"tags": ["Y", "Y", "Z"]}]
    records = [task.records(each, output) for each, output in zip(TEST, outputs)]
    assert records[0][1] == {"index": 1, "form": "b", "label": "Y", "gold": "X", "correct": False}
    scores = task_scores(task, records)
    assert scores["accuracy"] == 3 / 5
    low, high = share_interval(np.array([1.0, 2.0]), np.array([2.0, 3.0]))
    assert (scores["accuracy_low"], scores["accuracy_high"]) == (low, high)
    assert task_scores(task, [task.records(each, task.gold(each)) for each in TEST])[
        "accuracy"
    ] == pytest.approx(1)


def test_the_baselines_of_tagging():
    """X is the most frequent tag, also of `a`; `b` and the ending -b have Y."""
    found = baseline_scores(TaggingTask(), TRAIN, TEST)
    assert found == {"baseline_majority": 3 / 5, "baseline_suffix": 3 / 5, "baseline_form": 2 / 5}
    train, test = (
        [Item([t.text], tag) for i in part for t, tag in zip(i["tokens"].tokens, i["tags"].labels)]
        for part in (TRAIN, TEST)
    )
    assert found == {
        "baseline_majority": majority_accuracy(train, test),
        "baseline_suffix": suffix_accuracy(train, test),
        "baseline_form": form_accuracy(train, test),
    }


def test_parsing_by_hand():
    task = ParsingTask()
    output = {
        "predicted_heads": [2, 3, 2, 1],
        "predicted_dependencies": ["det", "obj", "root", "punct"],
    }
    records = task.records(SENTENCE, output)
    assert records[1] == {
        "index": 1, "form": "dog", "head": 2, "gold_head": 2, "label": "3 obj", "gold": "3 nsubj",
        "correct": False,
    }  # fmt: skip
    assert (records[2]["head"], records[2]["gold_head"]) == (1, -1)
    assert records[3]["scored"] is False and "scored" not in records[0]
    assert task.shares(records) == {"UAS": (2, 3), "LAS": (1, 3)}
    assert len(scored_records(task, SENTENCE, task.gold(SENTENCE))) == 3


def test_the_baseline_of_parsing():
    """In training two words hang on the next one, one on the one before."""
    train = [SENTENCE]
    found = baseline_scores(ParsingTask(), train, [SENTENCE])
    # The: dog, dog: barks, barks: the point; a relation is that of the part of speech.
    assert found == {"baseline_adjacent_UAS": 2 / 3, "baseline_adjacent": 2 / 3}
    left = parsed(("go", "VERB", 0, "root"), ("on", "ADP", 1, "compound"))
    found = baseline_scores(ParsingTask(), [left], [left])
    assert found == {"baseline_adjacent_UAS": 1, "baseline_adjacent": 1}


def test_the_root_is_no_neighbour():
    """Two roots in the first place say nothing of sides: the only neighbour is to the right."""
    train = [
        parsed(("go", "VERB", 0, "root")),
        parsed(("go", "VERB", 0, "root"), ("the", "DET", 3, "det"), ("way", "NOUN", 1, "obj")),
    ]
    found = baseline_scores(ParsingTask(), train, [SENTENCE])
    assert found["baseline_adjacent_UAS"] == 2 / 3


def test_what_is_no_parser_data():
    with pytest.raises(ValueError, match="expected instances with head_indices, a label for each"):
        ParsingTask().gold(TEST[0])


@given(st.data())
def test_the_scores_are_those_of_allennlp(data):
    """AllenNLP masks the words whose part of speech is punctuation, as its parser does."""
    task, metric, of_instances = ParsingTask(), AttachmentScores(), []
    for _ in range(data.draw(st.integers(1, 4))):
        size = data.draw(st.integers(1, 5))

        def drawn(values, size=size):
            return data.draw(st.lists(values, min_size=size, max_size=size))

        tags = drawn(st.sampled_from(["NOUN", "PUNCT", "SYM", "VERB"]))
        heads, found = drawn(st.integers(0, size)), drawn(st.integers(0, size))
        relations, named = drawn(st.integers(0, 2)), drawn(st.integers(0, 2))
        words = zip("abcde", tags, heads, map(str, relations))
        output = {"predicted_heads": found, "predicted_dependencies": list(map(str, named))}
        of_instances.append(task.records(parsed(*words), output))
        mask = torch.tensor([[tag not in ("PUNCT", "SYM") for tag in tags]])
        metric(*(torch.tensor([each]) for each in (found, named, heads, relations)), mask)
    scores, expected = task_scores(task, of_instances), metric.get_metric()
    if not any(each.get("scored", True) for records in of_instances for each in records):
        assert not scores and expected["UAS"] == 0
        return
    assert scores["UAS"] == pytest.approx(expected["UAS"])
    assert scores["LAS"] == pytest.approx(expected["LAS"])
