from collections.abc import Mapping
from typing import Any, Optional

from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder

from linspector_allennlp.installation import MODELS, missing_models
from linspector_allennlp.modules.fast_bilinear import with_fast_bilinear

NAME = "sized_model"


@Model.register(NAME, constructor="over")
class SizedModel(Model):
    """
    Any AllenNLP model over a representation, whose size no config has to say: what is built is the
    model itself, with the sizes of its input filled in.

    Registered as a `Model` with name "sized_model".

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
    model : `Model`
        Its settings without `text_field_embedder` and without the settings that `sizes` names.
    sizes : `Dict[str, int]`, optional (default = `{"encoder.input_size": 0}`)
        By the settings of the model that depend on the size of the representation, what is to be added
        to that, as the size of an embedding of other features beside it.
    """

    default_predictor = NAME

    @classmethod
    def over(
        cls,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        model: Lazy[Model],
        sizes: Optional[dict[str, int]] = None,
        serialization_dir: Optional[str] = None,
    ) -> Model:
        params = model._params.duplicate()
        if str(params.get("type")).startswith(f"{MODELS}."):
            missing = missing_models()
            if missing is not None:
                raise ConfigurationError(missing)
        settings = params.as_dict(quiet=True)
        dimension = text_field_embedder.get_output_dim()
        for name, more in ({"encoder.input_size": 0} if sizes is None else sizes).items():
            *parents, key = name.split(".")
            place = settings
            for parent in parents:
                place = place.setdefault(parent, {})
                if not isinstance(place, dict):
                    raise ConfigurationError(
                        f"sizes: expected settings of {parent} for {name}, found {place!r}."
                    )
            if key in place:
                raise ConfigurationError(
                    f"sizes: {name} follows from the representation: leave it out of the model."
                )
            place[key] = dimension + more
        built = Model.from_params(
            Params(settings), vocab=vocab, text_field_embedder=text_field_embedder
        )
        return with_fast_bilinear(built)


def inner_model(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings of a model by themselves, where a config has them in those of a `sized_model`."""
    return settings["model"] if settings.get("type") == NAME else settings
