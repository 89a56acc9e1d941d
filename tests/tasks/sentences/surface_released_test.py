"""The tasks of the Turkish treebank, beside those that the follow-up study released."""

import pytest

from linspector_allennlp.languages import find_language
from linspector_allennlp.sentence_files import read_labelled_sentences
from linspector_allennlp.tasks.sentences.corpus import read_corpus
from linspector_allennlp.tasks.sentences.sentence_items import Given
from linspector_allennlp.tasks.sentences.sentence_task import sentence_task
from linspector_allennlp.tasks.sentences.surface_tasks import SURFACE_TASKS

pytestmark = pytest.mark.realdata

LENGTHS = ["1-4", "5-8", "9-12", "13-16", "17-20", "21-25", "26-29", "30-33", "34-55", "56+"]
HISTOGRAM = [1153, 2000, 1026, 540, 355, 289, 136, 61, 75, 0]
TURKISH = Given(find_language("turkish"))


@pytest.fixture
def imst(real_data):
    paths = [real_data / f"ud/tr_imst-ud-{split}.conllu" for split in ("train", "dev", "test")]
    return read_corpus([str(path) for path in paths])


def test_lengths_of_sentences(imst, real_data):
    data = sentence_task("SentLen", SURFACE_TASKS["SentLen"], imst, TURKISH, size=10_000, seed=0)
    assert [data.facts["candidates"].get(label, 0) for label in LENGTHS] == HISTOGRAM
    # The same sentence again is no new item.
    assert data.facts["left_out"] == {"repeated": 43, "rare_label": 0}
    assert sum(data.label_counts.values()) == 5635 - 43
    ours = {
        sentence.replace(" ", ""): str(LENGTHS.index(label))
        for rows in data.splits.values()
        for sentence, label in rows
    }
    path = real_data / "sentence_released/tr/sentence_length.txt"
    theirs = {
        row.sentence.replace(" ", ""): row.label
        for row in read_labelled_sentences(path, skip_empty=True)
    }
    same = [ours[text] == theirs[text] for text in ours.keys() & theirs.keys()]
    assert len(same) > 2400 and sum(same) / len(same) >= 0.96


def test_all_surface_tasks(imst):
    made = {
        name: sentence_task(name, task, imst, TURKISH, size=10_000, seed=0)
        for name, task in SURFACE_TASKS.items()
    }
    items = {name: sum(data.label_counts.values()) for name, data in made.items()}
    assert items["BiShift"] > 5500 and items["Spelling"] > 5500 and items["EOS"] > 2700
    assert len(made["WC"].label_counts) == 30 and items["WC"] > 350
    assert set(made["WO"].label_counts.values()) == {items["WO"] / 3} and items["WO"] >= 150
    assert list(made["EOS"].facts["candidates"]) == ["1-4", "5-8", "9-12", "13-16", "17-20", "21+"]
