from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors import Predictor

from linspector_allennlp.predictors.probe_predictor import (
    ProbePredictor,
    is_index,
    is_sentence,
)


@Predictor.register("token_in_context")
@Predictor.register("token_in_context_probe")
class TokenInContextPredictor(ProbePredictor):
    """
    Labels a token of a sentence: `{"sentence": "Koira nukkuu talossa .", "index": 2}`. The
    sentence is a string of tokens joined by single spaces, or a list of tokens.

    Registered as a `Predictor` with names "token_in_context_probe" and "token_in_context".
    """

    keys = {
        "sentence": ("words joined by one space, or a list of words", is_sentence),
        "index": ("a number from 0", is_index),
    }

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        sentence, index = self._values(json_dict)
        tokens = sentence.split(" ") if isinstance(sentence, str) else sentence
        return self._dataset_reader.text_to_instance(tokens, index)
