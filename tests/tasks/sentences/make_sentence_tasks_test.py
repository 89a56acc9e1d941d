"""Sentence-level tasks from Python: what is made, from where, and what the manifest says."""

from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.sentence_files import read_labelled_sentences
from linspector_allennlp.tasks.sentences.make_sentence_tasks import make_sentence_level_tasks

SUBJECTS = ["kala", "lintu", "kissa", "koira", "karhu", "susi", "kettu", "hiiri", "orava", "mato"]
VERBS = ["ui", "lentää", "nukkuu", "syö", "istuu", "odottaa"]
PLACES = ["järvessä", "metsässä", "pihalla", "kotona", "rannalla", "pellolla", "kivellä"]


@pytest.fixture
def treebank(fixtures):
    return [str(fixtures / f"raw/finnish-ud-{split}.conllu") for split in SPLITS]


@pytest.fixture
def text(tmp_path):
    """420 sentences of one to four sentences' length."""
    path = tmp_path / "fi.txt"
    lines = [
        f"Pieni {one} {two} {three}" + f" ja toinen {one} {two} myös siellä" * (n % 4) + "."
        for n, (one, two, three) in enumerate(
            (one, two, three) for one in SUBJECTS for two in VERBS for three in PLACES
        )
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def rows_of(folder, task):
    return [
        (row.sentence, row.label)
        for split in SPLITS
        for row in read_labelled_sentences(folder / task / "finnish" / f"{split}.txt")
    ]


def test_tasks_of_a_treebank(treebank, tmp_path):
    made = make_sentence_level_tasks(tmp_path, "fi", treebank, size=100)
    assert {"SentLen", "BiShift", "Spelling"} <= set(made.made)
    assert made.not_made["WO"] == "no noun in a sentence of 13 tokens or more"
    manifest = made.made["SentLen"]
    assert (manifest["level"], manifest["kind"]) == ("sentence-level", "sentence")
    assert manifest["settings"]["balance"] == "natural"
    facts = manifest["facts"]
    assert facts["sentences"] == sum(facts["candidates"].values()) == 120
    assert facts["items_from"] == {"treebank": 100, "text": 0}
    assert facts["settings"]["sentlen_bins"][-1] == "56+"
    rows = rows_of(tmp_path, "SentLen")
    assert len(rows) == len(set(rows)) == 100
    for sentence, label in rows:
        assert (len(sentence.split(" ")) < 5) == (label == "1-4")
    again = make_sentence_level_tasks(tmp_path, None, treebank[::-1], size=100)
    assert again.unchanged == set(made.made) and again.made == made.made


def test_text_tops_up_what_the_treebank_does_not_give(treebank, text, tmp_path):
    small = make_sentence_level_tasks(
        tmp_path / "small", "fi", treebank, [text], size=80, tasks=["BiShift"]
    )
    large = make_sentence_level_tasks(
        tmp_path / "large", "fi", treebank, [text], size=300, tasks=["BiShift"]
    )
    assert small.made["BiShift"]["facts"]["items_from"] == {"treebank": 80, "text": 0}
    facts = large.made["BiShift"]["facts"]
    candidates = facts["candidates_from"]
    assert candidates == {"treebank": 120, "text": 420}
    assert facts["items_from"]["treebank"] > 110 and sum(facts["items_from"].values()) == 300
    one, two = (set(rows_of(tmp_path / name, "BiShift")) for name in ("small", "large"))
    assert one < two
    assert large.reading["text"] == {"sentences": 420, "bad_lines": 0}
    assert "from text" in large.made["BiShift"]["notes"][0]


def test_text_alone(text, tmp_path):
    made = make_sentence_level_tasks(tmp_path, "fi", (), [text], size=200)
    assert {"SentLen", "BiShift", "EOS", "Spelling"} <= set(made.made)
    assert made.not_made["WC"].endswith("no word is given (--wc-words FILE)")
    assert made.not_made["WO"].endswith("no word is given (--wo-noun WORD)")
    assert "treebank" not in made.made["EOS"]["inputs"]
    words = text.with_name("words.txt")
    words.write_text("kala\nlintu\n\nkissa\nkala\n", encoding="utf-8")
    more = make_sentence_level_tasks(
        tmp_path / "more", "fi", (), [text], size=60, tasks=["WC", "WO"], wc_words=words,
        settings={"wo_noun": "pihalla", "wo_least_length": 5, "wo_zone": 2},
    )  # fmt: skip
    assert set(more.made["WC"]["labels"]) == {"kala", "lintu", "kissa"}
    assert more.made["WC"]["facts"]["settings"] == {"wc_words": ["kala", "lintu", "kissa"]}
    assert more.made["WC"]["settings"]["wc_words"] == ["kala", "lintu", "kissa"]
    assert "wo_zone" not in more.made["WC"]["settings"]
    assert more.made["WO"]["facts"]["settings"] == {
        "wo_noun": "pihalla", "wo_zone": 2, "wo_least_length": 5,
    }  # fmt: skip
    assert len(set(more.made["WO"]["labels"].values())) == 1


def test_even_labels(text, tmp_path):
    settings = {"sentlen_bins": "1-5,6-14,15+"}
    options = {"size": 100, "tasks": ["SentLen"], "settings": settings}
    natural = make_sentence_level_tasks(tmp_path / "1", "fi", (), [text], **options)
    even = make_sentence_level_tasks(tmp_path / "2", "fi", (), [text], balance="even", **options)
    # 23, 6 and 3 of each, which is all that three labels leave of 70, 20 and 10.
    assert even.made["SentLen"]["labels"] == {"1-5": 32, "6-14": 32, "15+": 32}
    # Half of all sentences have two more clauses or three.
    assert 40 < natural.made["SentLen"]["labels"]["15+"] < 60


def test_replacements(text, tmp_path):
    words = tmp_path / "verbs.txt"
    words.write_text("\n".join(VERBS), encoding="utf-8")
    made = make_sentence_level_tasks(
        tmp_path / "data", "fi", (), [text], size=200, replace={"Verbs": words}, tasks=["verbs"]
    )
    assert list(made.made) == ["Verbs"] and set(made.made["Verbs"]["labels"]) == {"O", "C"}
    assert made.made["Verbs"]["facts"]["settings"] == {"words": VERBS}


def test_one_file_of_senteval(text, tmp_path):
    made = make_sentence_level_tasks(
        tmp_path / "data", "fi", (), [text], size=100, tasks=["BiShift"], layout="senteval"
    )
    columns = make_sentence_level_tasks(
        tmp_path / "columns", "fi", (), [text], size=100, tasks=["BiShift"]
    )
    folder = tmp_path / "data/BiShift/finnish"
    assert {path.name for path in folder.iterdir()} == {"senteval.txt", "manifest.json"}
    (file,) = made.made["BiShift"]["files"].values()
    assert (file["rows"], file["splits"]) == (100, {"train": 70, "dev": 20, "test": 10})
    for split, name in zip(SPLITS, ("tr", "va", "te")):
        ours = read_labelled_sentences(tmp_path / f"columns/BiShift/finnish/{split}.txt")
        theirs = read_labelled_sentences(folder / "senteval.txt", split=name)
        assert [r[1:] for r in ours] == [r[1:] for r in theirs]
    assert made.made["BiShift"]["labels"] == columns.made["BiShift"]["labels"]
    with pytest.raises(ValueError, match="exists and was made otherwise"):
        make_sentence_level_tasks(tmp_path / "data", "fi", (), [text], size=100, tasks=["BiShift"])


def test_another_setting_leaves_other_tasks_as_they_are(text, tmp_path):
    options = {"size": 100, "tasks": ["SentLen", "BiShift"]}
    make_sentence_level_tasks(tmp_path / "data", "fi", (), [text], **options)
    settings = {"spelling_least_letters": 4}
    again = make_sentence_level_tasks(
        tmp_path / "data", "fi", (), [text], settings=settings, **options
    )
    assert again.unchanged == {"SentLen", "BiShift"}


@pytest.mark.parametrize("setting, expected", [
    ({"size": 5}, "size: expected 10 or more, found 5"),
    ({"balance": "2:1"}, "balance is '2:1', but must be natural, even"),
    ({"tasks": ["SentLength"]}, "no SentLength. There are SentLen, WC, BiShift"),
    ({"layout": "json"}, "format is 'json', but must be one of"),
    ({"settings": {"colour": 1}}, "no task reads 'colour'. There are .*bishift_both"),
    ({"settings": {"sentlen_bins": "1-x"}}, "sentlen_bins: expected bins as"),
    ({"settings": {"wc_count": 1}}, "wc_count: expected a number of 2 or more, found 1"),
    ({"settings": {"wo_zone": "many"}}, "wo_zone: expected a number of 1 or more, found 'many'"),
    ({"settings": {"wo_zone": 20}}, "wo_zone is 20"),
    ({"treebank": [], "text": []}, "sentence-level needs --treebank FILE or --text FILE"),
])  # fmt: skip
def test_settings_that_make_no_sense(setting, expected, treebank, tmp_path):
    with pytest.raises(ConfigurationError, match=expected):
        make_sentence_level_tasks(
            **{"output": tmp_path, "language": "fi", "treebank": treebank} | setting
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name, content, expected", [
    ("Verbs", "ui\n", "expected two different words or more, found 1"),
    ("Verbs", "ui\nui\n", "expected two different words or more, found 1"),
    ("Verbs", "", "expected two different words or more, found 0"),
    ("Verbs", "ui\nei ui\n", "line 2: expected one word a line, found 'ei ui'"),
    ("wc", "ui\nei\n", "--replace: there is a task wc already"),
    ("../x", "ui\nei\n", "--replace: '../x' cannot be the name of a folder"),
])  # fmt: skip
def test_broken_lists(name, content, expected, treebank, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises((ValueError, ConfigurationError), match=expected):
        make_sentence_level_tasks(tmp_path / "data", "fi", treebank, replace={name: path})
    assert not (tmp_path / "data").exists()


def test_counts_of_labels_are_those_of_the_rows(text, tmp_path):
    made = make_sentence_level_tasks(tmp_path, "fi", (), [text], size=100)
    for task, manifest in made.made.items():
        rows = rows_of(tmp_path, task)
        assert manifest["labels"] == dict(sorted(Counter(label for _, label in rows).items()))
