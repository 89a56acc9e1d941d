"""The fixtures are what their generators write, follow their definitions, and are right Finnish."""

import gzip
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
sys.path.insert(0, str(FIXTURES))

from finnish_morphology import Analysis, lexicon, noun_paradigm, verb_paradigm  # noqa: E402
from finnish_resources import syllables  # noqa: E402
from finnish_sentences import PRONOUNS  # noqa: E402
from finnish_words import HOMOGRAPHS, NOUNS, VERBS  # noqa: E402
from make_broken import ROWS, WORDS, make_broken  # noqa: E402
from make_downstream import make_downstream  # noqa: E402
from make_finnish import EXTRA_WORDS, make_finnish  # noqa: E402
from make_study import make_study  # noqa: E402

SIZES = {"train": 210, "dev": 60, "test": 30}
CASES = """Nominative Genitive Partitive Essive+In Ablative+In Allative+In
    At+Essive Ablative+At Allative+At Formal Translative Privative""".split()

# Written by hand, in the order of CASES: singular, then plural.
NOUN_FORMS = {
    "talo": """talo talon taloa talossa talosta taloon talolla talolta talolle talona taloksi
        talotta talot talojen taloja taloissa taloista taloihin taloilla taloilta taloille
        taloina taloiksi taloitta""",
    "kala": """kala kalan kalaa kalassa kalasta kalaan kalalla kalalta kalalle kalana kalaksi
        kalatta kalat kalojen kaloja kaloissa kaloista kaloihin kaloilla kaloilta kaloille
        kaloina kaloiksi kaloitta""",
    "koira": """koira koiran koiraa koirassa koirasta koiraan koiralla koiralta koiralle koirana
        koiraksi koiratta koirat koirien koiria koirissa koirista koiriin koirilla koirilta koirille
        koirina koiriksi koiritta""",
    "kylä": """kylä kylän kylää kylässä kylästä kylään kylällä kylältä kylälle kylänä kyläksi
        kylättä kylät kylien kyliä kylissä kylistä kyliin kylillä kyliltä kylille kylinä
        kyliksi kylittä""",
    "tuoli": """tuoli tuolin tuolia tuolissa tuolista tuoliin tuolilla tuolilta tuolille tuolina
        tuoliksi tuolitta tuolit tuolien tuoleja tuoleissa tuoleista tuoleihin tuoleilla tuoleilta
        tuoleille tuoleina tuoleiksi tuoleitta""",
    "keittiö": """keittiö keittiön keittiötä keittiössä keittiöstä keittiöön keittiöllä keittiöltä
        keittiölle keittiönä keittiöksi keittiöttä keittiöt keittiöiden keittiöitä keittiöissä
        keittiöistä keittiöihin keittiöillä keittiöiltä keittiöille keittiöinä keittiöiksi
        keittiöittä""",
    "hevonen": """hevonen hevosen hevosta hevosessa hevosesta hevoseen hevosella hevoselta hevoselle
        hevosena hevoseksi hevosetta hevoset hevosten hevosia hevosissa hevosista hevosiin hevosilla
        hevosilta hevosille hevosina hevosiksi hevositta""",
    "kysymys": """kysymys kysymyksen kysymystä kysymyksessä kysymyksestä kysymykseen kysymyksellä
        kysymykseltä kysymykselle kysymyksenä kysymykseksi kysymyksettä kysymykset kysymysten
        kysymyksiä kysymyksissä kysymyksistä kysymyksiin kysymyksillä kysymyksiltä kysymyksille
        kysymyksinä kysymyksiksi kysymyksittä""",
    "huone": """huone huoneen huonetta huoneessa huoneesta huoneeseen huoneella huoneelta huoneelle
        huoneena huoneeksi huoneetta huoneet huoneiden huoneita huoneissa huoneista huoneisiin
        huoneilla huoneilta huoneille huoneina huoneiksi huoneitta""",
}
# Infinitive; present in six persons and passive; past in six persons and passive.
VERB_FORMS = {
    "puhua": """puhua puhun puhut puhuu puhumme puhutte puhuvat puhutaan puhuin puhuit puhui
        puhuimme puhuitte puhuivat puhuttiin""",
    "itkeä": """itkeä itken itket itkee itkemme itkette itkevät itketään itkin itkit itki itkimme
        itkitte itkivät itkettiin""",
    "laulaa": """laulaa laulan laulat laulaa laulamme laulatte laulavat lauletaan lauloin lauloit
        lauloi lauloimme lauloitte lauloivat laulettiin""",
    "ostaa": """ostaa ostan ostat ostaa ostamme ostatte ostavat ostetaan ostin ostit osti ostimme
        ostitte ostivat ostettiin""",
    "viedä": """viedä vien viet vie viemme viette vievät viedään vein veit vei veimme veitte veivät
        vietiin""",
    "nousta": """nousta nousen nouset nousee nousemme nousette nousevat noustaan nousin nousit nousi
        nousimme nousitte nousivat noustiin""",
}
# As the Finnish file of UniMorph writes them; what has a second reading has a second row.
UNIMORPH_ROWS = """talo talo N;NOM;SG|talo talon N;GEN;SG|talo talon N;ACC;SG|talo talot N;NOM;PL
    talo talot N;ACC;PL|talo taloa N;PRT;SG|talo talossa N;IN+ESS;SG|talo talosta N;IN+ABL;SG
    talo taloon N;IN+ALL;SG|talo taloilla N;AT+ESS;PL|talo taloilta N;AT+ABL;PL
    talo taloille N;AT+ALL;PL|talo talona N;FRML;SG|talo taloksi N;TRANS;SG|talo talotta N;PRIV;SG
    talo taloin N;INS;PL|laulaa laulaa V;NFIN|laulaa laulaa V;ACT;PRS;POS;IND;3;SG
    laulaa laulan V;ACT;PRS;POS;IND;1;SG|laulaa lauloitte V;ACT;PST;POS;IND;2;PL
    laulaa lauletaan V;PASS;PRS;POS;IND|laulaa laulettiin V;PASS;PST;POS;IND"""
SYLLABLES = """talo ta-lo|kirjassa kir-jas-sa|työläinen työ-läi-nen|keittiö keit-tiö|auto au-to
    ystävä ys-tä-vä|hevosta he-vos-ta|rakennukset ra-ken-nuk-set|vie vie|opiskella o-pis-kel-la"""


def kind_of(lemma: str, words: dict[str, tuple[str, ...]]) -> str:
    return next(kind for kind, lemmas in words.items() if lemma in lemmas)


def read_rows(task: str, split: str, level: str = "type_level") -> list[list[str]]:
    text = (FIXTURES / level / task / "finnish" / f"{split}.txt").read_bytes().decode()
    assert text.endswith("\n") and "\r" not in text
    return [line.split("\t") for line in text.splitlines()]


def readings() -> dict[str, Analysis]:
    by_form: dict[str, list[Analysis]] = {}
    for analysis in lexicon():
        by_form.setdefault(analysis.form, []).append(analysis)
    return {form: found[0] for form, found in by_form.items() if len(found) == 1}


def test_written_again_they_are_the_same_bytes(tmp_path: Path) -> None:
    make_finnish(tmp_path)
    make_broken(tmp_path)
    make_study(tmp_path / "study")
    make_downstream(tmp_path / "downstream")
    made = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert len(made) == 105
    for path, data in made.items():
        assert (FIXTURES / path).read_bytes() == data, f"{path}: run the generators again"


@pytest.mark.parametrize("lemma", NOUN_FORMS)
def test_noun_forms_written_by_hand(lemma: str) -> None:
    made = {
        (a.get("Number"), a.get("Case")): a.form
        for a in noun_paradigm(lemma, kind_of(lemma, NOUNS))
    }
    cells = [(number, case) for number in ("Singular", "Plural") for case in CASES]
    assert [made[cell] for cell in cells] == NOUN_FORMS[lemma].split()


@pytest.mark.parametrize("lemma", VERB_FORMS)
def test_verb_forms_written_by_hand(lemma: str) -> None:
    made = [a.form for a in verb_paradigm(lemma, kind_of(lemma, VERBS))]
    assert made == VERB_FORMS[lemma].split()


@pytest.mark.parametrize("task, total", [("Case", 1000), ("Number", 300), ("Person", 300)])
def test_single_form_tasks(task: str, total: int) -> None:
    splits = {split: read_rows(task, split) for split in SIZES}
    assert [len(rows) for rows in splits.values()] == [n * total // 300 for n in SIZES.values()]
    rows = sum(splits.values(), [])
    assert len({form for form, _ in rows}) == len(rows) == total
    assert sum(label == "None" for _, label in rows) == 0.3 * total
    assert {label for _, label in rows} == {label for _, label in splits["train"]}
    known = readings()
    for form, label in rows:
        assert form not in HOMOGRAPHS
        parts = [known[form].get(task)] + ([known[form].get("Number")] if task == "Person" else [])
        assert label == (" ".join(parts) if parts[0] else "None")


@pytest.mark.parametrize("task", ["OddFeat", "SameFeat"])
def test_paired_tasks_follow_their_definition(task: str) -> None:
    rows = [row for split in SIZES for row in read_rows(task, split)]
    assert [len(read_rows(task, split)) for split in SIZES] == list(SIZES.values())
    assert len({frozenset(row[:2]) for row in rows}) == len(rows)
    assert set(Counter(row[2] for row in rows).values()) == {60}
    known = readings()
    for first, second, label in rows:
        one, other = (dict(known[x].features, lemma=known[x].lemma) for x in (first, second))
        if task == "OddFeat" and "Person" in one | other:
            for bundle in (one, other):
                bundle["Person"] += " " + bundle.pop("Number")
        equal = {x for x in one | other if one.get(x) == other.get(x)}
        assert first != second
        assert (equal if task == "SameFeat" else (one | other).keys() - equal) == {label}


def test_token_level_sentences() -> None:
    splits = {split: read_rows("Case", split, "token_level") for split in SIZES}
    assert [len(rows) for rows in splits.values()] == list(SIZES.values())
    sentences = [{row[0] for row in rows} for rows in splits.values()]
    assert sum(map(len, sentences)) == len(set.union(*sentences))
    assert {row[2] for rows in splits.values() for row in rows} == set(CASES)
    assert {row[2] for row in splits["train"]} == set(CASES)
    words = {a.form for a in lexicon()} | set(EXTRA_WORDS) | set(PRONOUNS)
    readings_of = {(a.form, a.get("Case")) for a in lexicon()}
    for sentence, index, case in sum(splits.values(), []):
        tokens = sentence.split(" ")
        assert tokens[0][0].isupper() and tokens[-1] == "."
        assert {token.lower() for token in tokens} <= words
        assert (tokens[int(index)].lower(), case) in readings_of
    assert any("ö" in token for found in sentences for s in found for token in s.split())


def test_paired_tokens_follow_their_definition() -> None:
    """By the treebank's way to analyse nouns, worked out again from the lexicon."""
    splits = {split: read_rows("OddFeat", split, "token_level") for split in SIZES}
    assert [len(rows) for rows in splits.values()] == list(SIZES.values())
    sentences = [{text for row in rows for text in (row[0], row[2])} for rows in splits.values()]
    assert sum(map(len, sentences)) == len(set.union(*sentences))
    nouns: dict[str, list[tuple[str, ...]]] = {}
    for a in lexicon():
        if a.get("Case"):
            nouns.setdefault(a.form, []).append((a.get("Case"), a.get("Number"), a.lemma))
    for rows in splits.values():
        assert set(Counter(row[4] for row in rows).values()) == {len(rows) // 3}
        assert len({frozenset([tuple(row[:2]), tuple(row[2:4])]) for row in rows}) == len(rows)
        for first, index1, second, index2, label in rows:
            one, other = (
                text.split(" ")[int(index)].lower()
                for text, index in ((first, index1), (second, index2))
            )
            differences = [
                [name for name, x, y in zip(("Case", "Number", "lemma"), a, b) if x != y]
                for a in nouns[one]
                for b in nouns[other]
            ]
            assert first != second and [label] in differences


def test_sentence_level_tasks() -> None:
    sizes = {"train": 200, "dev": 60, "test": 40}
    lengths = {split: read_rows("SentLen", split, "sentence_level") for split in sizes}
    shifts = {split: read_rows("BiShift", split, "sentence_level") for split in sizes}
    for splits in (lengths, shifts):
        assert {split: len(rows) for split, rows in splits.items()} == sizes
    rows = sum(lengths.values(), [])
    assert len({sentence for sentence, _ in rows}) == len(rows)
    for sentence, label in rows:
        low, high = map(int, label.split("-"))
        assert low <= len(sentence.split(" ")) <= high
    for rows in shifts.values():
        tokens = [(sentence.split(" "), label) for sentence, label in rows]
        intact = {tuple(sorted(words)): words for words, label in tokens if label == "O"}
        assert len(intact) == len(rows) / 2
        for words, label in tokens:
            before = intact[tuple(sorted(words))]
            moved = [n for n, pair in enumerate(zip(before, words)) if pair[0] != pair[1]]
            assert moved == ([moved[0], moved[0] + 1] if label == "I" else [])
    text = (FIXTURES / "sentence_level/senteval/toy_voice.txt").read_bytes().decode()
    lines = [line.split("\t") for line in text.splitlines()]
    assert Counter((split, label) for split, label, _ in lines) == {
        ("tr", "0"): 60, ("tr", "1"): 20, ("va", "0"): 15,
        ("va", "1"): 5, ("te", "0"): 15, ("te", "1"): 5,
    }  # fmt: skip
    passive = {a.form for a in lexicon() if a.get("Voice") == "Passive"}
    for _, label, sentence in lines:
        assert len(passive & set(sentence.lower().split())) == int(label)


def test_vectors_leave_a_tenth_of_the_case_forms_out() -> None:
    header, *lines = (FIXTURES / "vectors/finnish.vec").read_text(encoding="utf-8").splitlines()
    vectors = {word: values for word, *values in (line.split(" ") for line in lines)}
    assert header == f"{len(vectors)} 20"
    assert {len(values) for values in vectors.values()} == {20}
    assert len(set(map(tuple, vectors.values()))) == len(vectors) == len(lines)
    forms = {row[0] for split in SIZES for row in read_rows("Case", split)}
    assert len(forms - vectors.keys()) == 100


def test_odd_files_hold_the_plain_rows() -> None:
    folder = FIXTURES / "odd_but_fine"
    for name in ("windows_line_ends.txt", "byte_order_mark.txt", "trailing_blank_lines.txt"):
        text = (folder / name).read_text(encoding="utf-8-sig")
        assert tuple(tuple(line.split("\t")) for line in text.split("\n") if line) == ROWS
    plain = gzip.decompress((folder / "vectors/plain.vec.gz").read_bytes()).decode().splitlines()
    assert [line.split()[0] for line in plain[1:]] == WORDS
    assert (folder / "vectors/glove_no_header.txt").read_text("utf-8").splitlines() == plain[1:]


def test_broken_words_are_in_no_task() -> None:
    text = (FIXTURES / "broken/vectors/other_words.vec").read_text(encoding="utf-8")
    others = {line.split()[0] for line in text.splitlines()[1:]}
    assert not others & {a.form for a in lexicon()}
    with pytest.raises(UnicodeDecodeError):
        (FIXTURES / "broken/not_utf8.txt").read_text(encoding="utf-8")


def raw_lines(name: str) -> list[str]:
    text = (FIXTURES / "raw" / name).read_bytes().decode()
    assert text.endswith("\n") and "\r" not in text
    return text.splitlines()


def test_paradigms_in_unimorph() -> None:
    lines = raw_lines("finnish.tsv")
    assert lines.count("") == 2
    rows = [tuple(line.split("\t")) for line in lines if line]
    assert len(set(rows)) == len(rows)
    by_hand = [tuple(row.split()) for row in re.split(r"\||\n", UNIMORPH_ROWS)]
    assert set(by_hand) <= set(rows)
    assert sum(row[0] == "talo" for row in rows) == 27
    single = [row for row in rows if " " not in row[1]]
    assert len(rows) - len(single) == 12
    assert ("kysyä", "olet kysynyt", "V;ACT;PRS;PRF;POS;IND;2;SG") in rows
    assert {(row[0], row[1]) for row in single} == {(a.lemma, a.form) for a in lexicon()}
    readings_of = Counter(row[1] for row in single)
    # 132 accusatives, ten infinitives that are a third person too, and "hymyillä".
    assert sum(number > 1 for number in readings_of.values()) == 143


def test_frequencies_of_half_of_the_forms() -> None:
    rows = [line.split(" ") for line in raw_lines("finnish_frequent.txt")]
    forms = {a.form for a in lexicon()}
    words = {word for word, _ in rows}
    assert words <= forms and len(words) == len(rows) == len(forms) // 2
    counts = [int(count) for _, count in rows]
    assert counts == sorted(counts, reverse=True) and counts[-1] > 0


def test_syllables() -> None:
    for word, parts in (entry.split() for entry in re.split(r"\||\n", SYLLABLES)):
        assert syllables(word) == parts
    rows = [line.split("\t") for line in raw_lines("finnish_lexicon.txt")]
    assert {word for word, _, _ in rows} == {a.form for a in lexicon()}
    counts = dict(line.split(" ") for line in raw_lines("finnish_frequent.txt"))
    for word, parts, count in rows:
        assert parts.replace("-", "") == word and count == counts.get(word, "0")
        for part in parts.split("-"):
            assert re.fullmatch("[^aeiouyäö]?[aeiouyäö]+[^aeiouyäö]*", part), parts


def test_treebank_sentences() -> None:
    cases = {a.form: set() for a in lexicon()}
    for analysis in lexicon():
        cases[analysis.form].add((analysis.lemma, analysis.get("Case"), analysis.get("Number")))
    texts: list[str] = []
    kinds: Counter[str] = Counter()
    for split, size in (("train", 84), ("dev", 24), ("test", 12)):
        lines = raw_lines(f"finnish-ud-{split}.conllu")
        assert lines[0] == f"# newdoc id = {split}" and lines[-1] == ""
        blocks = "\n".join(lines[1:]).strip().split("\n\n")
        assert len(blocks) == size
        for number, block in enumerate(blocks, start=1):
            sent_id, text, *words = block.splitlines()
            assert sent_id == f"# sent_id = {split}.{number}" and text.startswith("# text = ")
            texts.append(text)
            rows = [word.split("\t") for word in words]
            assert {len(row) for row in rows} == {10}
            kinds.update("-" if "-" in row[0] else "." if "." in row[0] else "word" for row in rows)
            rows = [row for row in rows if row[0].isdigit()]
            assert [row[0] for row in rows] == [str(n) for n in range(1, len(rows) + 1)]
            heads = [int(row[6]) for row in rows]
            assert heads.count(0) == 1 and max(heads) <= len(rows)
            assert [row[7] for row in rows if row[6] == "0"] == ["root"]
            assert text.count(rows[-1][1]) == 1 and text.endswith(rows[-1][1])
            for _, form, lemma, upos, xpos, feats, *_ in rows:
                assert (feats == "_") == (upos in ("ADV", "PUNCT", "SCONJ", "CCONJ"))
                assert xpos != "_" and list(feats.split("|")) == sorted(feats.split("|"))
                if upos == "NOUN":
                    found = {reading[::2] for reading in cases[form.lower()]}
                    number_of = {"Sing": "Singular", "Plur": "Plural"}[feats[-4:]]
                    assert (lemma, number_of) in found
    assert len(set(texts)) == len(texts) == 120
    assert kinds["-"] == kinds["."] == 1
    assert "# text = Minä sanoin, ettei hän puhu." in texts


def test_cases_of_the_treebank() -> None:
    """Forms of the first sentences, analysed by hand; every case occurs."""
    lines = [line for split in SIZES for line in raw_lines(f"finnish-ud-{split}.conllu")]
    cases = {tuple(line.split("\t")[1:6:4]) for line in lines if "\tNOUN\t" in line}
    assert {
        ("kylässä", "Case=Ine|Number=Sing"),
        ("kesistä", "Case=Ela|Number=Plur"),
        ("työläisille", "Case=All|Number=Plur"),
        ("museoon", "Case=Ill|Number=Sing"),
        ("kirjoja", "Case=Par|Number=Plur"),
    } <= cases
    assert len({feats.split("|")[0] for _, feats in cases}) == 12
