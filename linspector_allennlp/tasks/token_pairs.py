"""
OddFeat and SameFeat of tokens in context: two words of two sentences, labelled as pairs of forms are.

The analysis of a word in its sentence is the only one it has there, so no pair is ambiguous, and its two
words may be the same form. As in the other token-level tasks, no word is left out as rare.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Optional

import numpy as np

from linspector_allennlp.sources.analysed_sentences import AnalysedSentence
from linspector_allennlp.sources.schema import Analysis
from linspector_allennlp.sources.unimorph import UniMorph
from linspector_allennlp.tasks.odd_feature import odd_feature_task
from linspector_allennlp.tasks.sampling import draw_keys, stable_hashes
from linspector_allennlp.tasks.shared_feature import shared_by_all, shared_feature_task
from linspector_allennlp.tasks.splits import split_of_groups
from linspector_allennlp.tasks.task_data import (
    ODD_FEATURE,
    SHARED_FEATURE,
    TaskData,
    TooLittleData,
)
from linspector_allennlp.tasks.token_in_context import check_split_by, of_usual_length
from linspector_allennlp.tasks.word_forms import TypeLevelSettings, WordForms

KIND = "paired_tokens"
NO_LEMMA = "_"

PAIR_MAKERS: dict[str, Callable[[WordForms, TypeLevelSettings, str], TaskData]] = {
    ODD_FEATURE: lambda words, settings, _: odd_feature_task(words, settings),
    SHARED_FEATURE: lambda words, settings, language: shared_feature_task(
        words, settings, shared_by_all(words, language)
    ),
}


class WordsInSentences(WordForms):
    """
    The words of a treebank that have tags and a lemma, each a form of its own: row i is that of form i.

    # Parameters

    unimorph : `UniMorph`
        Its forms are `SENTENCE⇥INDEX`, the columns of a task file.
    sentence_of : `np.ndarray`
        For each form the number of its sentence.
    sentences : `Sequence[str]`
    by_sentence : `bool`
        Whether the two words of a pair must be of the same split, that of their sentences.
    """

    def __init__(
        self,
        unimorph: UniMorph,
        sentence_of: np.ndarray,
        sentences: Sequence[str],
        by_sentence: bool,
    ) -> None:
        super().__init__(unimorph)
        self._sentence_of = sentence_of
        self._sentences = sentences
        self._by_sentence = by_sentence

    def split_of_rows(self, settings: TypeLevelSettings) -> Optional[np.ndarray]:
        if not self._by_sentence:
            return None
        sizes = np.bincount(self._sentence_of, minlength=len(self._sentences))
        keys = draw_keys(stable_hashes(self._sentences), settings.seed, "sentence")
        return split_of_groups(sizes, keys)[self._sentence_of]

    def sampled_apart(self, settings: TypeLevelSettings) -> list[tuple[np.ndarray, WordForms]]:
        """The splits: few pairs that are sampled from all sentences would be of two of test."""
        split = self.split_of_rows(settings)
        if split is None:
            return super().sampled_apart(settings)
        parts = [np.flatnonzero(split == number) for number in range(3)]
        return [(rows, WordForms(_chosen(self.unimorph, rows))) for rows in parts if len(rows)]

    def may_be_paired(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Those of two sentences."""
        return self._sentence_of[first] != self._sentence_of[second]


def token_pair_task(
    sentences: Sequence[AnalysedSentence],
    name: str,
    language: str,
    seed: int,
    size: int = 10_000,
    min_label_count: int = 5,
    split_by: str = "sentence",
    max_length_deviation: Optional[float] = None,
) -> TaskData:
    """
    Makes OddFeat or SameFeat of a treebank. The order of the sentences does not matter.

    # Parameters

    name : `str`
        "OddFeat" or "SameFeat".
    language : `str`
        The name of the language, for what the study left out in it.
    sentences, seed, size, min_label_count, split_by, max_length_deviation
        See `token_task`; with `split_by` "token", a sentence may be in pairs of several splits.
    """
    check_split_by(split_by)
    left_out: Counter = Counter()
    kept = of_usual_length(sentences, max_length_deviation)
    left_out["in_sentences_of_unusual_length"] = _tagged(sentences) - _tagged(kept)
    words = words_in_sentences(kept, split_by == "sentence", left_out)
    settings = TypeLevelSettings(size=size, seed=seed, min_label_count=min_label_count)
    made = PAIR_MAKERS[name](words, settings, language)
    splits = {
        split: [(*one.split("\t"), *other.split("\t"), label) for one, other, label in rows]
        for split, rows in made.splits.items()
    }
    rows = [row for of_split in splits.values() for row in of_split]
    facts: dict[str, Any] = {
        "split_by": split_by,
        "sentences": len(sentences),
        "distinct_sentences": len({sentence.text for sentence in sentences}),
        "sentences_drawn_from": len({text for row in rows for text in (row[0], row[2])}),
        "candidates": _tagged(sentences),
        "left_out": dict(left_out),
        "pairs_of_one_form": sum(_form(*row[:2]) == _form(*row[2:4]) for row in rows),
        **{key: made.facts[key] for key in made.facts if key != "pairs_with_two_labels"},
    }
    return TaskData(name, KIND, splits, facts, made.notes)


def words_in_sentences(
    sentences: Sequence[AnalysedSentence], by_sentence: bool, left_out: Counter
) -> WordsInSentences:
    """
    The words that may be in pairs. A repeated sentence is there once, without the words whose lemma or tags
    are not the same in all its copies.

    # Parameters

    left_out : `Counter`
        Counts the words that are not, by the reason.
    """
    copies: dict[tuple[str, ...], list[AnalysedSentence]] = {}
    for sentence in sentences:
        copies.setdefault(sentence.forms, []).append(sentence)
    texts: list[str] = []
    forms: list[str] = []
    lemmas: list[str] = []
    sentence_of: list[int] = []
    analyses: list[Analysis] = []
    # In the order of the text, so that nothing depends on the order of the files.
    for words in sorted(copies):
        text = " ".join(words)
        for index, word in enumerate(words):
            found = [_reading(copy, index) for copy in copies[words]]
            lemma, analysis = found[0]
            tagged = sum(reading is not None for _, reading in found)
            left_out["in_repeated_sentence"] += max(0, tagged - 1)
            if len({(one, a and (a.tags, a.unknown)) for one, a in found}) > 1:
                left_out["conflicting_values"] += 1
            elif analysis is None:
                continue
            elif lemma == NO_LEMMA != word:
                left_out["without_lemma"] += 1
            else:
                forms.append(f"{text}\t{index}")
                lemmas.append(lemma)
                analyses.append(analysis)
                sentence_of.append(len(texts))
        texts.append(text)
    if not forms:
        raise TooLittleData("no word has both tags and a lemma")
    lemma_names, lemma_of = np.unique(np.array(lemmas), return_inverse=True)
    numbers: dict[Any, int] = {}
    distinct: list[Analysis] = []
    for analysis in analyses:
        if numbers.setdefault((analysis.tags, analysis.unknown), len(numbers)) == len(distinct):
            distinct.append(analysis)
    analysis_of = [numbers[analysis.tags, analysis.unknown] for analysis in analyses]
    unimorph = UniMorph(
        lemma_names.tolist(),
        forms,
        distinct,
        lemma_of.astype(np.int32),
        np.arange(len(forms), dtype=np.int32),
        np.array(analysis_of, dtype=np.int32),
    )
    return WordsInSentences(unimorph, np.array(sentence_of), texts, by_sentence)


def _reading(sentence: AnalysedSentence, index: int) -> tuple[str, Optional[Analysis]]:
    lemma = sentence.lemmas[index] if sentence.lemmas else NO_LEMMA
    return unicodedata.normalize("NFC", lemma), sentence.analyses[index]


def _chosen(unimorph: UniMorph, rows: np.ndarray) -> UniMorph:
    """Some of the words."""
    return UniMorph(
        unimorph.lemmas,
        [unimorph.forms[row] for row in rows.tolist()],
        unimorph.analyses,
        unimorph.lemma_of[rows],
        np.arange(len(rows), dtype=np.int32),
        unimorph.analysis_of[rows],
    )


def _tagged(sentences: Sequence[AnalysedSentence]) -> int:
    return sum(analysis is not None for sentence in sentences for analysis in sentence.analyses)


def _form(sentence: str, index: str) -> str:
    return sentence.split(" ")[int(index)]
