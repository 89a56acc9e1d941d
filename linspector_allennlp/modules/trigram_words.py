import torch
from allennlp.modules.seq2vec_encoders import PytorchSeq2VecWrapper


class TrigramWords(torch.nn.Module):
    """
    Word vectors that a BiLSTM composes from character n-grams (Şahin & Steedman 2018): the weighted sum of
    its last states, W_f h_f + W_b h_b + b.

    # Parameters

    num_ngrams : `int`
        With those of padding and unknown ones, whose numbers are 0 and 1.
    ngram_dim : `int`
        Of the vectors of n-grams, which are random at first.
    hidden_dim : `int`
        Of the BiLSTM, in each direction.
    word_dim : `int`
    """

    def __init__(self, num_ngrams: int, ngram_dim: int, hidden_dim: int, word_dim: int) -> None:
        super().__init__()
        self.ngrams = torch.nn.Embedding(num_ngrams, ngram_dim, padding_idx=0)
        lstm = torch.nn.LSTM(ngram_dim, hidden_dim, bidirectional=True, batch_first=True)
        self.lstm = PytorchSeq2VecWrapper(lstm)
        self.forward_weights = torch.nn.Linear(hidden_dim, word_dim)
        self.backward_weights = torch.nn.Linear(hidden_dim, word_dim, bias=False)

    def forward(self, ngrams: torch.Tensor) -> torch.Tensor:
        """Shape: (batch, num_words, num_ngrams) → (batch, num_words, word_dim)"""
        batch, num_words, width = ngrams.shape
        # A word that comes again in the batch is composed once.
        distinct, place = ngrams.reshape(-1, width).unique(dim=0, return_inverse=True)
        # Shape: (num_distinct, hidden_dim), each
        forward, backward = self.lstm(self.ngrams(distinct), distinct != 0).chunk(2, dim=1)
        # Shape: (num_distinct, word_dim)
        words = self.forward_weights(forward) + self.backward_weights(backward)
        return words[place].view(batch, num_words, -1)
