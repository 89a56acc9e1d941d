from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Union

import h5py
import numpy as np
import torch
from allennlp.data.token_indexers.elmo_indexer import ELMoCharacterMapper
from allennlp.modules import TokenEmbedder
from allennlp.modules.elmo import _ElmoBiLm, batch_to_ids

from linspector_allennlp.io.arrays import HDF5, find_array, reading_arrays
from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.io.regular import PathLike, regular
from linspector_allennlp.representations.computed_embedder import ComputedEmbedder
from linspector_allennlp.representations.elmo.options import (
    Entries,
    is_clip,
    is_filters,
    is_size,
    read_options,
)
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.words import Words

CHARACTERS = ELMoCharacterMapper.padding_character + 1  # 256 bytes and 5 marks
WIDTH = ELMoCharacterMapper.max_word_length


# What AllenNLP's ELMo takes from the options; with other entries it would fail late or, given
# another width, go wrong without a word.
ENTRIES: Entries = {
    "char_cnn.activation": ("relu or tanh", lambda value: value in ("relu", "tanh")),
    "char_cnn.embedding.dim": ("a size", is_size),
    "char_cnn.filters": ("a list of pairs of width and number", is_filters),
    "char_cnn.max_characters_per_token": (str(WIDTH), lambda value: value == WIDTH),
    "char_cnn.n_highway": ("a number of layers", lambda value: isinstance(value, int)),
    "lstm.cell_clip": ("a number or null", is_clip),
    "lstm.dim": ("a size", is_size),
    "lstm.n_layers": ("a number of layers", is_size),
    "lstm.proj_clip": ("a number or null", is_clip),
    "lstm.projection_dim": ("a size", is_size),
    "lstm.use_skip_connections": ("true", lambda value: value is True),
}


def weight_shapes(options: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The datasets that a weight file must have, by name, and their shapes."""
    cnn, lstm = options["char_cnn"], options["lstm"]
    width = cnn["embedding"]["dim"]
    num_filters = sum(number for _, number in cnn["filters"])
    dim, projected = lstm["dim"], lstm["projection_dim"]
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (CHARACTERS, width)}
    for i, (span, number) in enumerate(cnn["filters"]):
        shapes[f"CNN/W_cnn_{i}"] = (1, span, width, number)
        shapes[f"CNN/b_cnn_{i}"] = (number,)
    for i in range(cnn["n_highway"]):
        for gate in ("carry", "transform"):
            shapes[f"CNN_high_{i}/W_{gate}"] = (num_filters, num_filters)
            shapes[f"CNN_high_{i}/b_{gate}"] = (num_filters,)
    shapes["CNN_proj/W_proj"] = (num_filters, projected)
    shapes["CNN_proj/b_proj"] = (projected,)
    for direction in range(2):
        for i in range(lstm["n_layers"]):
            cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{i}/LSTMCell"
            shapes[f"{cell}/W_0"] = (2 * projected, 4 * dim)
            shapes[f"{cell}/B"] = (4 * dim,)
            shapes[f"{cell}/W_P_0"] = (dim, projected)
    return shapes


def check_weights(path: PathLike, options: Mapping[str, Any]) -> None:
    """Raises unless the file has all weights that the options speak of. Reads only their shapes."""
    regular(path)
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise ValueError(
            f"{path}: expected the weights of an ELMo model in HDF5, found what cannot be read "
            f"({error}). Fetch the file again."
        ) from error
    with file, reading_arrays(path, HDF5):
        for name, expected in weight_shapes(options).items():
            found = getattr(find_array(file, name), "shape", None)
            # Some models have characters to spare.
            if name == "char_embed" and found and found[0] > CHARACTERS:
                expected = (found[0], *expected[1:])
            if found != expected:
                raise ValueError(
                    f"{path}: expected {name} of shape {expected}, as the options say, found "
                    f"{'none' if found is None else found}. Are both files of the same model?"
                )


@TokenEmbedder.register("elmo_layer")
class ElmoLayerEmbedder(ComputedEmbedder):
    """
    ELMo (Peters et al. 2018), by AllenNLP's own implementation. Layer 0 is the vector that the
    character network gives the word, twice in a row to be as long as the others; the layers after
    it are those of the bidirectional LSTM, forward and backward half side by side.

    A sentence has the same vectors whatever was computed before it: AllenNLP's module goes on from
    the states in which the last batch ended, here every batch begins anew.

    Of a word ELMo sees the first 48 bytes in UTF-8, and nothing of the rest.

    Registered as a `TokenEmbedder` with name "elmo_layer".

    # Parameters

    options_file, weight_file : `str`
        The JSON and the HDF5 file of a model: paths, or anything that `cached_path` takes.
    layer : `Union[int, List[int], str]`, optional (default = `"average"`)
        From 0 to the number of LSTM layers, which is 2 in most models; see `LayerChoice`. The
        default is what LINSPECTOR (Şahin et al. 2020) does.
    alone : `bool`, optional (default = `False`)
        Whether every word is taken out of its sentence and is a sentence of its own
        (decontextualised), so that all its occurrences have the same vector.
    precision : `str`, optional (default = `"float32"`)
    batch_size : `int`, optional (default = `32`)
        See `ComputedEmbedder`.
    """

    def __init__(
        self,
        options_file: str,
        weight_file: str,
        layer: Union[int, list[int], str] = "average",
        alone: bool = False,
        precision: str = "float32",
        batch_size: int = 32,
    ) -> None:
        files = {
            "options": find_file(options_file, "options_file"),
            "weights": find_file(weight_file, "weight_file"),
        }
        options = read_options(
            files["options"], ENTRIES, "Are the options and the weights interchanged?"
        )
        check_weights(files["weights"], options)
        super().__init__(
            num_layers=options["lstm"]["n_layers"] + 1,
            layer_dim=2 * options["lstm"]["projection_dim"],
            layer=layer,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )
        self._names = {"options": options_file, "weights": weight_file}
        self._files = files
        self._digests = {part: file_digest(path) for part, path in files.items()}
        self.remember(self._digests["options"], options_file, "options_file")
        self.remember(self._digests["weights"], weight_file, "weight_file")

    def identity(self) -> dict[str, Any]:
        return {"type": "elmo_layer", **self._digests}

    def compute(self, sentences: Sequence[Words]) -> torch.Tensor:
        device = self.fingerprint.device
        model = self._model.to(device)
        model._elmo_lstm.reset_states()
        # Shape: (batch, num_tokens, num_characters)
        characters = batch_to_ids([list(words) for words in sentences]).to(device)
        # Shape: (num_layers, batch, num_tokens + 2, layer_dim); the two are the sentence's bounds.
        activations = torch.stack(model(characters)["activations"])
        is_word = (characters > 0).any(dim=-1)
        return activations[:, :, 1:-1][:, is_word]

    @cached_property
    def _model(self) -> _ElmoBiLm:
        return _ElmoBiLm(self._files["options"], self._files["weights"]).eval()

    def knows(self, forms: Sequence[str]) -> np.ndarray:
        return np.ones(len(forms), dtype=bool)

    def provenance(self) -> dict[str, Any]:
        return {
            "path": self._names["weights"],
            "sha256": self._digests["weights"],
            "options": {"path": self._names["options"], "sha256": self._digests["options"]},
            "layer": self._choice.setting,
            "alone": self.ignores_context,
            "precision": self._precision,
            "dimension": self._dimension // self.mixed_layers,
        }
