"""Making the tasks of many languages: what fails in one does not stop the others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.languages import Language
from linspector_allennlp.tasks.making import MadeTasks

MakeLanguage = Callable[[str, Sequence[str]], MadeTasks]


class LanguageTasks(NamedTuple):
    """The tasks of a language, or why it failed."""

    language: str
    files: Sequence[str]
    tasks: Optional[MadeTasks]
    failure: str = ""


def make_each(
    files: Mapping[Language, Sequence[str]], make: MakeLanguage
) -> Iterator[LanguageTasks]:
    """
    Makes the tasks of one language after the other.

    # Parameters

    files : `Mapping[Language, Sequence[str]]`
        The resources of each language.
    make : `Callable[[str, Sequence[str]], MadeTasks]`
        Takes the name of a language and its resources.
    """
    for language, of_language in files.items():
        try:
            made = make(language.name, of_language)
        except (ConfigurationError, ValueError, OSError) as error:
            # AllenNLP's errors are more than their message.
            failure = str(getattr(error, "message", None) or error)
            yield LanguageTasks(language.name, of_language, None, failure)
        else:
            yield LanguageTasks(language.name, of_language, made)
