"""Broken word order: a word on the wrong side of the phrase that it belongs to."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from linspector_allennlp.tasks.sentences.annotation import own_token, relation, subtree
from linspector_allennlp.treebanks import Sentence, Word

# Words that stand on one side of their head in nearly every language that has them.
RELATIONS = ("det", "case", "mark", "aux", "cop", "clf", "nummod", "amod", "nmod:poss")


class Move(NamedTuple):
    """A token goes from one place to another, which is counted without it."""

    start: int
    end: int

    def of(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens after the move."""
        rest = [*tokens[: self.start], *tokens[self.start + 1 :]]
        return (*rest[: self.end], tokens[self.start], *rest[self.end :])


def wrong_orders(sentence: Sentence, relations: Collection[str]) -> list[Move]:
    """
    The moves of one word to the other side of the phrase of its head. It lands two places from its
    own at least, so that none is a mere swap of neighbours, and neither the first token nor
    punctuation is touched or passed: capitals and marks would tell.
    """
    tokens, place_of, whole = own_token(sentence)
    first, last = _free_places(sentence, place_of, len(tokens))
    moves = []
    for word in sentence.words:
        if not (whole[word.id - 1] and _moves(word, relations)):
            continue
        start = place_of[word.id - 1]
        if not first <= start <= last:
            continue
        for end in _landings(sentence, word, place_of):
            passed = tokens[min(start, end) : max(start, end) + 1]
            if first <= end <= last and not _is_swap(tokens, Move(start, end).of(tokens)):
                if not _has_punctuation(passed):
                    moves.append(Move(start, end))
    return moves


def _moves(word: Word, relations: Collection[str]) -> bool:
    wanted = word.deprel in relations or relation(word) in relations
    return bool(wanted and word.head and word.upos != "PUNCT")


def _free_places(sentence: Sentence, place_of: Sequence[int], number: int) -> tuple[int, int]:
    """The first and last place that a word may be moved from or to."""
    last = number - 1
    marks = {place_of[word.id - 1] for word in sentence.words if word.upos == "PUNCT"}
    while last in marks:
        last -= 1
    return 1, last


def _landings(sentence: Sentence, word: Word, place_of: Sequence[int]) -> Iterator[int]:
    """The place behind (or before) the head's phrase, as far as it has no gaps, or further by one."""
    head = sentence.words[(word.head or 0) - 1]
    own = set(subtree(sentence, word))
    # A word that has words of its own would leave them behind.
    if len(own) > 1:
        return
    phrase = set(subtree(sentence, head))
    step = 1 if head.id > word.id else -1
    edge = head.id
    while edge + step in phrase and sentence.words[edge + step - 1].upos != "PUNCT":
        edge += step
    start, end = place_of[word.id - 1], place_of[edge - 1]
    yield end if abs(end - start) > 1 else start + 2 * step


def _is_swap(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether nothing has changed but two neighbours, or nothing at all."""
    changed = [n for n, (one, other) in enumerate(zip(before, after)) if one != other]
    return len(changed) < 2 or (len(changed) == 2 and changed[1] == changed[0] + 1)


def _has_punctuation(tokens: Sequence[str]) -> bool:
    return any(not any(char.isalnum() for char in token) for token in tokens)
