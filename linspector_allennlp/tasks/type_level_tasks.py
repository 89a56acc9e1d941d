"""Every type-level task that a language's paradigms support."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Optional

from linspector_allennlp.sources.schema import LANGUAGE_SPECIFIC, POS, dimensions
from linspector_allennlp.tasks.character_bin import character_bin_labels
from linspector_allennlp.tasks.labelled_forms import LabelledForms
from linspector_allennlp.tasks.morphological_feature import feature_labels, morphological_features
from linspector_allennlp.tasks.odd_feature import odd_feature_task
from linspector_allennlp.tasks.part_of_speech import part_of_speech_labels
from linspector_allennlp.tasks.probing_task import TaskData
from linspector_allennlp.tasks.shared_feature import shared_by_all, shared_feature_task
from linspector_allennlp.tasks.single_forms import single_form_task
from linspector_allennlp.tasks.tag_count import tag_count_labels
from linspector_allennlp.tasks.type_level import DrawSettings, WordForms

FEATURE_TASKS = [name for name in dimensions() if name not in (POS, LANGUAGE_SPECIFIC)]
CHARACTER_BIN = "CharacterBin"
COMMON_TASKS = [POS, "TagCount", CHARACTER_BIN]
PAIRED_TASKS = ["OddFeat", "SameFeat"]
# All but Pseudo, which is made from a lexicon.
PARADIGM_TASKS = [*FEATURE_TASKS, *COMMON_TASKS, *PAIRED_TASKS]


class TypeLevelSettings(NamedTuple):
    """
    # Parameters

    draw : `DrawSettings`
        How tasks are drawn.
    language : `str`
        The name of the language, for what the study left out in it.
    join_alternatives : `bool`
        Whether `NOM/ACC` is a value of its own.
    graphemes : `bool`
        Whether CharacterBin counts graphemes instead of code points.
    left_out : `Sequence[str]`, optional
        Features that SameFeat does not compare; by default `shared_by_all`.
    """

    draw: DrawSettings
    language: str
    join_alternatives: bool = False
    graphemes: bool = False
    left_out: Optional[Sequence[str]] = None


def type_level_tasks(
    words: WordForms, settings: TypeLevelSettings, wanted: Optional[Iterable[str]] = None
) -> Iterator[tuple[str, Callable[[], TaskData]]]:
    """
    The names of the tasks, and what makes each: a function that gives its data, or raises
    `TooLittleData`.

    # Parameters

    wanted : `Iterable[str]`, optional
        Only these; by default all whose feature the resource has.
    """
    names = wanted
    if names is None:
        names = [*morphological_features(words), *COMMON_TASKS, *PAIRED_TASKS]
    for name in names:
        yield name, _maker(name, words, settings)


def _maker(name: str, words: WordForms, settings: TypeLevelSettings) -> Callable[[], TaskData]:
    draw = settings.draw

    def single(label: Callable[[], LabelledForms], with_none: bool) -> Callable[[], TaskData]:
        return lambda: single_form_task(name, words, label(), draw, with_none)

    if name == "OddFeat":
        return lambda: odd_feature_task(words, draw)
    if name == "SameFeat":
        left_out = settings.left_out
        if left_out is None:
            left_out = shared_by_all(words, settings.language)
        return lambda: shared_feature_task(words, draw, left_out)
    if name == POS:
        return single(lambda: part_of_speech_labels(words), with_none=False)
    if name == "TagCount":
        return single(lambda: tag_count_labels(words), with_none=False)
    if name == CHARACTER_BIN:
        return single(lambda: character_bin_labels(words, settings.graphemes), with_none=False)
    return single(lambda: feature_labels(words, name, settings.join_alternatives), with_none=True)
