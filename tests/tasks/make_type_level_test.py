"""Type-level tasks from Python, without a command."""

import json

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources.schema import POS
from linspector_allennlp.tasks.make_type_level import make_type_level_tasks
from linspector_allennlp.tasks.task_data import CHARACTER_BIN, FEATURE_TASKS, TAG_COUNT
from linspector_allennlp.tasks.type_level_tasks import PARADIGM_TASKS
from linspector_allennlp.tasks.word_forms import TypeLevelSettings

SETTINGS = TypeLevelSettings(size=100)


@pytest.fixture
def unimorph(fixtures):
    return [str(fixtures / "raw/finnish.tsv")]


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def test_what_was_made_and_what_was_not(unimorph, tmp_path):
    tasks = ["case", "POS", "Mood"]
    result = make_type_level_tasks(tmp_path, "fi", unimorph, settings=SETTINGS, tasks=tasks)
    assert list(result.made) == ["Case", "POS"] and not result.unchanged
    assert result.not_made == {"Mood": "1 value with 5 forms or more, 2 needed"}
    assert result.reading["unimorph"]["forms_of_several_words"] == 12
    for name, found in result.made.items():
        assert found == manifest(tmp_path / name / "finnish")
    again = make_type_level_tasks(tmp_path, "fi", unimorph, settings=SETTINGS, tasks=tasks)
    assert again == result._replace(unchanged={"Case", "POS"})


def test_the_settings_are_those_of_the_manifest(unimorph, tmp_path):
    settings = SETTINGS._replace(left_out=("Case", "POS"), seed=3)
    for _ in range(2):
        result = make_type_level_tasks(tmp_path, None, unimorph, settings=settings, tasks=["POS"])
    recorded = manifest(tmp_path / "POS/finnish")["settings"]
    assert recorded == {**settings._asdict(), "left_out": ["Case", "POS"]}
    assert list(recorded) == list(TypeLevelSettings._fields)
    assert result.unchanged == {"POS"}


def test_values_and_ambiguity(unimorph, tmp_path):
    cases = {"Case": ["Partitive", "Genitive", "Essive+In"]}
    settings = SETTINGS._replace(values=cases, ambiguity="analysis")
    result = make_type_level_tasks(tmp_path, "fi", unimorph, settings=settings, tasks=["Case"])
    made = result.made["Case"]
    assert set(made["labels"]) == {"None", *cases["Case"]} and made["labels"]["None"] == 30
    assert made["facts"]["forms_with_other_values"] > 0
    assert manifest(tmp_path / "Case/finnish")["settings"]["values"] == {
        "Case": ["Essive+In", "Genitive", "Partitive"]
    }


def test_the_first_words_of_a_list(unimorph, fixtures, tmp_path):
    frequencies = str(fixtures / "raw/finnish_frequent.txt")
    result = make_type_level_tasks(
        tmp_path, "fi", unimorph, frequencies, settings=SETTINGS, tasks=["Case"], most_frequent=10
    )
    given = result.made["Case"]["inputs"]["frequencies"]
    assert given["words"] == given["most_frequent"] == 10
    assert result.made["Case"]["facts"]["frequent_forms"] <= 10
    with pytest.raises(ConfigurationError, match="--most-frequent needs --frequencies"):
        make_type_level_tasks(tmp_path, "fi", unimorph, settings=SETTINGS, most_frequent=10)


def test_nothing_made_is_no_error_here(unimorph, tmp_path):
    settings = TypeLevelSettings(size=5000)
    result = make_type_level_tasks(tmp_path, "fi", unimorph, settings=settings, tasks=["Case"])
    assert not result.made and result.not_made == {"Case": "2,137 forms, 5,000 needed"}


def test_pseudowords_and_what_was_read_for_them(unimorph, tmp_path):
    path = tmp_path / "given.txt"
    path.write_text("".join(f"{'x' * number}\n" for number in range(5, 80)), encoding="utf-8")
    result = make_type_level_tasks(
        tmp_path / "data",
        "fi",
        unimorph,
        pseudowords=str(path),
        settings=SETTINGS,
        tasks=["Pseudo"],
    )
    assert list(result.reading) == ["unimorph", "pseudowords"]
    assert list(result.made["Pseudo"]["inputs"]) == ["pseudowords", "unimorph"]
    assert list(result.made["Pseudo"]["versions"]) == ["linspector_allennlp"]


def test_the_table_of_tasks():
    assert [*FEATURE_TASKS, POS, TAG_COUNT, CHARACTER_BIN, "OddFeat", "SameFeat"] == PARADIGM_TASKS


@pytest.mark.parametrize("setting, expected", [
    ({"size": 9}, "size: expected 10 or more, found 9"),
    ({"none_ratio": 1.5}, "none_ratio: expected a share from 0 to 1, found 1.5"),
    ({"frequent_ratio": -1}, "frequent_ratio: expected a share"),
    ({"rare_pair_ratio": 2}, "rare_pair_ratio: expected a share"),
    ({"min_label_count": 0}, "min_label_count: expected 1 or more, found 0"),
    ({"split_by": "lemmas"}, "split_by: expected one of .*'lemma'.*, found 'lemmas'"),
    ({"alternatives": "both"}, "alternatives: expected one of"),
    ({"values": {"Voise": ["Active", "Passive"]}}, "values: expected features of .*, found"),
    ({"values": {"Voice": ["Active", "Pasive"]}}, "Voice has no value 'Pasive', only .*Active, Agent"),
    ({"values": {"Person": ["First person", "Second person"]}}, "Person has no value 'First person'"),
    ({"values": {"Voice": ["Active"]}}, "needs two values of Voice or more, found .'Active'."),
    ({"ambiguity": "form"}, "ambiguity: expected one of .*'analysis'.*, found 'form'"),
    ({"pairs": "odd"}, "pairs: expected one of .*'as-published'.*, found 'odd'"),
    ({"left_out": ["Kase"]}, "left_out: expected some of .*'Case'.*, found .'Kase'."),
])  # fmt: skip
def test_settings_that_make_no_sense(setting, expected, unimorph, tmp_path):
    with pytest.raises(ConfigurationError, match=expected):
        make_type_level_tasks(tmp_path, "fi", unimorph, settings=TypeLevelSettings(**setting))
    assert not list(tmp_path.iterdir())


def test_inputs_are_needed(tmp_path):
    with pytest.raises(ConfigurationError, match="type-level needs --unimorph"):
        make_type_level_tasks(tmp_path, "fi")


PLUGIN = """
import re
from wuggy import BaseLanguagePlugin


class Ours(BaseLanguagePlugin):
    default_data = "words.txt"
    oncpattern = re.compile("((?:qu|[^aeiou])*)([aeiou]+)(.*)")

    def transform(self, input_sequence, frequency=1):
        return self.pre_transform(input_sequence, frequency=frequency, language=self)
"""


@pytest.fixture
def wuggy_folder(tmp_path):
    """A language of syllables as "qui" and "la", where the letters "qu" are one sound."""
    pytest.importorskip("wuggy")
    folder = tmp_path / "wuggy"
    folder.mkdir()
    (folder / "plugin.py").write_text(PLUGIN)
    onsets = ["qu", "l", "m", "s", "t", "d"]
    syllables = [onset + vowel for onset in onsets for vowel in "aeiou"]
    words = [
        f"{one}{syllables[(n * 7 + k) % 30]}\t{one}-{syllables[(n * 7 + k) % 30]}\t1"
        for n, one in enumerate(syllables)
        for k in (1, 5, 12)
    ]
    (folder / "words.txt").write_text("\n".join(words) + "\n")
    return folder


def pseudo(folder, size=20, **inputs):
    settings = TypeLevelSettings(size=size)
    result = make_type_level_tasks(folder, "es", settings=settings, tasks=["Pseudo"], **inputs)
    rows = (folder / "Pseudo/spanish/train.txt").read_text().split("\n")[:-1]
    made = [row.split("\t")[0] for row in rows if row.endswith("0")]
    return result.made["Pseudo"], made


def test_a_language_of_wuggy(wuggy_folder, tmp_path):
    manifest, made = pseudo(tmp_path / "one", lexicon=f"wuggy:{wuggy_folder}")
    assert [manifest["inputs"][role]["file"] for role in ("lexicon", "segments")] == [
        "words.txt",
        "plugin.py",
    ]
    words = str(wuggy_folder / "words.txt")
    # The same words, cut in the same way.
    given, same = pseudo(tmp_path / "two", lexicon=words, segments=f"wuggy:{wuggy_folder}")
    assert same == made and given["inputs"] == manifest["inputs"]
    # Where "u" is a vowel, its length is what "qui" has in common with "lui", not with "li".
    generic, other = pseudo(tmp_path / "three", lexicon=words)
    assert other != made and list(generic["inputs"]) == ["lexicon"]


def test_segments_need_words_to_cut(wuggy_folder, unimorph, tmp_path):
    language, words = f"wuggy:{wuggy_folder}", str(wuggy_folder / "words.txt")
    with pytest.raises(ConfigurationError, match="--segments is for pseudowords made from"):
        make_type_level_tasks(tmp_path, "es", unimorph, segments=language)
    with pytest.raises(ConfigurationError, match="--segments is for pseudowords made from"):
        make_type_level_tasks(tmp_path, "es", lexicon=words, pseudowords=words, segments=language)
    with pytest.raises(ConfigurationError, match="as wuggy:german, found 'german'"):
        make_type_level_tasks(tmp_path, "es", lexicon=words, segments="german")
    wuggy_folder.joinpath("words.txt").unlink()
    with pytest.raises(FileNotFoundError, match="words.txt"):
        make_type_level_tasks(tmp_path, "es", lexicon=language)


@pytest.mark.realdata
def test_a_real_lexicon_cut_by_a_language(real_data, wuggy_folder, tmp_path):
    lexicon = real_data / "wuggy/orthographic_spanish.txt"
    _, made = pseudo(tmp_path / "one", 200, lexicon=str(lexicon), segments=f"wuggy:{wuggy_folder}")
    _, other = pseudo(tmp_path / "two", 200, lexicon=str(lexicon))
    known = {line.split("\t")[0] for line in lexicon.read_text(encoding="utf-8").splitlines()}
    assert len(made) == 70 and known.isdisjoint(made) and made != other
