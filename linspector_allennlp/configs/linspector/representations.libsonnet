// The representations that a probe can look at: what the reader hands over, and what embeds it. One
// function each, and `named`, which finds them by a text. What is left out is as the embedder has it.
local arguments = import 'text_arguments.libsonnet';

local of_words(embedder) = {
  token_indexers: { words: { type: 'word_form' } },
  text_field_embedder: { token_embedders: { words: embedder } },
};

// The embedder in one of these representations.
local embedder_of(representation) = representation.text_field_embedder.token_embedders.words;

// By function the embedder, how many of its settings are needed, and all of them in their order.
local table = {
  word_vectors: ['word_vectors', 1, ['file', 'unk', 'lowercase', 'words', 'seed']],
  fasttext: ['fasttext_vectors', 1, ['file', 'unk', 'lowercase', 'seed']],
  bpe: ['bpe_vectors', 2, ['model', 'vectors', 'unk', 'lowercase', 'digits_to_zero', 'seed']],
  transformer: [
    'transformer_layer',
    1,
    [
      'model', 'layer', 'pool', 'alone', 'long_sentences', 'max_length', 'precision', 'max_pieces',
      'allow_new_weights', 'seed',
    ],
  ],
  elmo: ['elmo_layer', 2, ['options_file', 'weight_file', 'layer', 'alone']],
  elmo_for_many_langs: ['elmo_for_many_langs', 1, ['folder', 'layer', 'alone', 'options_file']],
  archive: [
    'archive_layer',
    2,
    ['archive', 'module', 'tensor', 'weights_file', 'packages', 'extra_inputs', 'alone', 'layer'],
  ],
  precomputed: ['precomputed', 1, ['file', 'sentences', 'layer', 'per', 'unk']],
  char_ngrams: ['char_ngrams', 0, ['dimension', 'seed', 'lowercase']],
  random_vectors: ['random_vectors', 0, ['dimension', 'seed', 'lowercase']],
  random_transformer: ['transformer_layer', 1, ['model', 'layer', 'pool', 'seed', 'max_pieces']],
  random_bilstm: ['random_bilstm', 1, ['base', 'seed', 'dimension']],
};
local names = std.objectFields(table);

// The representation of a function with its settings; a setting that is null is left out.
local of_settings(name, settings) = of_words(
  { type: table[name][0] }
  + (if name == 'random_transformer' then { weights: 'random' } else {})
  + { [key]: settings[key] for key in std.objectFields(settings) if settings[key] != null }
);

// The same with the values of the settings, in their order.
local of_values(name, values) =
  local keys = table[name][2];
  of_settings(name, { [keys[i]]: values[i] for i in std.range(0, std.length(values) - 1) });

local named(text) =
  local parts = arguments.split(text);
  local name = parts[0];
  local is_file = std.member(name, '.') || std.member(name, '/') || std.findSubstr('://', text) != [];
  local settings_of(parts, keys, needed) = arguments.settings(text, name, parts, keys, needed);
  if name == 'random_bilstm' then
    local first = 1 + arguments.num_leading_keys(parts[1:]);
    local base = arguments.join(parts[first:]);
    if base == '' then error "'%s' does not say its base, as random_bilstm:seed=3:char_ngrams." % text
    else of_settings(
      name, settings_of(parts[1:first], table[name][2][1:], []) + { base: embedder_of(named(base)) }
    )
  else if std.objectHas(table, name)
  then of_settings(name, settings_of(parts[1:], table[name][2], table[name][2][0:table[name][1]]))
  else if is_file && arguments.num_keyed(parts, table.word_vectors[2]) > 0
  then of_settings('word_vectors', arguments.settings(text, 'word_vectors', parts, table.word_vectors[2], ['file']))
  else if is_file then of_values('word_vectors', [std.strReplace(text, '\\:', ':')])
  else error "there is no representation '%s'.%s Expected one of %s, or a file of vectors (./%s)."
             % [name, arguments.nearest(name, names), std.join(', ', names), name];

{
  // Static vectors from a file: text (.vec, .txt), word2vec .bin, .npy, .h5, .safetensors.
  // gensim's .kv is to be converted first; the error has the command.
  // words: the word list of a .npy, .h5 or .safetensors matrix.
  // unk: the vector of unknown words: 'mean', 'zeros', 'random', 'shared_random' (one for all) or 'error';
  // with 'skip' items with unknown words leave the task.
  word_vectors(file, unk=null, lowercase=null, words=null, seed=null)::
    of_values('word_vectors', [file, unk, lowercase, words, seed]),

  // A fastText .bin: unknown words are composed from their n-grams (unk='subwords').
  fasttext(file, unk=null, lowercase=null, seed=null):: of_values('fasttext', [file, unk, lowercase, seed]),

  // A SentencePiece model and the vectors of its pieces (BPEmb's two files), averaged over a word.
  // BPEmb knows lower case and no digit but 0; other models may want lowercase=false and
  // digits_to_zero=false.
  bpe(model, vectors, unk=null, lowercase=null, digits_to_zero=null, seed=null)::
    of_values('bpe', [model, vectors, unk, lowercase, digits_to_zero, seed]),

  // A Hugging Face model. layer: a number (0 is the embedding layer), a list, 'average' or 'mix'.
  // pool: of the pieces of a word, 'mean', 'max', 'first', 'last', or 'attention', which is learned with the
  // probe and keeps the vectors of max_pieces (8) for each word; of a whole sentence, for encoders.libsonnet,
  // 'cls', 'sentence_mean' or 'sentence_max'. alone=true takes every word out of its sentence.
  // long_sentences: those with more pieces than the model takes are cut ('window') or refused ('error').
  // allow_new_weights=true: weights that the files lack are drawn from the seed, and named.
  transformer(
    model, layer=null, pool=null, alone=null, long_sentences=null, max_length=null, precision=null,
    max_pieces=null, allow_new_weights=null, seed=null
  )::
    of_values(
      'transformer',
      [
        model, layer, pool, alone, long_sentences, max_length, precision, max_pieces, allow_new_weights, seed,
      ]
    ),

  // ELMo. layer: 0, 1, 2, a list, 'average' or 'mix'.
  elmo(options_file, weight_file, layer=null, alone=null)::
    of_values('elmo', [options_file, weight_file, layer, alone]),

  // A model folder of ELMoForManyLangs, unpacked. layer: 0, 1, 2, a list, 'average' or 'mix'.
  elmo_for_many_langs(folder, layer=null, alone=null, options_file=null)::
    of_values('elmo_for_many_langs', [folder, layer, alone, options_file]),

  // A module of a trained AllenNLP model, or a list of them as layers, of which layer is one (the last), a
  // list, 'average' or 'mix'; `linspector probe-layers ARCHIVE` lists them.
  archive(
    archive, module, tensor=null, weights_file=null, packages=null, extra_inputs=null, alone=null,
    layer=null
  )::
    of_values(
      'archive', [archive, module, tensor, weights_file, packages, extra_inputs, alone, layer]
    ),

  // Vectors that were computed elsewhere: .h5, .npy or .safetensors.
  // sentences: the text, CoNLL-U or task file whose n-th sentence has index n. per: 'token' or 'sentence'.
  // unk: an item whose sentence is not in the file is refused ('error') or leaves the task ('skip').
  // Of several files: precomputed(['train.h5', 'dev.h5'], sentences=['train.conllu', 'dev.conllu']).
  precomputed(file, sentences=null, layer=null, per=null, unk=null)::
    of_values('precomputed', [file, sentences, layer, per, unk]),

  // Control: random vectors of character n-grams. Spelling and nothing else. Of this and of the other
  // controls the seed is that of the run, unless it is given.
  char_ngrams(dimension=null, seed=null, lowercase=null)::
    of_values('char_ngrams', [dimension, seed, lowercase]),

  // Control: a random vector for each word type. Identity and nothing else.
  random_vectors(dimension=null, seed=null, lowercase=null)::
    of_values('random_vectors', [dimension, seed, lowercase]),

  // Control: a transformer of the same architecture and tokenizer that was never trained.
  random_transformer(model, layer=null, pool=null, seed=null, max_pieces=null)::
    of_values('random_transformer', [model, layer, pool, seed, max_pieces]),

  // Control: an untrained BiLSTM over another representation; over layer 0 it is Proj0.
  random_bilstm(base, seed=null, dimension=null)::
    of_values('random_bilstm', [embedder_of(base), seed, dimension]),

  // A representation by one text: the function, and behind colons its settings, in their order or as
  // key=value: 'char_ngrams', 'word_vectors:fi.vec:unk=zeros', 'transformer:MODEL:[0,6]:pool=first'.
  // A value that JSON can say is such, else it is text; '\:' is a colon inside one. The settings of
  // random_bilstm come before its base: 'random_bilstm:seed=3:transformer:MODEL:0'. A file alone is
  // one for word_vectors.
  named(text):: named(text),

  // What the environment variable VECTORS names.
  from_environment():: named(std.extVar('VECTORS')),
}
