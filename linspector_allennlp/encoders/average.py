import torch

from linspector_allennlp.encoders.sentence_encoder import (
    SentenceEncoder,
    WordRows,
    sentence_of_rows,
)


@SentenceEncoder.register("average")
class AverageEncoder(SentenceEncoder):
    """
    The mean of the vectors of a sentence's words.

    Registered as a `SentenceEncoder` with name "average".
    """

    is_linear = True

    def __init__(self, word_dim: int) -> None:
        super().__init__(word_dim=word_dim, output_dim=word_dim)

    def forward(self, rows: WordRows) -> torch.Tensor:
        sums = rows.vectors.new_zeros(len(rows.lengths), self.word_dim)
        sums.index_add_(0, sentence_of_rows(rows.lengths), rows.vectors)
        return sums / rows.lengths.unsqueeze(1)
