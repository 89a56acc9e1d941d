from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.encoders.fitted_encoder import FittedEncoder, SecondMoments
from linspector_allennlp.encoders.segments import segment_mean
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows

SEPARATOR = "\0"  # which no word has: in the tensors of words it is the padding


@SentenceEncoder.register("sif")
class SifEncoder(FittedEncoder):
    """
    The smooth inverse frequency of Arora et al. (2017): the mean of the words' vectors, each times
    a / (a + p), without what all sentences have in common.

    p is the share of the word among the words of the training sentences, and 0 of a word that is not
    among them; words of different case are different. What all have in common is the first singular
    vector of the training sentences' means, which are not centered.

    Registered as a `SentenceEncoder` with name "sif".

    # Parameters

    a : `float`, optional (default = `0.001`)
    """

    sized_by_fitting = ("words", "counts")

    def __init__(self, word_dim: int, a: float = 1e-3) -> None:
        if not a > 0:
            raise ConfigurationError(f"sif: expected an `a` greater than 0, found {a}.")
        super().__init__(word_dim=word_dim, output_dim=word_dim)
        self._a = a
        self.words: torch.Tensor
        self.counts: torch.Tensor
        self.direction: torch.Tensor
        self.register_buffer("words", torch.zeros(0, dtype=torch.uint8))
        self.register_buffer("counts", torch.zeros(0, dtype=torch.int64))
        self.register_buffer("direction", torch.zeros(word_dim))
        self._weights: dict[str, float] = {}

    def fit(self, batches: Iterable[WordRows]) -> None:
        """Goes through the batches twice: for the counts of words, and for the sentences."""
        if isinstance(batches, Iterator):
            raise TypeError(
                "sif: expected batches that can be gone through twice, found an iterator."
            )
        found: Counter[str] = Counter()
        for rows in batches:
            for sentence in rows.sentences:
                found.update(sentence)
        if any(SEPARATOR in word for word in found):
            raise ValueError("sif: expected words, found one with a character of number 0 in it.")
        device = self.num_fitted.device
        text = SEPARATOR.join(found).encode("utf-8", "surrogatepass")
        # In a list of its own: a buffer of bytes could not be written to.
        self.words = torch.tensor(list(text), dtype=torch.uint8, device=device)
        self.counts = torch.tensor(list(found.values()), dtype=torch.int64, device=device)
        self._weights = {}
        moments = SecondMoments(self.word_dim)
        for rows in batches:
            moments.add(self._weighted_means(rows))
        self.set_fitted(moments.count)
        self.direction.copy_(moments.directions(1)[0][0])

    def forward(self, rows: WordRows) -> torch.Tensor:
        self.check_fitted()
        means = self._weighted_means(rows)
        return means - torch.outer(means @ self.direction, self.direction)

    def _weighted_means(self, rows: WordRows) -> torch.Tensor:
        weight_of = self._weight_of_words().get
        weights = [weight_of(word, 1.0) for sentence in rows.sentences for word in sentence]
        column = rows.vectors.new_tensor(weights).unsqueeze(1)
        return segment_mean(rows.vectors * column, rows.lengths)

    def _weight_of_words(self) -> dict[str, float]:
        """From the buffers, when they are first needed."""
        if not self._weights and len(self.counts):
            text = bytes(self.words.tolist()).decode("utf-8", "surrogatepass")
            shares = self.counts.double() / self.counts.sum()
            weights = self._a / (self._a + shares)
            self._weights = dict(zip(text.split(SEPARATOR), weights.tolist()))
        return self._weights

    def provenance(self) -> dict[str, Any]:
        return {"a": self._a}

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        super()._load_from_state_dict(state_dict, prefix, *args)
        self._weights = {}
