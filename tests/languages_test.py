import pytest

from linspector_allennlp.languages import Language, find_language

# What the study has tasks for (specification, table 6).
STUDIED = (
    "arabic armenian bulgarian catalan czech danish dutch english basque estonian finnish french "
    "german greek hungarian italian macedonian polish portuguese quechua romanian russian "
    "serbo-croatian spanish swedish turkish vietnamese"
).split()


@pytest.mark.parametrize("text", ["finnish", "Finnish", "fi", "fin", " FIN ", "FINNISH"])
def test_by_name_and_code(text):
    assert find_language(text) == Language("finnish", "fi", "fin")


@pytest.mark.parametrize("text", ["Serbo_Croatian", "serbo croatian", "Serbo-Croatian", "hbs"])
def test_names_of_two_words(text):
    assert find_language(text).name == "serbo-croatian"


@pytest.mark.parametrize("name", STUDIED)
def test_the_languages_of_the_study(name):
    language = find_language(name)
    assert language.name == name and len(language.iso3) == 3


@pytest.mark.parametrize("text", ["klingon", "", "xx", "-", "name"])
def test_unknown(text):
    assert find_language(text) is None


def test_code():
    assert find_language("german").code == "de"
    assert find_language("ancient-greek").code == "grc"


def test_no_name_or_code_is_used_twice(root):
    path = root / "linspector_allennlp" / "languages.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert all(len(row) == 3 and len(row[1]) in (0, 2) and len(row[2]) == 3 for row in rows)
    texts = [text for row in rows for text in row if text]
    assert len(set(texts)) == len(texts)
    assert all(find_language(text) == Language(*row) for row in rows for text in row if text)
    assert all(text == text.lower().replace("_", "-").replace(" ", "-") for text in texts)
