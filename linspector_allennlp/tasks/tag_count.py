"""TagCount: how many tags the analysis of an unambiguous form has."""

from linspector_allennlp.tasks.labelled_forms import LabelledForms, label_forms, unambiguous_only
from linspector_allennlp.tasks.type_level import WordForms


def tag_count_labels(words: WordForms) -> LabelledForms:
    """Labels the forms that have one analysis with its number of tags."""
    counts = [(str(len(analysis.tags)),) for analysis in words.unimorph.analyses]
    return unambiguous_only(words, label_forms(words, counts))
