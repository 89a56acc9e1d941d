// The representations that a probe can look at: what the reader hands over, and what embeds it. One
// function each; `alone=true` takes every word out of its sentence.
local of_words(embedder) = {
  token_indexers: { words: { type: 'word_form' } },
  text_field_embedder: { token_embedders: { words: embedder } },
};

// The embedder in one of these representations.
local embedder_of(representation) = representation.text_field_embedder.token_embedders.words;

// A layer as the environment has it, which knows text alone.
local layer_of(text) =
  local is_number = text != '' && std.length(std.stripChars(text, '-0123456789[], ')) == 0;
  if std.member(['average', 'mix'], text) then text
  else if is_number then std.parseJson(text)
  else error "layer: expected a number, a list such as [0,6], average or mix, found '%s'." % text;

// Settings that a config leaves out get the defaults of the embedder.
local given(settings) = std.prune(settings);

{
  // Static vectors from a file: text (.vec, .txt), word2vec .bin, .npy, .h5, .safetensors.
  // gensim's .kv is to be converted first; the error has the command.
  // words: the word list of a .npy, .h5 or .safetensors matrix.
  // unk: the vector of unknown words: 'mean', 'zeros', 'random' or 'error'.
  word_vectors(file, unk='mean', lowercase=false, words=null)::
    of_words(given({ type: 'word_vectors', file: file, unk: unk, lowercase: lowercase, words: words })),

  // A fastText .bin: unknown words are composed from their n-grams (unk='subwords').
  fasttext(file, unk='subwords', lowercase=false)::
    of_words({ type: 'fasttext_vectors', file: file, unk: unk, lowercase: lowercase }),

  // A SentencePiece model and the vectors of its pieces (BPEmb's two files), averaged over a word.
  // BPEmb knows lower case and no digit but 0; other models may want lowercase and digits as they are.
  bpe(model, vectors, unk='mean', lowercase=true, digits_to_zero=true)::
    of_words({
      type: 'bpe_vectors',
      model: model,
      vectors: vectors,
      unk: unk,
      lowercase: lowercase,
      digits_to_zero: digits_to_zero,
    }),

  // A Hugging Face model. layer: a number (0 is the embedding layer), a list, 'average' or 'mix'.
  // long_sentences: those with more pieces than the model takes are cut ('window') or refused ('error').
  transformer(
    model, layer=-1, pool='mean', alone=false, long_sentences='window', max_length=null, precision='float32'
  )::
    of_words(given({
      type: 'transformer_layer',
      model: model,
      layer: layer,
      pool: pool,
      alone: alone,
      long_sentences: long_sentences,
      max_length: max_length,
      precision: precision,
    })),

  // ELMo. layer: 0, 1, 2, a list, 'average' or 'mix'.
  elmo(options_file, weight_file, layer='average', alone=false)::
    of_words({
      type: 'elmo_layer',
      options_file: options_file,
      weight_file: weight_file,
      layer: layer,
      alone: alone,
    }),

  // A module of a trained AllenNLP model; `linspector probe-layers ARCHIVE` lists them.
  archive(archive, module, tensor='output', weights_file=null, packages=null, extra_inputs=null)::
    of_words(given({
      type: 'archive_layer',
      archive: archive,
      module: module,
      tensor: tensor,
      weights_file: weights_file,
      packages: packages,
      extra_inputs: extra_inputs,
    })),

  // Vectors that were computed elsewhere: .h5, .npy or .safetensors.
  // sentences: the text or CoNLL-U file whose n-th sentence has index n. per: 'token' or 'sentence'.
  precomputed(file, sentences=null, layer=null, per='token')::
    of_words(given({
      type: 'precomputed',
      file: file,
      sentences: sentences,
      layer: layer,
      per: per,
    })),

  // Control: random vectors of character n-grams. Spelling and nothing else.
  char_ngrams(dimension=300):: of_words({ type: 'char_ngrams', dimension: dimension }),

  // Control: a random vector for each word type. Identity and nothing else.
  random_vectors(dimension=300, seed=13)::
    of_words({ type: 'random_vectors', dimension: dimension, seed: seed }),

  // Control: a transformer of the same architecture and tokenizer that was never trained.
  random_transformer(model, layer=-1, pool='mean', seed=13)::
    of_words({
      type: 'transformer_layer',
      model: model,
      layer: layer,
      pool: pool,
      weights: 'random',
      seed: seed,
    }),

  // Control: an untrained BiLSTM over another representation; over layer 0 it is Proj0.
  random_bilstm(base, seed=13)::
    of_words({ type: 'random_bilstm', base: embedder_of(base), seed: seed }),

  // What the environment variable VECTORS says: a file for word_vectors, 'fasttext:FILE',
  // 'transformer:MODEL:LAYER' (a number, a list such as [0,6], average or mix), 'char_ngrams' or
  // 'random_vectors'.
  from_environment()::
    local vectors = std.extVar('VECTORS');
    local parts = std.split(vectors, ':');
    if vectors == 'char_ngrams' then self.char_ngrams()
    else if vectors == 'random_vectors' then self.random_vectors()
    else if parts[0] == 'fasttext' then self.fasttext(vectors[std.length('fasttext:'):])
    else if parts[0] == 'transformer' && std.length(parts) == 3
    then self.transformer(parts[1], layer=layer_of(parts[2]))
    else if parts[0] == 'transformer'
    then error "VECTORS: expected transformer:MODEL:LAYER, found '%s'." % vectors
    else self.word_vectors(vectors),
}
