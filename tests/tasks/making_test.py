import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.languages import Language
from linspector_allennlp.tasks.making import language_of

FINNISH = Language("finnish", "fi", "fin")


@pytest.mark.parametrize("given", ["finnish", "fi", "FIN", "finnish:fi", "fi:fin", "Finnish:FIN"])
def test_a_language_of_the_table(given):
    assert language_of(given, []) == FINNISH


def test_a_language_that_an_input_names():
    assert language_of(None, ["raw/x.tsv", "raw/fin.tsv"]) == FINNISH
    assert language_of(None, ["UD_Finnish-TDT/fi_tdt-ud-train.conllu"]) == FINNISH
    with pytest.raises(ConfigurationError, match="--language is needed"):
        language_of(None, ["x.tsv"])


def test_another_language():
    assert language_of("Quenya:qya", []) == Language("quenya", "", "qya")
    assert language_of("old norn:xy", []) == Language("old-norn", "xy", "")


@pytest.mark.parametrize(
    "given, message",
    [
        (
            "finish",
            "does not have 'finish'. Did you mean finnish.*named with its ISO 639 code, as fin",
        ),
        ("turksh", "Did you mean turkish"),
        ("quenya", "does not have 'quenya'.*A language that .* as quenya:xyz"),
        ("finish:fin", "fin is finnish .fi. in the table"),
        ("finnish:tr", "finnish is finnish .fi. in the table"),
        ("quenya:", "expected an ISO 639 code of two or three letters"),
        ("quenya:quen", "expected an ISO 639 code of two or three letters"),
        ("../x", "cannot be the name of a folder"),
        (":fi", "cannot be the name of a folder"),
    ],
)
def test_a_language_that_is_refused(given, message):
    with pytest.raises(ConfigurationError, match=message):
        language_of(given, ["fin.tsv"])
