import pytest

from linspector_allennlp.formats import read_paired_forms, read_single_forms
from linspector_allennlp.metrics.baselines import Item, majority_accuracy, suffix_accuracy


def items(*rows):
    return [Item(words.split(), label) for words, label in rows]


TRAIN = items(
    ("talossa", "In"), ("kalassa", "In"), ("massa", "Nom"), ("talon", "Gen"), ("auton", "Gen")
)


def test_majority_is_that_of_the_training_data():
    train = items(("a", "X"), ("b", "Y"), ("c", "Y"))
    assert majority_accuracy(train, items(("d", "X"), ("e", "X"), ("f", "Y"))) == 1 / 3


def test_of_equal_labels_the_first_seen_wins():
    train = items(("a", "Y"), ("b", "X"))
    assert majority_accuracy(train, items(("d", "Y"))) == 1


@pytest.mark.parametrize(
    "word, label",
    [
        ("autossa", "In"),  # -ssa: In, In, Nom
        ("MASSA", "Nom"),  # lower-cased, a word of training itself
        ("lumassa", "Nom"),  # -massa is longer than -assa
        ("puron", "Gen"),  # -on
        ("xyz", "In"),  # nothing but the empty ending: In and Gen are equal, In came first
    ],
)
def test_the_longest_known_ending_decides(word, label):
    assert suffix_accuracy(TRAIN, items((word, label))) == 1


def test_endings_are_no_longer_than_eight_characters():
    train = items(("abcdefghi", "X"), ("zbcdefghi", "Y"), ("ybcdefghi", "Y"))
    assert suffix_accuracy(train, items(("abcdefghi", "Y"))) == 1


def test_a_pair_is_known_by_its_two_endings():
    train = items(("talossa talosta", "Case"), ("talossa taloissa", "Number"), ("a b", "lemma"))
    test = items(("kalossa kalosta", "Case"), ("kalossa kaloissa", "Number"), ("x y", "Case"))
    assert suffix_accuracy(train, test) == 1


# The LINSPECTOR paper's Table 9 and spec 1, section 7.
MAJORITY = {
    "finnish": {
        "Case": 30.0, "Mood": 50.0, "Number": 45.6, "POS": 67.9, "Person": 30.1, "Tense": 40.9, "Voice": 50.8,
        "CharacterBin": 44.2, "TagCount": 86.0, "OddFeat": 22.7, "SameFeat": 29.1,
    },
    "turkish": {
        "Case": 31.1, "POS": 75.5, "Person": 30.3, "Polarity": 44.6, "Possession": 30.6, "Pseudo": 51.5, "Tense": 34.9,
        "CharacterBin": 46.1, "TagCount": 46.6, "OddFeat": 38.7, "SameFeat": 21.3,
    },
}  # fmt: skip
SUFFIX = {
    "finnish": {"Case": 92.9, "TagCount": 95.9, "CharacterBin": 41.9},
    "turkish": {"Case": 91.9, "Polarity": 93.7, "Pseudo": 58.4},
}


def released(real_data, task, language, split):
    path = real_data / "linspector_released/type_level" / task / language / f"{split}.txt"
    read = read_paired_forms if task in ("OddFeat", "SameFeat") else read_single_forms
    return [Item(row[1:-1], row.label) for row in read(path)]


def scores(real_data, expected, measure):
    return {
        language: {
            task: round(
                100
                * measure(
                    released(real_data, task, language, "train"),
                    released(real_data, task, language, "test"),
                ),
                1,
            )
            for task in tasks
        }
        for language, tasks in expected.items()
    }


@pytest.mark.realdata
def test_majority_equals_the_papers_column(real_data):
    assert scores(real_data, MAJORITY, majority_accuracy) == MAJORITY


@pytest.mark.realdata
def test_suffix_equals_the_measured_figures(real_data):
    assert scores(real_data, SUFFIX, suffix_accuracy) == SUFFIX
