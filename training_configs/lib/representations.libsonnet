// The representations that a probe can look at: what the reader hands over, and what embeds it.
local of_word_forms(embedder) = {
  token_indexers: { words: { type: 'word_form' } },
  text_field_embedder: { token_embedders: { words: embedder } },
};

{
  // Random vectors of character n-grams: spelling and nothing else. Needs no file.
  char_ngrams(dimension=300):: of_word_forms({ type: 'char_ngrams', dimension: dimension }),

  // A text file of word vectors (.vec, .txt, plain or .gz).
  // unk: the vector of unknown words: 'mean', 'zeros', 'random' or 'error'.
  word_vectors(file, unk='mean', lowercase=false)::
    of_word_forms({ type: 'word_vectors', file: file, unk: unk, lowercase: lowercase }),

  // What the environment variable VECTORS says: a file, or 'char_ngrams'.
  from_environment()::
    local vectors = std.extVar('VECTORS');
    if vectors == 'char_ngrams' then self.char_ngrams() else self.word_vectors(vectors),
}
