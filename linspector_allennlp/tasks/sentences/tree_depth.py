"""The depth of the tree of a sentence, where its length does not tell."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sampling import draw_keys, stable_hashes
from linspector_allennlp.tasks.sentences.annotation import analysed_sentences
from linspector_allennlp.tasks.sentences.choices import one_of_each
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.treebanks import Sentence, in_sentence
from linspector_allennlp.trees import BadTree, check_tree

CLASSES = 4

# For each length and depth the sentences of it.
Cells = dict[int, dict[int, list[CorpusSentence]]]


def tree_depth(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    TreeDepth: the number of edges from the root to the deepest word, punctuation included; each depth is a
    label of its own.

    Longer sentences have deeper trees. So that this is no help, each length (in tokens) has the same
    number of sentences of every depth: as many as there are of the rarest, drawn by their hash; lengths at
    which a depth is missing are left out. Length and depth are then independent, not only uncorrelated, and
    the depths are equally frequent. It costs the most of a treebank.

    Settings: `tree_depths`, the lowest and highest depth ("3-6"); without it that range of
    `tree_depth_classes` depths (default 4) is taken that leaves most sentences, the lower one of equals.
    """
    cells: Cells = defaultdict(lambda: defaultdict(list))
    for sentence, some in analysed_sentences(one_of_each(sentences), heads=True):
        depth = _depth(some)
        if depth is not None:
            cells[len(sentence.tokens)][depth].append(sentence)
    low, high = _range(cells, given)
    kept: dict[str, int] = {}
    for by_depth in cells.values():
        number = _least(by_depth, low, high)
        for depth in range(low, high + 1) if number else ():
            for sentence in _drawn(by_depth[depth], number, given.seed):
                kept[sentence.text] = depth
    if not kept:
        raise TooLittleData(f"no length has sentences of every depth from {low} to {high}")
    return [
        item(sentence, str(kept[sentence.text]))
        for sentence in one_of_each(sentences)
        if sentence.text in kept
    ]


def _depth(sentence: Sentence) -> Optional[int]:
    heads = [word.head - 1 for word in sentence.words if word.head is not None]
    if len(heads) < len(sentence.words):
        return None
    try:
        check_tree(heads)
    except BadTree as error:
        where = f"{sentence.path}, line {sentence.words[error.word].line}"
        raise ValueError(f"{where}: {error}{in_sentence(sentence.sent_id)}.") from None
    deepest = 0
    for head in heads:
        depth = 0
        while head >= 0:
            head, depth = heads[head], depth + 1
        deepest = max(deepest, depth)
    return deepest


def _range(cells: Cells, given: Given) -> tuple[int, int]:
    setting = given.settings.get("tree_depths")
    if setting:
        low, _, high = str(setting).partition("-")
        if not (low.isdecimal() and high.isdecimal() and int(low) < int(high)):
            raise ConfigurationError(f"tree_depths: expected a range like 3-6, found {setting!r}.")
        return int(low), int(high)
    number = int(given.settings.get("tree_depth_classes", CLASSES))
    if number < 2:
        raise ConfigurationError(f"tree_depth_classes: expected 2 or more, found {number}.")
    deepest = max((depth for by_depth in cells.values() for depth in by_depth), default=0)
    ranges = [(low, low + number - 1) for low in range(max(1, deepest - number + 2))]
    return max(ranges, key=lambda r: (sum(_least(some, *r) for some in cells.values()), -r[0]))


def _least(by_depth: dict[int, list[CorpusSentence]], low: int, high: int) -> int:
    return min(len(by_depth.get(depth, ())) for depth in range(low, high + 1))


def _drawn(some: list[CorpusSentence], number: int, seed: int) -> list[CorpusSentence]:
    keys = draw_keys(stable_hashes(sentence.text for sentence in some), seed, "TreeDepth")
    order = sorted(range(len(some)), key=lambda n: (int(keys[n]), some[n].text))
    return [some[n] for n in order[:number]]
