import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance, TokenIndexer
from allennlp.data.dataset_readers.dataset_utils import to_bioul
from allennlp.data.dataset_readers.dataset_utils.span_utils import iob1_tags_to_spans
from allennlp.data.fields import Field, MetadataField, SequenceLabelField

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.io.conllu_rows import check_visible, conllu_blocks
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import MalformedLine, decoded

NEW_DOCUMENT = "-DOCSTART-"
BETWEEN = re.compile("[ \t]+")
"""What is between columns; other white space belongs to a word."""

OUTSIDE = "O"

SCHEMES = ("BIOUL", "BIO")


class EntitySentence(NamedTuple):
    """A sentence, its number in the file, and for each word its line, and the tag as it is there."""

    number: int
    lines: list[int]
    words: list[str]
    tags: list[str]

    @property
    def line(self) -> int:
        return self.lines[0]


def read_entities(path: PathLike) -> Iterator[EntitySentence]:
    """
    The sentences of a file in the format of CoNLL-2003: columns between spaces or tabs, the same number of
    them all through the file, the word in the first and the tag in the last; blank lines between
    sentences. A document begins with a line `-DOCSTART-`, which is no sentence.

    Tags are `O`, `I-TYPE` and `B-TYPE`, in either of two schemes: IOB1, where an entity begins with B only
    right behind another of its type, or BIO (IOB2), where it always does.
    """
    width, number = 0, 0
    for block in conllu_blocks(path):
        lines, words, tags = [], [], []
        for line, raw in block:
            columns = BETWEEN.split(decoded(path, line, raw).strip(" \t"))
            if columns[0] == NEW_DOCUMENT:
                continue
            width = width or len(columns)
            if len(columns) != width or width < 2:
                expected = (
                    f"{width} columns, as in the lines before" if width > 1 else "2 or more columns"
                )
                raise MalformedLine(path, line, expected, str(len(columns)))
            if columns[-1] != OUTSIDE and not (columns[-1][:2] in ("B-", "I-") and columns[-1][2:]):
                raise MalformedLine(path, line, "O, I-TYPE or B-TYPE as the tag", repr(columns[-1]))
            check_visible(path, line, columns[0])
            words.append(columns[0])
            tags.append(columns[-1])
            lines.append(line)
        if words:
            yield EntitySentence(number, lines, words, tags)
            number += 1


def recoded(tags: Sequence[str], scheme: str) -> list[str]:
    """The tags of a sentence, in IOB1 or BIO, in another scheme: `BIOUL` or `BIO`."""
    if scheme == "BIOUL":
        return to_bioul(list(tags), encoding="IOB1")
    found = [OUTSIDE] * len(tags)
    for kind, (start, end) in iob1_tags_to_spans(list(tags)):
        found[start : end + 1] = [f"B-{kind}", *[f"I-{kind}"] * (end - start)]
    return found


@DatasetReader.register("named_entities")
class NamedEntitiesReader(ProbingReader):
    """
    Reads named entities, or any other spans of words, in the format of CoNLL-2003 (see `read_entities`), for
    a tagger such as AllenNLP's `crf_tagger`. AllenNLP's own reader, `conll2003`, wants four columns and
    does not say where a file is broken.

    Registered as a `DatasetReader` with name "named_entities".

    # Parameters

    scheme : `str`, optional (default = `"BIOUL"`)
        Of the tags that the model gets: `"BIOUL"` or `"BIO"`. Files may be in IOB1 or BIO.
    token_indexers, unicode_normalization, max_instances :
        See `ProbingReader`.

    # Returns

    Instances with the fields `tokens`, `tags` and `metadata`.
    """

    level = "token"

    def __init__(
        self,
        scheme: str = "BIOUL",
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        unicode_normalization: Optional[str] = None,
        max_instances: Optional[int] = None,
    ) -> None:
        super().__init__(
            token_indexers=token_indexers,
            unicode_normalization=unicode_normalization,
            max_instances=max_instances,
        )
        if scheme not in SCHEMES:
            raise ConfigurationError(
                f"scheme: expected {' or '.join(SCHEMES)}, found {scheme!r}. Files may be in IOB1 or BIO."
            )
        self._scheme = scheme

    def _rows(self, path: str) -> Iterable[EntitySentence]:
        empty = True
        for sentence in read_entities(path):
            empty = False
            yield sentence
        if empty:
            raise ValueError(f"{path}: expected sentences in the format of CoNLL-2003, found none.")

    def _row_to_instance(self, row: EntitySentence) -> Instance:
        instance = self.text_to_instance(row.words, row.tags)
        indices = list(range(len(row.words)))
        metadata_of(instance).update(sentence=row.number, lines=row.lines, indices=indices)
        return instance

    def text_to_instance(  # type: ignore[override]
        self, tokens: Sequence[str], tags: Optional[Sequence[str]] = None
    ) -> Instance:
        """A sentence, and its tags in IOB1 or BIO."""
        tokens = [self._normalize(token) for token in tokens]
        text = self._text_field(tokens)
        fields: dict[str, Field] = {"tokens": text}
        if tags is not None:
            fields["tags"] = SequenceLabelField(recoded(tags, self._scheme), text)
        fields["metadata"] = MetadataField(
            {"input": {"sentence": " ".join(tokens)}, "words": tokens, "forms": tokens}
        )
        return Instance(fields)
