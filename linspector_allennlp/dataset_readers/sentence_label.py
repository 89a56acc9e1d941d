from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, TokenIndexer, Tokenizer

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader, local_file
from linspector_allennlp.dataset_readers.tokenizer import tokens_of
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.io.hashing import hash_keys
from linspector_allennlp.sentence_files import (
    LabelledSentence,
    SentenceCounts,
    part_of,
    read_labelled_sentences,
)

TOPICS = ("encode", "group")


@DatasetReader.register("sentence_label")
class SentenceLabelReader(ProbingReader):
    """
    Reads tasks of whole sentences: a sentence and its label. See `linspector_allennlp.sentence_files` for
    the two layouts of files, ours and SentEval's. `FILE#tr` is the training part of a file of SentEval's,
    `#va` and `#te` are the others; `FILE` alone is all of it.

    The metadata of an instance have a `group`: a number that all sentences of the same tokens share,
    whatever their order and case, so that the variants of a sentence can be kept together.

    Registered as a `DatasetReader` with name "sentence_label".

    # Parameters

    tokenizer : `Tokenizer`, optional (default = `None`)
        Of raw text, as `"words_and_punctuation"`; by default tokens are what is between spaces.
    topic : `str`, optional (default = `None`)
        The file has a column with the topic of each sentence. `"encode"`: the probe is given the topic
        as a second text. `"group"`: it is only what folds may keep together.
    skip_empty : `bool`, optional (default = `False`)
        Whether lines without a sentence are left out and counted; by default such a file is refused.
    token_indexers, unicode_normalization, max_instances :
        See `ProbingReader`.

    # Returns

    Instances with the fields `tokens`, `topic` (where it is to be encoded), `label` (where the file has one)
    and `metadata`.
    """

    level = "sentence"

    def __init__(
        self,
        tokenizer: Optional[Tokenizer] = None,
        topic: Optional[str] = None,
        skip_empty: bool = False,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        unicode_normalization: Optional[str] = None,
        max_instances: Optional[int] = None,
    ) -> None:
        super().__init__(
            token_indexers=token_indexers,
            unicode_normalization=unicode_normalization,
            max_instances=max_instances,
        )
        if topic not in (None, *TOPICS):
            raise ConfigurationError(
                f"topic: expected {' or '.join(TOPICS)}, or nothing, found {topic!r}."
            )
        self._tokenizer = tokenizer
        self._topic = topic
        self._skip_empty = skip_empty
        self.left_out: dict[str, int] = {}

    def _rows_of(self, file_path: str) -> Iterable[LabelledSentence]:
        file, split = part_of(file_path)
        counts = SentenceCounts()
        self.left_out = {}
        yield from read_labelled_sentences(
            local_file(file),
            split,
            with_topic=self._topic is not None,
            skip_empty=self._skip_empty,
            counts=counts,
        )
        if counts.empty:
            self.left_out = {"that are empty": counts.empty}

    def _row_to_instance(self, row: LabelledSentence) -> Instance:
        return self.text_to_instance(row.sentence, row.topic, row.label)

    def text_to_instance(  # type: ignore[override]
        self,
        sentence: Union[str, Sequence[str]],
        topic: Optional[Union[str, Sequence[str]]] = None,
        label: Optional[str] = None,
    ) -> Instance:
        """Text is cut into tokens; a list has them already."""
        tokens = self._tokens(sentence, "sentence")
        fields: dict[str, Any] = {"tokens": self._text_field(tokens)}
        given: dict[str, Any] = {"sentence": " ".join(tokens)}
        if self._topic == "encode":
            if topic is None:
                raise ValueError(f"expected a topic beside the sentence {given['sentence']!r}.")
            topic_tokens = self._tokens(topic, "topic")
            fields["topic"] = self._text_field(topic_tokens)
            given["topic"] = " ".join(topic_tokens)
        instance = self._instance(fields, label, words=tokens, input=given)
        metadata_of(instance)["group"] = group_of(tokens)
        if topic is not None:
            metadata_of(instance)["topic"] = topic if isinstance(topic, str) else " ".join(topic)
        return instance

    def _tokens(self, text: Union[str, Sequence[str]], name: str) -> list[str]:
        return list(map(self._normalize, tokens_of(text, self._tokenizer, name)))


def group_of(tokens: Sequence[str]) -> int:
    """The number that the variants of a sentence share: from its tokens in any order and case."""
    key = " ".join(sorted(token.casefold() for token in tokens))
    # So many bits as a number of JSON has in every program that reads it.
    return int(hash_keys([key.encode("utf-8", "surrogatepass")])[0]) >> 11
