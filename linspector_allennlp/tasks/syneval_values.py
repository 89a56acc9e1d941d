"""The values of the words of a treebank for syneval: those of a column or of a feature."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from linspector_allennlp.sources.schema import Schema, elementary, split_tags
from linspector_allennlp.sources.ud_features import values_of
from linspector_allennlp.treebanks import Sentence, Word

MORPHOLOGY = {"case": "Case", "gender": "Gender", "tense": "Tense", "number": "Number"}
# Where the value of a task stands, for the reader of an error.
WHERE = {
    "pos": "UPOS and XPOS",
    "label": "DEPREL",
    "headpos": "HEAD, or in UPOS and XPOS",
    **{task: f"FEATS for {feature}" for task, feature in MORPHOLOGY.items()},
}
TASKS = tuple(WHERE)


class WordValue(NamedTuple):
    """A word by the number of its sentence and its position in it, its form, and its value."""

    sentence: int
    position: int
    form: str
    value: str


def word_values(
    sentences: Sequence[Sentence], task: str, pos_column: str, left_out: Counter
) -> list[WordValue]:
    """
    The words that have a value for a syneval task, in their order.

    # Parameters

    sentences : `Sequence[Sentence]`
        The treebank.
    task : `str`
        One of `TASKS`.
    pos_column : `str`
        "upos" or "xpos"; a treebank without any UPOS is read with "xpos".
    left_out : `Counter`
        Counts words by the reason why they have no value.
    """
    if not any(word.upos for sentence in sentences for word in sentence.words):
        pos_column = "xpos"
    morphology = _Morphology(sentences, MORPHOLOGY[task]) if task in MORPHOLOGY else None
    found = []
    for number, sentence in enumerate(sentences):
        for word in sentence.words:
            if morphology is not None:
                values = morphology.values(word)
            elif task == "label":
                values = (word.deprel,)
            elif task == "pos":
                values = (getattr(word, pos_column),)
            else:
                head = word.head
                left_out["root"] += head == 0
                values = (getattr(sentence.words[head - 1], pos_column),) if head else ()
            if len(values) > 1:
                left_out["value_left_open"] += 1
            elif values and values[0]:
                found.append(WordValue(number, word.id - 1, word.form, values[0]))
    return found


class _Morphology:
    """The values of one feature, as they are written in UD or SPMRL and as they are called in UniMorph."""

    def __init__(self, sentences: Sequence[Sentence], feature: str) -> None:
        bundles = {word.feats for sentence in sentences for word in sentence.words} - {""}
        tags = {bundle: split_tags(bundle) for bundle in bundles if "=" not in bundle}
        schema = Schema(elementary(tag for found in tags.values() for tag in found))
        self._values: dict[str, tuple[str, ...]] = {
            bundle: schema.read(found).values.get(feature, ()) for bundle, found in tags.items()
        }
        for bundle in bundles - set(tags):
            self._values[bundle] = values_of(bundle, feature)

    def values(self, word: Word) -> tuple[str, ...]:
        return self._values.get(word.feats, ())
