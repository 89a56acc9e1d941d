"""Task files of words, pairs, tokens and sentences, and SentEval's."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from linspector_allennlp.formats import (
    read_paired_forms,
    read_paired_tokens,
    read_single_forms,
    read_tokens_in_context,
)
from linspector_allennlp.sentence_files import read_labelled_sentences
from tests.hostile.case import Case
from tests.hostile.damage import as_lines, damaged_text, no_files, written

Read = Callable[[Path], list[list[str]]]


def _single(path: Path) -> list[list[str]]:
    return [_row(row.form, row.label) for row in read_single_forms(path)]


def _pairs(path: Path) -> list[list[str]]:
    return [_row(row.form1, row.form2, row.label) for row in read_paired_forms(path)]


def _tokens(path: Path) -> list[list[str]]:
    rows = read_tokens_in_context(path)
    return [_row(" ".join(row.tokens), str(row.token_index), row.label) for row in rows]


def _paired_tokens(path: Path) -> list[list[str]]:
    return [
        _row(
            " ".join(row.tokens1),
            str(row.index1),
            " ".join(row.tokens2),
            str(row.index2),
            row.label,
        )
        for row in read_paired_tokens(path)
    ]


def _sentences(path: Path) -> list[list[str]]:
    return [_row(row.sentence, row.label) for row in read_labelled_sentences(path)]


def _row(*columns: Any) -> list[str]:
    return [column for column in columns if column is not None]


FORMATS: dict[str, tuple[Read, str]] = {
    "single forms": (_single, "talossa\tIne\nkissan\tGen\nkoira\tNom\n"),
    "pairs": (_pairs, "talossa\tkissan\tCase\nkoira\tkoirat\tNumber\n"),
    "tokens": (_tokens, "koira juoksee kotiin\t1\tSing\nmenen kotiin\t0\tSing\n"),
    "paired tokens": (_paired_tokens, "koira juoksee\t0\tmenen kotiin\t1\tCase\n" * 2),
    "sentences": (_sentences, "koira juoksee\tA\nkissa nukkuu\tB\nmenen\tA\n"),
    "SentEval": (_sentences, "tr\tA\tkoira juoksee\nva\tB\tkissa nukkuu\nte\tA\tmenen\n"),
}


MUST = ("nothing", "NUL bytes", "NUL in a word", "an invisible word", "not UTF-8")


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    number = 0
    for kind, (read, good) in FORMATS.items():
        for name, content in damaged_text(rng, good):
            number += 1
            path = written(folder, number, content)
            may = "refuse" if name in MUST else "either"

            def right(rows: Sequence[Sequence[str]], path: Path = path, kind: str = kind) -> bool:
                return _plain(rows) == _plain(_expected(path, kind))

            yield Case(f"{kind}: {name}", path, lambda p=path, r=read: r(p), may, right)
    for name, path in no_files(folder):
        yield Case(f"single forms: {name}", path, lambda p=path: _single(p), "refuse")


def _expected(path: Path, kind: str) -> list[list[str]]:
    lines = as_lines(path)
    senteval = kind == "SentEval" and len(lines[0]) == 3
    return [[row[2], row[1]] for row in lines] if senteval else lines


def _plain(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[cell.strip(" ") for cell in row] for row in rows]
