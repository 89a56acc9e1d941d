from functools import cached_property
from typing import Optional

import torch
from allennlp.common.checks import ConfigurationError
from torch.nn.utils.rnn import PackedSequence

from linspector_allennlp.encoders.seeded_encoder import SeededEncoder
from linspector_allennlp.encoders.segments import (
    max_by,
    rows_of_sentences,
    sentence_groups,
    time_order,
)
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows

MOST_WORDS = 2048
"""At a time: each needs some 150 kB, of 8192 dimensions."""


@SentenceEncoder.register("random_bilstm")
class RandomBiLstmEncoder(SeededEncoder):
    """
    A bidirectional LSTM that was never trained, and the greatest value of its states over time in each
    dimension (Conneau et al. 2017; Wieting & Kiela 2019). All weights and biases are uniform between
    ±1/√(hidden size), as PyTorch draws them, and it begins with zeros.

    Registered as a `SentenceEncoder` with name "random_bilstm".

    # Parameters

    dimension : `int`, optional (default = `8192`)
        Both directions together.
    seed : `int`, optional
        By default that of the run.
    """

    drawn = ("_lstm",)

    def __init__(self, word_dim: int, dimension: int = 8192, seed: Optional[int] = None) -> None:
        if dimension < 2 or dimension % 2:
            raise ConfigurationError(
                "random_bilstm: expected an even dimension, half of it for each direction, found "
                f"{dimension}."
            )
        super().__init__(word_dim=word_dim, output_dim=dimension, seed=seed)

    def forward(self, rows: WordRows) -> torch.Tensor:
        lstm = self._lstm.to(rows.vectors.device)
        result = rows.vectors.new_empty(len(rows.lengths), self.output_dim)
        for numbers in sentence_groups(rows.lengths, MOST_WORDS):
            some = rows_of_sentences(rows, numbers)
            order = time_order(some.lengths)
            packed = PackedSequence(some.vectors[order.rows], order.batch_sizes.cpu())
            # Shape: (num_words, output_dim)
            states = lstm(packed)[0].data
            result[numbers] = max_by(states, order.sentence_of, len(numbers))
        return result

    @cached_property
    def _lstm(self) -> torch.nn.LSTM:
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(self._seed)
            lstm = torch.nn.LSTM(self.word_dim, self.output_dim // 2, bidirectional=True)
        return lstm.requires_grad_(False)
