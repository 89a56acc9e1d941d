"""`probe-data` from raw files to tasks, their manifests and probes that train on them."""

import csv
import hashlib
import json
import os
import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from linspector import main
from linspector_allennlp.commands.data import probe_data
from linspector_allennlp.dataset_readers import (
    PairedFormsReader,
    PairedTokensReader,
    SingleFormReader,
    TokenInContextReader,
)
from linspector_allennlp.io.files import sha256
from linspector_allennlp.tasks import build
from tests.commands.printed import parsed

ROOT = Path(__file__).resolve().parents[3]
RAW = ROOT / "fixtures/raw"
BROKEN = ROOT / "fixtures/broken"
UNIMORPH = RAW / "finnish.tsv"
FREQUENT = RAW / "finnish_frequent.txt"
LEXICON = RAW / "finnish_lexicon.txt"
SPLITS = ("train", "dev", "test")
TREEBANK = [RAW / f"finnish-ud-{split}.conllu" for split in SPLITS]

MADE = {
    "Case", "Person", "Tense", "Voice", "POS", "TagCount", "CharacterBin", "OddFeat", "SameFeat",
}  # fmt: skip
NOT_MADE = {"Number", "Mood", "Polarity", "Finiteness"}
CASES = {
    "NOM": "Nominative",
    "GEN": "Genitive",
    "ACC": "Accusative",
    "PRT": "Partitive",
    "INS": "Instrumental",
    "IN+ESS": "Essive+In",
    "IN+ABL": "Ablative+In",
    "IN+ALL": "Allative+In",
    "AT+ESS": "At+Essive",
    "AT+ABL": "Ablative+At",
    "AT+ALL": "Allative+At",
    "FRML": "Formal",
    "TRANS": "Translative",
    "PRIV": "Privative",
}
UD_CASES = {"Nom": "Nominative", "Ine": "Essive+In", "Ill": "Allative+In", "Par": "Partitive",
            "Tra": "Translative", "Abe": "Privative", "Ela": "Ablative+In", "Gen": "Genitive",
            "Ade": "At+Essive", "Abl": "Ablative+At", "All": "Allative+At", "Ess": "Formal"}  # fmt: skip


def run(*arguments):
    """What `allennlp probe-data …` does, without the start."""
    args = parsed(probe_data, *arguments)
    args.func(args)


def type_level(output, *options, unimorph=UNIMORPH, size=400):
    run("type-level", "--unimorph", unimorph, "--language", "fi", "--output", output,
        "--size", size, *options)  # fmt: skip
    return output


def pseudo(output, *options):
    run("type-level", "--language", "fi", "--output", output, "--size", 100, *options)
    return output


def token_level(output, *options, treebank=TREEBANK, size=100):
    run("token-level", "--treebank", *treebank, "--language", "fi", "--output", output,
        "--size", size, *options)  # fmt: skip
    return output


def syneval(output, *options):
    run("syneval", "--treebank", *TREEBANK, "--language", "fi", "--output", output, *options)
    return output


def content(folder):
    """Every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def rows_of(folder):
    """The rows of the three splits."""
    return {
        split: [
            tuple(line.split("\t"))
            for line in (folder / f"{split}.txt").read_text(encoding="utf-8").splitlines()
        ]
        for split in SPLITS
    }


def all_rows(folder):
    return [row for rows in rows_of(folder).values() for row in rows]


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def raw_rows():
    """Lemma, form and set of tags of the rows of one word."""
    lines = UNIMORPH.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line]
    return [(lemma, form, frozenset(tags.split(";"))) for lemma, form, tags in rows
            if " " not in form]  # fmt: skip


def tags_of_forms():
    found = defaultdict(set)
    for _, form, tags in raw_rows():
        found[form].add(tags)
    return found


def treebank_words(path):
    """The sentences of a file as lists of columns, of words only."""
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    sentences = [[line.split("\t") for line in block.splitlines()] for block in blocks]
    return [[word for word in sentence if word[0].isdigit()] for sentence in sentences]


def feature(word, name):
    return dict(part.split("=") for part in word[5].split("|") if part != "_").get(name)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """All type-level tasks, made once; not to be changed."""
    return type_level(tmp_path_factory.mktemp("made"), "--frequencies", FREQUENT)


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return token_level(tmp_path_factory.mktemp("tokens"))


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    return syneval(tmp_path_factory.mktemp("words"))


# What is made


def test_the_files_and_the_table(tmp_path, capsys):
    type_level(tmp_path, "--frequencies", FREQUENT)
    shown = capsys.readouterr().out
    expected = {f"{task}/finnish/{split}.txt" for task in MADE for split in SPLITS}
    expected |= {f"{task}/finnish/manifest.json" for task in MADE} | {"manifest.json"}
    assert set(content(tmp_path)) == expected
    for task in MADE:
        assert [len(rows) for rows in rows_of(tmp_path / task / "finnish").values()] == (
            [280, 80, 40]
        )
    table, not_made, odd, where = shown.split("\n\n")
    lines = table.splitlines()
    assert lines[0].split() == ["made", "items", "labels", "majority", "ambiguous", "notes"]
    # 30 % have no case; of the 25 forms of a noun two are an accusative too.
    assert lines[2].split() == ["Case", "400", "14", "30.0", "%", "8.0", "%"]
    assert {line.split()[0] for line in lines[2:]} == MADE
    # Infinitives and passives: 42 and 84, eleven of which are something else as well.
    assert "  Number: 115 forms without it (None), 120 needed" in not_made.splitlines()
    assert "  Mood: 1 value with 5 forms or more, 2 needed" in not_made.splitlines()
    assert odd == "unimorph: forms of several words, which are in no task: 12."
    assert where == f"In {tmp_path}; the manifest.json there says how.\n"


def test_the_labels_are_those_of_the_raw_file(made):
    tags_of = tags_of_forms()
    frequent = {line.split()[0] for line in FREQUENT.read_text(encoding="utf-8").splitlines()}
    for task in ("Case", "POS", "TagCount", "CharacterBin"):
        rows = all_rows(made / task / "finnish")
        assert len({form for form, _ in rows}) == len(rows) == 400
        assert abs(sum(form in frequent for form, _ in rows) - 320) <= 2
        for form, label in rows:
            if task == "Case":
                values = {CASES[tag] for tags in tags_of[form] for tag in tags if tag in CASES}
                assert values == ({label} if label != "None" else set())
                continue
            (tags,) = tags_of[form]
            if task == "POS":
                assert label == ("Noun" if "N" in tags else "Verb")
            elif task == "TagCount":
                assert label == str(len(tags))
            else:
                assert label == str((len(form) + 3) // 4)


def test_the_manifest_of_a_task(made):
    folder = made / "Case" / "finnish"
    found = manifest(folder)
    assert (found["task"], found["kind"]) == ("Case", "single_form")
    assert (found["level"], found["language"]) == ("type-level", "finnish")
    assert set(found["versions"]) >= {"linspector_allennlp"}
    assert found["settings"]["seed"] == 0 and found["settings"]["size"] == 400
    assert found["inputs"]["unimorph"] == [{"file": "finnish.tsv", "sha256": sha256(UNIMORPH)}]
    frequencies = found["inputs"]["frequencies"]
    assert (frequencies["file"], frequencies["sha256"]) == (FREQUENT.name, sha256(FREQUENT))
    assert frequencies["words"] == len(FREQUENT.read_text(encoding="utf-8").splitlines())
    assert found["labels"] == dict(sorted(Counter(row[-1] for row in all_rows(folder)).items()))
    assert found["files"]["test.txt"] == {"rows": 40, "sha256": sha256(folder / "test.txt")}
    # 66 nouns of 25 forms, two of them ambiguous each.
    assert found["facts"]["ambiguous_forms"] == 132
    assert found["facts"]["forms_with_one_value"] == 66 * 23
    assert found["facts"]["ambiguity"] == 0.08


def test_the_manifest_of_the_root(made):
    (found,) = manifest(made).items()
    name, entry = found
    assert name == "type-level finnish"
    assert set(entry["made"]) == MADE and set(entry["not_made"]) >= NOT_MADE
    assert entry["not_made"]["Number"] == "115 forms without it (None), 120 needed"
    assert entry["made"]["OddFeat"]["rows"] == {"train.txt": 280, "dev.txt": 80, "test.txt": 40}
    reading = entry["reading"]["unimorph"]
    expected = {"rows": 66 * 27 + 42 * 15 + 12, "repeated_rows": 0, "bad_lines": 0, "lemmas": 108}
    assert {key: reading[key] for key in expected} == expected
    assert reading["forms_of_several_words"] == 12 and reading["unknown_tags"] == {}


@pytest.mark.parametrize("maker", ["made", "tokens", "words"])
def test_a_manifest_depends_on_no_machine_and_no_day(maker, request):
    folder = request.getfixturevalue(maker)
    manifests = [data.decode() for name, data in content(folder).items() if name.endswith(".json")]
    assert len(manifests) > 5
    for text in manifests:
        for place in (folder, Path.home(), Path.cwd(), ROOT):
            assert f"{place}/" not in text and f'{place}"' not in text
        assert not re.search(r"\d{4}-\d\d-\d\d|\d\d:\d\d", text)
        files = re.findall(r'"file": "(.*?)"', text)
        assert files and not [name for name in files if "/" in name]


# The same again


def test_elsewhere_and_in_another_order_the_same_bytes(made, tmp_path, monkeypatch):
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    here = os.path.relpath(UNIMORPH)
    again = type_level(Path("data"), "--frequencies", FREQUENT, unimorph=here)
    assert content(again) == content(made)
    lines = UNIMORPH.read_text(encoding="utf-8").splitlines(keepends=True)
    random.Random(7).shuffle(lines)
    shuffled = tmp_path / "finnish.tsv"
    shuffled.write_text("".join(lines), encoding="utf-8")
    other = content(type_level(tmp_path / "other", "--frequencies", FREQUENT, unimorph=shuffled))
    # It is another file, and the manifests say so; nothing else differs.
    hashes = sha256(shuffled).encode(), sha256(UNIMORPH).encode()
    assert {name: data.replace(*hashes) for name, data in other.items()} == content(made)
    assert other["manifest.json"] != content(made)["manifest.json"]


def test_another_seed_is_another_sample(made, tmp_path):
    type_level(tmp_path, "--frequencies", FREQUENT, "--seed", 1)
    for task in MADE:
        one, other = (all_rows(data / task / "finnish") for data in (made, tmp_path))
        assert set(one) != set(other) and len(one) == len(other)


def test_token_level_and_syneval_the_same_bytes(tokens, words, tmp_path):
    backwards = TREEBANK[::-1]
    assert content(token_level(tmp_path / "tokens", treebank=backwards)) == content(tokens)
    assert content(syneval(tmp_path / "words")) == content(words)


def test_a_folder_that_is_there(tmp_path, capsys):
    options = ("--tasks", "Case", "POS")
    before = content(type_level(tmp_path, *options))
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.txt")}
    capsys.readouterr()
    assert content(type_level(tmp_path, *options)) == before
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps
    assert capsys.readouterr().out.count("unchanged: the same command made it before") == 2
    with pytest.raises(ValueError, match=rf"{tmp_path}/Case/finnish exists .* --force replaces it"):
        type_level(tmp_path, *options, "--seed", 1)
    assert content(tmp_path) == before
    type_level(tmp_path, *options, "--seed", 1, "--force")
    assert manifest(tmp_path / "Case/finnish")["settings"]["seed"] == 1
    assert content(tmp_path) == content(type_level(tmp_path / "new", *options, "--seed", 1))


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_another_level_is_never_replaced(force, tmp_path):
    before = content(type_level(tmp_path, "--tasks", "Case"))
    with pytest.raises(ValueError, match="Case/finnish holds a type-level task: choose another"):
        token_level(tmp_path, *force)
    assert content(tmp_path) == before


@pytest.mark.parametrize("file, staying", [(3, []), (6, ["Case"])])
def test_a_failure_in_the_middle(file, staying, made, tmp_path, monkeypatch, capsys):
    calls = []

    def failing(*arguments):
        calls.append(arguments)
        if len(calls) == file:
            raise OSError("No space left on device")
        written(*arguments)

    written = build.write_rows
    monkeypatch.setattr(build, "write_rows", failing)
    options = ("--frequencies", FREQUENT, "--tasks", "Case", "POS")
    with pytest.raises(OSError, match="No space left"):
        type_level(tmp_path / "data", *options)
    left = list((tmp_path / "data").rglob("*"))
    named = set(staying) | ({"manifest.json"} if staying else set())
    assert {path.relative_to(tmp_path / "data").parts[0] for path in left} == named
    assert not [path for path in left if path.name.startswith(".") or path.suffix == ".tmp"]
    for task in staying:
        assert content(tmp_path / "data" / task) == content(made / task)
    monkeypatch.undo()
    capsys.readouterr()
    type_level(tmp_path / "data", *options)
    assert capsys.readouterr().out.count("unchanged") == len(staying)
    for task in ("Case", "POS"):
        assert content(tmp_path / "data" / task) == content(made / task)


# Options


def test_one_task_as_anyone_spells_it(made, tmp_path):
    type_level(tmp_path, "--frequencies", FREQUENT, "--tasks", "oddfeat")
    assert content(tmp_path / "OddFeat") == content(made / "OddFeat")
    assert {path.name for path in tmp_path.iterdir()} == {"OddFeat", "manifest.json"}


def test_tasks_that_there_are_not(tmp_path):
    with pytest.raises(ConfigurationError, match="no Kase, Pseudo. There are Case, Number, .*POS"):
        type_level(tmp_path, "--tasks", "Kase", "Case", "Pseudo")
    with pytest.raises(ConfigurationError, match="no Pseudo. There are POS, Case.*OddFeat, Sa"):
        token_level(tmp_path, "--tasks", "Pseudo")
    with pytest.raises(ConfigurationError, match="no Case2. There are pos, label, headpos, case"):
        syneval(tmp_path, "--tasks", "Case2")
    assert not list(tmp_path.iterdir())


def test_nothing_made_is_an_error_with_reasons(tmp_path):
    with pytest.raises(ValueError, match="no task was made") as error:
        type_level(tmp_path, "--tasks", "Case", "POS", "Gender", size=5000)
    lines = str(error.value).splitlines()
    assert "  Case: 2,137 forms, 5,000 needed" in lines
    assert "  Gender: 0 values with 5 forms or more, 2 needed" in lines
    assert not list(tmp_path.rglob("*.txt"))


@pytest.mark.parametrize("options, sentence", [
    ([], "type-level needs --unimorph FILE"),
    (["--unimorph", "nowhere.tsv"], "nowhere.tsv"),
    (["--unimorph", UNIMORPH, "--language", "../x"], "cannot be the name of a folder"),
])  # fmt: skip
def test_what_is_missing_is_said(options, sentence, tmp_path):
    with pytest.raises((ConfigurationError, ValueError, OSError), match=sentence):
        run("type-level", "--language", "fi", "--output", tmp_path, *options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", [("--size", "0"), ("--none-ratio", "1.5"), ("--split-by", "x")])
def test_values_that_make_no_sense(option, tmp_path, capsys):
    with pytest.raises(SystemExit):
        type_level(tmp_path, *option)
    assert option[0] in capsys.readouterr().err


def test_no_lemma_is_in_two_splits(tmp_path):
    type_level(tmp_path, "--split-by", "lemma")
    lemmas_of = defaultdict(set)
    for lemma, form, _ in raw_rows():
        lemmas_of[form].add(lemma)
    tasks = [path for path in tmp_path.iterdir() if path.is_dir()]
    assert {path.name for path in tasks} == MADE
    for task in tasks:
        lemmas = {}
        for split, rows in rows_of(task / "finnish").items():
            forms = [form for row in rows for form in row[:-1]]
            # Which lemma a form of two was taken as, a pair does not say.
            decided = [form for form in forms if len(lemmas_of[form]) == 1]
            assert len(decided) == len(forms) or task.name in ("OddFeat", "SameFeat")
            lemmas[split] = {lemma for form in decided for lemma in lemmas_of[form]}
        assert sum(map(len, lemmas.values())) == len(set.union(*lemmas.values()))


def test_without_the_class_none(made, tmp_path):
    type_level(tmp_path, "--none-ratio", 0)
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == MADE | {"Number"}
    for task in ("Case", "Number", "Person", "Tense", "Voice"):
        rows = all_rows(tmp_path / task / "finnish")
        assert len(rows) == 400 and "None" not in {label for _, label in rows}
    assert Counter(label for _, label in all_rows(made / "Case/finnish"))["None"] == 120


def test_alternatives_as_a_label(tmp_path):
    """As some resources write it: the plural in -t is nominative or accusative."""
    text = UNIMORPH.read_text(encoding="utf-8")
    text = re.sub(".*\tN;ACC;PL\n", "", text).replace("N;NOM;PL", "N;NOM/ACC;PL")
    path = tmp_path / "fin"
    path.write_text(text, encoding="utf-8")
    plurals = set(re.findall("\t(.*)\tN;NOM/ACC;PL", text))
    assert len(plurals) == 66
    options = ("--tasks", "Case", "--none-ratio", 0)
    open_ = dict(all_rows(type_level(tmp_path / "open", *options, unimorph=path) / "Case/finnish"))
    assert not plurals & open_.keys() and "Accusative/Nominative" not in open_.values()
    type_level(tmp_path / "label", *options, "--alternatives", "label", unimorph=path)
    joined = dict(all_rows(tmp_path / "label/Case/finnish"))
    assert plurals & joined.keys()
    for form, label in joined.items():
        assert (label == "Accusative/Nominative") == (form in plurals)


# Broken files


def with_broken(folder, whole, broken):
    """A file that goes on with broken lines, and the line where the mistake then is."""
    path = folder / whole.name
    text = whole.read_text(encoding="utf-8")
    path.write_text(text + (BROKEN / broken).read_text(encoding="utf-8"), encoding="utf-8")
    return path, text.count("\n") + 4


def test_a_bad_line_of_unimorph(tmp_path, capsys):
    path, line = with_broken(tmp_path, UNIMORPH, "unimorph_two_columns.tsv")
    data = tmp_path / "data"
    with pytest.raises(ValueError, match=f"{path}, line {line}: expected at least 3 tab-separated"):
        type_level(data, "--tasks", "Case", unimorph=path)
    assert not data.exists()
    type_level(data, "--tasks", "Case", "--skip-bad-lines", unimorph=path)
    assert "unimorph: broken lines that were skipped: 1." in capsys.readouterr().out
    reading = manifest(data)["type-level finnish"]["reading"]["unimorph"]
    # The four good lines say what the whole file says.
    assert (reading["bad_lines"], reading["repeated_rows"]) == (1, 4)


def test_a_bad_line_of_a_treebank(tmp_path, capsys):
    path, line = with_broken(tmp_path, TREEBANK[0], "nine_columns.conllu")
    data = tmp_path / "data"
    expected = f"{path}, line {line}: expected 10 tab-separated columns, found 9"
    with pytest.raises(ValueError, match=expected):
        token_level(data, "--tasks", "Case", treebank=[path])
    assert not data.exists()
    token_level(data, "--tasks", "Case", "--skip-bad-lines", treebank=[path])
    assert "treebank: broken lines that were skipped: 1." in capsys.readouterr().out
    reading = manifest(data)["token-level finnish"]["reading"]["treebank"]
    assert (reading["bad_lines"], reading["sentences"]) == (1, 85)


@pytest.mark.parametrize("part, option, name, expected", [
    ("type-level", "--unimorph", "unimorph_two_columns.tsv", "at least 3 tab-separated columns"),
    ("type-level", "--unimorph", "unimorph_empty_form.tsv", "found an empty one"),
    ("type-level", "--lexicon", "lexicon_two_columns.txt", "3 tab-separated columns"),
    ("type-level", "--frequencies", "frequencies_no_count.txt", "a count after the word"),
    ("token-level", "--treebank", "nine_columns.conllu", "10 tab-separated columns, found 9"),
    ("syneval", "--treebank", "head_outside.conllu", "a head from 0 to 4 in sentence '1', found 5"),
    ("syneval", "--treebank", "two_kinds_of_features.conllu", "UD features as in the lines before"),
    ("describe", "--unimorph", "unimorph_two_columns.tsv", "at least 3 tab-separated columns"),
    ("describe", "--treebank", "nine_columns.conllu", "10 tab-separated columns"),
])  # fmt: skip
def test_every_broken_file_is_named_with_its_line(part, option, name, expected, tmp_path):
    arguments = [part, option, BROKEN / name]
    if part != "describe":
        arguments += ["--language", "fi", "--output", tmp_path]
    if option == "--frequencies":
        arguments += ["--unimorph", UNIMORPH]
    with pytest.raises(ValueError, match=f"{BROKEN / name}, line 4: .*{expected}"):
        run(*arguments)
    assert not list(tmp_path.iterdir())


# Pseudowords


def test_pseudowords_from_the_lexicon(tmp_path):
    pytest.importorskip("wuggy")
    one, other = (pseudo(tmp_path / name, "--lexicon", LEXICON) for name in ("one", "other"))
    assert content(one) == content(other)
    known = {line.split("\t")[0] for line in LEXICON.read_text(encoding="utf-8").splitlines()}
    splits = rows_of(one / "Pseudo/finnish")
    assert [len(rows) for rows in splits.values()] == [70, 20, 10]
    for rows in splits.values():
        assert {form for form, label in rows if label == "1"} <= known
        assert not {form for form, label in rows if label == "0"} & known
        assert Counter(label for _, label in rows)["1"] * 2 == len(rows)
        # A pseudoword is as long as the word beside it.
        lengths = {kind: sorted(len(f) for f, label in rows if label == kind) for kind in "01"}
        assert lengths["0"] == lengths["1"]


def test_pseudowords_that_are_given(tmp_path, capsys):
    lines = LEXICON.read_text(encoding="utf-8").splitlines()
    known = [line.split("\t")[0] for line in lines]
    given = {word: word[::-1] for word in known[:200]}
    path = tmp_path / "pseudowords.txt"
    path.write_text("".join(f"{word}\t{other}\n" for word, other in given.items()), "utf-8")
    data = pseudo(tmp_path / "data", "--lexicon", LEXICON, "--pseudowords", path)
    assert "Pseudo    100" in capsys.readouterr().out
    for rows in rows_of(data / "Pseudo/finnish").values():
        words = {form for form, label in rows if label == "1"}
        assert {form for form, label in rows if label == "0"} == {given[word] for word in words}
    assert set(manifest(data / "Pseudo/finnish")["inputs"]) == {"lexicon", "pseudowords"}


# Treebanks


def test_token_level_tasks(tokens, tmp_path, capsys):
    assert {"Case", "Number", "POS", "Person", "Tense"} <= {path.name for path in tokens.iterdir()}
    gold = {
        (" ".join(word[1] for word in sentence), str(index)): word
        for path in TREEBANK
        for sentence in treebank_words(path)
        for index, word in enumerate(sentence)
    }
    numbers = {"Sing": "Singular", "Plur": "Plural"}
    for task, names in (("Case", UD_CASES), ("Number", numbers)):
        splits = rows_of(tokens / task / "finnish")
        assert [len(rows) for rows in splits.values()] == [70, 20, 10]
        for sentence, index, label in sum(splits.values(), []):
            assert names[feature(gold[sentence, index], task)] == label
        sentences = [{row[0] for row in rows} for rows in splits.values()]
        assert sum(map(len, sentences)) == len(set.union(*sentences))
    token_level(tmp_path, "--tasks", "Case")
    shown = capsys.readouterr().out
    assert "treebank: tags that the schema does not have: " in shown
    assert "Connegative=Yes (1)" in shown and "left out as too rare: " in shown
    reading = manifest(tmp_path)["token-level finnish"]["reading"]["treebank"]
    assert (reading["sentences"], reading["ranges"], reading["empty_nodes"]) == (120, 1, 1)
    # "että ei" are words of their own, "ettei" is not.
    assert "Minä sanoin , että ei hän puhu ." in {sentence for sentence, _ in gold}


def test_syneval_tasks(words):
    made = {path.name for path in words.iterdir() if path.is_dir()}
    assert made == {"pos", "label", "case", "tense", "number"}
    assert manifest(words)["syneval finnish"]["not_made"] == {
        "gender": "no word has a value: nothing in FEATS for Gender",
        "headpos": "of 407 items in all, those of test (38) would all be 'VERB'",
    }
    columns = {"pos": lambda word, _: word[3], "label": lambda word, _: word[7]}
    for task, name in (("case", "Case"), ("tense", "Tense"), ("number", "Number")):
        columns[task] = lambda word, _, name=name: feature(word, name)
    for task, value in columns.items():
        kept = set(manifest(words / task / "finnish")["labels"])
        for path, rows in zip(TREEBANK, rows_of(words / task / "finnish").values()):
            gold = Counter(
                (word[1], value(word, sentence))
                for sentence in treebank_words(path)
                for word in sentence
                if value(word, sentence) in kept
            )
            assert Counter(rows) == gold
    assert manifest(words / "case/finnish")["facts"]["split_by"] == "files"


def test_syneval_by_sentence(tmp_path):
    syneval(tmp_path, "--split-by", "sentence", "--tasks", "pos", "--size", 200)
    splits = rows_of(tmp_path / "pos/finnish")
    assert [len(rows) for rows in splits.values()] == [140, 40, 20]
    assert manifest(tmp_path / "pos/finnish")["settings"]["split_by"] == "sentence"


# Describing


def test_describe_what_was_made(made, tokens, words, tmp_path, capsys):
    path = tmp_path / "audit.csv"
    run("describe", made, "--csv", path, "--frequencies", FREQUENT)
    shown = capsys.readouterr().out
    assert shown.startswith("type-level (9; ") and "Not read" not in shown
    text = path.read_text(encoding="utf-8")
    assert text.splitlines()[0] == (
        "level,task,language,train,dev,test,labels,majority,suffix,upper_bound,overlap,duplicates,"
        "conflicts,ambiguous,rare,seen_forms"
    )
    audits = {row["task"]: row for row in csv.DictReader(text.splitlines())}
    assert set(audits) == MADE
    for task, audit in audits.items():
        rows = rows_of(made / task / "finnish")
        sizes = [str(len(rows[split])) for split in SPLITS]
        assert [audit[split] for split in SPLITS] == sizes
        assert (audit["overlap"], audit["duplicates"], audit["conflicts"]) == ("0.0", "0", "0")
    rows = rows_of(made / "Case/finnish")
    (most, _), *_ = Counter(label for _, label in rows["train"]).most_common()
    share = 100 * sum(label == most for _, label in rows["test"]) / 40
    assert most == "None" and audits["Case"]["majority"] == f"{share:.1f}"
    # The share of ambiguous forms is in the manifest, that of rare ones by the list.
    (case,) = [line.split() for line in shown.splitlines() if line.startswith("Case ")]
    assert case[-3] == "8.0" and abs(float(case[-2]) - 20) <= 0.5 and case[-1] == "0.0"
    for folder, title in ((tokens, "token-level (9; "), (words, "syneval (5; ")):
        run("describe", folder)
        assert capsys.readouterr().out.startswith(title)


def test_describe_the_resources(capsys):
    run("describe", "--unimorph", UNIMORPH, "--treebank", *TREEBANK)
    shown = capsys.readouterr().out
    assert "108 paradigms, 2,424 rows, 2,281 forms (12 of several words)." in shown
    assert "Word classes: Noun, Verb." in shown
    rows = {line.split()[0]: line.split()[1:] for line in shown.splitlines() if line}
    assert rows["Case"] == ["14", "1,518", "8.0"] and rows["Person"] == ["6", "504", "0.0"]
    sentences = [words for path in TREEBANK for words in treebank_words(path)]
    forms = [word[1] for sentence in sentences for word in sentence]
    assert f"120 sentences, {len(forms)} tokens, {len(forms) / 120:.2f} a sentence, " in shown
    assert f"{len(set(forms))} forms ({len(forms) / len(set(forms)):.2f} tokens each)" in shown
    assert shown.splitlines()[-4].split() == "forms with more than one ambiguous (%)".split()
    assert [line.rsplit(None, 1)[0] for line in shown.splitlines()[-2:]] == [
        "set of tags",
        "string of tags as printed (Table 5)",
    ]


def test_the_study_to_the_letter(tmp_path):
    run(
        "type-level", "--unimorph", UNIMORPH, "--language", "fi", "--output", tmp_path, "--size", 100,
        "--frequencies", FREQUENT, "--most-frequent", 50, "--ambiguity", "analysis",
        "--values", "Voice=Active,Passive", "Case=Genitive", "--values", "Case=Partitive,Essive+In",
        "--pairs", "as-published", "--tasks", "Voice", "Case", "OddFeat",
    )  # fmt: skip
    made = {task: manifest(tmp_path / task / "finnish") for task in ("Voice", "Case", "OddFeat")}
    assert set(made["Case"]["labels"]) == {"Genitive", "Partitive", "Essive+In", "None"}
    assert set(made["Voice"]["labels"]) == {"Active", "Passive", "None"}
    settings = made["Case"]["settings"]
    assert (settings["ambiguity"], settings["pairs"]) == ("analysis", "as-published")
    assert settings["values"]["Case"] == ["Essive+In", "Genitive", "Partitive"]
    assert made["Case"]["inputs"]["frequencies"]["words"] == 50
    # What the authors kept of Finnish pairs.
    assert made["OddFeat"]["facts"]["shares"] == {"Case": 0.5, "Number": 0.6, "Person": 0.8}


@pytest.mark.parametrize("value", ["Voice", "Voice=", "=Active", "Voice Active"])
def test_values_that_are_none(value, tmp_path, capsys):
    with pytest.raises(SystemExit):
        run("type-level", "--unimorph", UNIMORPH, "--output", tmp_path, "--values", value)
    assert "is not FEATURE=VALUE,VALUE" in capsys.readouterr().err


# From raw files to probes


@pytest.mark.parametrize("maker, config, task", [
    ("made", "single_form", "Case"),
    ("made", "paired_forms", "OddFeat"),
    ("tokens", "token_in_context", "Case"),
    ("tokens", "paired_tokens", "OddFeat"),
    ("words", "single_form", "label"),
])  # fmt: skip
def test_a_probe_trains_on_it(maker, config, task, request, train, environment, monkeypatch):
    environment(task)
    monkeypatch.setenv("DATA_DIR", str(request.getfixturevalue(maker)))
    metrics = train(config, trainer={"num_epochs": 5})
    folder = request.getfixturevalue(maker) / task / "finnish"
    assert metrics["num_labels"] == len(manifest(folder)["labels"])
    assert metrics["test_accuracy"] > metrics["baseline_majority"] / 2
    if maker != "words":
        assert metrics["overlap_test"] == 0 or maker == "tokens"


@pytest.mark.parametrize("maker", ["made", "tokens", "words"])
def test_every_row_loads(maker, request):
    readers = {
        "single_form": SingleFormReader(),
        "paired_forms": PairedFormsReader(),
        "token_in_context": TokenInContextReader(),
        "paired_tokens": PairedTokensReader(),
    }
    folder = request.getfixturevalue(maker)
    found = 0
    for path in sorted(folder.rglob("*.txt")):
        instances = list(readers[manifest(path.parent)["kind"]].read(path))
        assert len(instances) == manifest(path.parent)["files"][path.name]["rows"]
        assert all(instance["label"].label for instance in instances)
        found += 1
    assert found >= 15


def test_the_same_bytes_on_any_machine(made, tokens, words, tmp_path):
    """Written down once: another Python, NumPy or machine must give them too."""
    pytest.importorskip("wuggy")
    folders = {"type": made, "token": tokens, "syneval": words}
    folders["pseudo"] = pseudo(tmp_path, "--lexicon", LEXICON)
    digests = defaultdict(hashlib.sha256)
    for name, folder in folders.items():
        for path, text in content(folder).items():
            if path.endswith(".txt"):
                of_pairs = name == "token" and "Feat/" in path
                digests["token pairs" if of_pairs else name].update(
                    path.encode() + b"\0" + text + b"\0"
                )
    assert {name: digest.hexdigest()[:16] for name, digest in digests.items()} == {
        "token pairs": "1bc665432ee25371",
        "type": "d4d4dbe7b6625d10",
        "token": "69da14cb2d36016a",
        "syneval": "ab53445f89859d9d",
        "pseudo": "085a20d6139f46d6",
    }


def test_as_a_command(made, tmp_path, monkeypatch, capsys):
    arguments = ["type-level", "--unimorph", UNIMORPH, "--frequencies", FREQUENT, "--language",
                 "finnish", "--output", tmp_path, "--size", 400]  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["linspector", "probe-data", *map(str, arguments)])
    main()
    assert "Not made, for want of data:" in capsys.readouterr().out
    assert content(tmp_path) == content(made)
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--seed", "1"])
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 1
    assert "linspector: error: " in capsys.readouterr().err


def test_messages_about_bad_lines_depend_on_no_machine(tmp_path):
    path, _ = with_broken(tmp_path, TREEBANK[0], "nine_columns.conllu")
    token_level(tmp_path / "data", "--tasks", "Case", "--skip-bad-lines", treebank=[path])
    assert str(tmp_path) not in (tmp_path / "data/manifest.json").read_text(encoding="utf-8")


def test_bad_lines_of_the_lexicon_are_counted(tmp_path, capsys):
    pytest.importorskip("wuggy")
    path, _ = with_broken(tmp_path, LEXICON, "lexicon_two_columns.txt")
    pseudo(tmp_path / "data", "--lexicon", path, "--skip-bad-lines")
    assert "lexicon: broken lines that were skipped: 1." in capsys.readouterr().out
    assert '"bad_lines": 1' in (tmp_path / "data/manifest.json").read_text(encoding="utf-8")


def test_the_manifest_names_what_makes_pseudowords(tmp_path):
    pytest.importorskip("wuggy")
    pseudo(tmp_path, "--lexicon", LEXICON)
    assert "wuggy" in manifest(tmp_path / "Pseudo/finnish")["versions"]


def test_pseudowords_alone_ask_for_the_lexicon(tmp_path):
    path = tmp_path / "pseudowords.txt"
    path.write_text("".join(f"olat{letter}\n" for letter in "abcdefghij"), encoding="utf-8")
    with pytest.raises((ConfigurationError, ValueError), match="--lexicon"):
        pseudo(tmp_path / "data", "--pseudowords", path)


def test_a_size_that_would_leave_a_split_empty(tmp_path, capsys):
    with pytest.raises(SystemExit):
        type_level(tmp_path, "--tasks", "Case", size=9)
    assert "9 is not a number of 10 or more" in capsys.readouterr().err


def test_the_order_of_unimorph_files_is_no_other_recipe(tmp_path, capsys):
    lines = UNIMORPH.read_text(encoding="utf-8").splitlines(keepends=True)
    parts = tmp_path / "fin.1", tmp_path / "fin.2"
    for path, some in zip(parts, (lines[:1200], lines[1200:])):
        path.write_text("".join(some), encoding="utf-8")
    for order in (parts, parts[::-1]):
        run("type-level", "--unimorph", *order, "--language", "fi", "--tasks", "Case",
            "--size", 400, "--output", tmp_path / "data")  # fmt: skip
    assert "unchanged" in capsys.readouterr().out
