from typing import Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder

from linspector_allennlp.dataset_readers.ngram_indexer import NAMESPACE
from linspector_allennlp.models.dependency_srl import RoleTagger, make_orthogonal
from linspector_allennlp.modules.trigram_words import TrigramWords


@Model.register("char_trigram_srl")
class CharTrigramSrl(RoleTagger):
    """
    Semantic roles of words, from nothing but their character trigrams: the model that the study of LINSPECTOR
    takes apart (Şahin et al. 2020, section 4.5). Its parts to probe are `words`, the word vectors that a
    BiLSTM composes from trigrams (a word alone has the same vector as in a sentence), and `encoder`,
    the BiLSTM over these.

    Registered as a `Model` with name "char_trigram_srl". Its words come from the indexer
    `character_ngrams`.

    # Parameters

    encoder : `Lazy[Seq2SeqEncoder]`
    word_dim : `int`, optional (default = `200`)
    ngram_dim : `int`, optional (default = `200`)
        Of the vectors of trigrams.
    hidden_dim : `int`, optional (default = `200`)
        Of the BiLSTM over trigrams, in each direction.
    dropout :
        See `RoleTagger`.
    """

    default_predictor = "semantic_roles"

    def __init__(
        self,
        vocab: Vocabulary,
        encoder: Lazy[Seq2SeqEncoder],
        word_dim: int = 200,
        ngram_dim: int = 200,
        hidden_dim: int = 200,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(vocab=vocab, vector_dim=word_dim, encoder=encoder, dropout=dropout)
        self.words = TrigramWords(vocab.get_vocab_size(NAMESPACE), ngram_dim, hidden_dim, word_dim)
        for part in (self.words.lstm, self.words.forward_weights, self.words.backward_weights):
            make_orthogonal(part)

    def vectors(self, tokens: TextFieldTensors) -> torch.Tensor:
        found: Optional[torch.Tensor] = next(
            (each["token_characters"] for each in tokens.values() if "token_characters" in each),
            None,
        )
        if found is None:
            raise ConfigurationError(
                "char_trigram_srl: expected a token indexer of type character_ngrams, found none."
            )
        return self.words(found)
