"""POS: the part of speech of an unambiguous form, one of the study's eight."""

from linspector_allennlp.sources.schema import POS
from linspector_allennlp.tasks.labelled_forms import LabelledForms, label_forms, unambiguous_only
from linspector_allennlp.tasks.morphological_feature import feature_values
from linspector_allennlp.tasks.type_level import WordForms

PARTS_OF_SPEECH = {
    "Noun", "Adposition", "Adjective", "Verb", "Masdar", "Participle", "Converb", "Adverb",
}  # fmt: skip


def part_of_speech_labels(words: WordForms) -> LabelledForms:
    """Labels the forms that have one analysis with their part of speech."""
    values = [feature_values(analysis, POS) for analysis in words.unimorph.analyses]
    eight = [names if set(names) <= PARTS_OF_SPEECH else () for names in values]
    return unambiguous_only(words, label_forms(words, eight))
