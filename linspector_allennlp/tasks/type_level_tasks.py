"""The type-level tasks that a language's paradigms support: a table of what makes each."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Optional

from linspector_allennlp.sources.schema import POS
from linspector_allennlp.tasks.draw_single_forms import single_form_task
from linspector_allennlp.tasks.form_labels import (
    LabelledForms,
    character_bin_labels,
    feature_labels,
    morphological_features,
    only_values,
    part_of_speech_labels,
    tag_count_labels,
)
from linspector_allennlp.tasks.odd_feature import odd_feature_task
from linspector_allennlp.tasks.published_pairs import published_shares
from linspector_allennlp.tasks.shared_feature import shared_by_all, shared_feature_task
from linspector_allennlp.tasks.task_data import (
    CHARACTER_BIN,
    FEATURE_TASKS,
    ODD_FEATURE,
    SHARED_FEATURE,
    TAG_COUNT,
    TaskData,
)
from linspector_allennlp.tasks.word_forms import (
    BY_ANALYSIS,
    BY_FEATURE,
    TypeLevelSettings,
    WordForms,
)

# Single-form tasks of no feature: what labels the forms.
COMMON_TASKS: dict[str, Callable[[WordForms, TypeLevelSettings], LabelledForms]] = {
    POS: lambda words, settings: part_of_speech_labels(words, settings.ambiguity or BY_ANALYSIS),
    TAG_COUNT: lambda words, settings: tag_count_labels(words, settings.ambiguity or BY_ANALYSIS),
    CHARACTER_BIN: lambda words, settings: character_bin_labels(
        words, settings.graphemes, settings.ambiguity or BY_ANALYSIS
    ),
}

# Paired tasks: what draws them, given the name of the language too.
PAIRED_TASKS: dict[str, Callable[[WordForms, TypeLevelSettings, str], TaskData]] = {
    ODD_FEATURE: lambda words, settings, language: odd_feature_task(
        words, settings, shares=published_shares(ODD_FEATURE, language)
    ),
    SHARED_FEATURE: lambda words, settings, language: shared_feature_task(
        words,
        settings,
        shared_by_all(words, language) if settings.left_out is None else settings.left_out,
        shares=published_shares(SHARED_FEATURE, language),
    ),
}

# All but Pseudo, which is made from a lexicon.
PARADIGM_TASKS = [*FEATURE_TASKS, *COMMON_TASKS, *PAIRED_TASKS]


def type_level_tasks(
    words: WordForms,
    language: str,
    settings: TypeLevelSettings,
    wanted: Optional[Iterable[str]] = None,
) -> Iterator[tuple[str, Callable[[], TaskData]]]:
    """
    The names of the tasks, and what makes each: a function that gives its data, or raises
    `TooLittleData`.

    # Parameters

    language : `str`
        The name of the language, for what the study left out in it.
    wanted : `Iterable[str]`, optional
        Only these; by default all whose feature the resource has.
    """
    if wanted is None:
        wanted = [*morphological_features(words), *COMMON_TASKS, *PAIRED_TASKS]
    for name in wanted:
        yield name, partial(_task, name, words, language, settings)


def _task(name: str, words: WordForms, language: str, settings: TypeLevelSettings) -> TaskData:
    if name in PAIRED_TASKS:
        return PAIRED_TASKS[name](words, settings, language)
    if name in COMMON_TASKS:
        labelled = COMMON_TASKS[name](words, settings)
    else:
        joined = settings.alternatives == "label"
        labelled = feature_labels(words, name, joined, settings.ambiguity or BY_FEATURE)
    if settings.values and name in settings.values:
        labelled = only_values(labelled, settings.values[name])
    return single_form_task(name, words, labelled, settings, with_none=name not in COMMON_TASKS)
