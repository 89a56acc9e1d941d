from typing import Any

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.encoders.segments import segment_max
from linspector_allennlp.encoders.sentence_encoder import (
    SentenceEncoder,
    WordRows,
    sentence_of_rows,
)


@SentenceEncoder.register("hierarchical_pooling")
class HierarchicalPoolingEncoder(SentenceEncoder):
    """
    The means of all windows of a sentence, and of these the greatest value in each dimension (Shen et
    al. 2018, "Baseline Needs More Love"): an average that knows a little of word order. Of a
    sentence shorter than the window it is that of the words themselves.

    Registered as a `SentenceEncoder` with name "hierarchical_pooling".

    # Parameters

    window : `int`, optional (default = `5`)
        In words.
    """

    def __init__(self, word_dim: int, window: int = 5) -> None:
        if window < 1:
            raise ConfigurationError(
                f"hierarchical_pooling: expected a window of 1 or more words, found {window}."
            )
        super().__init__(word_dim=word_dim, output_dim=word_dim)
        self._window = window

    def forward(self, rows: WordRows) -> torch.Tensor:
        vectors, lengths, window = rows.vectors, rows.lengths, self._window
        is_short = lengths < window
        if len(vectors) < window or bool(is_short.all()):
            return segment_max(vectors, lengths)
        # A window begins at each row that has enough behind it in its sentence.
        ends = lengths.cumsum(0).repeat_interleave(lengths)
        places = torch.arange(len(vectors), device=vectors.device)
        short_rows = is_short[sentence_of_rows(lengths)]
        kept = short_rows | (places + window <= ends)
        num_windows = len(vectors) - window + 1
        # Added one by one: a running sum over all rows would lose the last digits.
        means = vectors[:num_windows].clone()
        for offset in range(1, window):
            means += vectors[offset : offset + num_windows]
        means /= window
        values = torch.cat([means, vectors[num_windows:]])
        values = torch.where(short_rows.unsqueeze(1), vectors, values)[kept]
        return segment_max(values, torch.where(is_short, lengths, lengths - window + 1))

    def provenance(self) -> dict[str, Any]:
        return {"window": self._window}
