from collections.abc import Iterable
from typing import Optional

from allennlp.data import DatasetReader, Instance

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader
from linspector_allennlp.formats import SingleForm, read_single_forms


@DatasetReader.register("single_form")
class SingleFormReader(ProbingReader):
    """
    Reads single-form probing tasks (Case, Number, TagCount, …): one word form a line and its
    label. See `linspector_allennlp.formats` for the file format.

    Registered as a `DatasetReader` with name "single_form". Parameters: see `ProbingReader`.

    # Returns

    Instances with the fields `tokens` (the form as the only token), `label` (where the file has
    one) and `metadata`.
    """

    def _rows(self, path: str) -> Iterable[SingleForm]:
        return read_single_forms(path)

    def _row_to_instance(self, row: SingleForm) -> Instance:
        return self.text_to_instance(row.form, row.label)

    def text_to_instance(self, form: str, label: Optional[str] = None) -> Instance:  # type: ignore[override]
        form = self._normalize(form)
        return self._instance(
            {"tokens": self._text_field([form])}, label, words=[form], input={"form": form}
        )
