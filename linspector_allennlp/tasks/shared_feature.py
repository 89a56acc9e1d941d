"""SameFeat: two forms that have one feature in common only, or their lemma only; which?"""

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from linspector_allennlp.sources.schema import POS
from linspector_allennlp.tasks.feature_values import ABSENT, FeatureValues
from linspector_allennlp.tasks.form_pairs import (
    PairSampler,
    RowPairs,
    across,
    first_of_each,
    paired_forms_task,
    pairs_within,
)
from linspector_allennlp.tasks.pair_labels import LEMMA, SharedLabels
from linspector_allennlp.tasks.probing_task import TaskData
from linspector_allennlp.tasks.row_keys import row_hashes
from linspector_allennlp.tasks.sampling import draw_keys, drawn
from linspector_allennlp.tasks.type_level import DrawSettings, WordForms

NAME = "SameFeat"
NEARLY_ALL = 0.95


def shared_feature_task(
    words: WordForms,
    settings: DrawSettings,
    left_out: Sequence[str] = (POS,),
    forms_a_half: int = 500,
    forms_a_lemma: int = 10,
) -> TaskData:
    """
    Draws SameFeat.

    # Parameters

    left_out : `Sequence[str]`, optional
        Features that are not compared, because all forms share them; see `shared_by_all`.
    forms_a_half : `int`, optional (default = `500`)
        How many forms of each half of those that carry a feature are compared.
    forms_a_lemma : `int`, optional (default = `10`)
        How many forms of a lemma are compared for the label `lemma`.
    """
    values = FeatureValues(words.unimorph.analyses, left_out)
    hashes = row_hashes(words)

    def sampler(label: str) -> PairSampler:
        def sample(number: int) -> RowPairs:
            keys = draw_keys(hashes, settings.seed, f"{NAME} {label} {number}")
            if label == LEMMA:
                rows = first_of_each(words.unimorph.lemma_of, keys, forms_a_lemma)
                first, second = pairs_within(words.unimorph.lemma_of[rows], keys[rows])
                return rows[first], rows[second]
            return _carriers(label, words, values, keys, forms_a_half)

        return sample

    labels = SharedLabels(words, values)
    samplers = {label: sampler(label) for label in labels.names}
    task = paired_forms_task(NAME, words, labels, samplers, settings)
    return task._replace(facts={**task.facts, "features_left_out": sorted(left_out)})


def shared_by_all(words: WordForms, language: str) -> list[str]:
    """
    The features that are not compared: part of speech, those that the study left out for the
    language (`left_out_features.tsv`), and any whose commonest value nearly all rows have.
    """
    text = files(__package__).joinpath("left_out_features.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    left_out = {POS} | {feature for name, feature in rows if name == language}
    unimorph = words.unimorph
    counts = np.bincount(unimorph.analysis_of, minlength=len(unimorph.analyses)).tolist()
    values: Counter = Counter()
    for analysis, count in zip(unimorph.analyses, counts):
        for feature, names in analysis.values.items():
            values[feature, names] += count
    nearly_all = NEARLY_ALL * len(unimorph.analysis_of)
    return sorted(left_out | {feature for (feature, _), n in values.items() if n >= nearly_all})


def _carriers(
    feature: str, words: WordForms, values: FeatureValues, keys: np.ndarray, forms_a_half: int
) -> RowPairs:
    """Pairs of rows that carry a feature, across two halves of those that do."""
    carries = (values.column(feature) != ABSENT) & values.certain(feature)
    rows = np.flatnonzero(carries[words.unimorph.analysis_of])
    rows = drawn(rows, keys, min(len(rows), 2 * forms_a_half))
    half = len(rows) // 2
    return across(rows[:half], rows[half:])
