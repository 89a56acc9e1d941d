"""
The pairs of OddFeat and SameFeat as the study drew them (`--pairs as-published`). A label's pairs are
sampled once; of a label that has far too many a share is kept; then the task is drawn from all pairs
alike, so that labels are as frequent as they are. A pair that has another reading stays, and stays
twice where it was found with two labels.
"""

from collections.abc import Mapping
from importlib.resources import files

import numpy as np

from linspector_allennlp.tasks.draw_pair_pool import PairPool
from linspector_allennlp.tasks.draw_paired_forms import PairSampler, RowPairs, across, first_of_each
from linspector_allennlp.tasks.feature_values import PairLabels
from linspector_allennlp.tasks.sampling import (
    draw_keys,
    drawn,
    mixed_hashes,
    rounded,
    stable_hashes,
)
from linspector_allennlp.tasks.task_data import TaskData, TooLittleData
from linspector_allennlp.tasks.word_forms import TypeLevelSettings, WordForms


class PublishedPairPool(PairPool):
    """
    # Parameters

    shares : `Mapping[str, float]`
        The share of its pairs that is kept of a label; of others all are.
    """

    def __init__(
        self,
        name: str,
        words: WordForms,
        labels: PairLabels,
        settings: TypeLevelSettings,
        shares: Mapping[str, float],
    ) -> None:
        super().__init__(name=name, words=words, labels=labels, settings=settings)
        self._shares = shares

    def _kept(self, pair: np.ndarray, number: int) -> np.ndarray:
        share = self._shares.get(self._labels[number], 1.0)
        keys = draw_keys(self._pair_hashes(pair), self._settings.seed, f"{self._name} share")
        some = np.sort(drawn(np.arange(len(pair)), keys, rounded(share, len(pair))))
        some = some[self._kept_with_rare_forms(pair[some])]
        another = self._may_be_another(pair[some], number)
        self._ambiguous = np.union1d(self._ambiguous, pair[some[another]])
        return some

    def _item_hashes(self) -> np.ndarray:
        """A pair with two labels is two items."""
        labels = stable_hashes(self._labels)[self._label]
        return mixed_hashes(super()._item_hashes(), labels)

    def _balanced(
        self, candidates: np.ndarray, keys: np.ndarray, size: int, where: str
    ) -> np.ndarray:
        if len(candidates) < size:
            raise TooLittleData(f"{len(candidates):,} pairs{where}, {size:,} needed")
        return drawn(candidates, keys, size)


def published_pairs_task(
    name: str,
    words: WordForms,
    labels: PairLabels,
    samplers: Mapping[str, PairSampler],
    settings: TypeLevelSettings,
    shares: Mapping[str, float],
) -> TaskData:
    """Draws a task in the study's way, or raises `TooLittleData`; see `paired_forms_task`."""
    pool = PublishedPairPool(name, words, labels, settings, shares)
    for label, sample in samplers.items():
        pool.add(label, *sample(0))
    task = pool.task()
    return task._replace(facts={**task.facts, "shares": dict(sorted(shares.items()))})


def published_shares(task: str, language: str) -> dict[str, float]:
    """
    The shares that the study's authors give for a language with their programs
    (`published_pair_shares.tsv`); none for a language in which they kept everything.
    """
    text = files(__package__).joinpath("published_pair_shares.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return {label: float(share) for *of, label, share in rows if of == [task, language]}


def one_to_one(words: WordForms, keys: np.ndarray, forms_a_half: int) -> RowPairs:
    """
    Rows with the same tags: of the halves of those that have them, each of one with one of the other.
    Each with each would make nearly all pairs of OddFeat pairs of lemmas; the released ones are not.
    """
    analysis_of = words.unimorph.analysis_of
    rows = first_of_each(analysis_of, keys, 2 * forms_a_half)
    bounds = np.flatnonzero(np.diff(analysis_of[rows]))
    halves = [(group, len(group) // 2) for group in np.split(rows, bounds + 1)]
    return (
        np.concatenate([group[:half] for group, half in halves]),
        np.concatenate([group[half : 2 * half] for group, half in halves]),
    )


def of_two_sets_of_tags(
    words: WordForms, keys: np.ndarray, forms_a_half: int, seed: int
) -> RowPairs:
    """
    Rows of a lemma: each set of tags is put beside another, chance says which, and of both as many
    rows are compared, those of a half at most. Among two halves of all rows of a language hardly
    any would be of one lemma.
    """
    unimorph = words.unimorph
    used = np.unique(unimorph.analysis_of)
    hashes = stable_hashes(";".join(unimorph.analyses[number].tags) for number in used.tolist())
    rows = first_of_each(unimorph.analysis_of, keys, forms_a_half)
    groups = dict(
        zip(used.tolist(), np.split(rows, np.flatnonzero(np.diff(unimorph.analysis_of[rows])) + 1))
    )
    one, other = (used[np.argsort(draw_keys(hashes, seed, f"tags {side}"))] for side in (1, 2))
    firsts, seconds = [], []
    for left, right in zip(one.tolist(), other.tolist()):
        number = min(len(groups[left]), len(groups[right]))
        first, second = across(groups[left][:number], groups[right][:number])
        of_a_lemma = unimorph.lemma_of[first] == unimorph.lemma_of[second]
        firsts.append(first[of_a_lemma])
        seconds.append(second[of_a_lemma])
    return np.concatenate(firsts), np.concatenate(seconds)
