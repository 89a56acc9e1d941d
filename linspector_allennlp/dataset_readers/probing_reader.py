from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Optional
from unicodedata import normalize

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader, Instance, Token, TokenIndexer
from allennlp.data.fields import Field, MetadataField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from linspector_allennlp.fields import ProbeLabelField, metadata_of
from linspector_allennlp.io.missing_files import missing_file


class ProbingReader(DatasetReader):
    """
    What the readers of probing data share: sharding over processes, the token indexers, Unicode
    normalisation, and the metadata of an instance. A subclass says how a file becomes rows
    (`_rows`) and a row becomes an instance (`text_to_instance`).

    The metadata of an instance hold `input` (what a predictor would be given), `words` (the
    probed words: what baselines look at and out-of-vocabulary rates are counted over) and, when it
    comes from a file, `file` and `line`, and the number of its `sentence` there, where it is part of one.
    A label is in its field and nowhere else.

    # Parameters

    token_indexers : `Dict[str, TokenIndexer]`, optional (default = `{"tokens": SingleIdTokenIndexer()}`)
        Any of AllenNLP's, or `word_form` for the representations of this package.
    unicode_normalization : `str`, optional (default = `None`)
        `"NFC"`, `"NFD"`, `"NFKC"` or `"NFKD"`; by default text is kept as it is.
    max_instances : `int`, optional (default = `None`)
        Only so many instances are read, from the beginning.
    """

    def __init__(
        self,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        unicode_normalization: Optional[str] = None,
        max_instances: Optional[int] = None,
    ) -> None:
        super().__init__(
            max_instances=max_instances,
            manual_distributed_sharding=True,
            manual_multiprocess_sharding=True,
        )
        if unicode_normalization not in (None, "NFC", "NFD", "NFKC", "NFKD"):
            raise ConfigurationError(
                "unicode_normalization: expected NFC, NFD, NFKC, NFKD or nothing, "
                f"found {unicode_normalization!r}."
            )
        self._token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer()}
        self._unicode_normalization = unicode_normalization

    level: ClassVar[str] = "type"
    """The level of its tasks: `type`, `token` or `sentence`."""

    @property
    def task(self) -> dict[str, Any]:
        """The question, for the record of a run: its `level`, and of a treebank the `target`."""
        return {"level": self.level}

    def _rows(self, path: str) -> Iterable[Any]:
        """The rows of a file, each with a `line`, in the format's own type."""
        raise NotImplementedError

    def _row_to_instance(self, row: Any) -> Instance:
        raise NotImplementedError

    def _rows_of(self, file_path: str) -> Iterable[Any]:
        """The same of a file that may have to be fetched first."""
        return self._rows(local_file(file_path))

    def _file_of(self, row: Any, file_path: str) -> str:
        """The file that a row comes from, where a path may name several."""
        return file_path

    def _read(self, file_path: str) -> Iterable[Instance]:
        for row in self.shard_iterable(self._rows_of(str(file_path))):
            instance = self._row_to_instance(row)
            file = self._file_of(row, str(file_path))
            metadata_of(instance).update(file=file, line=row.line)
            yield instance

    def apply_token_indexers(self, instance: Instance) -> None:
        for field in instance.fields.values():
            if isinstance(field, TextField):
                field.token_indexers = self._token_indexers

    def _normalize(self, text: str) -> str:
        if self._unicode_normalization is None:
            return text
        return normalize(self._unicode_normalization, text)  # type: ignore[arg-type]

    def _text_field(self, words: Sequence[str]) -> TextField:
        if not all(word.strip() for word in words):
            raise ValueError(f"expected words, found an empty one in {list(words)}.")
        return TextField([Token(word) for word in words])

    def _instance(
        self,
        fields: dict[str, Field],
        label: Optional[str],
        words: list[str],
        input: dict[str, Any],
    ) -> Instance:
        if label is not None:
            fields["label"] = ProbeLabelField(label)
        fields["metadata"] = MetadataField({"input": input, "words": words})
        return Instance(fields)


def local_file(file_path: str) -> str:
    """The path of a data file on this machine."""
    try:
        return str(cached_path(file_path))
    except FileNotFoundError as error:
        raise FileNotFoundError(missing_file(file_path)) from error
