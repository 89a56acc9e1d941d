from allennlp.predictors import Predictor

from linspector_allennlp.predictors.sentence_predictor import SentencePredictor


@Predictor.register("token_tags")
@Predictor.register("tagging_probe")
class TokenTagsPredictor(SentencePredictor):
    """
    Tags all words of a sentence: `tags`, and their `probabilities`.

    Registered as a `Predictor` with names "tagging_probe" and "token_tags".
    """
