from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, TokenIndexer

from linspector_allennlp.dataset_readers.treebank_reader import TreebankReader
from linspector_allennlp.fields import ProbeLabelsField
from linspector_allennlp.treebanks import Sentence, Word

COLUMNS: dict[str, Callable[[Sentence, Word], str]] = {
    "upos": lambda sentence, word: word.upos,
    "xpos": lambda sentence, word: word.xpos,
    "deprel": lambda sentence, word: word.deprel,
    "headpos": lambda sentence, word: sentence.words[word.head - 1].upos if word.head else "",
    "identity": lambda sentence, word: word.form,
    "previous": lambda sentence, word: _form(sentence, word.id - 1),
    "next": lambda sentence, word: _form(sentence, word.id + 1),
}
WORDS = ("identity", "previous", "next")
NO_VALUE = "_"


def _form(sentence: Sentence, id_: int) -> str:
    return sentence.words[id_ - 1].form if 1 <= id_ <= len(sentence.words) else ""


@DatasetReader.register("token_tags")
class TokenTagsReader(TreebankReader):
    """
    Reads a treebank (CoNLL-U) as a tagging task: an instance is a sentence, and every word of it that
    carries the target is probed. (One instance for each word would be `token_in_context`.)

    Registered as a `DatasetReader` with name "token_tags".

    # Parameters

    target : `Union[str, List[str]]`, optional (default = `"upos"`)
        `"upos"`, `"xpos"`, `"deprel"`, `"headpos"` (the UPOS of the head; the root has none), a feature
        such as `"Case"`, or a word form: `"identity"` (the word's own), `"previous"` or `"next"` (its
        neighbour's; the first or last word of a sentence has none). Of several the label is all values
        together, as `NOUN|Nom`, with `_` for one that a word has not.
    missing : `str`, optional (default = `"mask"`)
        Words that do not carry the target are not probed (`"mask"`) or have the label `None`
        (`"label"`).
    coarse : `bool`, optional (default = `False`)
        Whether a deprel counts without its subtype, `acl:relcl` as `acl`.
    The others: see `TreebankReader`.

    # Returns

    Instances with the fields `tokens` (the text), `places` (of the probed words there), `labels`
    and `metadata`.
    """

    def __init__(
        self,
        target: Union[str, list[str]] = "upos",
        missing: str = "mask",
        coarse: bool = False,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        multiword_tokens: str = "surface",
        min_length: int = 1,
        max_length: Optional[int] = None,
        bad_sentences: str = "error",
        unicode_normalization: Optional[str] = None,
        max_instances: Optional[int] = None,
    ) -> None:
        super().__init__(
            token_indexers=token_indexers,
            multiword_tokens=multiword_tokens,
            min_length=min_length,
            max_length=max_length,
            bad_sentences=bad_sentences,
            unicode_normalization=unicode_normalization,
            max_instances=max_instances,
        )
        self._targets = [target] if isinstance(target, str) else target
        if not self._targets:
            raise ConfigurationError("target: expected at least one, found an empty list.")
        for name in self._targets:
            if name not in COLUMNS and name.lower() in COLUMNS:
                raise ConfigurationError(f"target: expected {name.lower()!r}, found {name!r}.")
        if missing not in ("mask", "label"):
            raise ConfigurationError(f"missing: expected mask or label, found {missing!r}.")
        self._missing = missing
        self._coarse = coarse

    @property
    def task(self) -> dict[str, Any]:
        return {**super().task, "target": "+".join(self._targets)}

    def _lacks(self, sentence: Sentence) -> Optional[str]:
        nothing = all(self._label(sentence, word) is None for word in sentence.words)
        return f"without {' or '.join(self._targets)}" if nothing else None

    def _label(self, sentence: Sentence, word: Word) -> Optional[str]:
        values = [self._value(target, sentence, word) for target in self._targets]
        if any(values):
            return "|".join(value or NO_VALUE for value in values)
        return "None" if self._missing == "label" else None

    def _value(self, target: str, sentence: Sentence, word: Word) -> str:
        if target in COLUMNS:
            value = COLUMNS[target](sentence, word)
            if target in WORDS:
                return self._normalize(value)
            return value.split(":")[0] if target == "deprel" and self._coarse else value
        features = dict(pair.split("=", 1) for pair in word.feats.split("|") if "=" in pair)
        return features.get(target, "")

    def _row_to_instance(self, row: Sentence) -> Instance:
        labels = [self._label(row, word) for word in row.words]
        probed = [number for number, label in enumerate(labels) if label is not None]
        text = self._tokenized(row)
        fields = self._word_fields(text, probed)
        fields["labels"] = ProbeLabelsField([label for label in labels if label is not None])
        fields["metadata"] = self._metadata(text, probed, row)
        return Instance(fields)

    def text_to_instance(self, tokens: Sequence[str]) -> Instance:  # type: ignore[override]
        """A sentence all words of which are to be tagged."""
        text, probed = self._given(tokens), range(len(tokens))
        metadata = self._metadata(text, probed, None)
        return Instance({**self._word_fields(text, probed), "metadata": metadata})
