from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors import Predictor

from linspector_allennlp.predictors.probe_predictor import ProbePredictor, is_word


@Predictor.register("paired_forms")
@Predictor.register("paired_forms_probe")
class PairedFormsPredictor(ProbePredictor):
    """
    Labels a pair of word forms: `{"form1": "talossa", "form2": "talosta"}`.

    Registered as a `Predictor` with names "paired_forms_probe" and "paired_forms".
    """

    keys = {"form1": ("a word", is_word), "form2": ("a word", is_word)}

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        form1, form2 = self._values(json_dict)
        return self._dataset_reader.text_to_instance(form1, form2)
