import torch

from linspector_allennlp.encoders.segments import segment_max
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows


@SentenceEncoder.register("max")
class MaxEncoder(SentenceEncoder):
    """
    The greatest value of a sentence's words in each dimension.

    Registered as a `SentenceEncoder` with name "max".
    """

    def __init__(self, word_dim: int) -> None:
        super().__init__(word_dim=word_dim, output_dim=word_dim)

    def forward(self, rows: WordRows) -> torch.Tensor:
        return segment_max(rows.vectors, rows.lengths)
