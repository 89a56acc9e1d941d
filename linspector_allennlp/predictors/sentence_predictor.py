from allennlp.common.util import JsonDict
from allennlp.data import Instance

from linspector_allennlp.predictors.probe_predictor import ProbePredictor, is_sentence


class SentencePredictor(ProbePredictor):
    """
    The base of predictors that take a sentence: `{"sentence": "Koira nukkuu talossa ."}`, a string of
    tokens joined by single spaces, or a list of tokens.
    """

    keys = {"sentence": ("words joined by one space, or a list of words", is_sentence)}

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        (sentence,) = self._values(json_dict)
        tokens = sentence.split(" ") if isinstance(sentence, str) else sentence
        return self._dataset_reader.text_to_instance(tokens)
