"""
Syneval: which syntactic and morphological values does a word form have in a treebank? (Köhn 2015,
2016.) A row for each word that carries the value, form and value: a form that occurs often is there
often, and may have several values.
"""

import os
import re
from collections import Counter
from collections.abc import Sequence
from typing import Optional

import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.tasks.draw_items import draw_by_group, draw_frequent_labels
from linspector_allennlp.tasks.sampling import draw_keys, drawn, stable_hashes
from linspector_allennlp.tasks.splits import split_of_groups, split_sizes
from linspector_allennlp.tasks.syneval_values import TASKS, WHERE, WordValue, word_values
from linspector_allennlp.tasks.task_data import TaskData, TooLittleData
from linspector_allennlp.tasks.token_in_context import ambiguous_share
from linspector_allennlp.treebanks import Sentence

KIND = "single_form"
SPLIT_BY = ("auto", "files", "sentence")
POS_COLUMNS = ("upos", "xpos")


def syneval_task(
    sentences: Sequence[Sentence],
    task: str,
    seed: int,
    size: Optional[int] = None,
    min_label_count: int = 5,
    split_by: str = "auto",
    pos_column: str = "upos",
) -> TaskData:
    """
    Makes one of the syneval tasks.

    # Parameters

    sentences : `Sequence[Sentence]`
        The treebank.
    task : `str`
        `pos`, `label` (the dependency relation), `headpos` (the part of speech of the head; a
        root has none and is left out), `case`, `gender`, `tense` or `number`. The values are
        those of the treebank if it has UD features ("Nom"; "Acc,Dat" is a value of its own), and
        the names of the schema if it has UniMorph tags ("Nominative").
    seed : `int`
        Decides what is drawn, and the order of the rows.
    size : `Optional[int]`, optional (default = `None`)
        How many words to draw; all of them if `None`.
    min_label_count : `int`, optional (default = `5`)
        Values that would be seldomer in the task are left out.
    split_by : `str`, optional (default = `"auto"`)
        "files" keeps the treebank's own splits, by the words train, dev and test in the names
        of its files; "sentence" makes new ones, a sentence being in one of them only; "auto" is
        "files" where the names allow it.
    pos_column : `str`, optional (default = `"upos"`)
        Where the parts of speech are. A treebank without any UPOS is read with "xpos".
    """
    _check("task", task, TASKS)
    _check("split_by", split_by, SPLIT_BY)
    _check("pos_column", pos_column, POS_COLUMNS)
    file_splits = None if split_by == "sentence" else _splits_of_files(sentences)
    if split_by == "files" and file_splits is None:
        raise ConfigurationError(
            "split_by is 'files', but the files are not named train, dev and test: "
            + ", ".join(sorted({os.path.basename(sentence.path) for sentence in sentences}))
        )
    left_out: Counter = Counter()
    found = word_values(sentences, task, pos_column, left_out)
    if not found:
        raise TooLittleData(f"no word has a value: nothing in {WHERE[task]}")
    names, labels = np.unique(np.array([item.value for item in found]), return_inverse=True)
    texts = [" ".join(word.form for word in sentence.words) for sentence in sentences]
    distinct = {text: number for number, text in enumerate(sorted(set(texts)))}
    group_of = np.array([distinct[texts[item.sentence]] for item in found])
    group_keys = draw_keys(stable_hashes(distinct), seed, "sentence")
    split_of = np.array([file_splits[item.sentence] for item in found]) if file_splits else None
    keys = draw_keys(stable_hashes(_unique_texts(found, texts, split_of)), seed, f"syneval {task}")

    def draw(items: np.ndarray) -> list[np.ndarray]:
        if split_of is None and size is not None:
            return draw_by_group(items, keys, group_of, group_keys, size)
        if split_of is None:
            sizes = np.bincount(group_of[items], minlength=len(distinct))
            own = split_of_groups(sizes, group_keys)[group_of[items]]
        else:
            own = split_of[items]
        return _drawn_from_splits([items[own == i] for i in range(3)], keys, size)

    splits = draw_frequent_labels(labels, min_label_count, draw)
    counts = np.bincount(labels[np.concatenate(splits)], minlength=len(names))
    left_out["rare_value"] = int((counts == 0)[labels].sum())
    rare = [str(name) for name, count in zip(names, counts) if not count]
    facts = {
        "split_by": "files" if file_splits else "sentence",
        "sentences": len(sentences),
        "words": sum(len(sentence.words) for sentence in sentences),
        "candidates": len(found),
        "left_out": dict(left_out),
        "rare_values": rare,
        "ambiguity": ambiguous_share((item.form, item.value) for item in found),
    }
    notes = [f"left out as too rare: {', '.join(rare)}"] if rare else []
    rows: list[list[tuple[str, ...]]] = [
        [(found[i].form, found[i].value) for i in split.tolist()] for split in splits
    ]
    return TaskData(task, KIND, dict(zip(SPLITS, rows)), facts, notes)


def split_of_file(path: PathLike) -> Optional[int]:
    """0, 1 or 2 for a name with the word train, dev or test in it (`fi_tdt-ud-train.conllu`)."""
    words = re.split(r"[^a-z]+", os.path.basename(path).lower())
    found = [number for number, split in enumerate(SPLITS) if split in words]
    return found[0] if len(found) == 1 else None


def _check(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ConfigurationError(f"{name} is {value!r}, but must be one of {allowed}")


def _splits_of_files(sentences: Sequence[Sentence]) -> Optional[list[int]]:
    """The split of each sentence by the name of its file, if these name all three and no other."""
    splits = [split_of_file(sentence.path) for sentence in sentences]
    known = [split for split in splits if split is not None]
    return known if len(known) == len(splits) and set(known) == {0, 1, 2} else None


def _drawn_from_splits(
    splits: list[np.ndarray], keys: np.ndarray, size: Optional[int]
) -> list[np.ndarray]:
    wanted = [len(items) for items in splits] if size is None else split_sizes(size)
    for name, items, number in zip(SPLITS, splits, wanted):
        if len(items) < max(1, number):
            raise TooLittleData(f"{len(items):,} words in {name}, {max(1, number):,} needed")
    return [drawn(items, keys, number) for items, number in zip(splits, wanted)]


def _unique_texts(
    found: list[WordValue], texts: list[str], split_of: Optional[np.ndarray]
) -> list[str]:
    """
    A text for each occurrence that does not depend on the order of reading. Those that have all in
    common are numbered: it does not matter which is which.
    """
    seen: Counter = Counter()
    unique = []
    for number, item in enumerate(found):
        split = "" if split_of is None else SPLITS[split_of[number]]
        text = f"{split}\t{texts[item.sentence]}\t{item.position}\t{item.value}"
        seen[text] += 1
        unique.append(f"{text}\t{seen[text]}")
    return unique
