"""Tables as text: task files, UniMorph, lists of words, lexicons. Damaged, packed, and with odd lines."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from linspector_allennlp.dataset_readers.named_entities import read_entities
from linspector_allennlp.dataset_readers.nli import read_sentence_pairs
from linspector_allennlp.formats import (
    read_paired_forms,
    read_paired_tokens,
    read_single_forms,
    read_tokens_in_context,
)
from linspector_allennlp.propositions import read_propositions
from linspector_allennlp.sentence_files import read_labelled_sentences
from linspector_allennlp.sources.frequencies import read_frequencies
from linspector_allennlp.sources.lexicon import read_lexicon, read_pseudowords
from linspector_allennlp.sources.unimorph import read_unimorph
from linspector_allennlp.treebanks import read_treebank
from tests.hostile.case import Case
from tests.hostile.mutations import damages, long_line_gzip

Reader = Callable[[Path], Any]

CONLLU = "# text = a b\n1\ttalo\ttalo\tNOUN\tN\tCase=Nom\t0\troot\t_\t_\n"
CONLLU += "2\ton\tolla\tAUX\tV\t_\t1\tcop\t_\t_\n\n"

CONLL_2009 = "1\ttalon\ttalo\t_\tN\t_\t_\t_\t2\t_\tobj\t_\t_\t_\tA1\n"
CONLL_2009 += "2\tostaa\tostaa\t_\tV\t_\t_\t_\t0\t_\troot\t_\tY\tostaa.01\t_\n\n"


def listed(read: Callable[[Path], Any]) -> Reader:
    return lambda path: list(read(path))


TABLES: dict[str, tuple[str, Reader]] = {
    "single forms": ("talo\tsg\ntalot\tpl\n" * 9, listed(read_single_forms)),
    "paired forms": ("talo\ttalot\tNumber\n" * 9, listed(read_paired_forms)),
    "tokens": ("Tämä on talo .\t2\tNOUN\n" * 9, listed(read_tokens_in_context)),
    "paired tokens": ("a b\t1\tc d e\t2\tsame\n" * 9, listed(read_paired_tokens)),
    "sentences": ("Tämä on talo .\t1\n" * 9, listed(read_labelled_sentences)),
    "SentEval": ("tr\t1\tTämä on talo .\nva\t0\tEi .\nte\t1\tOn .\n", listed(read_labelled_sentences)),
    "UniMorph": ("talo\ttalot\tN;NOM;PL\n" * 9, read_unimorph),
    "frequencies": ("ja 900\non 800\n" * 9, lambda path: read_frequencies(str(path))),
    "lexicon": ("talo\tta-lo\t15.09\n" * 9, listed(read_lexicon)),
    "pseudowords": ("talo\ttila\n" * 9, listed(read_pseudowords)),
    "CoNLL-U": (CONLLU * 9, lambda path: list(read_treebank([path]))),
    "CoNLL-2009": (CONLL_2009 * 9, listed(read_propositions)),
    "CoNLL-2003": ("Turku B-LOC\non O\n\n" * 9, listed(read_entities)),
    "NLI": ("Tämä on talo .\tOn .\tneutral\n" * 9, listed(read_sentence_pairs)),
}  # fmt: skip

# The places in a good line for a number of very many digits.
NUMBERS = {
    "tokens": b"Hyv\xc3\xa4 .\t%s\tX\n",
    "paired tokens": b"a b\t%s\tc d\t1\tsame\n",
    "CoNLL-U": b"%s\ttalo\ttalo\tNOUN\tN\t_\t0\troot\t_\t_\n\n",
    "CoNLL-2009": b"1\ttalo" + b"\t_" * 6 + b"\t%s" + b"\t_" * 5 + b"\n\n",
    "lexicon": b"talo\tta-lo\tx%s\n",
}
HEADS = {
    "single forms": b"form\tlabel\n",
    "sentences": b"sentence\tlabel\n",
    "UniMorph": b"lemma\tform\tfeatures\n",
    "pseudowords": b"word\tpseudoword\n",
}


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    for name, (text, read) in TABLES.items():
        good = text.encode()

        def case(
            what: str, content: bytes, may: str, name: str = name, read: Reader = read
        ) -> Case:
            path = folder / f"{name} {what}".replace(" ", "-")
            path.write_bytes(content)
            return Case(f"{name}: {what}", path, partial(read, path), may)

        yield case("as it should be", good, "read")
        for what, content in damages(rng, good):
            yield case(what, content, "either")
        yield case("one long line", good + b"a" * (18 << 20) + b"\n", "refuse")
        yield case("one long line, packed", long_line_gzip(good), "refuse")
        # UniMorph may have further columns.
        may = "either" if name == "UniMorph" else "refuse"
        yield case("a line of a megabyte", good + b"a" * (1 << 20) + b"\tb\tc\td\te\tf\tg\n", may)
        if name in NUMBERS:
            yield case("a long number", good + NUMBERS[name] % (b"9" * 5000), "refuse")
        if name in HEADS:
            yield case("names of columns", HEADS[name] + good, "refuse")
