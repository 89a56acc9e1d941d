from linspector_allennlp.predictors.paired_forms import PairedFormsPredictor
from linspector_allennlp.predictors.single_form import SingleFormPredictor
from linspector_allennlp.predictors.token_in_context import TokenInContextPredictor

__all__ = ["PairedFormsPredictor", "SingleFormPredictor", "TokenInContextPredictor"]
