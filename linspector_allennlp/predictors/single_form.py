from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors import Predictor

from linspector_allennlp.predictors.probe_predictor import ProbePredictor, is_word


@Predictor.register("single_form")
@Predictor.register("single_form_probe")
class SingleFormPredictor(ProbePredictor):
    """
    Labels a word form: `{"form": "talossa"}`.

    Registered as a `Predictor` with names "single_form_probe" and "single_form".
    """

    keys = {"form": ("a word", is_word)}

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        (form,) = self._values(json_dict)
        return self._dataset_reader.text_to_instance(form)
