"""All tasks of annotated sentences together, and what real treebanks give."""

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from linspector_allennlp.tasks.sentences.annotated_tasks import ANNOTATED_TASKS
from linspector_allennlp.tasks.sentences.paradigms import Paradigms
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.annotated_sentences import (
    ENGLISH,
    FINNISH,
    TURKISH,
    analysed,
    given,
    plain,
    treebank,
)


def test_the_table():
    assert list(ANNOTATED_TASKS) == [
        "SVAgree", "SVDist", "Voice", "SubjNum", "ObjNum", "Tense", "Negation", "TreeDepth", "CoordInv",
        "SOMO", "Grammaticality",
    ]  # fmt: skip
    assert [name for name, task in ANNOTATED_TASKS.items() if task.takes_text] == ["SVAgree"]


@pytest.fixture(scope="module")
def finnish(request):
    folder = request.config.rootpath / "fixtures/raw"
    return treebank(*folder.glob("finnish-ud-*.conllu")), Paradigms.read(folder / "finnish.tsv")


MADE = ["SVAgree", "SubjNum", "Tense", "SOMO", "Grammaticality"]


@pytest.mark.parametrize("name", MADE)
def test_neither_order_nor_text_in_between_matters(finnish, name):
    sentences, paradigms = finnish
    make = ANNOTATED_TASKS[name].make
    settings = given(FINNISH, paradigms=paradigms, somo_frequency="3-400", somo_least=10)
    made = make(sentences, settings)
    assert len({item.label for item in made}) > 1
    assert make(sentences, settings) == made
    middle = len(sentences) // 2
    other = [*sentences[middle:], plain("ei mitään"), *sentences[:middle]]
    assert sorted(make(other, settings)) == sorted(made)


@pytest.mark.parametrize("name", ANNOTATED_TASKS)
def test_bare_words(name):
    with pytest.raises(TooLittleData, match="treebank|UniMorph"):
        ANNOTATED_TASKS[name].make([analysed("only words")], given())
    with pytest.raises(TooLittleData, match="needs"):
        ANNOTATED_TASKS[name].make([plain("only words")], given())


@pytest.fixture(scope="module")
def imst():
    return _real("tr_imst-ud-*.conllu")


@pytest.fixture(scope="module")
def ewt():
    return _real("en_ewt-ud-*.conllu")


def _real(pattern):
    if not os.environ.get("LINSPECTOR_DATA"):
        pytest.skip("LINSPECTOR_DATA is not set")
    return treebank(*sorted((Path(os.environ["LINSPECTOR_DATA"]) / "ud").glob(pattern)))


def counts(sentences, name, language, **settings):
    made = ANNOTATED_TASKS[name].make(sentences, given(language, **settings))
    return Counter(item.label for item in made)


@pytest.mark.realdata
def test_turkish(imst):
    assert counts(imst, "SVDist", TURKISH) == {
        "1": 519, "2-4": 591, "5-7": 264, "8-12": 198, "13+": 171,
    }  # fmt: skip
    assert counts(imst, "SVDist", TURKISH, svdist_bins="two") == {"1": 519, "2-4": 591}
    assert counts(imst, "Voice", TURKISH) == {"passive": 810, "active": 5635 - 810}
    assert counts(imst, "SubjNum", TURKISH) == {"Sing": 1915, "Plur": 420}
    assert counts(imst, "ObjNum", TURKISH) == {"Sing": 1067, "Plur": 262}
    assert counts(imst, "Negation", TURKISH) == {"negated": 1103, "affirmative": 5635 - 1103}
    with pytest.raises(
        TooLittleData, match="22 of .* 100 needed; 10 nouns and verbs occur 40 to 400"
    ):
        counts(imst, "SOMO", TURKISH)
    with pytest.raises(TooLittleData, match="no word has the relation aux:pass"):
        counts(imst, "Voice", TURKISH, voice_rule="aux:pass")


@pytest.mark.realdata
def test_english(ewt):
    assert counts(ewt, "ObjNum", ENGLISH) == {"Sing": 642, "Plur": 196}
    assert counts(ewt, "Voice", ENGLISH)["passive"] == 264
    assert counts(ewt, "Voice", ENGLISH, voice_rule="feat")["passive"] == 487
    assert set(counts(ewt, "Tense", ENGLISH)) == {"Past", "Pres"}


RELEASED = {
    "Voice": ("voice", {"0": "active", "1": "passive"}, 4900, 0.999),
    "SVDist": ("sv_dist", {"0": "1", "1": "2-4"}, 800, 0.97),
    "SubjNum": ("subj_number", {"0": "Sing", "1": "Plur"}, 1800, 0.99),
}


@pytest.mark.realdata
@pytest.mark.parametrize("name", RELEASED)
def test_released_labels(imst, real_data, name):
    """Sentences are matched by their text without spaces; where the rule gives a label at all."""
    file, names, least, share = RELEASED[name]
    made = ANNOTATED_TASKS[name].make(imst, given(TURKISH))
    ours = {item.group.replace(" ", ""): item.label for item in made}
    path = real_data / f"sentence_released/tr/{file}.txt"
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    released = [(names[label], "".join(text.split())) for _, label, text in rows]
    same = [ours[text] == label for label, text in released if text in ours]
    assert len(same) >= least and np.mean(same) >= share


@pytest.mark.realdata
@pytest.mark.parametrize("which", ["imst", "ewt"])
def test_depth_does_not_go_with_length(request, which):
    sentences = request.getfixturevalue(which)
    made = ANNOTATED_TASKS["TreeDepth"].make(sentences, given())
    table = np.array([(len(item.tokens), int(item.label)) for item in made])
    assert len(made) >= 300 and len(set(Counter(table[:, 1].tolist()).values())) == 1
    assert abs(np.corrcoef(table.T)[0, 1]) < 0.01
    before = np.array(
        [(len(s.tokens), len({w.head for w in s.annotated.words})) for s in sentences]
    )
    assert np.corrcoef(before.T)[0, 1] > 0.6


@pytest.mark.realdata
@pytest.mark.parametrize("which,language", [("imst", TURKISH), ("ewt", ENGLISH)])
def test_changed_sentences(request, which, language):
    sentences = request.getfixturevalue(which)
    known = {sentence.tokens for sentence in sentences}
    for name in ("CoordInv", "SOMO", "Grammaticality"):
        made = ANNOTATED_TASKS[name].make(sentences, given(language, somo_frequency="10-400"))
        for item in made:
            assert (item.tokens in known) == (item.label in ("O", "intact")) or name == "SOMO"
        share = Counter(item.label for item in made).most_common(1)[0][1] / len(made)
        assert share < 0.6


@pytest.mark.realdata
@pytest.mark.parametrize(
    "file,every,least",
    [("turkish-12k", 1, 200), ("finnish-12k", 1, 20), ("ron", 20, 500), ("nld", 10, 400)],
)
def test_other_forms_of_the_lemma(real_data, file, every, least):
    """Sentences of one word, each verb form that the file has: the new one is of the same lemma."""
    path = real_data / f"unimorph/{file}.tsv"
    lemmas: dict[str, set[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.count("\t") >= 2 and "V" in line.split("\t")[2].split(";"):
            lemma, form = line.split("\t")[:2]
            lemmas.setdefault(form, set()).add(lemma)
    forms = [form for form in lemmas if " " not in form][::every]
    made = ANNOTATED_TASKS["SVAgree"].make(
        [plain(f"x {form}") for form in forms], given(paradigms=Paradigms.read(path))
    )
    assert len(made) > least
    for item in made:
        old, new = item.group.split(" ")[1], item.tokens[1]
        assert (old != new) == (item.label == "broken") and lemmas[old] & lemmas[new]
        assert not {old, new} & (lemmas[old] | lemmas[new])
