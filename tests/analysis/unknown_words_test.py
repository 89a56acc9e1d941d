import math

import pandas
import pytest

from linspector_allennlp.analysis.unknown_words import (
    unknown_to_representations,
    unknown_to_training,
)
from tests.analysis.tidy_scores_test import run, scores_frame


def test_unknown_to_representations():
    rows = [
        run(share, metric="oov", split=split, is_main=False, representation=name, seed=seed)
        for name, shares in {"bpe": (0.0, 0.0, 0.0), "w2v": (0.4, 0.5, 0.6)}.items()
        for split, share in zip(("test", "train", "validation"), shares)
        for seed in (1, 2)
    ]
    found = unknown_to_representations(scores_frame([*rows, run(0.9)]))
    assert list(found.columns) == ["task", "representation", "train", "validation", "test"]
    assert found.set_index("representation").loc["w2v"].tolist()[1:] == [0.5, 0.6, 0.4]
    assert unknown_to_representations(scores_frame([run(0.9)])).empty


WORDS = pandas.DataFrame(
    [
        ("POS", "train", "a"),
        ("POS", "train", "b"),
        ("POS", "test", "a"),
        ("POS", "test", "c"),
        ("POS", "test", "c"),
    ],
    columns=["task", "split", "form"],
)


def test_unknown_to_training():
    train, test = unknown_to_training(WORDS).to_dict("records")
    assert math.isnan(train["unknown"]) and (train["tokens"], train["vocabulary"]) == (2, 2)
    assert test["unknown"] == pytest.approx(2 / 3) and (test["tokens"], test["vocabulary"]) == (
        3,
        2,
    )
    other = WORDS[WORDS["split"] == "test"].assign(task="NER")
    found = unknown_to_training(pandas.concat([WORDS, other]))
    assert found[found["task"] == "NER"]["unknown"].isna().all()
    with pytest.raises(ValueError, match="Expected words of the split train"):
        unknown_to_training(other)


@pytest.mark.realdata
def test_table_8(real_data):
    """
    Unknown tokens of the Turkish treebank. Printed are 24.14 and 23.04 %, of a version with 37.9K training
    tokens; the one here has 37,522, split otherwise, and more of it is unknown whatever is done to case.
    """
    forms = {}
    for split in ("train", "dev", "test"):
        text = (real_data / f"ud/tr_imst-ud-{split}.conllu").read_text(encoding="utf-8")
        cells = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
        forms[split] = [cell[1] for cell in cells if cell[0].isdigit()]
    rows = [("POS", split, form) for split, words in forms.items() for form in words]
    found = unknown_to_training(pandas.DataFrame(rows, columns=["task", "split", "form"]))
    found = found.set_index("split")
    assert found["tokens"].to_dict() == {"train": 37522, "dev": 10542, "test": 10032}
    known = set(forms["train"])
    for split, printed in (("dev", 31.75), ("test", 29.28)):
        by_hand = sum(form not in known for form in forms[split]) / len(forms[split])
        assert found.loc[split, "unknown"] == pytest.approx(by_hand)
        assert round(100 * by_hand, 2) == printed
