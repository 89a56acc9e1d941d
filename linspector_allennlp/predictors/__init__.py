from linspector_allennlp.predictors.dependency_tree import DependencyTreePredictor
from linspector_allennlp.predictors.paired_forms import PairedFormsPredictor
from linspector_allennlp.predictors.single_form import SingleFormPredictor
from linspector_allennlp.predictors.token_in_context import TokenInContextPredictor
from linspector_allennlp.predictors.token_tags import TokenTagsPredictor

__all__ = [
    "DependencyTreePredictor",
    "PairedFormsPredictor",
    "SingleFormPredictor",
    "TokenInContextPredictor",
    "TokenTagsPredictor",
]
