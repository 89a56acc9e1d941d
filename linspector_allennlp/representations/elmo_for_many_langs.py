import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Optional, Union

import numpy as np
import torch
from allennlp.modules import TokenEmbedder

from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.representations.computed_embedder import ComputedEmbedder
from linspector_allennlp.representations.elmo.many_langs_folder import (
    CHARACTERS,
    WEIGHTS,
    WORDS,
    check_folder,
    model_options,
)
from linspector_allennlp.representations.elmo.many_langs_network import (
    FormNumbers,
    ManyLangsNetwork,
)
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.words import Words


@TokenEmbedder.register("elmo_for_many_langs")
class ElmoForManyLangsEmbedder(ComputedEmbedder):
    """
    ELMo of 44 languages (ELMoForManyLangs, Che et al. 2018), read from the model's folder by AllenNLP's
    modules. Layer 0 is the vector that the character network and the vector of the word give, twice in a row;
    the layers after it are those of the bidirectional LSTM, forward and backward half side by side.

    A sentence has the same vectors whatever was computed before it: the original goes on from the states in
    which the last batch ended, here every batch begins anew.

    Of a word the model sees so many characters as its options say, 48 in released models, and nothing of the
    rest. Characters and words that its dictionaries do not have are unknown ones to it.

    Registered as a `TokenEmbedder` with name "elmo_for_many_langs".

    # Parameters

    folder : `str`
        The unpacked folder of a model.
    layer : `Union[int, List[int], str]`, optional (default = `"average"`)
        From 0 to the number of LSTM layers, which is 2 in released models; see `LayerChoice`. The default is
        that of the original.
    alone : `bool`, optional (default = `False`)
        Whether every word is taken out of its sentence and is a sentence of its own.
    options_file : `str`, optional (default = `None`)
        The options of the network, where `config.json` does not name a file that is there. Those of the released
        models (`cnn_50_100_512_4096_sample.json`) are known.
    precision : `str`, optional (default = `"float32"`)
    batch_size : `int`, optional (default = `32`)
        See `ComputedEmbedder`.
    """

    def __init__(
        self,
        folder: str,
        layer: Union[int, list[int], str] = "average",
        alone: bool = False,
        options_file: Optional[str] = None,
        precision: str = "float32",
        batch_size: int = 32,
    ) -> None:
        self._folder = check_folder(find_file(folder, "folder"))
        given = options_file and find_file(options_file, "options_file")
        self._options = model_options(self._folder, given)
        encoder = self._options["encoder"]
        super().__init__(
            num_layers=encoder["n_layers"] + 1,
            layer_dim=2 * encoder["projection_dim"],
            layer=layer,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )
        names = [CHARACTERS, *WEIGHTS]
        if self._options["token_embedder"]["word_dim"]:
            names.append(WORDS)
        self._digests = {name: file_digest(self._folder / name) for name in names}
        recipe = json.dumps([self._options, self._digests], sort_keys=True)
        self._digest = hashlib.sha256(recipe.encode()).hexdigest()
        self.remember(self._digest, folder, "folder")

    def identity(self) -> dict[str, Any]:
        return {"type": "elmo_for_many_langs", "options": self._options, "files": self._digests}

    def compute(self, sentences: Sequence[Words]) -> torch.Tensor:
        return self._network.to(self.fingerprint.device)(sentences)

    computes_with = ("_network",)

    @cached_property
    def _network(self) -> ManyLangsNetwork:
        return ManyLangsNetwork(self._folder, self._options, self._numbers)

    @cached_property
    def _numbers(self) -> FormNumbers:
        return FormNumbers(self._folder, self._options)

    def knows(self, forms: Sequence[str]) -> np.ndarray:
        """Those of which at least one character is known."""
        known = self._numbers.characters
        return np.array([any(each in known for each in form) for form in forms], dtype=bool)

    def provenance(self) -> dict[str, Any]:
        return {
            "path": self.source,
            "sha256": self._digest,
            "files": self._digests,
            "options": self._options,
            "layer": self._choice.setting,
            "alone": self.ignores_context,
            "precision": self._precision,
            "dimension": self._dimension // self.mixed_layers,
        }
