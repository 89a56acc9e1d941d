import torch

from linspector_allennlp.encoders.segments import first_rows
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows


@SentenceEncoder.register("sentence_vector")
class SentenceVectorEncoder(SentenceEncoder):
    """
    The vector of the first word, for representations that give all words of a sentence the vector of
    the sentence: `precomputed` with `per: "sentence"`, `transformer_layer` with a pool of sentences.

    Registered as a `SentenceEncoder` with name "sentence_vector".
    """

    is_linear = True
    takes_first_word = True

    def __init__(self, word_dim: int) -> None:
        super().__init__(word_dim=word_dim, output_dim=word_dim)

    def forward(self, rows: WordRows) -> torch.Tensor:
        return rows.vectors[first_rows(rows.lengths)]
