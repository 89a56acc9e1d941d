"""Two clauses that are joined by a conjunction, in their order or in the other."""

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, Optional

from linspector_allennlp.languages import Language
from linspector_allennlp.tasks.sampling import draw_keys, stable_hashes
from linspector_allennlp.tasks.sentences.annotation import (
    analysed_sentences,
    dependents,
    own_token,
    relation,
    root_of,
    subtree,
)
from linspector_allennlp.tasks.sentences.casing import capital_first, lower_first, upper_first
from linspector_allennlp.tasks.sentences.choices import one_of_each
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.treebanks import Sentence, Word

ORIGINAL, INVERTED = "O", "I"
SUBJECTS = {"nsubj", "csubj", "expl"}
QUOTES_AND_BRACKETS = {"Ps", "Pe", "Pi", "Pf"}


class Coordination(NamedTuple):
    """A sentence as two clauses, what joins them (a comma, the conjunction), and the marks at its end."""

    first: tuple[str, ...]
    joint: tuple[str, ...]
    second: tuple[str, ...]
    end: tuple[str, ...]
    small: str
    """Its first token as it would be inside a sentence."""

    def inverted(self, language: Language) -> tuple[str, ...]:
        """The other order; the capital of the first token goes to the one that is now the first."""
        first, second = self.first, self.second
        if capital_first(first[0]):
            second = (upper_first(second[0], language), *second[1:])
        return (*second, *self.joint, self.small, *first[1:], *self.end)


def coordination_inversion(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    CoordInv: `O`, or `I` where the two clauses of the sentence are swapped; a sentence is in one version.

    There must be one coordinating conjunction (UPOS CCONJ or relation `cc`) in the sentence, before the one
    `conj` of the root, and nothing but these two clauses. A clause has a verb or a copula; both have a subject
    or neither: one that both share would be left behind. Sentences with quotes or brackets are left out.

    The longer clause would tell the order: of the sentences whose first is longer and those whose second is,
    as many are kept, by their hash, and half of each are inverted. The tokens stay the same but for capitals:
    the first token loses its own where its lemma has none, and the new first one gets it.
    """
    by_longer: dict[int, list[tuple[CorpusSentence, Coordination]]] = defaultdict(list)
    for sentence, some in analysed_sentences(one_of_each(sentences), upos=True, heads=True):
        found = coordination(some, given.language)
        if found and found.inverted(given.language) != sentence.tokens:
            longer = len(found.first) - len(found.second)
            by_longer[(longer > 0) - (longer < 0)].append((sentence, found))
    if not by_longer:
        raise TooLittleData("no sentence is two clauses joined by one conjunction at the root")
    even = min(len(by_longer[1]), len(by_longer[-1]))
    made: dict[str, SentenceItem] = {}
    for longer, some_sentences in by_longer.items():
        keys = draw_keys(stable_hashes(s.text for s, _ in some_sentences), given.seed, "CoordInv")
        order = sorted(
            zip(keys.tolist(), some_sentences), key=lambda each: (each[0], each[1][0].text)
        )
        for rank, (_, (sentence, found)) in enumerate(order[:even] if longer else order):
            made[sentence.text] = (
                item(sentence, INVERTED, found.inverted(given.language))
                if rank % 2
                else item(sentence, ORIGINAL)
            )
    if not made:
        which = "first" if by_longer[1] else "second"
        raise TooLittleData(
            f"in all {len(by_longer[1] or by_longer[-1]):,} sentences of two joined clauses "
            f"the {which} is the longer one"
        )
    return [made[each.text] for each in one_of_each(sentences) if each.text in made]


def coordination(sentence: Sentence, language: Language) -> Optional[Coordination]:
    """The two clauses of a sentence, if it is that and nothing else."""
    conjunctions = [w for w in sentence.words if w.upos == "CCONJ" or relation(w) == "cc"]
    root = root_of(sentence)
    if root is None or len(conjunctions) != 1:
        return None
    conjuncts = [word for word in dependents(sentence, root) if relation(word) == "conj"]
    if len(conjuncts) != 1 or conjunctions[0].head not in (root.id, conjuncts[0].id):
        return None
    if not _are_clauses(sentence, root, conjuncts[0]):
        return None
    middle = conjunctions[0].id
    # Punctuation may hang anywhere.
    after = {w.id for w in sentence.words if w.id > middle and w.upos != "PUNCT"}
    below = {w for w in subtree(sentence, conjuncts[0]) if sentence.words[w - 1].upos != "PUNCT"}
    if below - {middle} != after or root.id > middle:
        return None
    return _divided(sentence, middle, language)


def _are_clauses(sentence: Sentence, root: Word, conjunct: Word) -> bool:
    subjects = []
    for head in (root, conjunct):
        relations = {relation(word) for word in dependents(sentence, head)}
        if head.upos not in ("VERB", "AUX") and "cop" not in relations:
            return False
        subjects.append(bool(relations & SUBJECTS))
    return subjects[0] == subjects[1]


def _divided(sentence: Sentence, middle: int, language: Language) -> Optional[Coordination]:
    tokens, place_of, whole = own_token(sentence)
    punctuation = {place_of[word.id - 1] for word in sentence.words if word.upos == "PUNCT"}
    marks = {unicodedata.category(char) for place in punctuation for char in tokens[place]}
    if not whole[middle - 1] or marks & QUOTES_AND_BRACKETS or '"' in tokens or "'" in tokens:
        return None
    joint = place_of[middle - 1]
    first_end, second_end = joint, len(tokens)
    while first_end and first_end - 1 in punctuation:
        first_end -= 1
    while second_end > joint and second_end - 1 in punctuation:
        second_end -= 1
    if not first_end or 0 in punctuation or joint + 1 >= second_end or joint + 1 in punctuation:
        return None
    first_word = sentence.words[0]
    small = tokens[0]
    if first_word.lemma not in ("", "_") and not capital_first(first_word.lemma):
        small = lower_first(tokens[0], language)
    return Coordination(
        tokens[:first_end],
        tokens[first_end : joint + 1],
        tokens[joint + 1 : second_end],
        tokens[second_end:],
        small,
    )
