"""The readers of treebanks for the taggers and parsers of AllenNLP."""

from collections.abc import Iterable, Sequence
from typing import Any, Optional

from allennlp.data import DatasetReader, Instance, TokenIndexer
from allennlp.data.fields import Field, SequenceLabelField

from linspector_allennlp.dataset_readers.dependency_tree import NO_RELATION, tree_fault
from linspector_allennlp.dataset_readers.gold_morphology import GoldMorphology, features_fault
from linspector_allennlp.dataset_readers.treebank_reader import (
    TokenizedSentence,
    TreebankReader,
    in_words,
)
from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.treebanks import Sentence, in_sentence

NO_TAG = "_"


class SyntaxReader(TreebankReader):
    """
    The base of readers for models that have an answer for each word: their text has as many tokens as the
    sentence has words.

    # Parameters

    multiword_tokens : `str`, optional (default = `"words"`)
        `"words"`: the text has the words. `"surface"`: each word has the form of its multiword token, which
        so comes as often as it has words.
    The others: see `TreebankReader`.
    """

    default_multiword_tokens = "words"

    text_name = "tokens"
    """The field with the text, as the models call it."""

    def _tokenized(self, sentence: Sentence) -> TokenizedSentence:
        tokens, words, places = super()._tokenized(sentence)
        return in_words([tokens[place] for place in places], words)

    def _text_instance(
        self, text: TokenizedSentence, sentence: Optional[Sentence], **more: Any
    ) -> Instance:
        """The text and what is known of it; a subclass adds the answers."""
        metadata = self._metadata(text, range(len(text.words)), sentence, **more)
        field: Field = self._text_field(text.tokens)
        return Instance({self.text_name: field, "metadata": metadata})

    def _label(self, instance: Instance, name: str, labels: list[Any], namespace: str) -> None:
        text: Any = instance[self.text_name]
        instance.add_field(name, SequenceLabelField(labels, text, namespace))


@DatasetReader.register("pos_tagging")
class PosTaggingReader(SyntaxReader):
    """
    Reads a treebank (CoNLL-U) for a tagger, as AllenNLP's `simple_tagger`: each word has its UPOS. Sentences
    with a word that has none are left out.

    Registered as a `DatasetReader` with name "pos_tagging".

    # Parameters

    All: see `SyntaxReader`.

    # Returns

    Instances with the fields `tokens`, `tags` and `metadata`.
    """

    def _lacks(self, sentence: Sentence) -> Optional[str]:
        return None if all(word.upos for word in sentence.words) else "with a word without UPOS"

    def _row_to_instance(self, row: Sentence) -> Instance:
        instance = self._text_instance(self._tokenized(row), row)
        self._label(instance, "tags", [word.upos for word in row.words], "labels")
        return instance

    def text_to_instance(self, tokens: Sequence[str]) -> Instance:  # type: ignore[override]
        """A sentence all words of which are to be tagged."""
        return self._text_instance(self._given(tokens), None)


@DatasetReader.register("dependency_parsing")
class DependencyParsingReader(SyntaxReader):
    """
    Reads a treebank (CoNLL-U) for a parser, as the `biaffine_parser` of allennlp-models, which is given the
    UPOS of the words.

    Registered as a `DatasetReader` with name "dependency_parsing".

    # Parameters

    gold_morphology : `str`, optional
        If given, each token has gold features, for the indexer `feature_bag`: see `GoldMorphology`.
    The others: see `SyntaxReader`. A sentence without a tree is a bad one.

    # Returns

    Instances with the fields `words`, `pos_tags`, `head_tags`, `head_indices` (0 for the root) and `metadata`.
    """

    text_name = "words"

    def __init__(
        self,
        gold_morphology: Optional[str] = None,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        multiword_tokens: str = "words",
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
        self._morphology = None if gold_morphology is None else GoldMorphology(gold_morphology)

    def _fault(self, sentence: Sentence) -> Optional[ValueError]:
        for word in sentence.words:
            if not word.deprel:
                expected = f"a relation{in_sentence(sentence.sent_id)}"
                return MalformedLine(sentence.path, word.line, expected, f"none for {word.form!r}")
        fault = None if self._morphology is None else features_fault(sentence)
        return fault or tree_fault(sentence)

    def _read(self, file_path: str) -> Iterable[Instance]:
        yield from super()._read(file_path)
        if self._morphology is not None:
            self._morphology.check(str(file_path))

    def _row_to_instance(self, row: Sentence) -> Instance:
        instance = self._instance_of(
            self._tokenized(row),
            [word.upos or NO_TAG for word in row.words],
            [word.feats for word in row.words],
            row,
        )
        relations = [word.deprel or NO_RELATION for word in row.words]
        self._label(instance, "head_tags", relations, "head_tags")
        self._label(instance, "head_indices", [word.head for word in row.words], "head_index_tags")
        return instance

    def text_to_instance(  # type: ignore[override]
        self,
        tokens: Sequence[str],
        pos_tags: Sequence[str],
        features: Optional[Sequence[str]] = None,
    ) -> Instance:
        """A sentence whose tree is not known; `features` are the FEATS of its words, if the parser sees these."""
        feats = list(features or [""] * len(tokens))
        return self._instance_of(self._given(tokens), list(pos_tags), feats, None)

    def _instance_of(
        self,
        text: TokenizedSentence,
        pos_tags: list[str],
        feats: list[str],
        sentence: Optional[Sentence],
    ) -> Instance:
        instance = self._text_instance(text, sentence, pos=pos_tags)
        if self._morphology is not None:
            words: Any = instance[self.text_name]
            for token, *columns in zip(words.tokens, pos_tags, feats, strict=True):
                token.tag_ = self._morphology.of(*columns)
        self._label(instance, "pos_tags", pos_tags, "pos")
        return instance
