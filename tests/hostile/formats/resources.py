"""Raw resources: UniMorph, frequency lists, lexicons, pseudowords, CoNLL-U."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from linspector_allennlp.sources.frequencies import read_frequencies
from linspector_allennlp.sources.lexicon import read_lexicon, read_pseudowords
from linspector_allennlp.sources.unimorph import read_unimorph
from linspector_allennlp.treebanks import read_treebank
from tests.hostile.case import Case
from tests.hostile.damage import as_lines, damaged_text, no_files, written

UNIMORPH = "talo\ttalossa\tN;IN+ESS;SG\nkissa\tkissan\tN;GEN;SG\nkoira\tkoirat\tN;NOM;PL\n"
FREQUENCIES = "ja\t1000\non\t900\ntalossa\t10\n"
LEXICON = "talossa\tta-los-sa\t12\nkissan\tkis-san\t3.5\n"
PSEUDOWORDS = "talossa\ttalosna\nkissan\tkispan\n"
CONLLU = """# sent_id = 1
1\tKoira\tkoira\tNOUN\t_\tCase=Nom|Number=Sing\t2\tnsubj\t_\t_
2\tjuoksee\tjuosta\tVERB\t_\tNumber=Sing\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# sent_id = 2
1-2\tettei\t_\t_\t_\t_\t_\t_\t_\t_
1\tettä\tettä\tSCONJ\t_\t_\t2\tmark\t_\t_
2\tei\tei\tAUX\t_\t_\t0\troot\t_\t_

"""


def _unimorph(path: Path) -> list[tuple[str, str]]:
    read = read_unimorph(path)
    rows = zip(read.lemma_of, read.form_of)
    return sorted((read.lemmas[lemma], read.forms[form]) for lemma, form in rows)


def _unimorph_is_right(found: list[tuple[str, str]], path: Path) -> bool:
    rows = {(row[0].strip(), row[1].strip()) for row in as_lines(path)}
    return set(found) == rows


def _lexicon(path: Path) -> list[list[Any]]:
    return [
        [entry.word, "-".join(entry.syllables), entry.frequency] for entry in read_lexicon(path)
    ]


def _lexicon_is_right(found: list[list[Any]], path: Path) -> bool:
    return found == [[word, parts, float(number)] for word, parts, number in as_lines(path)]


def _treebank(path: Path) -> list[list[str]]:
    return [[word.form for word in sentence.words] for sentence in read_treebank([path])]


def _treebank_is_right(found: list[list[str]], path: Path) -> bool:
    """All words that are there, in whatever sentences."""
    words = [row[1] for row in as_lines(path) if row[0].isdigit()]
    plain = [word.replace(" ", "_") for word in words]
    return [word.replace(" ", "_") for sentence in found for word in sentence] == plain


Check = Callable[[Any, Path], bool]
FORMATS: dict[str, tuple[Callable[[Path], Any], str, Check]] = {
    "UniMorph": (_unimorph, UNIMORPH, _unimorph_is_right),
    "frequencies": (
        lambda path: len(read_frequencies(str(path))),
        FREQUENCIES,
        lambda found, path: found <= max(1, len(as_lines(path))),
    ),
    "lexicon": (_lexicon, LEXICON, _lexicon_is_right),
    "pseudowords": (
        lambda path: [entry.pseudoword for entry in read_pseudowords(path)],
        PSEUDOWORDS,
        lambda found, path: len(found) == len(as_lines(path)),
    ),
    "CoNLL-U": (_treebank, CONLLU, _treebank_is_right),
}


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    number = 0
    for kind, (read, good, is_right) in FORMATS.items():
        for name, content in damaged_text(rng, good):
            number += 1
            path = written(folder, number, content, "conllu" if kind == "CoNLL-U" else "txt")
            must = name in ("NUL bytes", "NUL in a word", "not UTF-8", "a zip archive")
            yield Case(
                f"{kind}: {name}",
                path,
                lambda path=path, read=read: read(path),
                "refuse" if must else "either",
                lambda found, path=path, check=is_right: check(found, path),
            )
    for name, path in no_files(folder):
        yield Case(f"UniMorph: {name}", path, lambda p=path: _unimorph(p), "refuse")
        yield Case(f"CoNLL-U: {name}", path, lambda p=path: _treebank(p), "refuse")
