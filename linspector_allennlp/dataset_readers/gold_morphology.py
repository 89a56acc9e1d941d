"""The gold morphology that a parser is given, and what is stripped from it (Köhn 2016)."""

from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.treebanks import Sentence, in_sentence

ALL, NONE, POS = "all", "none", "pos"

OF_ALL_WORDS = "word"
"""A feature that each word has: what is left where all others are stripped."""

UNIVERSAL = frozenset(
    (
        "abbr animacy aspect case clusivity definite degree deixis deixisref evident extpos foreign gender mood "
        "nounclass number numtype person polarity polite poss prontype reflex tense typo verbform voice"
    ).split()
)
"""The features of Universal Dependencies, which a treebank need not have, as we compare their names."""


class GoldMorphology:
    """
    What words are told to have. A name that is stripped is one of `UNIVERSAL` or, in what is read first (the
    training data), that of a word: see `check`.

    # Parameters

    given : `str`
        `"all"`: part of speech (UPOS) and features. `"none"`: nothing. `"-case"`: all but the feature Case;
        `"-pos"`: all but the part of speech; several as `"-case,-number"`. Capitals do not matter.
    """

    def __init__(self, given: str) -> None:
        parts = given.lower().split(",")
        self._none = parts == [NONE]
        self._stripped = {part[1:] for part in parts if part[:1] == "-" and part[1:]}
        if parts not in ([ALL], [NONE]) and len(self._stripped) < len(parts):
            raise ConfigurationError(
                "gold_morphology: expected all, none, or what is left out, as -case or -case,-pos; "
                f"found {given!r}."
            )
        self._unknown = self._stripped - UNIVERSAL - {POS}

    def of(self, upos: str, feats: str) -> str:
        """What a word is told to have, from its columns, joined as `FeatureBagIndexer` expects it."""
        found = [OF_ALL_WORDS]
        if not self._none:
            if POS not in self._stripped and upos:
                found.append(f"POS={upos}")
            pairs = filter(None, feats.split("|"))
            for pair in pairs:
                if _name(pair) in self._stripped:
                    self._unknown.discard(_name(pair))
                else:
                    found.append(pair)
        return "|".join(found)

    def check(self, path: str) -> None:
        """After a whole file: what is to be stripped must be the name of something, or nothing is."""
        if self._unknown:
            listed = ", ".join(f"-{name}" for name in sorted(self._unknown))
            raise ConfigurationError(
                f"{path}: gold_morphology: expected features of Universal Dependencies, as -case, or of a word "
                f"in this file; found {listed}, which strips nothing. Is it spelled right?"
            )


def features_fault(sentence: Sentence) -> Optional[ValueError]:
    """What makes the FEATS of a sentence useless for `GoldMorphology`."""
    for word in sentence.words:
        if word.feats and not all("=" in pair for pair in word.feats.split("|")):
            expected = f"UD features, as Case=Nom|Number=Sing{in_sentence(sentence.sent_id)}"
            return MalformedLine(sentence.path, word.line, expected, repr(word.feats))
    return None


def _name(pair: str) -> str:
    """That of a feature, without its layer: `Number` of `Number[psor]`."""
    return pair.split("=", 1)[0].split("[")[0].lower()
