import logging
import os
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, Optional

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer
from allennlp.data.fields import Field, MetadataField, TensorField

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader, local_file
from linspector_allennlp.treebank_parts import (
    LEFT_OUT,
    PARTS,
    TreebankPart,
    divide,
    sentence_key,
    treebank_part,
)
from linspector_allennlp.treebanks import Sentence, TreebankCounts, read_treebank

logger = logging.getLogger(__name__)

MULTIWORD_TOKENS = ("surface", "words")


class TokenizedSentence(NamedTuple):
    """A sentence as a representation gets it, and the place there of each of its words."""

    tokens: Sequence[str]
    words: Sequence[str]
    places: Sequence[int]


def in_words(tokens: Sequence[str], words: Sequence[str]) -> TokenizedSentence:
    """A sentence with a token for each word."""
    return TokenizedSentence(tokens, words, range(len(words)))


class TreebankReader(ProbingReader):
    """
    What the readers of CoNLL-U files share. The words of a sentence are its integer ids; the parts of
    a multiword token (*don't*: *do*, *n't*) have the representation of that token.

    An instance has the field `places`: for each probed word the place of its token in the text; where
    that is padded (−1) there is no word. Its metadata have the `forms`, the `indices` in the sentence
    (0-based) and the `lines` of these words, the tokens that stand for them (`words`: what a
    representation, a baseline and a control task see), whether each of them shares one with another
    (`multiword`), the `sent_id`, and the number of the `sentence` in the file. `left_out` of a reader
    counts the sentences of the file that it read last by the reason for which it left them out.

    In place of a file there may be a part of several, as `a.conllu,b-*.conllu#train/8:1:1/12000`: see
    `treebank_parts`. A sentence is then numbered through all of them.

    # Parameters

    multiword_tokens : `str`, optional (default = `"surface"`, of some readers `"words"`)
        `"surface"`: the text has the multiword token, whose vector is that of all its words.
        `"words"`: the text has the words, as if they were written apart.
    min_length, max_length : `int`, optional
        Sentences with fewer or more words are left out.
    bad_sentences : `str`, optional (default = `"error"`)
        What to do with a sentence that cannot be read: stop (`"error"`) or leave it out (`"skip"`).
    token_indexers, unicode_normalization, max_instances :
        See `ProbingReader`.
    """

    level = "token"

    default_multiword_tokens = "surface"

    def __init__(
        self,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        multiword_tokens: Optional[str] = None,
        min_length: int = 1,
        max_length: Optional[int] = None,
        bad_sentences: str = "error",
        unicode_normalization: Optional[str] = None,
        max_instances: Optional[int] = None,
    ) -> None:
        super().__init__(
            token_indexers=token_indexers,
            unicode_normalization=unicode_normalization,
            max_instances=max_instances,
        )
        if multiword_tokens is None:
            multiword_tokens = self.default_multiword_tokens
        for name, found, expected in [
            ("multiword_tokens", multiword_tokens, MULTIWORD_TOKENS),
            ("bad_sentences", bad_sentences, ("error", "skip")),
        ]:
            if found not in expected:
                raise ConfigurationError(
                    f"{name}: expected {' or '.join(expected)}, found {found!r}."
                )
        if max_length is not None and max_length < min_length:
            raise ConfigurationError(
                f"max_length: expected at least min_length ({min_length}), found {max_length}."
            )
        self._multiword_tokens = multiword_tokens
        self._min_length = min_length
        self._max_length = max_length
        self._skips = bad_sentences == "skip"
        self.left_out: dict[str, int] = {}
        self._divisions: dict[Hashable, tuple[numpy.ndarray, numpy.ndarray]] = {}

    @property
    def limits(self) -> tuple[int, Optional[int], bool]:
        """What decides which sentences are divided into parts; it must be the same for all parts."""
        return self._min_length, self._max_length, self._skips

    def _fault(self, sentence: Sentence) -> Optional[ValueError]:
        """What makes a sentence unfit for this reader."""
        return None

    def _lacks(self, sentence: Sentence) -> Optional[str]:
        """Why this reader has no use for a good sentence of the right length, in a few words."""
        return None

    def _rows_of(self, file_path: str) -> Iterable[Sentence]:
        part = treebank_part(file_path)
        return self._rows_of_part(part, file_path) if part else super()._rows_of(file_path)

    def _rows(self, path: str) -> Iterable[Sentence]:
        # It is this file's alone: a control task reads the training file in the middle of another.
        left_out: Counter[str] = Counter()
        yield from self._useful(self._sound([path], left_out), left_out, path)

    def _rows_of_part(self, part: TreebankPart, name: str) -> Iterable[Sentence]:
        """
        The sentences of a part of several files. Those of the wrong length, or without a tree, are left
        out before anything is drawn; those without a target afterwards, so that all targets have the same
        parts.
        """
        keys, division = self._division(part)
        left_out: Counter[str] = Counter()
        # What is in no part is counted once, with the training part.
        of_all = left_out if part.part == PARTS[0] else Counter()
        beyond = int((division == LEFT_OUT).sum())
        if beyond:
            of_all["beyond max_sentences"] = beyond
        own = (
            sentence
            for key, number, sentence in zip_longest(
                keys.tolist(), division.tolist(), self._sound_of(part, of_all)
            )
            if _is_still(key, sentence, name) and number == PARTS.index(part.part)
        )
        yield from self._useful(own, left_out, name)

    def _division(self, part: TreebankPart) -> tuple[numpy.ndarray, numpy.ndarray]:
        """For each sound sentence of the files its key and its part; computed once for all parts of them."""
        key = (tuple(part.files()), tuple(part.shares), part.most)
        if key not in self._divisions:
            sound = self._sound_of(part, Counter())
            found = [sentence_key(sentence.surface_tokens()[0]) for sentence in sound]
            keys = numpy.array(found, numpy.uint64)
            self._divisions[key] = keys, divide(keys, part.shares, part.most)
        return self._divisions[key]

    def _sound_of(self, part: TreebankPart, left_out: Counter[str]) -> Iterable[Sentence]:
        """Numbered through all files, and with the names of these."""
        first = 0
        for file in part.files():
            number = 0
            for sentence in self._sound([local_file(file)], left_out):
                number = sentence.number + 1
                yield sentence._replace(
                    path=file, number=first + sentence.number, file=os.path.basename(file)
                )
            first += number

    def _sound(self, paths: Sequence[str], left_out: Counter[str]) -> Iterable[Sentence]:
        """The sentences of a right length whose annotation is whole; the others are counted."""
        counts = TreebankCounts()
        for sentence in read_treebank(paths, counts, self._skips, check_features=False):
            reason = self._wrong_length(sentence)
            fault = None if reason else self._fault(sentence)
            if fault is not None:
                if not self._skips:
                    raise fault
                logger.warning("left out: %s", fault)
                reason = "no tree"
            if reason is None:
                yield sentence
            else:
                left_out[reason] += 1
        if counts.bad_lines:
            left_out["with a bad line"] += counts.bad_lines

    def _wrong_length(self, sentence: Sentence) -> Optional[str]:
        if len(sentence.words) < self._min_length:
            return f"shorter than {self._min_length} words"
        if self._max_length is not None and len(sentence.words) > self._max_length:
            return f"longer than {self._max_length} words"
        return None

    def _useful(
        self, sentences: Iterable[Sentence], left_out: Counter[str], name: str
    ) -> Iterable[Sentence]:
        kept = 0
        for sentence in sentences:
            reason = self._lacks(sentence)
            if reason is None:
                kept += 1
                yield sentence
            else:
                left_out[reason] += 1
        self.left_out = dict(left_out)
        listed = ", ".join(f"{number} {reason}" for reason, number in left_out.items())
        if listed:
            logger.info("%s: sentences left out: %s", name, listed)
        if not kept:
            raise ValueError(f"{name}: no sentence of it is left; left out: {listed or 'none'}.")

    def _file_of(self, row: Sentence, file_path: str) -> str:
        return str(row.path) if row.file else file_path

    def _tokenized(self, sentence: Sentence) -> TokenizedSentence:
        words = [self._normalize(word.form) for word in sentence.words]
        if self._multiword_tokens == "words":
            return in_words(words, words)
        tokens, places = sentence.surface_tokens()
        return TokenizedSentence([self._normalize(token) for token in tokens], words, places)

    def _given(self, tokens: Sequence[str]) -> TokenizedSentence:
        """The text of a sentence that is in no file."""
        words = [self._normalize(token) for token in tokens]
        return in_words(words, words)

    def _word_fields(self, text: TokenizedSentence, probed: Sequence[int]) -> dict[str, Field]:
        places = torch.tensor([text.places[word] for word in probed], dtype=torch.long)
        return {
            "tokens": self._text_field(text.tokens),
            "places": TensorField(places, padding_value=-1),
        }

    def _metadata(
        self,
        text: TokenizedSentence,
        probed: Sequence[int],
        sentence: Optional[Sentence],
        **more: Any,
    ) -> MetadataField:
        shared = Counter(text.places)
        one_of = {"one_of_files": sentence.file} if sentence and sentence.file else {}
        return MetadataField(
            {
                "input": {"sentence": " ".join(text.tokens)},
                "words": [text.tokens[text.places[word]] for word in probed],
                "forms": [text.words[word] for word in probed],
                "multiword": [shared[text.places[word]] > 1 for word in probed],
                "indices": list(probed),
                "lines": [sentence.words[word].line for word in probed] if sentence else [],
                "sent_id": sentence.sent_id if sentence else "",
                "sentence": sentence.number if sentence else None,
                **one_of,
                **more,
            }
        )


def _is_still(key: Optional[int], sentence: Optional[Sentence], name: str) -> bool:
    """Whether a sentence is the one that was divided in its place; an error if it is another."""
    if sentence is None or key != sentence_key(sentence.surface_tokens()[0]):
        raise ValueError(f"{name}: its files have changed since they were divided. Start again.")
    return True
