from collections import Counter

import pytest

from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.metrics.item_flaws import (
    alike_label_flaws,
    few_flaws,
    header_flaws,
    leak_flaws,
    shown,
    unseen_label_flaws,
)

ITEMS = [Item(("talo",), "Nom"), Item(("talon",), "Gen")]


@pytest.mark.parametrize(
    "words, label, is_header",
    [
        (("form",), "label", True),
        (("Word_Form",), "Case", True),
        (("form1", "form2"), "label", True),
        (("form",), "Nom", False),  # a form as any other
        (("talossa",), "Ine", False),  # a rare label
    ],
)
def test_headers(words, label, is_header):
    first = Item(words, label)
    # That of each file: its label occurs in other first lines alone.
    found = list(header_flaws({"a.txt": [first, *ITEMS], "b.txt": [first, *ITEMS], "c.txt": []}))
    assert len(found) == 2 * is_header
    if is_header:
        cells = ", ".join(map(repr, (*words, label)))
        assert found[0].startswith(f"a.txt: its first line ({cells}) looks like a header")


def test_labels_that_training_has_not():
    assert list(unseen_label_flaws("a.txt", ITEMS, Counter(["Nom", "Gen"]))) == []
    (flaw,) = unseen_label_flaws("a.txt", ITEMS, Counter(["Nom"]))
    assert flaw.startswith("a.txt: 1 of 2 items have a label") and flaw.endswith("'Gen' (1).")


def test_few():
    assert list(few_flaws("a.txt", 30)) == list(few_flaws("a.txt", 0)) == []
    assert list(few_flaws("a.txt", 10, "sentences")) == [
        "a.txt: only 10 sentences: a score from so few says little."
    ]


def test_leaks():
    assert list(leak_flaws("a.txt", "items whose form is", [], 3, "train")) == []
    assert list(leak_flaws("a.txt", "items whose form is", ["talo"], 3, "train")) == [
        "a.txt: items whose form is in train too: 1 of 3, such as 'talo'."
    ]
    assert shown(("a", "b")) == "'a' / 'b'" and shown(("a b", 1)) == "token 1 of 'a b'"
    assert shown("a" * 61) == repr("a" * 59 + "…")


def test_labels_that_look_the_same():
    labels = ["Nom", "Nom\u00a0", "Gen", "a\u0308", "\xe4", "Nom"]
    first, second = alike_label_flaws("train.txt", labels)
    assert first.startswith("train.txt: 2 labels look the same") and "'Nom', 'Nom\\xa0'" in first
    assert "'a\\u0308', '\\xe4'" in second
    assert not list(alike_label_flaws("train.txt", ["Nom", "nom", "Gen"]))
