import torch

from linspector_allennlp.encoders.segments import segment_mean
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows


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
        return segment_mean(rows.vectors, rows.lengths)
