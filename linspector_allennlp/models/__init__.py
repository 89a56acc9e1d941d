from linspector_allennlp.models.frozen_probe import FrozenProbe
from linspector_allennlp.models.paired_forms_probe import PairedFormsProbe
from linspector_allennlp.models.single_form_probe import SingleFormProbe
from linspector_allennlp.models.token_in_context_probe import TokenInContextProbe

__all__ = ["FrozenProbe", "PairedFormsProbe", "SingleFormProbe", "TokenInContextProbe"]
