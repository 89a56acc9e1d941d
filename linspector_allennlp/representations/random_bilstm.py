from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Optional

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from linspector_allennlp.representations.computed_embedder import ComputedEmbedder
from linspector_allennlp.representations.word_embedder import WordEmbedder
from linspector_allennlp.representations.words import Words, encode_words


@TokenEmbedder.register("random_bilstm")
class RandomBiLstmEmbedder(ComputedEmbedder):
    """
    A bidirectional LSTM that was never trained, over vectors that know nothing of the sentence: the
    control "Proj0" of Hewitt & Liang (2019), who put it over ELMo's layer 0. What a probe finds in
    it comes from the words and from mixing them at random, not from a model that learned.

    Registered as a `TokenEmbedder` with name "random_bilstm".

    # Parameters

    base : `WordEmbedder`
        Any of this package: layer 0 of a transformer or of ELMo, word vectors, …
    dimension : `int`, optional
        Of the result, both directions together; by default that of the base.
    seed : `int`, optional
        Of the weights, which are uniform between ±1/√(hidden size), as PyTorch draws them; by
        default that of the run.
    alone, precision, batch_size :
        See `ComputedEmbedder`.
    """

    def __init__(
        self,
        base: TokenEmbedder,
        dimension: Optional[int] = None,
        seed: Optional[int] = None,
        alone: bool = False,
        precision: str = "float32",
        batch_size: int = 32,
    ) -> None:
        if not isinstance(base, WordEmbedder) or base.hand_over_layers() > 1:
            raise ConfigurationError(
                "random_bilstm: expected a base of this package, of one layer or several side by "
                f"side, found {type(base).__name__}"
                + (' with layer "mix".' if isinstance(base, WordEmbedder) else ".")
            )
        if base.max_pieces:
            raise ConfigurationError(
                'random_bilstm: pool: "attention" is learned in the head of a probe, and its base comes '
                'before: name another pooling, such as "mean".'
            )
        if base.skips:
            raise ConfigurationError(
                "random_bilstm: all words of a sentence go through it, so that none can be skipped: "
                'set the "unk" of its base to "mean", "zeros", "random" or "shared_random".'
            )
        output_dim = base.get_output_dim() if dimension is None else dimension
        if output_dim < 2 or output_dim % 2:
            raise ConfigurationError(
                "random_bilstm: expected an even dimension, half of it for each direction, found "
                f"{output_dim}. Set `dimension`."
            )
        super().__init__(
            num_layers=1,
            layer_dim=output_dim,
            layer=0,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )
        self.base = base
        self.take_seed(seed)

    def seed_was_loaded(self) -> None:
        super().seed_was_loaded()
        self.__dict__.pop("_lstm", None)

    computes_with = ("_lstm",)

    def release(self) -> None:
        super().release()
        self.base.release()

    def identity(self) -> dict[str, Any]:
        return {
            "type": "random_bilstm",
            "base": {**self.base.provenance(), "type": self.base.registered_name},
            "seed": self._seed,
        }

    def provenance(self) -> dict[str, Any]:
        return {
            **self.identity(),
            "alone": self.ignores_context,
            "precision": self._precision,
            "dimension": self._dimension,
        }

    @property
    def source(self) -> str:
        return f"BiLSTM over {self.base.source}"

    def knows(self, forms: Sequence[str]) -> Optional[np.ndarray]:
        return self.base.knows(forms)

    def prepare(self, sentences: Iterable[Words]) -> None:
        sentences = list(sentences)
        if self.ignores_context:
            sentences = [(word,) for sentence in sentences for word in sentence]
        self.base.prepare(sentences)
        super().prepare(sentences)

    def compute(self, sentences: Sequence[Words]) -> torch.Tensor:
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        # Shape: (batch, num_tokens, base_dim)
        inputs = self.base(encode_words(sentences))
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        # Shape: (batch, num_tokens, dimension)
        outputs, _ = pad_packed_sequence(self._lstm(packed)[0], batch_first=True)
        is_word = torch.arange(outputs.shape[1]) < lengths.unsqueeze(1)
        return outputs[is_word].unsqueeze(0)

    @cached_property
    def _lstm(self) -> torch.nn.LSTM:
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(self._seed)
            lstm = torch.nn.LSTM(
                self.base.get_output_dim(),
                self._dimension // 2,
                batch_first=True,
                bidirectional=True,
            )
        return lstm.requires_grad_(False)
