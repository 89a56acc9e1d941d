from collections.abc import Sequence
from typing import Optional

import numpy
import torch
from allennlp.modules import ScalarMix

from linspector_allennlp.representations.layer_choice import LayerChoice
from linspector_allennlp.representations.word_embedder import WordEmbedder
from linspector_allennlp.representations.words import Words, decode_words


class ContextEmbedder(WordEmbedder):
    """
    The base of representations in which the vector of a word depends on its sentence. A word form
    without a sentence is a sentence of one word.

    Where layers are to be mixed it learns the mix itself, as a part of any model, unless the model
    takes the layers and mixes them (`hand_over_layers`).

    A subclass implements `embed_tokens`.

    # Parameters

    choice : `LayerChoice`
        Of the layers that there are.
    layer_dim : `int`
        The size of a word's vector in one of them.
    alone : `bool`, optional (default = `False`)
        Whether every word is taken out of its sentence and embedded as a sentence of its own.
    """

    def __init__(self, choice: LayerChoice, layer_dim: int, alone: bool = False) -> None:
        mixes = choice.mixed_layers > 1
        super().__init__(dimension=layer_dim if mixes else choice.dimension(layer_dim))
        self.mix = ScalarMix(choice.mixed_layers) if mixes else None
        self.ignores_context = alone
        self._choice = choice
        self._layer_dim = layer_dim

    def hand_over_layers(self) -> int:
        if self.mix is not None:
            self.mix = None
            self.mixed_layers = self._choice.mixed_layers
            self._dimension = self._choice.dimension(self._layer_dim)
        return self.mixed_layers

    def embed_tokens(
        self, sentences: Sequence[Words], sentence_of: numpy.ndarray, word_of: numpy.ndarray
    ) -> torch.Tensor:
        """
        The vectors of some words of these sentences, in the chosen layers.

        # Parameters

        sentences : `Sequence[Words]`
            Some may be equal.
        sentence_of, word_of : `numpy.ndarray`
            For each word that is asked for its sentence and its place in it, both from 0.

        # Returns

        `torch.Tensor`, float32. Shape: (num_words, num_chosen_layers, layer_dim)
        """
        raise NotImplementedError

    def embed_words(
        self, sentences: Sequence[Words], places: Sequence[Sequence[int]]
    ) -> torch.Tensor:
        if self.ignores_context:
            sentences = [
                (sentence[i],) for sentence, asked in zip(sentences, places) for i in asked
            ]
            places = [(0,)] * len(sentences)
        sentence_of = numpy.repeat(numpy.arange(len(sentences)), [len(asked) for asked in places])
        word_of = numpy.fromiter((i for asked in places for i in asked), dtype=numpy.int64)
        return self._joined(self.embed_tokens(sentences, sentence_of, word_of))

    def forward(
        self, code_points: torch.Tensor, probed: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        # Shape: (batch, num_tokens)
        words = decode_words(code_points)
        is_word = words != ""
        batch, num_tokens = words.shape
        if probed is None:
            sentence_of, word_of = numpy.nonzero(is_word)
            place_of = word_of
        else:
            num_tokens = 1
            sentence_of, word_of = numpy.arange(batch), probed.cpu().numpy()
            place_of = numpy.zeros_like(word_of)
        _check_words(is_word, is_word[sentence_of, word_of])
        if self.ignores_context:
            sentences = [(word,) for word in words[sentence_of, word_of].tolist()]
            asked = numpy.arange(len(sentences)), numpy.zeros_like(word_of)
        else:
            sentences = [tuple(word for word in row if word) for row in words.tolist()]
            asked = sentence_of, word_of
        vectors = self._joined(self.embed_tokens(sentences, *asked))
        # Shape: (batch, num_tokens, dimension)
        embedded = vectors.new_zeros(batch, num_tokens, self._dimension)
        embedded[torch.from_numpy(sentence_of), torch.from_numpy(place_of)] = vectors
        return embedded.to(code_points.device)

    def _joined(self, chosen: torch.Tensor) -> torch.Tensor:
        """Shape: (num_words, num_chosen_layers, layer_dim) → (num_words, dimension)"""
        if self.mix is None:
            return self._choice.join(chosen)
        return self.mix(list(chosen.to(self.mix.gamma.device).unbind(dim=1)))


def _check_words(is_word: numpy.ndarray, is_asked_word: numpy.ndarray) -> None:
    """After an empty word, all others of the sentence would get the vector of their neighbour."""
    if (is_word[:, 1:] & ~is_word[:, :-1]).any() or not is_asked_word.all():
        raise ValueError(
            "expected words, found an empty one in a sentence. Remove it from the data."
        )
