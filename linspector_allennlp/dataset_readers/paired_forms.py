from collections.abc import Iterable
from typing import Optional

from allennlp.data import DatasetReader, Instance

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader
from linspector_allennlp.formats import PairedForms, read_paired_forms


@DatasetReader.register("paired_forms")
class PairedFormsReader(ProbingReader):
    """
    Reads paired probing tasks (OddFeat, SameFeat): two word forms a line and the feature in
    which alone they differ, or which alone they share. See `linspector_allennlp.formats` for
    the file format.

    Registered as a `DatasetReader` with name "paired_forms". Parameters: see `ProbingReader`.

    # Returns

    Instances with the fields `form1` and `form2` (each form as the only token), `label` (where
    the file has one) and `metadata`.
    """

    def _rows(self, path: str) -> Iterable[PairedForms]:
        return read_paired_forms(path)

    def _row_to_instance(self, row: PairedForms) -> Instance:
        return self.text_to_instance(row.form1, row.form2, row.label)

    def text_to_instance(  # type: ignore[override]
        self, form1: str, form2: str, label: Optional[str] = None
    ) -> Instance:
        form1, form2 = self._normalize(form1), self._normalize(form2)
        return self._instance(
            {"form1": self._text_field([form1]), "form2": self._text_field([form2])},
            label,
            words=[form1, form2],
            input={"form1": form1, "form2": form2},
        )
