"""The sentences of a treebank with the morphology of their words, whatever notation it was in."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, Optional

from linspector_allennlp.sources.schema import (
    Analysis,
    Schema,
    canonical_tags,
    elementary,
    split_tags,
)
from linspector_allennlp.sources.ud_features import UdTags, unimorph_tags
from linspector_allennlp.treebanks import UNIMORPH, Sentence, TreebankCounts


class AnalysedSentence(NamedTuple):
    """
    Words of the same tags share one analysis; a word without tags (a comma) has none. There are lemmas if the
    treebank was read.
    """

    forms: tuple[str, ...]
    analyses: tuple[Optional[Analysis], ...]
    lemmas: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.forms)


class AnalysedTreebank(NamedTuple):
    """`unknown` counts the words with a tag or UD feature that has no meaning in the schema."""

    sentences: list[AnalysedSentence]
    unknown: dict[str, int]


def analysed(sentences: Iterable[Sentence], counts: TreebankCounts) -> AnalysedTreebank:
    """
    Reads all sentences, and then their features.

    # Parameters

    sentences : `Iterable[Sentence]`
        From `read_treebank`.
    counts : `TreebankCounts`
        Those that `read_treebank` fills: which features there are is known at the end only.
    """
    words: Counter = Counter()
    raw = []
    for sentence in sentences:
        keys = tuple((word.feats, word.upos) for word in sentence.words)
        words.update(keys)
        lemmas = tuple(word.lemma for word in sentence.words)
        raw.append((tuple(word.form for word in sentence.words), keys, lemmas))
    tags = {key: _tags(key[0], key[1], counts.features) for key in words}
    schema = Schema(elementary(tag for found in tags.values() for tag in found.tags))
    # The same tags in another order are the same analysis.
    distinct: dict[tuple[str, ...], Analysis] = {}
    shared: dict[tuple[tuple[str, ...], tuple[str, ...]], Analysis] = {}
    analyses: dict[tuple[str, str], Optional[Analysis]] = {}
    unknown: Counter = Counter()
    for key, found in tags.items():
        canonical = canonical_tags(found.tags)
        if canonical not in distinct:
            distinct[canonical] = schema.read(canonical)
        analysis = distinct[canonical]
        not_known = (*found.unknown, *analysis.unknown)
        for feature in not_known:
            unknown[feature] += words[key]
        # What has no meaning in the schema still tells two words apart.
        reading = shared.setdefault((canonical, not_known), analysis._replace(unknown=not_known))
        analyses[key] = reading if canonical else None
    return AnalysedTreebank(
        [AnalysedSentence(forms, tuple(map(analyses.get, keys)), own) for forms, keys, own in raw],
        dict(sorted(unknown.items(), key=lambda item: (-item[1], item[0]))),
    )


def _tags(feats: str, upos: str, kind: Optional[str]) -> UdTags:
    return UdTags(split_tags(feats), ()) if kind == UNIMORPH else unimorph_tags(feats, upos)
