"""Drawing a single-form task: so many of each kind, each label often enough, then the splits."""

from collections import Counter

import numpy as np

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.tasks.form_labels import (
    NOT_CARRIED,
    OTHER_VALUE,
    UNDECIDED,
    LabelledForms,
)
from linspector_allennlp.tasks.sampling import draw_keys, drawn, rounded
from linspector_allennlp.tasks.splits import cut, split_of_groups, split_sizes
from linspector_allennlp.tasks.task_data import TaskData, TooLittleData
from linspector_allennlp.tasks.word_forms import TypeLevelSettings, WordForms

NONE = "None"


def single_form_task(
    name: str,
    words: WordForms,
    labelled: LabelledForms,
    settings: TypeLevelSettings,
    with_none: bool = True,
) -> TaskData:
    """
    Draws a task from the forms of a language, or raises `TooLittleData`.

    # Parameters

    with_none : `bool`, optional (default = `True`)
        Whether forms without the feature are the class `None`.
    """
    drawing = _Drawing(name, words, labelled, settings, with_none)
    left_out = drawing.labels_without_forms()
    while True:
        splits = drawing.draw(left_out)
        counts = Counter(row[-1] for rows in splits for row in rows)
        # Leaving one out changes the draw, so the rarest goes first.
        kept = [label for label in labelled.labels if label not in left_out]
        rarest = min(kept, key=lambda label: counts[label])
        if counts[rarest] >= settings.min_label_count:
            break
        left_out[rarest] = counts[rarest]
    facts = {
        **drawing.facts,
        "left_out_labels": {label: count for label, count in left_out.items() if count},
    }
    return TaskData(name, "single_form", dict(zip(SPLITS, splits)), facts, drawing.notes)


class _Drawing:
    """The forms that may be drawn, by kind; draws again when labels are left out."""

    def __init__(
        self,
        name: str,
        words: WordForms,
        labelled: LabelledForms,
        settings: TypeLevelSettings,
        with_none: bool,
    ) -> None:
        self._words, self._labelled, self._settings = words, labelled, settings
        self._keys = draw_keys(words.hashes, settings.seed, f"{name} draw")
        self._order = draw_keys(words.hashes, settings.seed, f"{name} order")
        self._none_ratio = settings.none_ratio if with_none else 0.0
        self._may_be_drawn = np.ones(len(words.hashes), dtype=bool)
        if settings.split_by == "lemma":
            self._may_be_drawn = words.has_one_lemma
        self._is_none = self._may_be_drawn & (labelled.label_of == NOT_CARRIED) & _all_known(words)
        self._frequent_wanted = 0
        self.notes: list[str] = []
        self.facts: dict = {
            "forms_with_one_value": int((labelled.label_of >= 0).sum()),
            "ambiguous_forms": int((labelled.label_of == UNDECIDED).sum()),
            "ambiguity": round(labelled.ambiguity, 6),
            "forms_without_the_feature": int(self._is_none.sum()) if self._none_ratio else 0,
        }
        if others := int((labelled.label_of == OTHER_VALUE).sum()):
            self.facts["forms_with_other_values"] = others

    def labels_without_forms(self) -> dict[str, int]:
        """The labels that no form has that could be drawn."""
        label_of = self._labelled.label_of[self._may_be_drawn]
        counts = np.bincount(label_of[label_of >= 0], minlength=len(self._labelled.labels))
        return {label: 0 for label, count in zip(self._labelled.labels, counts) if not count}

    def draw(self, left_out: dict[str, int]) -> list[list[tuple[str, ...]]]:
        """The rows of the three splits."""
        self.notes = []
        self._frequent_wanted = 0
        label_of = self._labelled.label_of
        kept = np.array([label not in left_out for label in self._labelled.labels], dtype=bool)
        if kept.sum() < 2:
            raise TooLittleData(
                f"{_plural(int(kept.sum()), 'value')} with {self._settings.min_label_count} forms "
                f"or more, 2 needed{self._ambiguous()}"
            )
        sizes = split_sizes(self._settings.size)
        by_form = self._settings.split_by == "form"
        none = sum(rounded(self._none_ratio, n) for n in ([sum(sizes)] if by_form else sizes))
        if 0 < none < self._settings.min_label_count:
            raise TooLittleData(f"{none} None forms, {self._settings.min_label_count} needed")
        has_label = (label_of >= 0) & self._may_be_drawn
        has_label[has_label] = kept[label_of[has_label]]
        if by_form:
            chosen = self._of_both_kinds(has_label, self._is_none, self._settings.size, "")
            chosen = chosen[np.argsort(self._order[chosen], kind="stable")]
            parts = cut(chosen, sizes)
        else:
            split_of = self._split_of_forms(has_label | self._is_none)
            parts = []
            for number, size in enumerate(sizes):
                here = split_of == number
                where = f" in {SPLITS[number]}"
                part = self._of_both_kinds(has_label & here, self._is_none & here, size, where)
                parts.append(part[np.argsort(self._order[part], kind="stable")])
        self._count_frequent(np.concatenate(parts))
        return [[self._row(form) for form in part.tolist()] for part in parts]

    def _row(self, form: int) -> tuple[str, ...]:
        number = int(self._labelled.label_of[form])
        label = self._labelled.labels[number] if number >= 0 else NONE
        return self._words.unimorph.forms[form], label

    def _of_both_kinds(
        self, has_label: np.ndarray, is_none: np.ndarray, size: int, where: str
    ) -> np.ndarray:
        none = rounded(self._none_ratio, size)
        available = int(has_label.sum())
        without = int(is_none.sum()) if none else 0
        if available + without < size:
            raise TooLittleData(
                f"{available + without:,} forms{where}, {size:,} needed{self._ambiguous()}"
            )
        if available < size - none:
            raise TooLittleData(
                f"{available:,} forms with one value{where}, {size - none:,} needed"
                f"{self._ambiguous()}"
            )
        if without < none:
            raise TooLittleData(f"{without:,} forms without it (None){where}, {none:,} needed")
        return np.concatenate(
            [
                self._frequent_and_rare(has_label, size - none),
                self._frequent_and_rare(is_none, none),
            ]
        )

    def _ambiguous(self) -> str:
        """The number of ambiguous forms, where that is why there are few others."""
        number = self.facts["ambiguous_forms"]
        return f" ({number:,} are ambiguous)" if number > self.facts["forms_with_one_value"] else ""

    def _frequent_and_rare(self, candidates: np.ndarray, number: int) -> np.ndarray:
        """So many candidates, frequent and rare in proportion as far as there are such."""
        frequent = self._words.frequent
        if frequent is None:
            return drawn(np.flatnonzero(candidates), self._keys, number)
        common, rare = np.flatnonzero(candidates & frequent), np.flatnonzero(candidates & ~frequent)
        wanted = rounded(self._settings.frequent_ratio, number)
        self._frequent_wanted += wanted
        take = max(min(wanted, len(common)), number - len(rare))
        return np.concatenate(
            [drawn(common, self._keys, take), drawn(rare, self._keys, number - take)]
        )

    def _split_of_forms(self, candidates: np.ndarray) -> np.ndarray:
        lemma = self._words.first_lemma
        sizes = np.bincount(lemma[candidates], minlength=len(self._words.unimorph.lemmas))
        keys = draw_keys(self._words.lemma_hashes, self._settings.seed, "split of lemmas")
        return split_of_groups(sizes, keys)[lemma]

    def _count_frequent(self, chosen: np.ndarray) -> None:
        frequent = self._words.frequent
        if frequent is None:
            return
        number, size = int(frequent[chosen].sum()), len(chosen)
        self.facts["frequent_forms"] = number
        if number != self._frequent_wanted:
            self.notes.append(
                f"{100 * number / size:.0f} % frequent forms, all there are "
                f"({100 * self._settings.frequent_ratio:.0f} % wanted)"
                if number < self._frequent_wanted
                else f"{100 * number / size:.0f} % frequent forms: there are no more rare ones"
            )


def _all_known(words: WordForms) -> np.ndarray:
    """Which forms have no unknown tag: of the others we cannot say that they lack a feature."""
    unknown = np.array([bool(analysis.unknown) for analysis in words.unimorph.analyses])
    rows = unknown[words.unimorph.analysis_of]
    return ~np.logical_or.reduceat(rows, words.unimorph.form_starts)


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
