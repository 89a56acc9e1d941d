"""The kinds of tasks: how the files of each look, and how their rows are read."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Optional

from linspector_allennlp.formats import (
    read_paired_forms,
    read_paired_tokens,
    read_single_forms,
    read_tokens_in_context,
)
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.regular import open_text
from linspector_allennlp.metrics.baselines import form_key
from linspector_allennlp.sentence_files import (
    SENTEVAL_SPLITS,
    SentenceCounts,
    part_of,
    read_labelled_sentences,
)

SINGLE_FORM, PAIRED_FORMS, TOKEN_IN_CONTEXT = "single_form", "paired_forms", "token_in_context"
PAIRED_TOKENS = "paired_tokens"
SENTENCE, SENTENCE_WITH_TOPIC = "sentence", "sentence_with_topic"
SENTENCE_KINDS = (SENTENCE, SENTENCE_WITH_TOPIC)

LOOK_ALIKE = ({SINGLE_FORM, SENTENCE}, {PAIRED_FORMS, SENTENCE_WITH_TOPIC})
"""Kinds that only the number of words in most rows tells apart, which a small file may get wrong."""


class Row(NamedTuple):
    """
    # Parameters

    words : `tuple[str, ...]`
        The probed ones; of a sentence all its tokens.
    label : `str`, optional
    input : `Hashable`
        All that a probe is given: the form; the pair, in either order; the sentence and the index; two of
        these, in either order; the sentence, and its topic if it has one.
    units : `tuple[Hashable, ...]`
        What must not be both in train and in test: the form, the pair, the sentence, or each of two.
    """

    words: tuple[str, ...]
    label: Optional[str]
    input: Hashable
    units: tuple[Hashable, ...]


def _single_forms(path: PathLike) -> Iterator[Row]:
    for row in read_single_forms(path):
        yield Row((row.form,), row.label, row.form, (row.form,))


def _paired_forms(path: PathLike) -> Iterator[Row]:
    for row in read_paired_forms(path):
        forms = (row.form1, row.form2)
        yield Row(forms, row.label, form_key(forms), (form_key(forms),))


def _tokens_in_context(path: PathLike) -> Iterator[Row]:
    for row in read_tokens_in_context(path):
        sentence = " ".join(row.tokens)
        word = row.tokens[row.token_index]
        yield Row((word,), row.label, (sentence, row.token_index), (sentence,))


def _paired_tokens(path: PathLike) -> Iterator[Row]:
    for row in read_paired_tokens(path):
        one, other = " ".join(row.tokens1), " ".join(row.tokens2)
        words = (row.tokens1[row.index1], row.tokens2[row.index2])
        input = tuple(sorted([(one, row.index1), (other, row.index2)]))
        yield Row(words, row.label, input, tuple(dict.fromkeys([one, other])))


WORD_ROWS: dict[str, Callable[[PathLike], Iterator[Row]]] = {
    SINGLE_FORM: _single_forms,
    PAIRED_FORMS: _paired_forms,
    TOKEN_IN_CONTEXT: _tokens_in_context,
    PAIRED_TOKENS: _paired_tokens,
}
"""The kinds of tasks that ask for words, each with the reader of its rows."""

KINDS = (*WORD_ROWS, *SENTENCE_KINDS)


def rows_of(
    path: PathLike, kind: str, tokens_of: Callable[[str], list[str]], counts: SentenceCounts
) -> Iterator[Row]:
    """
    The rows of a file.

    # Parameters

    path : `PathLike`
        A file; `FILE#tr` is a part of one of SentEval's.
    kind : `str`
        One of `KINDS`.
    tokens_of : `Callable[[str], list[str]]`
        What cuts a sentence into its tokens, where all of them are probed.
    counts : `SentenceCounts`
        Counts the lines without a sentence, which are left out.
    """
    if kind in WORD_ROWS:
        yield from WORD_ROWS[kind](path)
        return
    file, part = part_of(path)
    with_topic = kind == SENTENCE_WITH_TOPIC
    for row in read_labelled_sentences(file, part, with_topic, skip_empty=True, counts=counts):
        tokens = tokens_of(row.sentence)
        sentence = " ".join(tokens)
        yield Row(
            tuple(tokens),
            row.label,
            sentence if row.topic is None else (sentence, row.topic),
            (sentence,),
        )


def kind_of(path: Path) -> Optional[str]:
    """
    The kind of a file by its own look: how many columns most rows have, and what is in most of them. Most
    and not all, so that a wrong index is found and not taken for a word; `None` if it is of no kind.

    Two columns are a form, or a sentence if the first has several words. Three are a token in context if the
    second is a whole number; else a sentence with a topic if the first has several words, and a pair if not.
    Five are a pair of tokens in context if the second and the fourth are. Files of SentEval's have a split in
    the first column, and a topic if there are four.
    """
    if not path.is_file():
        return None
    with open_text(path, errors="replace", newline="\n") as file:
        rows = [line.split("\t") for line in file]
    widths = Counter(map(len, rows))
    width = widths.most_common(1)[0][0] if widths else 0
    rows = [row for row in rows if len(row) == width]
    is_senteval = _most(row[0] in SENTEVAL_SPLITS.values() for row in rows)
    if width == 4 and is_senteval:
        return SENTENCE_WITH_TOPIC
    several = _most(" " in row[0].strip(" ") for row in rows)
    if width == 3:
        if _most(_is_index(row[1]) for row in rows):
            # Labels of SentEval's are numbers, too.
            return SENTENCE if is_senteval else TOKEN_IN_CONTEXT
        return SENTENCE if is_senteval else SENTENCE_WITH_TOPIC if several else PAIRED_FORMS
    if width == 2:
        return SENTENCE if several else SINGLE_FORM
    if width == 5 and _most(_is_index(row[1]) and _is_index(row[3]) for row in rows):
        return PAIRED_TOKENS
    return None


def _is_index(text: str) -> bool:
    """Also a negative one, which no file may have."""
    return text.isascii() and text.lstrip("-").isdigit()


def _most(answers: Iterable[bool]) -> bool:
    counts = Counter(answers)
    return counts[True] > counts[False]
