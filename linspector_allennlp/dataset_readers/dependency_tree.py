from collections.abc import Sequence
from typing import Any, Optional

import numpy
import torch
from allennlp.data import DatasetReader, Instance, TokenIndexer
from allennlp.data.fields import Field, TensorField

from linspector_allennlp.dataset_readers.treebank_reader import TokenizedSentence, TreebankReader
from linspector_allennlp.fields import ProbeLabelsField
from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.treebanks import Sentence, in_sentence
from linspector_allennlp.trees import ROOT, BadTree, check_tree, path_lengths

PUNCTUATION = "PUNCT"
NO_RELATION = "_"
TREES = "trees"
"""The target of its tasks, where others name a column."""


@DatasetReader.register("dependency_tree")
class DependencyTreeReader(TreebankReader):
    """
    Reads the dependency trees of a treebank (CoNLL-U), one an instance, for the probes of syntax.

    Registered as a `DatasetReader` with name "dependency_tree".

    # Parameters

    min_length : `int`, optional (default = `2`)
        A sentence of one word has no edges.
    max_length : `int`, optional (default = `None`)
        The study of the structural probe has 50.
    bad_sentences : `str`, optional (default = `"error"`)
        A head outside the sentence, a cycle, two roots or none: stop (`"error"`), or leave the
        sentence out and count it (`"skip"`).
    coarse : `bool`, optional (default = `False`)
        Whether a relation counts without its subtype, `acl:relcl` as `acl`.
    The others: see `TreebankReader`.

    # Returns

    Instances with the fields `tokens` (the text), `places` (of the words there), `heads` (0-based; −1
    for the root), `distances` (edges between any two words), `depths`, `punctuation` (whether the
    UPOS is `PUNCT`), `relations`, and `metadata`, which have `upos` and `xpos` too.
    """

    def __init__(
        self,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        multiword_tokens: str = "surface",
        min_length: int = 2,
        max_length: Optional[int] = None,
        bad_sentences: str = "error",
        coarse: bool = False,
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
        self._coarse = coarse

    @property
    def task(self) -> dict[str, Any]:
        return {**super().task, "target": TREES}

    def _fault(self, sentence: Sentence) -> Optional[ValueError]:
        return tree_fault(sentence)

    def _row_to_instance(self, row: Sentence) -> Instance:
        heads = [word.head - 1 for word in row.words if word.head is not None]
        relations = [word.deprel or NO_RELATION for word in row.words]
        if self._coarse:
            relations = [relation.split(":")[0] for relation in relations]
        upos, xpos = [word.upos for word in row.words], [word.xpos for word in row.words]
        fields = self._tree_fields(heads)
        fields["punctuation"] = TensorField(torch.tensor([tag == PUNCTUATION for tag in upos]))
        fields["relations"] = ProbeLabelsField(relations, "relation_labels")
        return self._instance_of(self._tokenized(row), fields, row, upos=upos, xpos=xpos)

    def text_to_instance(self, tokens: Sequence[str]) -> Instance:  # type: ignore[override]
        """A sentence whose tree is not known."""
        return self._instance_of(self._given(tokens), {}, None)

    def _instance_of(
        self,
        text: TokenizedSentence,
        fields: dict[str, Field],
        sentence: Optional[Sentence],
        **more: Any,
    ) -> Instance:
        words = range(len(text.words))
        metadata = self._metadata(text, words, sentence, **more)
        return Instance({**self._word_fields(text, words), **fields, "metadata": metadata})

    def _tree_fields(self, heads: list[int]) -> dict[str, Field]:
        batch = numpy.array([heads])
        (distances,) = torch.from_numpy(path_lengths(batch, numpy.ones_like(batch, dtype=bool)))
        return {
            "heads": TensorField(torch.tensor(heads)),
            "distances": TensorField(distances),
            "depths": TensorField(distances[heads.index(ROOT)].clone()),
        }


def tree_fault(sentence: Sentence) -> Optional[ValueError]:
    """What makes the heads of a sentence no tree; nothing if they are one."""
    of_sentence = in_sentence(sentence.sent_id)
    for word in sentence.words:
        if word.head is None:
            expected = f"a head{of_sentence}"
            return MalformedLine(sentence.path, word.line, expected, f"none for {word.form!r}")
    try:
        check_tree([word.head - 1 for word in sentence.words if word.head is not None])
    except BadTree as error:
        line = sentence.words[error.word].line
        return MalformedLine(sentence.path, line, f"{error.expected}{of_sentence}", error.found)
    return None
