from linspector_allennlp.dataset_readers.paired_forms import PairedFormsReader
from linspector_allennlp.dataset_readers.single_form import SingleFormReader
from linspector_allennlp.dataset_readers.token_in_context import TokenInContextReader

__all__ = ["PairedFormsReader", "SingleFormReader", "TokenInContextReader"]
