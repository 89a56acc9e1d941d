import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Optional

import numpy as np
import torch
import transformers
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations.computed_embedder import ComputedEmbedder
from linspector_allennlp.representations.hugging_face.piece_stack import (
    room_for_pieces,
    stack_pieces,
)
from linspector_allennlp.representations.hugging_face.transformer_files import (
    file_digests,
    load_tokenizer,
    model_folder,
    piece_limit,
)
from linspector_allennlp.representations.hugging_face.transformer_model import (
    draw_random,
    load_pretrained,
    taken_inputs,
)
from linspector_allennlp.representations.hugging_face.whole_sentences import (
    SENTENCE_POOLINGS,
    WholeSentences,
)
from linspector_allennlp.representations.hugging_face.word_pieces import (
    POOLINGS,
    PieceBatch,
    WordPieces,
    pool_pieces,
)
from linspector_allennlp.representations.layer_choice import LayerSetting
from linspector_allennlp.representations.words import Words

WEIGHTS = ("pretrained", "random")


@TokenEmbedder.register("transformer_layer")
class TransformerLayerEmbedder(ComputedEmbedder):
    """
    The vectors of words in a layer of a transformer of Hugging Face's. Words are cut into pieces by
    the model's own tokenizer, and the vectors of a word's pieces are pooled. A word form without a
    sentence is fed as a sentence of one word.

    Registered as a `TokenEmbedder` with name "transformer_layer".

    # Parameters

    model : `str`
        The name of a model on the hub, or a folder with its files.
    layer : `Union[int, List[int], str]`, optional (default = `-1`)
        0 is the embedding layer (in most models with the position added), −1 the last; see
        `LayerChoice` for lists, `"average"` and `"mix"`.
    pool : `str`, optional (default = `"mean"`)
        Of a word's pieces: `"mean"`, `"max"` by component, `"first"` or `"last"`. With `"attention"`
        a probe of words learns in its head which pieces count (`PieceAttentionHead`); that needs one
        `layer`. With `"cls"`, `"sentence_mean"` or
        `"sentence_max"` all words of a sentence have the vector of the sentence: see
        `WholeSentences`.
    weights : `str`, optional (default = `"pretrained"`)
        `"random"` is the control: the same architecture and tokenizer, never trained.
    seed : `int`, optional
        Of the random weights; by default that of the run.
    long_sentences : `str`, optional (default = `"window"`)
        What becomes of a sentence with more pieces than the model takes: see `WordPieces`.
    max_length : `int`, optional
        The most pieces, with the special ones, at a time; by default what the model takes.
    max_pieces : `int`, optional
        With `"attention"` (default = `8`): a word with more pieces is refused. The vectors of so many
        pieces are kept for each word.
    allow_new_weights : `bool`, optional (default = `False`)
        Whether to probe a model whose files lack weights that its vectors depend on, or have them in another
        shape: they are random then, of the `seed`, and named in the provenance. By default an error.
    alone, precision, batch_size :
        See `ComputedEmbedder`.
    """

    VERSION = 3

    def __init__(
        self,
        model: str,
        layer: LayerSetting = -1,
        pool: str = "mean",
        weights: str = "pretrained",
        seed: Optional[int] = None,
        long_sentences: str = "window",
        max_length: Optional[int] = None,
        alone: bool = False,
        precision: str = "float32",
        batch_size: int = 32,
        max_pieces: Optional[int] = None,
        allow_new_weights: bool = False,
    ) -> None:
        poolings = (*POOLINGS, *SENTENCE_POOLINGS)
        for name, found, expected in [("pool", pool, poolings), ("weights", weights, WEIGHTS)]:
            if found not in expected:
                raise ConfigurationError(
                    f"{name}: expected {' or '.join(expected)}, found {found!r}."
                )
        self.max_pieces = room_for_pieces(pool, max_pieces, layer)
        self._learns_pieces = False
        self._folder = model_folder(model)
        self._config = transformers.AutoConfig.from_pretrained(self._folder)
        # A model of more than text has the sizes of its part for text in a config of its own.
        self._sizes = self._config.get_text_config(encoder=self._config.is_encoder_decoder)
        super().__init__(
            num_layers=self._sizes.num_hidden_layers + 1,
            # With attention the vectors of all pieces, and their number.
            layer_dim=self._sizes.hidden_size * (self.max_pieces or 1) + bool(self.max_pieces),
            layer=layer,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )
        self._name = model
        self._pool = pool
        self.per_sentence = pool in SENTENCE_POOLINGS
        self._weights = weights
        self._allow_new_weights = allow_new_weights
        self._new_weights: Optional[Sequence[str]] = None
        if weights == "random" or allow_new_weights:
            self.take_seed(seed)
        self._long_sentences = long_sentences
        self._max_length = max_length
        self._remember_identity()

    def _remember_identity(self) -> None:
        digest = hashlib.sha256(json.dumps(self.identity(), sort_keys=True).encode())
        self.remember(digest.hexdigest(), self._name, "model")

    def seed_was_loaded(self) -> None:
        super().seed_was_loaded()
        self.__dict__.pop("_model", None)
        self.forget()
        self._remember_identity()

    def identity(self) -> dict[str, Any]:
        pretrained = self._weights == "pretrained"
        return {
            "type": "transformer_layer",
            "files": file_digests(self._folder, with_weights=pretrained),
            "weights": self._weights if pretrained else f"random, seed {self._seed}",
            "pool": self._pool,
            "long_sentences": self._long_sentences,
            "max_length": self._max_length,
            **({"max_pieces": self.max_pieces} if self.max_pieces else {}),
            **({"new_weights": f"seed {self._seed}"} if self._has_new_weights else {}),
        }

    def provenance(self) -> dict[str, Any]:
        return {
            "model": self._name,
            **self.identity(),
            **({"new_weights": self._names_of_new_weights()} if self._has_new_weights else {}),
            "layer": self._choice.setting,
            "alone": self.ignores_context,
            "precision": self._precision,
            "dimension": self._dimension // (self.max_pieces or self.mixed_layers),
        }

    def hand_over_pieces(self) -> int:
        self._learns_pieces = True
        return self.max_pieces

    def forward(
        self, code_points: torch.Tensor, probed: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        if self.max_pieces and not self._learns_pieces:
            raise ConfigurationError(
                'pool: "attention" is learned in the head of a probe: for another model name another '
                'pooling, such as "mean".'
            )
        return super().forward(code_points, probed)

    def knows(self, forms: Sequence[str]) -> Optional[np.ndarray]:
        # The vector of a sentence is not that of its words, known or not.
        return None if self.per_sentence else self._pieces.knows(forms)

    def lengths(self, sentences: Sequence[Words]) -> list[int]:
        return self._pieces.lengths(sentences)

    def compute(self, sentences: Sequence[Words]) -> torch.Tensor:
        batch = self._pieces.encode(sentences)
        # Shape: (num_layers, num_pieces, layer_dim)
        pieces = self._piece_vectors(batch)
        num_words = len(sentences) if self.per_sentence else sum(map(len, sentences))
        word_of = batch.word_of.to(pieces.device)
        pool = SENTENCE_POOLINGS.get(self._pool, self._pool)
        if self.max_pieces:
            stacked = [stack_pieces(layer, word_of, sentences, self.max_pieces) for layer in pieces]
            return torch.stack(stacked)
        # Shape: (num_layers, num_words, layer_dim)
        return torch.stack([pool_pieces(layer, word_of, num_words, pool) for layer in pieces])

    def _piece_vectors(self, batch: PieceBatch) -> torch.Tensor:
        device = self.fingerprint.device
        model = self._model.to(device)
        # Some tokenizers give more than the model takes, such as segments to DistilBERT.
        inputs = {name: batch.inputs[name].to(device) for name in taken_inputs(model, batch.inputs)}
        shape = self._num_layers, len(batch.window_of), self._sizes.hidden_size
        vectors = torch.empty(shape, device=device)
        # Long sentences are many windows: memory is to depend on the size of a batch, not on them.
        for first in range(0, len(batch.inputs["input_ids"]), self._batch_size):
            last = first + self._batch_size
            windows = {name: tensor[first:last] for name, tensor in inputs.items()}
            layers = model(**windows, output_hidden_states=True).hidden_states
            self._check_layers(layers, windows["input_ids"].shape)
            here = (batch.window_of >= first) & (batch.window_of < last)
            places = (batch.window_of[here] - first).to(device), batch.position_of[here].to(device)
            for number, layer in enumerate(layers):
                # Shape: (num_windows, window_length, layer_dim) → (num_pieces_here, layer_dim)
                vectors[number, here] = layer[places]
        return vectors

    def _check_layers(self, layers: Sequence[torch.Tensor], shape: Sequence[int]) -> None:
        """Some models shorten the text on its way, or have layers of several sizes."""
        found = [tuple(layer.shape) for layer in layers]
        wanted = (*shape, self._sizes.hidden_size)
        if found != [wanted] * self._num_layers:
            raise ConfigurationError(
                f"{self._name}: expected {self._num_layers} layers of shape {wanted}, as its config.json "
                f"says, found {len(found)}: {', '.join(map(str, dict.fromkeys(found)))}. Not every "
                "layer of this architecture has a vector of one size for every piece, so it cannot be "
                "probed layer by layer."
            )

    @cached_property
    def _pieces(self) -> WordPieces:
        tokenizer = load_tokenizer(self._folder)
        limit = piece_limit(self._sizes, tokenizer, self._max_length)
        if self.per_sentence:
            return WholeSentences(tokenizer, limit, self._long_sentences, self._pool)
        return WordPieces(tokenizer, limit, self._long_sentences)

    @property
    def _has_new_weights(self) -> bool:
        return self._allow_new_weights and self._weights == "pretrained"

    @cached_property
    def _model(self) -> torch.nn.Module:
        # Weights that a file need not have, such as a pooler's, are drawn in loading: a run must not
        # depend on whether its features had to be computed.
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(self._seed)
            if self._weights == "pretrained":
                model, self._new_weights = load_pretrained(self._folder, self._allow_new_weights)
            else:
                model = draw_random(self._config)
        return model.eval().requires_grad_(False)

    def _names_of_new_weights(self) -> list[str]:
        """Those that no file has, by loading the model if that was not done yet."""
        if self._new_weights is None:
            self._model.eval()
        return list(self._new_weights or [])
