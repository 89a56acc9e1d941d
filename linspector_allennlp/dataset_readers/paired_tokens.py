from collections.abc import Iterable, Sequence
from typing import Optional

from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import Field, IndexField

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader
from linspector_allennlp.dataset_readers.token_in_context import check_token_index
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.formats import PairedTokens, read_paired_tokens


@DatasetReader.register("paired_tokens")
class PairedTokensReader(ProbingReader):
    """
    Reads paired probing tasks of tokens in context (token-level OddFeat, SameFeat): two sentences, the
    0-based index of the probed token in each, and the feature in which alone the two tokens differ, or
    which alone they share. See `linspector_allennlp.formats` for the file format.

    Registered as a `DatasetReader` with name "paired_tokens". Parameters: see `ProbingReader`.

    # Returns

    Instances with the fields `tokens1` and `tokens2` (the sentences), `index1` and `index2` (of the probed
    tokens), `label` (where the file has one) and `metadata`.
    """

    level = "token"

    def _rows(self, path: str) -> Iterable[PairedTokens]:
        return read_paired_tokens(path)

    def _row_to_instance(self, row: PairedTokens) -> Instance:
        instance = self.text_to_instance(
            row.tokens1, row.index1, row.tokens2, row.index2, row.label
        )
        metadata_of(instance).update(sentence1=row.sentence1, sentence2=row.sentence2)
        return instance

    def text_to_instance(  # type: ignore[override]
        self,
        tokens1: Sequence[str],
        index1: int,
        tokens2: Sequence[str],
        index2: int,
        label: Optional[str] = None,
    ) -> Instance:
        fields: dict[str, Field] = {}
        given: dict[str, object] = {}
        words = []
        for number, (tokens, index) in enumerate([(tokens1, index1), (tokens2, index2)], start=1):
            tokens = [self._normalize(token) for token in tokens]
            check_token_index(tokens, index)
            text = self._text_field(tokens)
            fields.update({f"tokens{number}": text, f"index{number}": IndexField(index, text)})
            given.update({f"sentence{number}": " ".join(tokens), f"index{number}": index})
            words.append(tokens[index])
        return self._instance(fields, label, words=words, input=given)
