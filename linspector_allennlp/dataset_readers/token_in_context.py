from collections.abc import Iterable, Sequence
from typing import Optional

from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import IndexField

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.formats import TokenInContext, read_tokens_in_context


@DatasetReader.register("token_in_context")
class TokenInContextReader(ProbingReader):
    """
    Reads token-level probing tasks: a sentence, the 0-based index of the probed token in it, and
    the token's label. See `linspector_allennlp.formats` for the file format.

    Registered as a `DatasetReader` with name "token_in_context". Parameters: see `ProbingReader`.

    # Returns

    Instances with the fields `tokens` (the sentence), `index` (of the probed token), `label`
    (where the file has one) and `metadata`.
    """

    level = "token"

    def _rows(self, path: str) -> Iterable[TokenInContext]:
        return read_tokens_in_context(path)

    def _row_to_instance(self, row: TokenInContext) -> Instance:
        instance = self.text_to_instance(row.tokens, row.token_index, row.label)
        metadata_of(instance)["sentence"] = row.sentence
        return instance

    def text_to_instance(  # type: ignore[override]
        self, tokens: Sequence[str], index: int, label: Optional[str] = None
    ) -> Instance:
        tokens = [self._normalize(token) for token in tokens]
        check_token_index(tokens, index)
        text = self._text_field(tokens)
        return self._instance(
            {"tokens": text, "index": IndexField(index, text)},
            label,
            words=[tokens[index]],
            input={"sentence": " ".join(tokens), "index": index},
        )


def check_token_index(tokens: Sequence[str], index: int) -> None:
    """Raises `ValueError` unless the index is that of one of the tokens."""
    if not 0 <= index < len(tokens):
        raise ValueError(
            f"expected a token index from 0 to {len(tokens) - 1} in {' '.join(tokens)!r}, found {index}."
        )
