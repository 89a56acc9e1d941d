from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Optional, Union

from allennlp.data import DatasetReader, Instance, TokenIndexer, Tokenizer
from allennlp.data.fields import Field, LabelField, MetadataField

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader
from linspector_allennlp.dataset_readers.tokenizer import tokens_of
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import MalformedLine, numbered_lines
from linspector_allennlp.io.missing_files import listed
from linspector_allennlp.io.visible import is_invisible

LABELS = ("entailment", "neutral", "contradiction")

SAME_LABELS = {"contradictory": "contradiction"}
"""What the translated training data of XNLI call it."""

UNDECIDED = "-"
"""The gold label of a pair about which the annotators do not agree."""

HEADERS = (
    ("sentence1_tokenized", "sentence2_tokenized", "gold_label"),
    ("sentence1", "sentence2", "gold_label"),
    ("premise", "hypo", "label"),
    ("premise", "hypothesis", "label"),
)
"""The names of the three columns; of two that a file has, the first are read."""


class SentencePair(NamedTuple):
    line: int
    premise: str
    hypothesis: str
    label: str


def read_sentence_pairs(
    path: PathLike, language: Optional[str] = None, tokenized: bool = True
) -> Iterator[SentencePair]:
    """
    The pairs of a file of natural language inference, also those that are undecided. Columns are between
    tabs. A header names them, as in XNLI (`language`, `gold_label`, `sentence1`, `sentence2`, …) and in
    its translated training data (`premise`, `hypo`, `label`); without one they are premise, hypothesis
    and label.

    # Parameters

    language : `str`, optional
        Which rows to read of a file of several languages, as `"tr"`.
    tokenized : `bool`, optional (default = `True`)
        Whether to read columns with tokens between spaces, where a file has them.
    """
    names: Sequence[str] = ()
    languages: dict[str, None] = {}
    for line, text in numbered_lines(path, expected="a pair of sentences"):
        row = text.split("\t")
        if not names:
            names = row if _columns(row, tokenized) else HEADERS[-1]
            if names is row:
                continue
        if len(row) != len(names):
            expected = f"{len(names)} tab-separated columns ({', '.join(names)})"
            raise MalformedLine(path, line, expected, str(len(row)))
        cells = dict(zip(names, row))
        if "language" in cells:
            languages[cells["language"]] = None
            if language not in (None, cells["language"]):
                continue
            if language is None and len(languages) > 1:
                expected = "one language, or the setting `language`"
                raise MalformedLine(path, line, expected, listed(languages))
        yield _pair(path, line, *(cells[name] for name in _columns(names, tokenized)))
    if languages and language not in (None, *languages):
        raise ValueError(
            f"{path}: expected rows of language {language!r}, found {listed(languages)}."
        )


def _pair(path: PathLike, line: int, premise: str, hypothesis: str, label: str) -> SentencePair:
    label = SAME_LABELS.get(label, label)
    if label not in (*LABELS, UNDECIDED):
        raise MalformedLine(path, line, f"{', '.join(LABELS)} or {UNDECIDED}", repr(label))
    if is_invisible(premise) or is_invisible(hypothesis):
        raise MalformedLine(path, line, "two sentences", "nothing in one of them")
    return SentencePair(line, premise, hypothesis, label)


def _columns(row: Sequence[str], tokenized: bool) -> Sequence[str]:
    """The names of the columns to read, if this row is a header."""
    headers = HEADERS if tokenized else HEADERS[1:]
    return next((header for header in headers if set(header) <= set(row)), ())


@DatasetReader.register("nli")
class NliReader(ProbingReader):
    """
    Reads natural language inference, a premise, a hypothesis, and whether the one entails the other, for a
    model such as AllenNLP's `esim`. See `read_sentence_pairs` for the files.

    Pairs without a label that the annotators agree on (`-`) are left out, and counted in `left_out`.

    Registered as a `DatasetReader` with name "nli".

    # Parameters

    language : `str`, optional
        Which rows to read of a file of several languages, such as XNLI's: `"tr"`. A file without a column
        for it is read whole.
    tokenizer : `Tokenizer`, optional
        Of raw text, as `"words_and_punctuation"`. By default tokens are what is between spaces, in
        the columns `sentence1_tokenized` and `sentence2_tokenized` where a file has them.
    token_indexers, unicode_normalization, max_instances :
        See `ProbingReader`.

    # Returns

    Instances with the fields `premise`, `hypothesis`, `label` and `metadata`.
    """

    level = "sentence"

    def __init__(
        self,
        language: Optional[str] = None,
        tokenizer: Optional[Tokenizer] = None,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        unicode_normalization: Optional[str] = None,
        max_instances: Optional[int] = None,
    ) -> None:
        super().__init__(
            token_indexers=token_indexers,
            unicode_normalization=unicode_normalization,
            max_instances=max_instances,
        )
        self._language = language
        self._tokenizer = tokenizer
        self.left_out: dict[str, int] = {}

    def _rows(self, path: str) -> Iterable[SentencePair]:
        undecided, empty = 0, True
        for pair in read_sentence_pairs(path, self._language, tokenized=self._tokenizer is None):
            if pair.label == UNDECIDED:
                undecided += 1
            else:
                empty = False
                yield pair
        self.left_out = {"without a label": undecided} if undecided else {}
        if empty:
            raise ValueError(f"{path}: expected pairs of sentences with a label, found none.")

    def _row_to_instance(self, row: SentencePair) -> Instance:
        return self.text_to_instance(row.premise, row.hypothesis, row.label)

    def text_to_instance(  # type: ignore[override]
        self,
        premise: Union[str, Sequence[str]],
        hypothesis: Union[str, Sequence[str]],
        label: Optional[str] = None,
    ) -> Instance:
        """Text is cut into tokens; a list has them already."""
        texts = {"premise": self._tokens(premise), "hypothesis": self._tokens(hypothesis)}
        fields: dict[str, Field] = {
            name: self._text_field(tokens) for name, tokens in texts.items()
        }
        if label is not None:
            fields["label"] = LabelField(label)
        given = {name: " ".join(tokens) for name, tokens in texts.items()}
        words = [token for tokens in texts.values() for token in tokens]
        fields["metadata"] = MetadataField({"input": given, "words": words})
        return Instance(fields)

    def _tokens(self, text: Union[str, Sequence[str]]) -> list[str]:
        return list(map(self._normalize, tokens_of(text, self._tokenizer)))
